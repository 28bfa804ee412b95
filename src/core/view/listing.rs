//! The list of exercises, and hints, as text.

use super::paint::{Look, Tone};
use crate::core::manifest::{Exercise, Manifest};
use crate::core::pacing::Gate;
use crate::core::progress::Progress;

/// Chapters with their exercises and each one's number on the path; the current one is pointed at.
pub fn list_text(
    manifest: &Manifest,
    progress: &Progress,
    current: Option<&str>,
    look: &Look,
) -> Vec<String> {
    let wide = manifest
        .exercises
        .iter()
        .map(|exercise| exercise.name.len())
        .max()
        .unwrap_or(0);
    let mut lines = Vec::new();
    for chapter in &manifest.chapters {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(look.paint(Tone::Strong, &format!("{}  {}", chapter.id, chapter.title)));
        for (position, exercise) in (1..)
            .zip(&manifest.exercises)
            .filter(|(_, exercise)| exercise.chapter == chapter.id)
        {
            let row = Row {
                exercise,
                position,
                here: current == Some(&exercise.name),
                wide,
                closed: progress.closed(manifest, &exercise.name),
            };
            lines.extend(row.lines(progress, look));
        }
    }
    lines
}

/// What `list` says below the exercises: the order of the path, and the shorter ways.
pub fn tracks_text(manifest: &Manifest, look: &Look) -> Vec<String> {
    let mut lines = look.wrap(
        "The number is the place on the path, which takes the chapters by turns, easy ones first.",
        "",
        "",
    );
    if manifest.tracks.is_empty() {
        return lines;
    }
    lines.push(String::new());
    lines.push("Shorter ways, with `--track`:".to_owned());
    let wide = manifest
        .tracks
        .iter()
        .map(|track| track.id.len())
        .max()
        .unwrap_or(0);
    for track in &manifest.tracks {
        let head = format!("  {:wide$}  ", track.id);
        let text = format!("{} ({})", track.title, track.exercises.len());
        lines.extend(look.wrap(&text, &head, &" ".repeat(head.len())));
    }
    lines
}

struct Row<'a> {
    exercise: &'a Exercise,
    /// From 1.
    position: usize,
    here: bool,
    /// Of the longest name.
    wide: usize,
    closed: Option<&'a Gate>,
}

impl Row<'_> {
    fn lines(&self, progress: &Progress, look: &Look) -> Vec<String> {
        let Row {
            exercise,
            position,
            wide,
            ..
        } = self;
        let known = progress.of(&exercise.name);
        let (state, tone) = match (known.done, known.attempts) {
            (true, _) => ("✓ done", Tone::Good),
            _ if self.closed.is_some() => ("# closed", Tone::Quiet),
            (false, 0) => ("  open", Tone::Quiet),
            (false, _) => ("~ tried", Tone::Note),
        };
        let head = format!(
            "{} {position:>2} {state:9}{:wide$}  ",
            if self.here { ">" } else { " " },
            exercise.name
        );
        let rest = " ".repeat(head.chars().count());
        let mut text = format!("{} ({} min)", exercise.title, exercise.minutes);
        if let (Some(gate), false) = (self.closed, known.done) {
            text.push_str(&format!("; {gate}"));
        }
        let mut lines = look.wrap(&text, &head, &rest);
        if let Some(first) = lines.first_mut() {
            *first = first.replacen(state, &look.paint(tone, state), 1);
        }
        lines
    }
}

/// One hint. `level`: 1 look, 2 think, 3 do.
pub fn hint_text(exercise: &Exercise, level: u8, look: &Look) -> Vec<String> {
    let Some(hint) = exercise.hints.get(usize::from(level).saturating_sub(1)) else {
        return Vec::new();
    };
    let word = ["look", "think", "do"][usize::from(level) - 1];
    let mut lines = vec![look.paint(Tone::Note, &format!("hint {level} of 3: {word}"))];
    for line in hint.trim_end().lines() {
        // A hint's code keeps its own indent.
        let indent = " ".repeat(2 + line.len() - line.trim_start().len());
        lines.extend(look.wrap(line.trim_start(), &indent, &indent));
    }
    lines
}
