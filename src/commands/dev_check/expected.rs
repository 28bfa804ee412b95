//! The verdict a subject must get, and how a verdict differs from it.

use anyhow::Result;

use super::Complaint;
use crate::core::manifest::{Exercise, Expectation, Subject};
use crate::core::record::HangKind;
use crate::core::verdict::{Judged, Verdict};
use crate::core::view::title;
use crate::workbook::Workbook;

pub(super) enum Expected {
    Pass,
    Fail(Expectation),
}

/// The inner error: a variant whose first line does not say what it must get.
pub(super) fn of(
    workbook: &Workbook,
    exercise: &Exercise,
    subject: &Subject,
) -> Result<Result<Expected, Complaint>> {
    match subject {
        Subject::Exercise => Ok(Ok(Expected::Fail(exercise.starts_as.clone()))),
        Subject::Solution => Ok(Ok(Expected::Pass)),
        Subject::Variant { right, .. } => {
            let file = workbook.subject(exercise, subject)?;
            let text = file.read()?;
            // A comment of TOML reads like one of Rust.
            let first = text.lines().next().unwrap_or_default();
            let first = &match first.strip_prefix("# ") {
                Some(comment) => format!("// {comment}"),
                None => first.to_string(),
            };
            Ok(of_variant(*right, first).map_err(|what| format!("{}:1: {what}", file.display)))
        }
    }
}

fn of_variant(right: bool, first: &str) -> Result<Expected, String> {
    if right {
        let why = first
            .strip_prefix("// right: ")
            .filter(|why| !why.trim().is_empty());
        return why
            .map(|_| Expected::Pass)
            .ok_or("must begin with `// right: ` and why it is also right".to_string());
    }
    let stated = first.strip_prefix("// wrong: ").ok_or(
        "must begin with `// wrong: `, the verdict, the check and why it tempts".to_string(),
    )?;
    Expectation::from_variant(stated).map(Expected::Fail)
}

impl Expected {
    /// The check that gives the verdict of a wrong variant. Those before it pass, and those after it change nothing.
    pub(super) fn decided_by(&self) -> Option<&str> {
        match self {
            Expected::Pass => None,
            Expected::Fail(expectation) => expectation.check.as_deref(),
        }
    }

    /// As a grader can see it: rustc words an error in another way where the subject is a crate of its own. Its code is
    /// the same.
    pub(super) fn of_a_grader(mut self) -> Self {
        if let Self::Fail(expectation) = &mut self {
            expectation.message = None;
        }
        self
    }

    /// A sentence, or nothing where the verdict is the expected one.
    pub(super) fn differs(&self, judged: &Judged) -> Option<String> {
        match self {
            Expected::Pass if judged.verdict.passed() => None,
            Expected::Pass => Some(format!("must pass, but {}", told(judged))),
            Expected::Fail(expectation) => differs(expectation, judged),
        }
    }
}

fn differs(expectation: &Expectation, judged: &Judged) -> Option<String> {
    let same = judged.verdict.kind() == expectation.verdict
        && expectation
            .hang
            .is_none_or(|hang| hang_of(&judged.verdict) == Some(hang))
        && expectation.check.as_ref().is_none_or(|check| {
            judged
                .failing()
                .is_some_and(|failing| failing.name == *check)
        })
        && shown_by_rustc(expectation, judged);
    if !same {
        return Some(format!(
            "must be {}, but {}",
            wanted(expectation),
            told(judged)
        ));
    }
    let unplaced = judged.at.is_empty();
    unplaced.then(|| format!("{} names no line of its file", told(judged)))
}

fn hang_of(verdict: &Verdict) -> Option<HangKind> {
    match verdict {
        Verdict::Hung { kind, .. } => Some(*kind),
        _ => None,
    }
}

fn shown_by_rustc(expectation: &Expectation, judged: &Judged) -> bool {
    let Verdict::DoesNotCompile { diagnostics } = &judged.verdict else {
        return true;
    };
    diagnostics.iter().any(|diagnostic| {
        let code = expectation
            .code
            .as_ref()
            .is_none_or(|code| diagnostic.code.as_ref() == Some(code));
        let message = expectation
            .message
            .as_ref()
            .is_none_or(|part| diagnostic.message.contains(part));
        code && message
    })
}

fn wanted(expectation: &Expectation) -> String {
    let kind = expectation
        .hang
        .map(|hang| format!(" {hang:?}").to_lowercase())
        .unwrap_or_default();
    let shown = [&expectation.check, &expectation.code, &expectation.message]
        .into_iter()
        .flatten();
    let shown: Vec<String> = shown.map(|shown| format!(" `{shown}`")).collect();
    format!("{}{kind}{}", expectation.verdict, shown.concat())
}

fn told(judged: &Judged) -> String {
    let kind = hang_of(&judged.verdict)
        .map(|hang| format!(" {hang:?}").to_lowercase())
        .unwrap_or_default();
    let check = judged
        .failing()
        .map(|check| format!(" `{}`", check.name))
        .unwrap_or_default();
    let place = judged
        .at
        .first()
        .map(|place| format!(" at {}:{}", place.file, place.line))
        .unwrap_or_default();
    let message = if judged.message.is_empty() {
        String::new()
    } else {
        format!(": {}", judged.message)
    };
    format!("{}{kind}{check}{place}{message}", title(&judged.verdict))
}
