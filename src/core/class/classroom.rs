//! A learner's score as GitHub Classroom's graders hand it to `autograding-grading-reporter`, and as its notice says it.

use serde::Serialize;

use super::evidence::{message, title};
use super::file_names::file_names;
use super::tame::tame_line;
use super::{Cell, Class, Learner, State};

/// What the reporter takes, base64, from the environment variable of a grader.
#[derive(Serialize)]
struct Grader {
    version: u8,
    status: &'static str,
    max_score: u32,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    name: String,
    status: &'static str,
    score: u32,
    message: String,
    test_code: String,
    filename: String,
    line_no: u32,
    /// Milliseconds.
    duration: u64,
}

/// Two files for each learner: `LEARNER/classroom.json`, and `LEARNER/points.txt` with one line, `Points 3/26`, the text
/// that Classroom reads from the check run. Exercises that do not count, or that a machine skipped, are in neither.
pub fn classroom(class: &Class) -> Vec<(String, String)> {
    let folders = file_names(class);
    let learners = class.learners.iter().zip(folders);
    let files = learners.flat_map(|(learner, folder)| {
        let score = class.score(learner);
        let grader = serde_json::to_string_pretty(&grader(class, learner)).unwrap_or_default();
        [
            (format!("{folder}/classroom.json"), grader + "\n"),
            (
                format!("{folder}/points.txt"),
                format!("Points {}/{}\n", score.points, score.of),
            ),
        ]
    });
    files.collect()
}

fn grader(class: &Class, learner: &Learner) -> Grader {
    let cells = class.columns.iter().zip(&learner.cells);
    let counted = cells.filter(|(column, cell)| column.counts && cell.state() != State::Skipped);
    let tests: Vec<Test> = counted
        .map(|(column, cell)| test(&column.exercise, column.points, cell))
        .collect();
    let any = |status| tests.iter().any(|test| test.status == status);
    let status = match () {
        () if any("error") => "error",
        () if any("fail") => "fail",
        () => "pass",
    };
    Grader {
        version: 1,
        status,
        max_score: class.score(learner).of,
        tests,
    }
}

fn test(name: &str, points: u32, cell: &Cell) -> Test {
    let mut test = Test {
        name: name.to_owned(),
        status: "error",
        score: 0,
        message: String::new(),
        test_code: String::new(),
        filename: String::new(),
        line_no: 0,
        duration: 0,
    };
    match cell {
        Cell::Judged(judged) => {
            let line = &judged.line;
            if let Some(at) = line.at.first() {
                test.filename = tame_line(&at.file);
                test.line_no = at.line;
            }
            test.duration = line.run_ms;
            if cell.state() == State::Passed {
                test.status = "pass";
                test.score = points;
            } else {
                test.status = "fail";
                test.message = format!("{}: {}", title(line), message(line));
            }
        }
        Cell::Broken(why) => test.message = tame_line(why),
        Cell::Elsewhere { shard, of } => {
            test.message = format!("shard {shard} of {of} has this verdict; merge the parts");
        }
    }
    test
}
