use std::time::Duration;

use super::*;

const GOOD: &str = r#"format_version = 1

[[chapters]]
id = "04_locks"
title = "Locks that wait"

[[exercises]]
name = "self_deadlock"
chapter = "04_locks"
title = "A transfer that never ends"
minutes = 15
difficulty = 2
starts_as = { verdict = "hung", kind = "waiting", check = "a_transfer_ends" }
hints = ["Look.", "Think.", "Do."]
sources = ["report A, trap 3"]
"#;

fn complaints(text: &str) -> Vec<String> {
    parse(text)
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_good_manifest_is_read_with_its_defaults() {
    let manifest = parse(GOOD).unwrap();
    let exercise = &manifest.exercises[0];
    assert_eq!(
        exercise.limits,
        Limits {
            wall: Duration::from_secs(30),
            memory: Bytes(256 << 20)
        }
    );
    assert_eq!(exercise.starts_as.hang, Some(HangKind::Waiting));
    assert_eq!(exercise.starts_as.check.as_deref(), Some("a_transfer_ends"));
    assert_eq!(
        manifest.chapter(&exercise.chapter).unwrap().title,
        "Locks that wait"
    );
}

#[test]
fn limits_are_read_with_their_units() {
    let text = GOOD.to_string() + "limits = { memory_mib = 64, seconds = 3 }\n";
    let limits = parse(&text).unwrap().exercises[0].limits;
    assert_eq!(
        limits,
        Limits {
            wall: Duration::from_secs(3),
            memory: Bytes(64 << 20)
        }
    );
}

/// What replaces what in a good manifest, and the complaint that follows.
#[test]
fn every_complaint_names_its_line_and_what_to_do() {
    let second = GOOD.split_once("[[exercises]]").unwrap().1;
    let twice = format!("{GOOD}\n[[exercises]]{second}");
    let table: &[(&str, &str, &str)] = &[
        (
            "hints =",
            "hint =",
            "info.toml:14: exercise `self_deadlock` has an unknown key `hint`; did you mean `hints`?",
        ),
        (
            "title = \"Locks",
            "colour = \"red\"\ntitle = \"Locks",
            "info.toml:5: chapter `04_locks` has an unknown key `colour`; known are `id`, `title`",
        ),
        (
            "format_version = 1",
            "format_version = 2",
            "info.toml:1: this workbook needs a newer asynclings: its format_version is 2, this program reads 1",
        ),
        (
            "format_version = 1",
            "",
            "info.toml:1: info.toml has no `format_version`",
        ),
        (
            "chapter = \"04_locks\"",
            "chapter = \"04_lokcs\"",
            "info.toml:9: `chapter` of exercise `self_deadlock` is the unknown `04_lokcs`; did you mean `04_locks`?",
        ),
        (
            "\"Think.\", ",
            "",
            "info.toml:14: exercise `self_deadlock` has 2 hints; it needs three, under `hints`",
        ),
        (
            "difficulty = 2",
            "difficulty = 6",
            "info.toml:12: `difficulty` of exercise `self_deadlock` must be a whole number from 1 to 5",
        ),
        (
            "minutes = 15",
            "minutes = \"15\"",
            "info.toml:11: `minutes` of exercise `self_deadlock` must be a whole number from 1 to 600",
        ),
        (
            "minutes = 15",
            "limits = { seconds = 0 }\nminutes = 15",
            "info.toml:11: `seconds` of `limits` of exercise `self_deadlock` must be a whole number from 1 to 300",
        ),
        (
            "\"hung\"",
            "\"hang\"",
            "info.toml:13: `verdict` of `starts_as` of exercise `self_deadlock` is the unknown `hang`; did you mean `hung`?",
        ),
        (
            "\"hung\"",
            "\"passed\"",
            "info.toml:13: `verdict` of `starts_as` of exercise `self_deadlock` is `passed`; an exercise starts with a fault",
        ),
        (
            ", check = \"a_transfer_ends\"",
            "",
            "info.toml:13: `starts_as` of exercise `self_deadlock` needs the `check` that shows it",
        ),
        (
            "\"self_deadlock\"",
            "\"../escape\"",
            "info.toml:8: `name` of exercise `../escape` is `../escape`; use lower-case letters, digits and `_`",
        ),
        (
            "sources = [\"report A, trap 3\"]\n",
            "",
            "info.toml:7: exercise `self_deadlock` has no `sources`",
        ),
    ];
    for (from, to, complaint) in table {
        assert!(GOOD.contains(from), "{from}");
        let found = complaints(&GOOD.replacen(from, to, 1));
        assert!(
            found.iter().any(|text| text == complaint),
            "{complaint}\nbut: {found:#?}"
        );
    }
    assert_eq!(
        complaints(&twice),
        ["info.toml:17: two exercises are called `self_deadlock`; give one another name"]
    );
}

#[test]
fn a_hint_of_more_than_sixty_words_is_refused() {
    let text = GOOD.replace("Think.", &"think ".repeat(61));
    assert_eq!(
        complaints(&text),
        ["info.toml:14: the second hint of exercise `self_deadlock` has 61 words; use 1 to 60"]
    );
}

#[test]
fn all_complaints_come_at_once_in_the_order_of_the_file() {
    let text = GOOD
        .replace("title = \"A", "titel = \"A")
        .replace("minutes = 15", "minutes = 0")
        .replace("id =", "ident =");
    let lines: Vec<_> = parse(&text)
        .unwrap_err()
        .iter()
        .map(|complaint| complaint.line)
        .collect();
    assert!(lines.len() >= 5, "{lines:?}");
    assert!(lines.is_sorted(), "{lines:?}");
}

#[test]
fn a_syntax_error_has_its_line() {
    let found = parse(&GOOD.replace("minutes = 15", "minutes = ")).unwrap_err();
    assert_eq!(found[0].line, Some(11), "{found:?}");
}

#[test]
fn an_empty_text_and_garbage_are_complaints() {
    for text in [
        "",
        "\0\0",
        "chapters = 3\nformat_version = 1",
        "exercises = [1]\nformat_version = 1\nchapters = []",
    ] {
        assert!(parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_former_name_finds_the_exercise_and_a_mistyped_one_the_nearest() {
    let manifest = parse(&(GOOD.to_string() + "former_names = [\"deadlock\"]\n")).unwrap();
    assert_eq!(manifest.find("deadlock").unwrap().name, "self_deadlock");
    let error = manifest.find("self_deadlok").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no exercise is called `self_deadlok`; did you mean `self_deadlock`?"
    );
    let error = manifest.find("xyz").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no exercise is called `xyz`; `asynclings list` shows them all"
    );
}

#[test]
fn the_first_line_of_a_wrong_variant_is_read() {
    let of = |line| Expectation::from_variant(line);
    let hung = of("hung:waiting a_transfer_ends — a longer timeout seems to help").unwrap();
    assert_eq!(
        (hung.verdict, hung.hang),
        (VerdictKind::Hung, Some(HangKind::Waiting))
    );
    assert_eq!(hung.check.as_deref(), Some("a_transfer_ends"));
    assert_eq!(
        of("does_not_compile E0733 — boxed too late")
            .unwrap()
            .code
            .as_deref(),
        Some("E0733")
    );
    let message = of("does_not_compile \"future cannot be sent\" — drop() is not enough")
        .unwrap()
        .message;
    assert_eq!(message.as_deref(), Some("future cannot be sent"));
    for wrong in [
        "",
        "passed x — y",
        "hung:slow x — y",
        "panicked:waiting x — y",
        "check_failed — y",
        "check_failed two words — y",
        "check_failed x",
    ] {
        assert!(of(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_track_is_a_list_of_exercises_or_of_whole_chapters() {
    let by_name = GOOD.to_string()
        + "[[tracks]]\nid = \"short\"\ntitle = \"Short\"\nexercises = [\"self_deadlock\"]\n";
    let manifest = parse(&by_name).unwrap();
    let on_track = manifest.on_track("short").unwrap();
    assert_eq!(on_track.exercises.len(), 1);
    assert_eq!(on_track.chapters.len(), 1);
    assert_eq!(
        manifest.on_track("shrot").unwrap_err().to_string(),
        "no track is called `shrot`; did you mean `short`?"
    );
    let chapters = GOOD.to_string()
        + "[[tracks]]\nid = \"day-1\"\ntitle = \"Day\"\nchapters = [\"04_locks\"]\n";
    assert_eq!(
        parse(&chapters).unwrap().tracks[0].exercises,
        ["self_deadlock"]
    );
}

#[test]
fn a_track_that_leads_nowhere_is_complained_about() {
    for (rest, complaint) in [
        (
            "exercises = [\"self_deadlok\"]",
            "did you mean `self_deadlock`?",
        ),
        ("exercises = []", "is empty"),
        ("", "needs either `chapters` or `exercises`"),
        (
            "exercises = [\"self_deadlock\", \"self_deadlock\"]",
            "twice",
        ),
    ] {
        let text = format!("{GOOD}[[tracks]]\nid = \"t\"\ntitle = \"T\"\n{rest}\n");
        let complaints = parse(&text).unwrap_err();
        assert!(
            complaints[0].to_string().contains(complaint),
            "{complaints:?}"
        );
    }
}

#[test]
fn a_lint_exercise_has_two_files() {
    let manifest = parse(&(GOOD.to_string() + "kind = \"lint\"\n")).unwrap();
    assert_eq!(
        manifest.exercises[0].files(),
        ["self_deadlock.toml", "self_deadlock.rs"]
    );
    let complaints = parse(&(GOOD.to_string() + "kind = \"lnit\"\n")).unwrap_err();
    assert!(complaints[0].to_string().contains("unknown `lnit`"));
}

#[test]
fn a_gate_holds_exercises_or_chapters_until_a_date_or_a_word() {
    let seal = crate::core::pacing::Seal::new("fox", 3);
    let text = format!(
        "{GOOD}[[gates]]\nchapters = [\"04_locks\"]\nopens = 2026-10-01\n[[gates]]\nexercises = [\"self_deadlock\"]\nword = \"{seal}\"\n"
    );
    let gates = parse(&text).unwrap().gates;
    assert_eq!(gates[0].exercises, ["self_deadlock"]);
    let opens = gates[0].opens.unwrap();
    assert_eq!(opens.to_rfc3339(), "2026-10-01T00:00:00+00:00");
    assert_eq!(gates[1].word, Some(seal));
}

#[test]
fn a_gate_that_cannot_open_or_shows_its_word_is_complained_about() {
    for (gate, words) in [
        (
            "chapters = [\"04_locks\"]",
            "info.toml:16: gate 1 needs `opens`, a date, or `word`",
        ),
        (
            "opens = 2026-10-01",
            "gate 1 needs either `chapters` or `exercises`",
        ),
        (
            "opens = \"2026-10-01\"\nchapters = [\"04_locks\"]",
            "must be a date without quotes",
        ),
        (
            "word = \"fox\"\nchapters = [\"04_locks\"]",
            "info.toml:17: `word` of gate 1 must not be the word itself",
        ),
        (
            "opens = 2026-10-01\nchapters = [\"04_lock\"]",
            "did you mean `04_locks`?",
        ),
        (
            "opens = 2026-10-01\nexercises = [\"self_deadlock\"]\nday = 1",
            "gate 1 has an unknown key `day`",
        ),
    ] {
        let found = complaints(&format!("{GOOD}[[gates]]\n{gate}\n")).join("\n");
        assert!(found.contains(words), "{gate}:\n{found}");
    }
}

#[test]
fn until_a_chapter_leaves_out_what_comes_behind_it() {
    let later = "[[exercises]]\nname = \"late\"\nchapter = \"07_channels\"\ntitle = \"T\"\nminutes = 1\ndifficulty = 1\n\
                 starts_as = { verdict = \"hung\", check = \"c\" }\nhints = [\"a\", \"b\", \"c\"]\nsources = []\n";
    let chapter = "[[chapters]]\nid = \"07_channels\"\ntitle = \"C\"\n\n[[exercises]]";
    let manifest = parse(&(GOOD.replacen("[[exercises]]", chapter, 1) + later)).unwrap();
    for id in ["04_locks", "04", "4"] {
        let until = manifest.until(id).unwrap();
        let names: Vec<&str> = until.exercises.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["self_deadlock"], "{id}");
        assert_eq!(until.chapters.len(), 1);
    }
    assert_eq!(manifest.until("7").unwrap(), manifest);
    for (id, words) in [
        (
            "04_lock",
            "no chapter is called `04_lock`; did you mean `04_locks`?",
        ),
        (
            "5",
            "no chapter is called `5`; the chapters are 04_locks, 07_channels",
        ),
    ] {
        assert_eq!(manifest.until(id).unwrap_err().to_string(), words);
    }
}
