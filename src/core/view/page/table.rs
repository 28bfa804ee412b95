//! A table: columns where they fit, cells wrapped; where they would be too narrow to read, row after row.

use super::super::paint::{Look, Tone, columns};
use super::words::Words;

/// Narrower columns than this tear words apart.
const NARROWEST: usize = 14;
const BETWEEN: usize = 2;

#[derive(Debug, Default)]
pub(super) struct Table {
    /// The head first.
    rows: Vec<Vec<Words>>,
    open: Vec<Words>,
}

impl Table {
    pub(super) fn cell(&mut self, words: &Words) {
        self.open.push(words.clone());
    }

    pub(super) fn row(&mut self) {
        self.rows.push(std::mem::take(&mut self.open));
    }

    pub(super) fn lines(&self, width: usize, look: &Look) -> Vec<String> {
        match self.widths(width) {
            Some(widths) => self.side_by_side(&widths, look),
            None => self.one_below_the_other(width, look),
        }
    }

    /// As wide as they want, the widest made narrower until all fit.
    fn widths(&self, width: usize) -> Option<Vec<usize>> {
        let n = self.rows.first()?.len();
        let wanted = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| columns(&cell.plain())).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..n).map(wanted).collect();
        let room = width.saturating_sub(BETWEEN * n.saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            let widest = widths.iter_mut().max()?;
            if *widest <= NARROWEST {
                return None;
            }
            *widest -= 1;
        }
        Some(widths)
    }

    fn side_by_side(&self, widths: &[usize], look: &Look) -> Vec<String> {
        let mut lines = Vec::new();
        for (n, row) in self.rows.iter().enumerate() {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(widths)
                .map(|(cell, width)| cell.wrapped(*width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for at in 0..height {
                let mut line = String::new();
                for (cell, width) in cells.iter().zip(widths) {
                    let text = cell.get(at).map_or("", String::as_str);
                    let gap = width.saturating_sub(columns(&super::super::paint::plain(text)));
                    line.push_str(text);
                    line.push_str(&" ".repeat(gap + BETWEEN));
                }
                lines.push(line.trim_end().to_owned());
            }
            if n == 0 {
                let total = widths.iter().sum::<usize>() + BETWEEN * widths.len().saturating_sub(1);
                lines.push(look.paint(Tone::Quiet, &"─".repeat(total)));
            }
        }
        lines
    }

    fn one_below_the_other(&self, width: usize, look: &Look) -> Vec<String> {
        let mut lines = Vec::new();
        let Some((head, rows)) = self.rows.split_first() else {
            return lines;
        };
        for row in rows {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            for (name, cell) in head.iter().zip(row) {
                let mut words = Words::default();
                let name = name.plain();
                if !name.is_empty() {
                    words.add(&format!("{name}:"), Some(Tone::Strong), look);
                    words.space();
                }
                words.append(cell);
                for (n, line) in words
                    .wrapped(width.saturating_sub(2))
                    .into_iter()
                    .enumerate()
                {
                    lines.push(if n == 0 { line } else { format!("  {line}") });
                }
            }
        }
        lines
    }
}
