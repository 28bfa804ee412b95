use super::*;
use serde_json::{Value, json};

const SUBJECT: &str = "exercises/04_locks/x.rs";
const CHECKS: &str = "checks/04_locks/x.rs";

fn span(file: &str, line: u32, primary: bool, expansion: Option<Value>) -> Value {
    json!({
        "file_name": file, "byte_start": 0, "byte_end": 1, "line_start": line, "line_end": line, "column_start": 9,
        "column_end": 10, "is_primary": primary, "text": [], "label": null, "suggested_replacement": null,
        "suggestion_applicability": null,
        "expansion": expansion.map(|span| json!({"span": span, "macro_decl_name": "select!", "def_site_span": null})),
    })
}

fn line(level: &str, message: &str, spans: &[Value], children: &[Value]) -> String {
    json!({
        "$message_type": "diagnostic", "message": message, "code": {"code": "E0277", "explanation": null},
        "level": level, "spans": spans, "children": children, "rendered": format!("{level}: {message}\n"),
    })
    .to_string()
}

fn note(message: &str, spans: &[Value]) -> Value {
    json!({"message": message, "code": null, "level": "note", "spans": spans, "children": [], "rendered": null})
}

fn said(lines: &[String]) -> Said {
    parse(&lines.join("\n"), SUBJECT)
}

#[test]
fn errors_in_the_subject_come_first_and_warnings_elsewhere_not_at_all() {
    let said = said(&[
        line(
            "error",
            "in the checks",
            &[span(CHECKS, 3, true, None)],
            &[],
        ),
        line(
            "warning",
            "in the checks",
            &[span(CHECKS, 4, true, None)],
            &[],
        ),
        line("warning", "unused", &[span(SUBJECT, 5, true, None)], &[]),
        line(
            "error",
            "in the subject",
            &[span(SUBJECT, 6, true, None)],
            &[],
        ),
        line(
            "error",
            "aborting due to 2 previous errors; 1 warning emitted",
            &[],
            &[],
        ),
        line(
            "failure-note",
            "Some errors have detailed explanations",
            &[],
            &[],
        ),
        line("warning", "2 warnings emitted", &[], &[]),
    ]);
    let errors: Vec<_> = said
        .errors
        .iter()
        .map(|error| error.message.as_str())
        .collect();
    let warnings: Vec<_> = said
        .warnings
        .iter()
        .map(|warning| warning.message.as_str())
        .collect();
    assert_eq!(
        (errors, warnings),
        (vec!["in the subject", "in the checks"], vec!["unused"])
    );
    let at = said.errors[0].at.as_ref().unwrap();
    assert_eq!(
        (at.file.as_str(), at.line, at.column),
        (SUBJECT, 6, Some(9))
    );
    assert_eq!(said.errors[1].at, None);
    assert_eq!(said.errors[0].code.as_deref(), Some("E0277"));
}

#[test]
fn an_error_in_the_checks_names_the_guard_that_is_held_across_an_await() {
    let bound = note(
        "required by a bound in `charge`",
        &[span(SUBJECT, 2, true, None)],
    );
    let held = note(
        "future is not `Send` as this value is used across an await",
        &[
            span(SUBJECT, 11, false, None),
            span(SUBJECT, 13, true, None),
        ],
    );
    let error = line(
        "error",
        "future cannot be sent",
        &[span(CHECKS, 3, true, None)],
        &[bound, held],
    );
    assert_eq!(said(&[error]).errors[0].at.as_ref().unwrap().line, 13);
}

#[test]
fn an_error_inside_a_macro_belongs_to_the_line_that_calls_it() {
    let inside = span(
        "/cargo/tokio/src/macros/select.rs",
        700,
        true,
        Some(span(SUBJECT, 21, false, None)),
    );
    assert_eq!(
        said(&[line("error", "no branch", &[inside], &[])]).errors[0]
            .at
            .as_ref()
            .unwrap()
            .line,
        21
    );
}

#[test]
fn what_is_no_json_is_kept_apart() {
    let said = parse("thread 'rustc' panicked\n\nnot json either\n", SUBJECT);
    assert!(said.errors.is_empty());
    assert!(said.noise.starts_with("thread 'rustc' panicked\n"));
}

#[test]
fn a_flood_of_errors_is_cut() {
    let flood: Vec<String> = (0..1000)
        .map(|number| line("error", "again", &[span(SUBJECT, number, true, None)], &[]))
        .collect();
    assert_eq!(said(&flood).errors.len(), SHOWN);
}

#[test]
fn a_guard_held_across_an_await_is_at_the_await_and_not_at_the_spawn() {
    let said = said(&[line(
        "error",
        "future cannot be sent between threads safely",
        &[span(SUBJECT, 52, true, None)],
        &[note(
            "future is not `Send` as this value is used across an await",
            &[
                span(SUBJECT, 25, false, None),
                span(SUBJECT, 30, true, None),
            ],
        )],
    )]);
    let at = said.errors[0].at.as_ref().unwrap();
    assert_eq!(at.line, 30);
}
