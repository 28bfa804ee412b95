//! A drawing of tasks and threads in time: its description (TOML) -> SVG, or everything that is wrong with it. Touches
//! no disk. CONTRIBUTING.md says how a description is written.

use serde::Deserialize;

mod complaint;
mod layout;
mod lettering;
mod svg;

pub use svg::escape;
#[cfg(test)]
mod tests;

pub use complaint::Complaint;

const MAX_TITLE: usize = 60;
const MAX_LANES: usize = 4;
const MAX_LANE_NAME: usize = 16;
const MAX_ROWS: usize = 14;

/// Time runs downwards in rows; lanes are columns.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawing {
    pub title: String,
    /// What somebody who cannot see the picture must know.
    pub text: String,
    /// The label of each row, top to bottom; empty for none.
    pub rows: Vec<String>,
    pub lanes: Vec<Lane>,
    #[serde(default)]
    pub spans: Vec<Span>,
    #[serde(default)]
    pub marks: Vec<Mark>,
    #[serde(default)]
    pub arrows: Vec<Arrow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    pub name: String,
    pub kind: LaneKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneKind {
    Thread,
    Task,
    Other,
}

/// A box in a lane, from the top of row `from` to the top of row `to`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    pub lane: String,
    pub from: usize,
    pub to: usize,
    pub is: SpanKind,
    #[serde(default)]
    pub label: String,
}

/// Declared in the order of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpanKind {
    Runs,
    Waits,
    Blocks,
    Holds,
    Gone,
    Idle,
}

/// Something that happens at the top of a row.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    pub lane: String,
    pub at: usize,
    pub is: MarkKind,
    #[serde(default)]
    pub label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    Ends,
    Panics,
    Cancelled,
    Wakes,
    Fails,
}

/// From one lane to another, at the top of a row.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    pub from: String,
    pub to: String,
    pub at: usize,
    #[serde(default)]
    pub label: String,
}

/// # Errors
/// Every complaint; none hides another, but for a text that is no description at all.
pub fn parse(text: &str) -> Result<Drawing, Vec<Complaint>> {
    let drawing: Drawing = toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        vec![Complaint::NoDescription {
            line: before.map_or(1, |before| 1 + before.matches('\n').count()),
            why: error.message().trim().replace('\n', " "),
        }]
    })?;
    let complaints = complaint::of(&drawing);
    if complaints.is_empty() {
        Ok(drawing)
    } else {
        Err(complaints)
    }
}

impl Drawing {
    /// `id` is unique in the book: ids inside begin with it.
    ///
    /// # Errors
    /// Labels that do not fit.
    pub fn svg(&self, id: &str) -> Result<String, Vec<Complaint>> {
        let layout = layout::of(self)?;
        Ok(svg::write(self, &layout, id))
    }

    /// For a terminal and for readers of the text alone: one paragraph.
    pub fn in_words(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn lane(&self, name: &str) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.name == name)
    }
}

impl SpanKind {
    /// The word that descriptions use; also the CSS class.
    pub fn word(self) -> &'static str {
        match self {
            SpanKind::Runs => "runs",
            SpanKind::Waits => "waits",
            SpanKind::Blocks => "blocks",
            SpanKind::Holds => "holds",
            SpanKind::Gone => "gone",
            SpanKind::Idle => "idle",
        }
    }

    fn legend(self) -> &'static str {
        match self {
            SpanKind::Runs => "runs on the CPU",
            SpanKind::Waits => "waits at an .await",
            SpanKind::Blocks => "blocks its thread",
            SpanKind::Holds => "holds it",
            SpanKind::Gone => "dropped unfinished",
            SpanKind::Idle => "idle",
        }
    }
}

impl MarkKind {
    pub fn word(self) -> &'static str {
        match self {
            MarkKind::Ends => "ends",
            MarkKind::Panics => "panics",
            MarkKind::Cancelled => "cancelled",
            MarkKind::Wakes => "wakes",
            MarkKind::Fails => "fails",
        }
    }
}

impl Mark {
    /// Never empty: a sign alone is a riddle.
    fn words(&self) -> &str {
        if self.label.is_empty() {
            self.is.word()
        } else {
            &self.label
        }
    }
}
