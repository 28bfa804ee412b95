//! Where everything is drawn. Rows have boundaries, and a boundary where something happens opens into a band that holds
//! its marks and arrows; boxes keep their words out of bands.

use std::collections::BTreeSet;

use super::complaint::{arrow_name, mark_name, span_name};
use super::lettering::{LINE, width, wrap};
use super::{Arrow, Complaint, Drawing, LaneKind, Mark, Span, SpanKind};

pub(super) const WIDTH: f64 = 360.0;
const ROW: f64 = 28.0;
const WIDEST_GUTTER: f64 = 62.0;
/// Between a box and its column's edge.
const GAP: f64 = 4.0;
const PADDING: f64 = 3.0;
/// Left of a mark's words.
pub(super) const SIGN: f64 = 14.0;
const BOLD: f64 = 1.1;

pub(super) struct Layout {
    pub lanes: Vec<Head>,
    /// Where lanes begin, below their heads, and end.
    pub top: f64,
    pub bottom: f64,
    pub rows: Vec<RowLabel>,
    pub boxes: Vec<Placed>,
    pub marks: Vec<Words>,
    pub arrows: Vec<Flight>,
    pub legend: Vec<Key>,
    pub height: f64,
}

pub(super) struct Head {
    pub centre: f64,
    pub width: f64,
    pub lines: Vec<String>,
    /// `thread` or `task`, where the name does not say so.
    pub kind: &'static str,
}

pub(super) struct RowLabel {
    pub y: f64,
    pub lines: Vec<String>,
}

pub(super) struct Placed {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub words: Words,
}

/// Lines around a centre, the first with its middle at `y`.
pub(super) struct Words {
    pub x: f64,
    pub y: f64,
    pub lines: Vec<String>,
}

pub(super) struct Flight {
    pub from: f64,
    pub to: f64,
    pub y: f64,
    pub words: Words,
}

pub(super) struct Key {
    pub kind: SpanKind,
    pub x: f64,
    pub y: f64,
}

/// Where one thing happens after the other at one moment.
#[derive(Default, Clone)]
struct Band {
    start: f64,
    marks: f64,
    arrows: f64,
}

impl Band {
    fn end(&self) -> f64 {
        self.start + self.marks + self.arrows
    }
}

pub(super) fn of(drawing: &Drawing) -> Result<Layout, Vec<Complaint>> {
    Draft::new(drawing).finish()
}

struct Draft<'d> {
    drawing: &'d Drawing,
    gutter: f64,
    column: f64,
    bands: Vec<Band>,
    complaints: Vec<Complaint>,
}

impl<'d> Draft<'d> {
    fn new(drawing: &'d Drawing) -> Self {
        let words = drawing.rows.iter().flat_map(|row| row.split_whitespace());
        let one_line = drawing.rows.iter().map(|row| width(row));
        let longest = words.map(width).fold(0.0, f64::max);
        // As narrow as the words allow, as wide as whole labels want.
        let wanted = one_line.fold(0.0, f64::max).min(WIDEST_GUTTER - 8.0);
        let gutter = match longest.max(wanted) {
            0.0 => 4.0,
            labels => (labels + 8.0).min(WIDEST_GUTTER),
        };
        Self {
            drawing,
            gutter,
            column: (WIDTH - gutter) / drawing.lanes.len() as f64,
            bands: vec![Band::default(); drawing.rows.len() + 1],
            complaints: Vec::new(),
        }
    }

    fn finish(mut self) -> Result<Layout, Vec<Complaint>> {
        let lanes = self.heads();
        let tallest = lanes.iter().map(|head| head_height(head) as u32).max();
        let top = f64::from(tallest.unwrap_or(0)) + 8.0;
        let labels: Vec<Vec<String>> = self.row_labels();
        let marks = self.measured_marks();
        let flights = self.measured_arrows();
        self.place_bands(top, &labels);
        let rows = labels.into_iter().zip(&self.bands);
        let rows = rows
            .map(|(lines, band)| RowLabel {
                y: band.start + 7.0,
                lines,
            })
            .collect();
        let marks = self.place_marks(marks);
        let arrows = self.place_arrows(flights);
        let boxes = self.boxes();
        let bottom = self.bands.last().map_or(top, Band::end) + 4.0;
        let (legend, height) = self.legend(bottom + 6.0);
        if !self.complaints.is_empty() {
            return Err(self.complaints);
        }
        Ok(Layout {
            lanes,
            top,
            bottom,
            rows,
            boxes,
            marks,
            arrows,
            legend,
            height,
        })
    }

    fn centre(&self, lane: usize) -> f64 {
        self.gutter + self.column * (lane as f64 + 0.5)
    }

    fn index(&self, lane: &str) -> usize {
        self.drawing.lane(lane).unwrap_or(0)
    }

    fn wrapped(
        &mut self,
        text: &str,
        room: f64,
        what: impl FnOnce() -> String,
        remedy: &'static str,
    ) -> Vec<String> {
        wrap(text, room).unwrap_or_else(|part| {
            self.complaints.push(Complaint::DoesNotFit {
                what: what(),
                why: format!("`{part}` is wider than its column"),
                remedy,
            });
            Vec::new()
        })
    }

    fn heads(&mut self) -> Vec<Head> {
        let drawing = self.drawing;
        let room = (self.column - 2.0 * GAP - 2.0 * PADDING) / BOLD;
        let head = |(n, lane): (usize, &super::Lane)| {
            let what = || format!("the name of lane `{}`", lane.name);
            let kind = match lane.kind {
                LaneKind::Thread => "thread",
                LaneKind::Task => "task",
                LaneKind::Other => "",
            };
            Head {
                centre: self.centre(n),
                width: self.column - 2.0 * GAP,
                lines: self.wrapped(&lane.name, room, what, "use a shorter name"),
                kind: if lane.name.contains(kind) { "" } else { kind },
            }
        };
        drawing.lanes.iter().enumerate().map(head).collect()
    }

    fn row_labels(&mut self) -> Vec<Vec<String>> {
        let drawing = self.drawing;
        let room = self.gutter - 6.0;
        let label = |row: &String| {
            let what = || format!("row `{row}`");
            self.wrapped(row, room, what, "use a shorter label")
        };
        drawing.rows.iter().map(label).collect()
    }

    /// The words of each mark and how far below its band's start they begin; marks of one lane stand below each other.
    fn measured_marks(&mut self) -> Vec<(&'d Mark, f64, Vec<String>)> {
        let drawing = self.drawing;
        let mut used = vec![vec![0.0; drawing.lanes.len()]; self.bands.len()];
        let mut measured = Vec::new();
        for mark in &drawing.marks {
            let lane = self.index(&mark.lane);
            let room = self.column - 2.0 - SIGN;
            let lines = self.wrapped(
                mark.words(),
                room,
                || mark_name(mark),
                "use a shorter label",
            );
            let offset = used[mark.at][lane];
            let below: f64 = offset + lines.len() as f64 * LINE + 4.0;
            used[mark.at][lane] = below;
            self.bands[mark.at].marks = self.bands[mark.at].marks.max(below);
            measured.push((mark, offset, lines));
        }
        measured
    }

    /// The same of arrows, below all marks. Those that share no lane share their height.
    fn measured_arrows(&mut self) -> Vec<(&'d Arrow, f64, Vec<String>)> {
        let drawing = self.drawing;
        let mut used = vec![vec![0.0_f64; drawing.lanes.len()]; self.bands.len()];
        let mut measured = Vec::new();
        for arrow in &drawing.arrows {
            let (first, last) = self.lanes_of(arrow);
            let room = self.column * (last - first).max(1) as f64 - 14.0;
            let lines = self.wrapped(
                &arrow.label,
                room,
                || arrow_name(arrow),
                "use a shorter label",
            );
            let lanes = &mut used[arrow.at][first..=last];
            let offset = lanes.iter().copied().fold(0.0, f64::max);
            let below = offset + lines.len() as f64 * LINE + 9.0;
            lanes.fill(below);
            self.bands[arrow.at].arrows = self.bands[arrow.at].arrows.max(below);
            measured.push((arrow, offset, lines));
        }
        measured
    }

    fn lanes_of(&self, arrow: &Arrow) -> (usize, usize) {
        let (from, to) = (self.index(&arrow.from), self.index(&arrow.to));
        (from.min(to), from.max(to))
    }

    fn place_bands(&mut self, top: f64, labels: &[Vec<String>]) {
        let mut y = top;
        for (n, band) in self.bands.iter_mut().enumerate() {
            band.start = y;
            let label = labels.get(n).map_or(0, Vec::len) as f64 * LINE + 3.0;
            y = (band.end() + ROW).max(y + label);
        }
    }

    fn place_marks(&self, measured: Vec<(&Mark, f64, Vec<String>)>) -> Vec<Words> {
        let place = |(mark, offset, lines): (&Mark, f64, Vec<String>)| Words {
            x: self.centre(self.index(&mark.lane)) + SIGN / 2.0,
            y: self.bands[mark.at].start + offset + 2.0 + LINE / 2.0,
            lines,
        };
        measured.into_iter().map(place).collect()
    }

    fn place_arrows(&self, measured: Vec<(&Arrow, f64, Vec<String>)>) -> Vec<Flight> {
        let place = |(arrow, offset, lines): (&Arrow, f64, Vec<String>)| {
            let from = self.centre(self.index(&arrow.from));
            let to = self.centre(self.index(&arrow.to));
            let band = &self.bands[arrow.at];
            let y = band.start + band.marks + offset;
            Flight {
                from,
                to,
                y: y + lines.len() as f64 * LINE + 4.0,
                words: Words {
                    x: f64::midpoint(from, to),
                    y: y + 1.0 + LINE / 2.0,
                    lines,
                },
            }
        };
        measured.into_iter().map(place).collect()
    }

    /// Rows where something happens in the lane, or passes over it.
    fn touched(&self, lane: usize) -> BTreeSet<usize> {
        let marks = self.drawing.marks.iter();
        let marks = marks.filter(|mark| self.index(&mark.lane) == lane);
        let arrows = self.drawing.arrows.iter().filter(|arrow| {
            let (first, last) = self.lanes_of(arrow);
            (first..=last).contains(&lane)
        });
        let arrows = arrows.map(|arrow| arrow.at);
        marks.map(|mark| mark.at).chain(arrows).collect()
    }

    fn boxes(&mut self) -> Vec<Placed> {
        let drawing = self.drawing;
        drawing.spans.iter().map(|span| self.placed(span)).collect()
    }

    fn placed(&mut self, span: &Span) -> Placed {
        let lane = self.index(&span.lane);
        let touched = self.touched(lane);
        let top = match touched.contains(&span.from) {
            true => self.bands[span.from].end(),
            false => self.bands[span.from].start,
        };
        let bottom = self.bands[span.to].start;
        let width = self.column - 2.0 * GAP;
        let label = match span.label.as_str() {
            "" => span.is.word(),
            label => label,
        };
        let remedy = "use fewer or shorter words, or more rows";
        let room = width - 2.0 * PADDING;
        let lines = self.wrapped(label, room, || span_name(span), remedy);
        let needed = lines.len() as f64 * LINE;
        let parts = self.free(span, top, bottom, &touched);
        let part = parts
            .iter()
            .copied()
            .find(|(from, to)| to - from >= needed)
            .unwrap_or_else(|| {
                let most = parts.iter().map(|(from, to)| to - from).fold(0.0, f64::max);
                self.complaints.push(Complaint::DoesNotFit {
                    what: span_name(span),
                    why: format!(
                        "it takes {} lines, and there is room for {} between its events",
                        lines.len(),
                        (most / LINE) as usize
                    ),
                    remedy,
                });
                (top, bottom)
            });
        Placed {
            x: self.centre(lane) - width / 2.0,
            y: top + 1.0,
            width,
            height: bottom - top - 2.0,
            words: Words {
                x: self.centre(lane),
                y: f64::midpoint(part.0, part.1) - needed / 2.0 + LINE / 2.0,
                lines,
            },
        }
    }

    /// The parts of a box where nothing else is drawn.
    fn free(
        &self,
        span: &Span,
        top: f64,
        bottom: f64,
        touched: &BTreeSet<usize>,
    ) -> Vec<(f64, f64)> {
        let mut parts = Vec::new();
        let mut from = top;
        for at in touched.range(span.from + 1..span.to) {
            parts.push((from + 1.0, self.bands[*at].start - 1.0));
            from = self.bands[*at].end();
        }
        parts.push((from + 1.0, bottom - 1.0));
        parts
    }

    fn legend(&self, top: f64) -> (Vec<Key>, f64) {
        let kinds: BTreeSet<SpanKind> = self.drawing.spans.iter().map(|span| span.is).collect();
        let (mut x, mut y) = (4.0, top + 7.0);
        let mut keys = Vec::new();
        for kind in kinds {
            let wide = 22.0 + width(kind.legend()) + 8.0;
            if x + wide > WIDTH + 8.0 {
                (x, y) = (4.0, y + 16.0);
            }
            keys.push(Key { kind, x, y });
            x += wide;
        }
        (keys, y + 10.0)
    }
}

fn head_height(head: &Head) -> f64 {
    let lines = head.lines.len() + usize::from(!head.kind.is_empty());
    lines as f64 * LINE + 8.0
}
