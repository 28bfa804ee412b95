//! An incident as one page that needs nothing else: the table, and the timelines as SVG on one time axis.

use std::fmt::Write;
use std::time::Duration;

use crate::core::drawing::escape;
use crate::core::incident::{Lane, Row, Segment, Shape, Turn, Word, lanes, rows};
use crate::core::view::document::document;

/// Inside a lane, in pixels.
const HEIGHT: u32 = 22;
/// The width that lanes have before the script has measured the window.
const WIDTH: u64 = 1000;

/// `slow`: the alarm's threshold. `language`: of title and story; the page's own words are English.
pub fn page(title: &str, story: &str, language: &str, turns: &[Turn], slow: Duration) -> String {
    let mut html = format!("<p lang=\"{language}\">{}</p>\n", escape(story));
    table(&mut html, turns, &rows(turns));
    for turn in turns {
        if !turn.judged.verdict.passed() {
            let text = escape(&format!("{}: {}", turn.title, turn.judged.message));
            let _ = writeln!(html, "<p>{text}</p>");
        }
        for (panic, place) in &turn.panics {
            let at = place.as_ref();
            let at = at.map(|at| format!(", at {}:{}", at.file, at.line));
            let text = format!("{}: \"{panic}\"{}", turn.title, at.unwrap_or_default());
            let _ = writeln!(html, "<p>{}</p>", escape(&text));
        }
    }
    timelines(&mut html, turns, slow);
    document(
        title,
        language,
        include_str!("page.css"),
        &html,
        include_str!("page.js"),
    )
}

fn table(html: &mut String, turns: &[Turn], rows: &[Row]) {
    html.push_str("<div class=\"scroll\"><table>\n<thead><tr><td></td>");
    for turn in turns {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escape(&turn.title));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", escape(&row.name));
        for (figure, word) in &row.cells {
            let _ = write!(html, "<td>{}", escape(figure));
            if let Some(word) = word {
                let class = match word {
                    Word::Same => "same",
                    Word::Better(_) => "better",
                    Word::Worse(_) => "worse",
                };
                let said = escape(&word.said());
                let _ = write!(html, "<small class=\"{class}\">{said}</small>");
            }
            html.push_str("</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
}

fn timelines(html: &mut String, turns: &[Turn], slow: Duration) {
    let observed = turns.iter().filter_map(|turn| turn.observed.as_ref());
    let span = observed.map(|observed| observed.timeline.until).max();
    let span = span.unwrap_or(0).max(1);
    html.push_str(
        "<div class=\"bar\"><button id=\"in\" title=\"zoom in\">+</button> <button id=\"out\" title=\"zoom out\">−</button> \
         <button id=\"left\" title=\"earlier\">◂</button> <button id=\"right\" title=\"later\">▸</button> \
         <button id=\"all\">all</button>\n<output id=\"told\" aria-live=\"polite\">Point at a piece, or choose a lane with \
         Tab and a piece with the arrow keys.</output></div>\n",
    );
    key(html);
    let _ = writeln!(html, "<div id=\"timelines\" data-span=\"{span}\">");
    for turn in turns {
        let Some(observed) = &turn.observed else {
            continue;
        };
        let _ = writeln!(
            html,
            "<h2>{}</h2>\n<table class=\"lanes\">",
            escape(&turn.title)
        );
        for lane in lanes(&observed.timeline, slow) {
            draw(html, &turn.title, &lane, span);
        }
        html.push_str("<tr><th></th><td><svg class=\"axis\" aria-hidden=\"true\"></svg></td></tr>\n</table>\n");
        if observed.timeline.left_out > 0 {
            let _ = writeln!(
                html,
                "<p>{} more polls and tasks are counted and not drawn.</p>",
                observed.timeline.left_out
            );
        }
    }
    html.push_str("</div>\n");
}

fn key(html: &mut String) {
    html.push_str("<ul class=\"key\" aria-label=\"what the shapes mean\">\n");
    for shape in [Shape::Polled, Shape::Slow, Shape::Work, Shape::Waits] {
        let segment = Segment {
            from: 0,
            to: 26,
            shape,
            what: String::new(),
            polls: 0,
        };
        html.push_str("<li><svg viewBox=\"0 0 26 22\" aria-hidden=\"true\">");
        piece(html, &segment, "", 26, 26);
        let _ = writeln!(html, "</svg>{}</li>", shape.word());
    }
    html.push_str(
        "<li>| ended</li>\n<li>c cancelled</li>\n<li>x panicked</li>\n<li><kbd>+</kbd> <kbd>-</kbd> zoom, also \
         <kbd>Shift</kbd> and the wheel; <kbd>[</kbd> <kbd>]</kbd> move; <kbd>0</kbd> all</li>\n</ul>\n",
    );
}

fn draw(html: &mut String, turn: &str, lane: &Lane, span: u64) {
    let class = if lane.is_thread {
        " class=\"thread\""
    } else {
        ""
    };
    let place = lane.place.as_ref();
    let place = place.map(|place| format!(", spawned at {}:{}", place.file, place.line));
    let label = escape(&lane.label);
    let full = escape(&format!("{}{}", lane.label, place.unwrap_or_default()));
    let name = escape(&format!("{turn}: {}", lane.label));
    let _ = write!(
        html,
        "<tr><th scope=\"row\"{class} title=\"{full}\">{label}</th><td><svg class=\"lane\" role=\"group\" tabindex=\"0\" \
         aria-label=\"{name}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\">"
    );
    for segment in &lane.segments {
        piece(html, segment, &lane.label, span, WIDTH);
    }
    html.push_str("</svg></td></tr>\n");
}

/// Shapes differ in height and place too: no meaning is in a colour alone.
fn piece(html: &mut String, segment: &Segment, lane: &str, span: u64, width: u64) {
    let x = |at: u64| at as f64 / span as f64 * width as f64;
    let (top, height, least, class) = match segment.shape {
        Shape::Waits => (10, 2, 0.0, "waits"),
        Shape::Polled => (5, 12, 1.0, "polled"),
        Shape::Work => (7, 8, 1.0, "blocking-work"),
        Shape::Slow => (1, 20, 1.5, "slow-poll"),
        Shape::Ended | Shape::Cancelled | Shape::Panicked => (3, 16, 1.5, "end"),
    };
    let (from, to) = (segment.from, segment.to);
    let _ = write!(
        html,
        "<rect class=\"{class}\" data-from=\"{from}\" data-to=\"{to}\" data-least=\"{least}\" x=\"{:.2}\" y=\"{top}\" \
         width=\"{:.2}\" height=\"{height}\"><title>{}</title></rect>",
        x(from),
        (x(to) - x(from)).max(least),
        escape(&told(segment, lane))
    );
    if !matches!(segment.shape, Shape::Cancelled | Shape::Panicked) {
        return;
    }
    let sign = segment.shape.sign();
    let _ = write!(
        html,
        "<text class=\"end\" data-from=\"{from}\" data-to=\"{to}\" x=\"{:.2}\" y=\"15\" dx=\"7\">{sign}</text>",
        x(from)
    );
}

/// `health checks: slow poll of 501 ms, from 12.0 ms on`
fn told(segment: &Segment, lane: &str) -> String {
    let ms = |micros: u64| format!("{:.1} ms", micros as f64 / 1000.0);
    let what = if segment.what.is_empty() {
        lane
    } else {
        &segment.what
    };
    let word = segment.shape.word();
    let from = ms(segment.from);
    match segment.shape {
        Shape::Ended | Shape::Cancelled | Shape::Panicked => format!("{what}: {word} at {from}"),
        Shape::Polled if segment.polls > 1 => {
            let polls = segment.polls;
            format!(
                "{what}: {polls} polls within {}, from {from} on",
                ms(segment.to - segment.from)
            )
        }
        _ => format!(
            "{what}: {word}, {}, from {from} on",
            ms(segment.to - segment.from)
        ),
    }
}
