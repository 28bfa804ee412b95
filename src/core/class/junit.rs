//! A class as JUnit XML: a suite a learner, a case an exercise.
//!
//! Passed is a success, and a verdict that is not a failure. `Untouched` is a failure too: a course that asks for an
//! exercise wants a red row where nobody began; its type says `untouched`. `Skipped` is skipped, as it is nobody's fault;
//! `Broken` and `Elsewhere` are errors, as nobody knows.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::evidence::{evidence, message, title};
use super::tame::{cut, tame_line};
use super::{Cell, Class, Column, Judged, Learner, State};
use crate::core::report::as_ci_reads_it;

/// Characters of one case's evidence.
const MOST: usize = 20_000;

/// # Errors
/// Where the XML library refuses; no text is known that makes it.
pub fn junit(class: &Class) -> Result<String, SerializeError> {
    let mut report = Report::new("asynclings class");
    report.add_test_suites(class.learners.iter().map(|l| suite(class, l)));
    Ok(as_ci_reads_it(report.to_string()?))
}

fn suite(class: &Class, learner: &Learner) -> TestSuite {
    let mut suite = TestSuite::new(tame_line(&learner.name));
    let cells = class.columns.iter().zip(&learner.cells);
    suite.set_time(cells.clone().map(|(_, cell)| time(cell)).sum());
    suite.add_test_cases(cells.map(|(column, cell)| case(learner, column, cell)));
    suite
}

fn time(cell: &Cell) -> Duration {
    match cell {
        Cell::Judged(judged) => {
            Duration::from_millis(judged.line.compile_ms.saturating_add(judged.line.run_ms))
        }
        _ => Duration::ZERO,
    }
}

fn case(learner: &Learner, column: &Column, cell: &Cell) -> TestCase {
    let mut case = TestCase::new(column.exercise.as_str(), status(cell));
    // Two learners' cases of one exercise stay apart where a service keeps a history by class and name.
    case.set_classname(format!("{}.{}", tame_line(&learner.name), column.chapter));
    case.set_time(time(cell));
    case
}

fn status(cell: &Cell) -> TestCaseStatus {
    match cell {
        Cell::Judged(judged) => judged_status(cell.state(), judged),
        Cell::Broken(why) => error("broken", &tame_line(why)),
        Cell::Elsewhere { shard, of } => error(
            "elsewhere",
            &format!("shard {shard} of {of} has this verdict; merge the parts"),
        ),
    }
}

fn judged_status(state: State, judged: &Judged) -> TestCaseStatus {
    match state {
        State::Passed => TestCaseStatus::success(),
        State::Skipped => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(message(&judged.line));
            status
        }
        state => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let message = message(&judged.line);
            status
                .set_type(state.word())
                .set_message(match state {
                    State::Untouched => format!("nobody has begun: {}", title(&judged.line)),
                    _ => format!("{}: {message}", title(&judged.line)),
                })
                .set_description(cut(
                    &evidence(judged),
                    MOST,
                    "\n(the JSON report has the rest)",
                ));
            status
        }
    }
}

fn error(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind).set_message(message);
    status
}
