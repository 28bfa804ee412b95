//! `doctor`: what is wrong with this machine or workbook, and the command that mends it.

use anyhow::Result;
use serde::Serialize;

use super::output;
use crate::cli::{Format, Shared};
use crate::embedded;
use crate::exit::{Fault, Outcome};
use crate::workbook::Workbook;

mod machine;
mod offline;
mod workbook;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Finding {
    /// `toolchain`
    what: &'static str,
    of: Of,
    #[serde(flatten)]
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Of {
    Machine,
    Workbook,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
enum State {
    Ok {
        found: String,
    },
    /// Works, but not as well as it could.
    Note {
        found: String,
        mend: String,
    },
    Wrong {
        found: String,
        mend: String,
    },
}

impl Finding {
    fn new(of: Of, what: &'static str, state: State) -> Self {
        Self { what, of, state }
    }

    fn is_wrong(&self) -> bool {
        matches!(self.state, State::Wrong { .. })
    }

    fn lines(&self) -> Vec<String> {
        let what = self.what;
        match &self.state {
            State::Ok { found } => vec![format!("ok     {what:10} {found}")],
            State::Note { found, mend } => vec![
                format!("note   {what:10} {found}"),
                format!("{:18}{mend}", ""),
            ],
            State::Wrong { found, mend } => vec![
                format!("WRONG  {what:10} {found}"),
                format!("{:18}{mend}", ""),
            ],
        }
    }
}

fn ok(found: impl Into<String>) -> State {
    State::Ok {
        found: found.into(),
    }
}

fn note(found: impl Into<String>, mend: impl Into<String>) -> State {
    State::Note {
        found: found.into(),
        mend: mend.into(),
    }
}

fn wrong(found: impl Into<String>, mend: impl Into<String>) -> State {
    State::Wrong {
        found: found.into(),
        mend: mend.into(),
    }
}

pub(super) async fn run(shared: &Shared) -> Result<Outcome> {
    // A workbook with a fault has its own line below; this machine is looked at all the same.
    let workbook = Workbook::find(shared.workbook.as_deref());
    let sources = workbook
        .as_ref()
        .ok()
        .and_then(|workbook| workbook.lab_sources().ok());
    let sources = sources.unwrap_or_else(embedded::lab_sources);
    let mut findings = machine::findings(&sources).await;
    if shared.offline {
        findings.extend(offline::findings(&sources).await);
    }
    findings.extend(workbook::findings(workbook));
    match shared.format {
        Format::Json => {
            let lines: Result<Vec<_>, _> = findings.iter().map(serde_json::to_string).collect();
            output::print(lines?)?;
        }
        _ => output::print(findings.iter().flat_map(Finding::lines))?,
    }
    let wrong = |of| {
        findings
            .iter()
            .filter(|finding| finding.of == of && finding.is_wrong())
            .count()
    };
    let named = |count| {
        if count == 1 {
            "one line".to_string()
        } else {
            format!("{count} lines")
        }
    };
    match (wrong(Of::Machine), wrong(Of::Workbook)) {
        (0, 0) => Ok(Outcome::Passed),
        (0, count) => {
            Err(Fault::Workbook(format!("{} above about this workbook", named(count))).into())
        }
        (count, _) => {
            Err(Fault::Machine(format!("{} above about this machine", named(count))).into())
        }
    }
}
