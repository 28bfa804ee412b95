//! What can be wrong with a description: what, where, what to do.

use super::{Drawing, MAX_LANE_NAME, MAX_LANES, MAX_ROWS, MAX_TITLE};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    #[error("line {line}: {why}")]
    NoDescription { line: usize, why: String },
    #[error("`{what}` is {of}; it must have 1 to {most}")]
    Amount {
        what: &'static str,
        of: String,
        most: usize,
    },
    #[error("`text` is empty; say in two to five sentences what the picture shows")]
    NoText,
    #[error("two lanes are named `{0}`; spans could not tell them apart")]
    TwinLanes(String),
    #[error("{what} is in lane `{lane}`, which is none of `lanes`")]
    UnknownLane { what: String, lane: String },
    #[error("{what} is at row {row}, and there are rows 0 to {last}")]
    Outside {
        what: String,
        row: usize,
        last: usize,
    },
    #[error("{0} ends before it begins; `to` must be greater than `from`")]
    NoHeight(String),
    #[error("{first} and {second} overlap; the one must end where the other begins")]
    Overlap { first: String, second: String },
    #[error("{0} goes from a lane to itself; use a mark")]
    ToItself(String),
    #[error("{what} does not fit its place: {why}; {remedy}")]
    DoesNotFit {
        what: String,
        why: String,
        remedy: &'static str,
    },
}

/// Everything but what only the layout can tell.
pub(super) fn of(drawing: &Drawing) -> Vec<Complaint> {
    let mut found = amounts(drawing);
    found.extend(twins(drawing));
    let last = drawing.rows.len();
    for (what, lane, rows) in places(drawing) {
        if drawing.lane(lane).is_none() {
            found.push(Complaint::UnknownLane {
                what: what.clone(),
                lane: lane.to_owned(),
            });
        }
        let outside = rows.into_iter().find(|row| *row > last);
        found.extend(outside.map(|row| Complaint::Outside { what, row, last }));
    }
    for span in drawing.spans.iter().filter(|span| span.from >= span.to) {
        found.push(Complaint::NoHeight(span_name(span)));
    }
    for arrow in drawing.arrows.iter().filter(|arrow| arrow.from == arrow.to) {
        found.push(Complaint::ToItself(arrow_name(arrow)));
    }
    found.extend(overlaps(drawing));
    found
}

fn amounts(drawing: &Drawing) -> Vec<Complaint> {
    let letters = |text: &str| format!("{} characters long", text.chars().count());
    let mut found = Vec::new();
    let mut amount = |what, n: usize, of: String, most| {
        if n == 0 || n > most {
            found.push(Complaint::Amount { what, of, most });
        }
    };
    let title = drawing.title.chars().count();
    amount("title", title, letters(&drawing.title), MAX_TITLE);
    let lanes = drawing.lanes.len();
    amount("lanes", lanes, format!("a list of {lanes}"), MAX_LANES);
    let rows = drawing.rows.len();
    amount("rows", rows, format!("a list of {rows}"), MAX_ROWS);
    for lane in &drawing.lanes {
        let name = lane.name.chars().count();
        amount(
            "name",
            name,
            format!("{} in lane `{}`", letters(&lane.name), lane.name),
            MAX_LANE_NAME,
        );
    }
    if drawing.text.trim().is_empty() {
        found.push(Complaint::NoText);
    }
    found
}

fn twins(drawing: &Drawing) -> Option<Complaint> {
    let mut lanes = drawing.lanes.iter().enumerate();
    let twin = lanes.find(|(n, lane)| drawing.lane(&lane.name) != Some(*n));
    twin.map(|(_, lane)| Complaint::TwinLanes(lane.name.clone()))
}

/// Of everything that is drawn: its name, a lane it is in, and its rows.
fn places(drawing: &Drawing) -> Vec<(String, &str, Vec<usize>)> {
    let spans = drawing.spans.iter().map(|span| {
        (
            span_name(span),
            span.lane.as_str(),
            vec![span.from, span.to],
        )
    });
    let marks = drawing
        .marks
        .iter()
        .map(|mark| (mark_name(mark), mark.lane.as_str(), vec![mark.at]));
    let from = drawing
        .arrows
        .iter()
        .map(|arrow| (arrow_name(arrow), arrow.from.as_str(), vec![arrow.at]));
    let to = drawing
        .arrows
        .iter()
        .map(|arrow| (arrow_name(arrow), arrow.to.as_str(), Vec::new()));
    spans.chain(marks).chain(from).chain(to).collect()
}

fn overlaps(drawing: &Drawing) -> Vec<Complaint> {
    let mut found = Vec::new();
    for (n, first) in drawing.spans.iter().enumerate() {
        for second in &drawing.spans[n + 1..] {
            let apart = first.to <= second.from || second.to <= first.from;
            if first.lane == second.lane && !apart {
                found.push(Complaint::Overlap {
                    first: span_name(first),
                    second: span_name(second),
                });
            }
        }
    }
    found
}

pub(super) fn span_name(span: &super::Span) -> String {
    let super::Span {
        lane,
        from,
        to,
        label,
        ..
    } = span;
    format!("span `{label}` of `{lane}`, rows {from} to {to},")
}

pub(super) fn mark_name(mark: &super::Mark) -> String {
    format!(
        "mark `{}` of `{}`, row {},",
        mark.words(),
        mark.lane,
        mark.at
    )
}

pub(super) fn arrow_name(arrow: &super::Arrow) -> String {
    let super::Arrow {
        from,
        to,
        at,
        label,
    } = arrow;
    format!("arrow `{label}` from `{from}` to `{to}`, row {at},")
}
