//! Verdicts as Exercism's test runners write them: `results.json`, version 2, of
//! <https://exercism.org/docs/building/tooling/test-runners/interface>.

use serde::Serialize;

use super::evidence::{evidence, found, message, title};
use super::file_names::{cleaned, file_names};
use super::tame::{cut, tame};
use super::{Cell, Class, Judged, State};
use crate::core::manifest::VerdictKind;
use crate::core::report::Check;
use crate::core::view::sentence;

/// Characters, as the specification wants.
const OUTPUT: usize = 500;
const OUTPUT_CUT: &str = "\nOutput was truncated. Please limit to 500 chars";
/// The specification's limit is in bytes of a text column; a character has at most four.
const MESSAGE: usize = 65_535 / 4;

#[derive(Serialize)]
struct Results {
    version: u8,
    status: &'static str,
    message: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    status: &'static str,
    message: Option<String>,
    output: Option<String>,
}

/// A file for each learner and exercise, `LEARNER/EXERCISE/results.json`: its path below the folder of the export, and its
/// text. Where there is no verdict, the status is `error`, and the message says why. Without `test_code`: checks are hidden.
pub fn exercism(class: &Class) -> Vec<(String, String)> {
    let folders = file_names(class);
    let learners = class.learners.iter().zip(folders);
    let files = learners.flat_map(|(learner, folder)| {
        let cells = class.columns.iter().zip(&learner.cells);
        cells.map(move |(column, cell)| {
            let path = format!("{folder}/{}/results.json", cleaned(&column.exercise));
            let text = serde_json::to_string_pretty(&results(cell)).unwrap_or_default();
            (path, text + "\n")
        })
    });
    files.collect()
}

fn results(cell: &Cell) -> Results {
    match cell {
        Cell::Judged(judged) => of_verdict(judged, cell.state()),
        Cell::Broken(why) => error(why),
        Cell::Elsewhere { shard, of } => error(&format!(
            "shard {shard} of {of} has this verdict; merge the parts"
        )),
    }
}

fn of_verdict(judged: &Judged, state: State) -> Results {
    let line = &judged.line;
    let tests: Vec<Test> = line.checks.iter().map(test).collect();
    if state == State::Passed {
        return Results {
            version: 2,
            status: "pass",
            message: None,
            tests,
        };
    }
    // Only where no check ran, says the specification.
    if tests.is_empty() {
        return error(&format!(
            "{}: {}\n{}",
            title(line),
            message(line),
            evidence(judged)
        ));
    }
    Results {
        version: 2,
        status: "fail",
        message: None,
        tests,
    }
}

fn error(why: &str) -> Results {
    Results {
        version: 2,
        status: "error",
        message: Some(cut(&tame(why), MESSAGE, "\n(cut)")),
        tests: Vec::new(),
    }
}

fn test(check: &Check) -> Test {
    let status = match check.outcome {
        VerdictKind::Passed => "pass",
        VerdictKind::Panicked | VerdictKind::EndedEarly | VerdictKind::Skipped => "error",
        _ => "fail",
    };
    let output = tame(&check.output);
    // The output has a field of its own.
    let said = found(&Check {
        output: String::new(),
        ..check.clone()
    });
    Test {
        name: sentence(&check.name),
        status,
        message: (status != "pass").then(|| cut(&said.join("\n"), MESSAGE, "\n(cut)")),
        output: (!output.is_empty()).then(|| cut(&output, OUTPUT, OUTPUT_CUT)),
    }
}
