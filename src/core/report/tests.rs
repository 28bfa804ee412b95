use serde_json::{Value, json};

use super::*;
use crate::core::manifest::{VerdictKind, parse};
use crate::core::progress::Change;
use crate::core::verdict::Failure;

fn manifest() -> Manifest {
    parse(
        "format_version = 1\n[[chapters]]\nid = \"07_channels\"\ntitle = \"Channels\"\n[[exercises]]\nname = \"never_closed\"\n\
         chapter = \"07_channels\"\ntitle = \"T\"\nminutes = 1\ndifficulty = 1\nstarts_as = { verdict = \"hung\", check = \"c\" }\n\
         hints = [\"look\", \"think\", \"do\"]\nsources = []\n",
    )
    .unwrap()
}

fn place() -> Place {
    Place {
        file: "exercises/07_channels/never_closed.rs".into(),
        line: 31,
        column: None,
        what: "Receiver::recv".into(),
    }
}

fn judged(verdict: Verdict) -> Judged {
    let check = CheckOutcome {
        name: "an_import_of_no_files_ends".into(),
        verdict: verdict.clone(),
        at: vec![place()],
        message: "it waits".into(),
        swallowed: vec![],
        output: "a < b & \u{1b}[1mbold\u{0}".into(),
        took: Duration::from_millis(14),
    };
    Judged {
        verdict,
        at: vec![place()],
        message: "it waits".into(),
        checks: vec![check],
        warnings: vec![],
        swallowed: vec![],
    }
}

fn line(judged: &Judged) -> Value {
    let manifest = manifest();
    let reported = reported(&manifest, judged);
    let text = json(&reported);
    assert!(!text.contains('\n'));
    serde_json::from_str(&text).unwrap()
}

fn reported<'a>(manifest: &'a Manifest, judged: &'a Judged) -> Reported<'a> {
    let (compile, run) = (Duration::from_millis(128), Duration::from_millis(21));
    Reported {
        exercise: &manifest.exercises[0],
        subject: &Subject::Exercise,
        judged,
        compile,
        run,
    }
}

#[test]
fn a_hang_has_the_fields_of_the_design() {
    let line = line(&judged(Verdict::Hung {
        kind: HangKind::Waiting,
        tasks: vec![],
    }));
    assert_eq!(
        line,
        json!({
            "schema": 1, "exercise": "never_closed", "chapter": "07_channels", "subject": "exercise",
            "verdict": "hung", "kind": "waiting", "message": "it waits",
            "at": [{"file": "exercises/07_channels/never_closed.rs", "line": 31, "what": "Receiver::recv"}],
            "checks": [{
                "name": "an_import_of_no_files_ends", "outcome": "hung", "kind": "waiting", "message": "it waits", "ms": 14,
                "at": [{"file": "exercises/07_channels/never_closed.rs", "line": 31, "what": "Receiver::recv"}],
                "output": "a < b & \u{1b}[1mbold\u{0}",
            }],
            "diagnostics": [], "warnings": [], "compile_ms": 128, "run_ms": 21,
        })
    );
}

#[test]
fn a_failed_check_says_what_was_expected_and_seen() {
    let failure = Failure {
        message: "m".into(),
        expected: Some("3".into()),
        seen: Some("2".into()),
    };
    let line = line(&judged(Verdict::CheckFailed { failure }));
    assert_eq!(
        (&line["checks"][0]["expected"], &line["checks"][0]["seen"]),
        (&json!("3"), &json!("2"))
    );
    assert_eq!(line.get("kind"), None);
}

#[test]
fn diagnostics_carry_no_colour() {
    let diagnostic = Diagnostic {
        level: "error".into(),
        code: Some("E0308".into()),
        message: "mismatched types".into(),
        rendered: "\u{1b}[31merror\u{1b}[0m".into(),
        at: Some(place()),
    };
    let line = line(&judged(Verdict::DoesNotCompile {
        diagnostics: vec![diagnostic],
    }));
    assert_eq!(line["diagnostics"][0]["rendered"], "error");
}

#[test]
fn junit_is_well_formed_whatever_the_subject_printed() {
    let manifest = manifest();
    let judged = judged(Verdict::OverMemory { peak: 2, limit: 1 });
    let xml = junit(&[reported(&manifest, &judged)]).unwrap();
    for part in [
        "tests=\"1\"",
        "failures=\"1\"",
        "type=\"over_memory\"",
        "never_closed.rs:31 Receiver::recv",
        "a &lt; b &amp;",
    ] {
        assert!(xml.contains(part), "{part}:\n{xml}");
    }
    assert!(!xml.contains('\0') && !xml.contains('\u{1b}'), "{xml}");
}

#[test]
fn the_list_marks_what_is_done_and_current() {
    let manifest = manifest();
    let mut progress = Progress::default();
    progress.apply(&Change::Checked {
        name: "never_closed".into(),
        passed: true,
        verdict: None,
        at: 9,
    });
    let list: Value = serde_json::from_str(&list_json(&manifest, &progress)).unwrap();
    assert_eq!(
        (&list["done"], &list["total"], &list["current"]),
        (&json!(1), &json!(1), &json!("never_closed"))
    );
    assert_eq!(list["chapters"][0]["exercises"][0]["first_pass"], 9);
}

#[test]
fn the_third_hint_is_the_last() {
    let manifest = manifest();
    let hint = |level| -> Value {
        serde_json::from_str(&hint_json(&manifest.exercises[0], level)).unwrap()
    };
    assert_eq!(
        hint(1),
        json!({"schema": 1, "exercise": "never_closed", "level": 1, "text": "look", "last": false})
    );
    assert_eq!(hint(3)["last"], true);
}

#[test]
fn a_summary_says_what_was_done_and_where_it_went_slowly() {
    let manifest = three();
    let progress = Progress::parse(
        "current = \"never_closed\"\nopened = [\"a secret word\"]\nhome = \"/home/ada/code\"\n\
         [exercises.one]\nattempts = 3\ndone = true\nfirst_attempt = 100\nfirst_pass = 1600\nlast = \"passed\"\n\
         [exercises.two]\nattempts = 9\nhints = 2\ndone = false\nfirst_attempt = 5\nlast = \"hung\"\n\
         [exercises.three]\nattempts = 1\nlast = \"/home/ada\"\nnote = \"ada@example.org\"\n\
         [exercises.ada_secret]\nattempts = 1\n",
    )
    .unwrap();
    let summary = summary(&manifest, &progress);
    insta::assert_snapshot!(summary.markdown());
    let json: Value = serde_json::from_str(&summary.json()).unwrap();
    assert_eq!(
        (&json["passed"], &json["total"], &json["attempts"]),
        (&json!(1), &json!(4), &json!(13))
    );
    assert_eq!(
        json["exercises"][1],
        json!({"exercise": "two", "chapter": "01_a", "state": "tried", "attempts": 9, "hints": 2, "seconds": null,
               "last_verdict": "hung"})
    );
    for text in [summary.markdown(), summary.json()] {
        for private in ["ada", "home", "secret", "@", "/"] {
            assert!(!text.contains(private), "{private}: {text}");
        }
    }
}

#[test]
fn a_summary_of_nothing_and_of_an_older_progress_file_is_honest() {
    let manifest = three();
    let empty = summary(&manifest, &Progress::default()).markdown();
    assert!(
        empty.contains("0 of 4 exercises passed") && empty.contains("Not begun (4)"),
        "{empty}"
    );
    let text = "[exercises.one]\nattempts = 2\ndone = true\nfirst_pass = 50\n";
    let mut progress = Progress::parse(text).unwrap();
    // The third check is not the first, whoever counts.
    progress.apply(&Change::Checked {
        name: "one".into(),
        passed: false,
        verdict: Some(VerdictKind::Hung),
        at: 10,
    });
    assert_eq!(progress.of("one").first_attempt, None);
    let summary = summary(&manifest, &progress).markdown();
    assert!(summary.contains("passed before | 3 "), "{summary}");
}

fn three() -> Manifest {
    let mut text = "format_version = 1\n[[chapters]]\nid = \"01_a\"\ntitle = \"A\"\n".to_owned();
    for name in ["one", "two", "three", "four"] {
        text.push_str(&format!(
            "[[exercises]]\nname = \"{name}\"\nchapter = \"01_a\"\ntitle = \"T\"\nminutes = 1\ndifficulty = 1\n\
             starts_as = {{ verdict = \"hung\", check = \"c\" }}\nhints = [\"a\", \"b\", \"c\"]\nsources = []\n"
        ));
    }
    parse(&text).unwrap()
}
