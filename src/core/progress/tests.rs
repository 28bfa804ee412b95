use super::*;
use crate::core::manifest;
use crate::core::pacing::Seal;

fn manifest() -> Manifest {
    let mut text = "format_version = 1\n[[chapters]]\nid = \"01_a\"\ntitle = \"A\"\n".to_string();
    for name in ["one", "two", "three"] {
        text += &format!(
            "[[exercises]]\nname = \"{name}\"\nformer_names = [\"old_{name}\"]\nchapter = \"01_a\"\ntitle = \"T\"\nminutes = 1\n\
             difficulty = 1\nstarts_as = {{ verdict = \"hung\", check = \"c\" }}\nhints = [\"a\", \"b\", \"c\"]\nsources = []\n"
        );
    }
    manifest::parse(&text).unwrap()
}

fn checked(name: &str, passed: bool, at: u64) -> Change {
    Change::Checked {
        name: name.into(),
        passed,
        verdict: Some(if passed {
            VerdictKind::Passed
        } else {
            VerdictKind::Hung
        }),
        at,
    }
}

fn name(exercise: Option<&Exercise>) -> &str {
    exercise.map_or("none", |exercise| &exercise.name)
}

#[test]
fn attempts_count_and_the_first_pass_is_kept() {
    let mut progress = Progress::default();
    for (passed, at) in [(false, 10), (true, 20), (false, 30), (true, 40)] {
        progress.apply(&checked("one", passed, at));
    }
    let record = progress.of("one");
    assert_eq!(
        record,
        Record {
            done: true,
            attempts: 4,
            first_attempt: Some(10),
            first_pass: Some(20),
            last: Some(VerdictKind::Passed),
            hints: 0
        }
    );
    assert_eq!(
        Progress::parse(&progress.to_string()).unwrap().of("one"),
        record
    );
}

#[test]
fn a_reset_leaves_attempts_first_pass_and_hints() {
    let mut progress = Progress::default();
    progress.apply(&checked("one", true, 7));
    progress.apply(&Change::HintTaken {
        name: "one".into(),
        level: 2,
    });
    progress.apply(&Change::Reset { name: "one".into() });
    let record = Record {
        done: false,
        attempts: 1,
        first_pass: Some(7),
        hints: 2,
        first_attempt: Some(7),
        last: Some(VerdictKind::Passed),
    };
    assert_eq!(progress.of("one"), record);
}

#[test]
fn a_lower_hint_taken_later_loses_no_level() {
    let mut progress = Progress::default();
    for level in [3, 1] {
        progress.apply(&Change::HintTaken {
            name: "one".into(),
            level,
        });
    }
    assert_eq!(progress.of("one").hints, 3);
}

#[test]
fn next_is_the_first_open_one_after_the_current_and_wraps() {
    let manifest = manifest();
    let mut progress = Progress::default();
    assert_eq!(name(progress.current(&manifest)), "one");
    assert_eq!(name(progress.next(&manifest, "one")), "two");
    assert_eq!(name(progress.next(&manifest, "three")), "one");
    progress.apply(&checked("two", true, 1));
    assert_eq!(name(progress.next(&manifest, "one")), "three");
    progress.apply(&checked("three", true, 1));
    assert_eq!(name(progress.next(&manifest, "one")), "none");
    assert_eq!(name(progress.next(&manifest, "two")), "one");
    assert_eq!(progress.done(&manifest), 2);
}

#[test]
fn the_current_exercise_is_the_one_moved_to_while_it_exists() {
    let manifest = manifest();
    let mut progress = Progress::default();
    progress.apply(&Change::MovedTo {
        name: "three".into(),
    });
    assert_eq!(name(progress.current(&manifest)), "three");
    progress.apply(&Change::MovedTo {
        name: "gone".into(),
    });
    progress.apply(&checked("one", true, 1));
    assert_eq!(name(progress.current(&manifest)), "two");
}

#[test]
fn unknown_names_keys_and_comments_stay() {
    let text = "# mine\nfuture = [1, 2]\ncurrent = \"old_two\"\n\n[exercises.gone]\ndone = true\n\n[exercises.one]\nmood = \"good\"\nattempts = 2\n";
    let mut progress = Progress::parse(text).unwrap();
    progress.apply(&checked("one", false, 1));
    let written = progress.to_string();
    for kept in [
        "# mine",
        "future = [1, 2]",
        "[exercises.gone]\ndone = true",
        "mood = \"good\"",
        "attempts = 3",
    ] {
        assert!(written.contains(kept), "{kept}:\n{written}");
    }
}

#[test]
fn progress_under_a_former_name_moves_to_the_present_one() {
    let text = "current = \"old_two\"\n[exercises.old_two]\ndone = true\n[exercises.old_one]\ndone = true\n[exercises.one]\ndone = false\n";
    let mut progress = Progress::parse(text).unwrap();
    progress.adopt(&manifest());
    assert!(progress.is_done("two"));
    assert!(
        !progress.is_done("one"),
        "what is kept under the present name wins"
    );
    assert_eq!(name(progress.current(&manifest())), "two");
}

#[test]
fn values_of_another_kind_read_as_absent_and_never_panic() {
    let texts = [
        "exercises = 3",
        "exercises = []",
        "exercises.one = \"x\"",
        "exercises.one = { done = 1, attempts = -4, hints = 900 }",
        "[[exercises]]\nname = \"one\"",
        "current = 3",
    ];
    for text in texts {
        let mut progress = Progress::parse(text).unwrap();
        progress.adopt(&manifest());
        assert!(
            !progress.is_done("one") && progress.of("one").hints <= 3,
            "{text}"
        );
        progress.apply(&checked("one", true, 5));
        assert!(progress.is_done("one"), "{text}:\n{progress}");
        assert!(
            Progress::parse(&progress.to_string())
                .unwrap()
                .is_done("one"),
            "{text}"
        );
    }
    assert!(Progress::parse("\0garbage").is_err());
}

#[test]
fn what_is_closed_is_neither_current_nor_next_until_it_opens() {
    let mut manifest = manifest();
    manifest.gates = vec![
        Gate {
            exercises: vec!["one".into()],
            opens: chrono::DateTime::from_timestamp(100, 0).map(Into::into),
            word: None,
        },
        Gate {
            exercises: vec!["three".into()],
            opens: None,
            word: Some(Seal::new("fox", 1)),
        },
    ];
    let mut progress = Progress::default();
    progress.at(99);
    assert_eq!(name(progress.current(&manifest)), "two");
    assert_eq!(name(progress.next(&manifest, "two")), "none");
    progress.apply(&Change::MovedTo {
        name: "three".into(),
    });
    assert_eq!(
        name(progress.current(&manifest)),
        "two",
        "moved to while it was open"
    );
    assert_eq!(progress.opened_by(&manifest, "Fox"), ["three"]);
    assert!(progress.opened_by(&manifest, "cat").is_empty());
    for _ in 0..2 {
        progress.apply(&Change::Opened { word: "Fox".into() });
    }
    assert_eq!(progress.to_string().matches("Fox").count(), 1);
    assert_eq!(name(progress.current(&manifest)), "three");
    progress.at(100);
    assert_eq!(name(progress.next(&manifest, "three")), "one");
    manifest.gates[0].opens = None;
    manifest.exercises.truncate(1);
    assert_eq!(name(progress.current(&manifest)), "none");
}
