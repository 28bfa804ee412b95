//! A class for a spreadsheet: a row a learner, a column an exercise with its state in a word, then the score.

use csv::{Terminator, WriterBuilder};

use super::tame::tame_line;
use super::{Class, Learner};

/// Of names and sentences that others wrote, none begins a formula: a spreadsheet would run it.
pub fn csv(class: &Class) -> String {
    // What RFC 4180 says, and spreadsheets expect.
    let mut builder = WriterBuilder::new();
    let mut writer = builder.terminator(Terminator::CRLF).from_writer(Vec::new());
    let exercises = class.columns.iter().map(|c| text(&c.exercise));
    let last = ["passed", "points", "of", "problem"].map(str::to_owned);
    let head = [text("learner")].into_iter().chain(exercises).chain(last);
    // A vector takes every write.
    let _ = writer.write_record(head);
    for learner in &class.learners {
        let _ = writer.write_record(row(class, learner));
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

fn row(class: &Class, learner: &Learner) -> Vec<String> {
    let score = class.score(learner);
    let mut row = vec![text(&learner.name)];
    row.extend(
        learner
            .cells
            .iter()
            .map(|cell| cell.state().word().to_owned()),
    );
    row.extend([score.passed, score.points, score.of].map(|n| n.to_string()));
    row.push(text(learner.problem.as_deref().unwrap_or_default()));
    row
}

fn text(text: &str) -> String {
    let text = tame_line(text);
    let formula = text
        .trim_start()
        .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if formula { format!("'{text}") } else { text }
}
