//! An incident's table for a page of the book.

use crate::core::incident::{Row, Turn, Word, rows};
use crate::core::manifest::Exercise;

pub fn markdown(exercise: &Exercise, story: &str, turns: &[Turn]) -> String {
    let titles: Vec<&str> = turns.iter().map(|turn| turn.title.as_str()).collect();
    let mut lines = vec![
        format!("**Measured.** {story}"),
        String::new(),
        format!("| | {} |", titles.join(" | ")),
        format!("| --- |{}", " --- |".repeat(turns.len())),
    ];
    lines.extend(rows(turns).iter().map(line));
    for turn in turns.iter().filter(|turn| !turn.judged.verdict.passed()) {
        lines.push(String::new());
        lines.push(format!("{}: {}", turn.title, turn.judged.message));
    }
    for turn in turns {
        for (panic, _) in turn.panics.iter().take(1) {
            lines.push(String::new());
            lines.push(format!(
                "{}: each of its panics says “{panic}”.",
                turn.title
            ));
        }
    }
    lines.push(String::new());
    lines.push(format!(
        "Measured on two shared cores; `asynclings incident {}` measures it on yours, and draws what each task did.",
        exercise.name
    ));
    lines.join("\n") + "\n"
}

fn line(row: &Row) -> String {
    let cells = row.cells.iter().map(|(figure, word)| match word {
        Some(Word::Better(by) | Word::Worse(by)) => format!("{figure} ({by})"),
        _ => figure.clone(),
    });
    format!(
        "| {} | {} |",
        row.name,
        cells.collect::<Vec<_>>().join(" | ")
    )
}
