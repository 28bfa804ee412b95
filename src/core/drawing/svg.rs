//! A layout as SVG text that can stand in Markdown: no empty line, colours by class alone (`book/theme/drawings.css`).

use std::fmt::Write;

use super::layout::{Flight, Head, Layout, Placed, SIGN, WIDTH, Words};
use super::lettering::LINE;
use super::{Drawing, LaneKind, Mark, MarkKind, SpanKind};

pub(super) fn write(drawing: &Drawing, layout: &Layout, id: &str) -> String {
    let mut svg = Svg {
        text: String::new(),
        id,
    };
    svg.open(drawing, layout.height);
    svg.patterns();
    svg.lanes(drawing, layout);
    for (span, placed) in drawing.spans.iter().zip(&layout.boxes) {
        svg.span(span.is, placed);
    }
    for flight in &layout.arrows {
        svg.arrow(flight);
    }
    for (mark, words) in drawing.marks.iter().zip(&layout.marks) {
        svg.mark(mark, words);
    }
    // Words last, so that nothing is drawn over them.
    for (span, placed) in drawing.spans.iter().zip(&layout.boxes) {
        svg.words(
            &format!("label in-{}", span.is.word()),
            &placed.words,
            "middle",
        );
    }
    for flight in &layout.arrows {
        svg.words("label over", &flight.words, "middle");
    }
    for words in &layout.marks {
        svg.words("label over", words, "middle");
    }
    svg.legend(layout);
    svg.line("</svg>");
    svg.line(&format!(
        "<figcaption>{}</figcaption>",
        escape(&drawing.title)
    ));
    svg.line("</figure>");
    svg.text
}

struct Svg<'i> {
    text: String,
    id: &'i str,
}

impl Svg<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn open(&mut self, drawing: &Drawing, height: f64) {
        let id = self.id;
        let (title, text) = (escape(&drawing.title), escape(&drawing.in_words()));
        self.line("<figure class=\"drawing\">");
        self.line(&format!(
            "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" xmlns=\"http://www.w3.org/2000/svg\">"
        ));
        self.line(&format!("<title id=\"{id}-title\">{title}</title>"));
        self.line(&format!("<desc id=\"{id}-desc\">{text}</desc>"));
    }

    /// Kinds differ by pattern, so that they do without colour.
    fn patterns(&mut self) {
        let id = self.id;
        self.line("<defs>");
        self.line(&format!(
            "<pattern id=\"{id}-blocks\" class=\"blocks\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" class=\"ground\"></rect><rect width=\"2\" height=\"6\" class=\"ink\"></rect></pattern>"
        ));
        self.line(&format!(
            "<pattern id=\"{id}-holds\" class=\"holds\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" class=\"ground\"></rect><circle cx=\"3\" cy=\"3\" r=\"1\" class=\"ink\"></circle></pattern>"
        ));
        self.line("</defs>");
    }

    fn lanes(&mut self, drawing: &Drawing, layout: &Layout) {
        for row in &layout.rows {
            if !row.lines.is_empty() {
                let y = row.y - 7.0;
                self.line(&format!(
                    "<line class=\"moment\" x1=\"0\" y1=\"{y:.1}\" x2=\"{WIDTH}\" y2=\"{y:.1}\"></line>"
                ));
            }
            let words = Words {
                x: 1.0,
                y: row.y,
                lines: row.lines.clone(),
            };
            self.words("row", &words, "start");
        }
        for (lane, head) in drawing.lanes.iter().zip(&layout.lanes) {
            let x = head.centre;
            self.line(&format!(
                "<line class=\"lane\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"></line>",
                layout.top - 4.0,
                layout.bottom
            ));
            self.head(lane.kind, head, layout.top - 6.0);
        }
    }

    fn head(&mut self, kind: LaneKind, head: &Head, height: f64) {
        let (class, corner) = match kind {
            LaneKind::Thread => ("head thread", 0),
            LaneKind::Task => ("head task", 9),
            LaneKind::Other => ("head other", 0),
        };
        self.line(&format!(
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"1\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{corner}\"></rect>",
            head.centre - head.width / 2.0,
            head.width,
            height - 1.0
        ));
        let lines = head.lines.len() + usize::from(!head.kind.is_empty());
        let words = Words {
            x: head.centre,
            y: (height - lines as f64 * LINE + LINE) / 2.0,
            lines: head.lines.clone(),
        };
        let kind = Words {
            x: head.centre,
            y: words.y + words.lines.len() as f64 * LINE,
            lines: Some(head.kind)
                .filter(|kind| !kind.is_empty())
                .map(str::to_owned)
                .into_iter()
                .collect(),
        };
        self.words("name", &words, "middle");
        self.words("row", &kind, "middle");
    }

    fn span(&mut self, kind: SpanKind, placed: &Placed) {
        let Placed {
            x,
            y,
            width,
            height,
            ..
        } = placed;
        self.rect(kind, [*x, *y, *width, *height]);
        // A bar at the left, as a hand on it.
        if kind == SpanKind::Holds {
            self.line(&format!(
                "<rect class=\"bar holds\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"3\" height=\"{height:.1}\"></rect>"
            ));
        }
    }

    fn rect(&mut self, kind: SpanKind, [x, y, width, height]: [f64; 4]) {
        let word = kind.word();
        let fill = match kind {
            SpanKind::Blocks | SpanKind::Holds => {
                format!(" style=\"fill: url(#{}-{word})\"", self.id)
            }
            _ => String::new(),
        };
        self.line(&format!(
            "<rect class=\"span {word}\"{fill} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\"></rect>"
        ));
    }

    fn arrow(&mut self, flight: &Flight) {
        let Flight { from, to, y, .. } = flight;
        let back = if to > from { -7.0 } else { 7.0 };
        self.line(&format!(
            "<circle class=\"start\" cx=\"{from:.1}\" cy=\"{y:.1}\" r=\"2.5\"></circle>"
        ));
        self.line(&format!(
            "<line class=\"arrow\" x1=\"{from:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"></line>",
            to + back
        ));
        self.line(&format!(
            "<polygon class=\"tip\" points=\"{to:.1},{y:.1} {:.1},{:.1} {:.1},{:.1}\"></polygon>",
            to + back,
            y - 3.5,
            to + back,
            y + 3.5
        ));
    }

    /// Left of the first line of its words.
    fn mark(&mut self, mark: &Mark, words: &Words) {
        let first = words
            .lines
            .first()
            .map_or(0.0, |line| super::lettering::width(line));
        let (x, y) = (words.x - first / 2.0 - SIGN / 2.0, words.y);
        let around = |points: &[(f64, f64)]| {
            let mut path = String::new();
            for (n, (dx, dy)) in points.iter().enumerate() {
                let command = if n == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{command}{:.1} {:.1}", x + dx, y + dy);
            }
            path
        };
        let path = match mark.is {
            MarkKind::Ends => around(&[
                (-4.0, -3.0),
                (4.0, -3.0),
                (4.0, 3.0),
                (-4.0, 3.0),
                (-4.0, -3.0),
            ]),
            MarkKind::Panics => around(&[
                (-4.0, 3.0),
                (-2.0, -4.0),
                (0.0, 3.0),
                (2.0, -4.0),
                (4.0, 3.0),
            ]),
            MarkKind::Cancelled => {
                around(&[(-3.5, -3.5), (3.5, 3.5)]) + &around(&[(3.5, -3.5), (-3.5, 3.5)])
            }
            MarkKind::Wakes => around(&[(-4.0, 3.5), (0.0, -4.0), (4.0, 3.5), (-4.0, 3.5)]),
            MarkKind::Fails => {
                around(&[(0.0, -4.5), (0.0, 1.0)]) + &around(&[(0.0, 3.0), (0.0, 4.5)])
            }
        };
        self.line(&format!(
            "<path class=\"mark {}\" d=\"{path}\"></path>",
            mark.is.word()
        ));
    }

    fn words(&mut self, class: &str, words: &Words, anchor: &str) {
        for (n, line) in words.lines.iter().enumerate() {
            self.line(&format!(
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                words.x,
                // To the line's foot from its middle.
                words.y + n as f64 * LINE + 3.6,
                escape(line)
            ));
        }
    }

    fn legend(&mut self, layout: &Layout) {
        for key in &layout.legend {
            self.rect(key.kind, [key.x, key.y - 5.0, 16.0, 10.0]);
            let words = Words {
                x: key.x + 21.0,
                y: key.y,
                lines: vec![key.kind.legend().to_owned()],
            };
            self.words("row", &words, "start");
        }
    }
}

/// For HTML and SVG, in text and in attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
