//! `starts_as`, and the first line of a wrong variant: a verdict and what shows it.

use super::fields::{Complaints, Fields, quoted};
use super::{Expectation, VerdictKind, nearest};
use crate::core::record::HangKind;

const KINDS: [&str; 3] = ["waiting", "blocked", "spinning"];

fn hang_kind(word: &str) -> Option<HangKind> {
    match word {
        "waiting" => Some(HangKind::Waiting),
        "blocked" => Some(HangKind::Blocked),
        "spinning" => Some(HangKind::Spinning),
        _ => None,
    }
}

/// `None` only after a complaint.
pub(super) fn expectation(fields: &Fields, complaints: &mut Complaints) -> Option<Expectation> {
    fields.refuse_unknown(&["verdict", "kind", "check", "code", "message"], complaints);
    fields.require("verdict", complaints)?;
    let verdict = verdict(fields, complaints)?;
    let hang = match fields.value("kind") {
        Some(_) => Some(kind(fields, verdict, complaints)?),
        None => None,
    };
    let expectation = Expectation {
        verdict,
        hang,
        check: fields.text("check", complaints),
        code: fields.text("code", complaints),
        message: fields.text("message", complaints),
    };
    let of_rustc = expectation.code.is_some() || expectation.message.is_some();
    match verdict {
        VerdictKind::DoesNotCompile if !of_rustc => {
            let text = format!(
                "{} needs rustc's `code` or a part of its `message`",
                fields.label
            );
            complaints.add(Some(fields.span.clone()), text);
        }
        VerdictKind::DoesNotCompile => {}
        _ if of_rustc => {
            let text = format!(
                "{} has `code` or `message`, which only `does_not_compile` can show",
                fields.label
            );
            complaints.add(Some(fields.span.clone()), text);
        }
        _ if expectation.check.is_none() => {
            let text = format!("{} needs the `check` that shows it", fields.label);
            complaints.add(Some(fields.span.clone()), text);
        }
        _ => {}
    }
    Some(expectation)
}

fn verdict(fields: &Fields, complaints: &mut Complaints) -> Option<VerdictKind> {
    let word = fields.text("verdict", complaints)?;
    let failing: Vec<&str> = VerdictKind::ALL[1..]
        .iter()
        .map(|kind| kind.word())
        .collect();
    match VerdictKind::from_word(&word) {
        Some(VerdictKind::Passed) => fields.wrong(
            "verdict",
            "is `passed`; an exercise starts with a fault",
            complaints,
        ),
        Some(kind) => Some(kind),
        None => {
            let advice = match nearest(&word, failing.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the verdicts are {}", quoted(&failing)),
            };
            fields.wrong(
                "verdict",
                &format!("is the unknown `{word}`; {advice}"),
                complaints,
            )
        }
    }
}

fn kind(fields: &Fields, verdict: VerdictKind, complaints: &mut Complaints) -> Option<HangKind> {
    let word = fields.text("kind", complaints)?;
    if verdict != VerdictKind::Hung {
        return fields.wrong(
            "kind",
            &format!("goes with `hung`, not with `{verdict}`"),
            complaints,
        );
    }
    hang_kind(&word).or_else(|| {
        fields.wrong(
            "kind",
            &format!("is the unknown `{word}`; the kinds are {}", quoted(&KINDS)),
            complaints,
        )
    })
}

impl Expectation {
    /// The first line of a wrong variant, after `// wrong: `: `hung:waiting the_check — why it tempts`,
    /// `does_not_compile E0733 — why`, `does_not_compile "a part of the message" — why`.
    pub fn from_variant(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (word, kind) = word
            .split_once(':')
            .map_or((word, None), |(word, kind)| (word, Some(kind)));
        let verdict = VerdictKind::from_word(word)
            .filter(|kind| *kind != VerdictKind::Passed)
            .ok_or_else(|| format!("`{word}` is no verdict that a wrong variant can get"))?;
        let hang = match kind {
            Some(kind) if verdict == VerdictKind::Hung => {
                Some(hang_kind(kind).ok_or_else(|| {
                    format!("`{kind}` is no kind of hang; use {}", quoted(&KINDS))
                })?)
            }
            Some(kind) => return Err(format!("`:{kind}` goes with `hung` only")),
            None => None,
        };
        let mut expectation = Self {
            verdict,
            hang,
            check: None,
            code: None,
            message: None,
        };
        let shown = shown_by(rest).ok_or_else(|| {
            format!("after `{word}` comes what shows it, then ` — ` and why it tempts")
        })?;
        match verdict {
            VerdictKind::DoesNotCompile if shown.starts_with('"') => {
                expectation.message = Some(shown.trim_matches('"').to_string());
            }
            VerdictKind::DoesNotCompile => expectation.code = Some(shown),
            _ => expectation.check = Some(shown),
        }
        Ok(expectation)
    }
}

/// What stands before the reason; `None` where either is missing.
fn shown_by(rest: &str) -> Option<String> {
    let (shown, why) = rest.split_once('—').or_else(|| rest.split_once(" - "))?;
    let shown = shown.trim();
    let one_word = shown.starts_with('"') || !shown.contains(' ');
    (!shown.is_empty() && one_word && !why.trim().is_empty()).then(|| shown.to_string())
}
