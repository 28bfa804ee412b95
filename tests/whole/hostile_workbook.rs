//! Manifests with mistakes: each complaint names the place, all of them come at once, and the status says whose fault.

use std::fs;

use crate::support::{TINY_SOLUTION, Tiny, asynclings};

#[track_caller]
fn complains(change: impl FnOnce(String) -> String, words: &[&str]) {
    let tiny = Tiny::new(TINY_SOLUTION);
    let info = tiny.root().join("info.toml");
    fs::write(&info, change(fs::read_to_string(&info).unwrap())).unwrap();
    let output = tiny.asynclings(&["run", "tiny"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{text}");
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    complains(
        |text| text.replace("minutes = 1", "minuets = 1"),
        &["info.toml:11", "minuets", "minutes"],
    );
}

#[test]
fn a_name_given_twice_is_named() {
    complains(
        |text| {
            let block = text[text.find("[[exercises]]").unwrap()..].to_owned();
            format!("{text}\n{block}")
        },
        &["tiny", "info.toml:"],
    );
}

#[test]
fn a_missing_checks_file_is_named() {
    let tiny = Tiny::new(TINY_SOLUTION);
    fs::remove_file(tiny.root().join("checks/01_test/tiny.rs")).unwrap();
    let output = tiny.asynclings(&["run", "tiny"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("checks/01_test/tiny.rs"), "{text}");
}

#[test]
fn two_hints_are_too_few() {
    complains(
        |text| text.replace(", \"Do.\"", ""),
        &["tiny", "three", "hints"],
    );
}

#[test]
fn all_complaints_come_at_once() {
    complains(
        |text| {
            text.replace(", \"Do.\"", "")
                .replace("minutes = 1", "minuets = 1")
        },
        &["minuets", "hints"],
    );
}

#[test]
fn text_that_is_no_toml_is_named_with_its_line() {
    complains(|text| format!("{text}\n[[exercises\n"), &["info.toml:"]);
}

#[test]
fn no_workbook_says_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let output = asynclings()
        .current_dir(empty.path())
        .arg("run")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("asynclings init"), "{text}");
}

#[test]
fn an_unknown_exercise_is_a_usage_error_with_the_nearest_name() {
    let output = Tiny::new(TINY_SOLUTION).asynclings(&["run", "tinny"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("tiny"), "{text}");
}
