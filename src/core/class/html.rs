//! A class as one page that needs nothing else: who stands where, what stops most, and the evidence behind each cell.
//! Without its script it is still a table that can be read and printed.

use std::collections::HashMap;
use std::fmt::Write;

use super::evidence::{evidence, message, title};
use super::tame::{cut, tame, tame_line};
use super::{Cell, Class, Column, Learner, State};
use crate::core::drawing::escape;
use crate::core::view::document;

/// Characters of one cell's evidence: a class of hundreds stays a page that opens.
const MOST: usize = 4_000;

/// `heading` is text: what class, and of when.
pub fn html(class: &Class, heading: &str) -> String {
    let mut body = String::new();
    totals(&mut body, class);
    controls(&mut body, class);
    matrix(&mut body, class);
    stopping(&mut body, class);
    problems(&mut body, class);
    body.push_str(
        "<dialog id=\"detail\" aria-labelledby=\"what\"><form method=\"dialog\"><button>Close <kbd>Esc</kbd></button></form>\n\
         <h2 id=\"what\"></h2>\n<p id=\"who\"></p>\n<p id=\"said\"></p>\n<pre id=\"shown\" tabindex=\"0\"></pre></dialog>\n",
    );
    data(&mut body, class);
    document(
        &tame_line(heading),
        "en",
        include_str!("page.css"),
        &body,
        include_str!("page.js"),
    )
}

fn totals(html: &mut String, class: &Class) {
    let cells = || class.learners.iter().flat_map(|learner| &learner.cells);
    let passed = cells().filter(|cell| cell.state() == State::Passed).count();
    let _ = writeln!(
        html,
        "<p>{} learners, {} exercises: {passed} of {} verdicts passed.</p>",
        class.learners.len(),
        class.columns.len(),
        cells().count()
    );
}

fn controls(html: &mut String, class: &Class) {
    let _ = writeln!(
        html,
        "<div class=\"controls\"><label>Learner <input id=\"find\" type=\"search\" autocomplete=\"off\"></label> \
         <output id=\"count\" aria-live=\"polite\"></output>\n<p><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd> move, \
         <kbd>Enter</kbd> shows what is behind a cell, <kbd>/</kbd> finds a learner; the heads of the columns sort.</p></div>"
    );
    html.push_str("<ul class=\"key\" aria-label=\"what the signs mean\">\n");
    for state in class.states() {
        let (css, sign) = (css(state), state.sign());
        let _ = writeln!(
            html,
            "<li><b class=\"{css}\">{sign}</b> {}</li>",
            state.meaning()
        );
    }
    html.push_str("</ul>\n");
}

fn css(state: State) -> &'static str {
    match state {
        State::Passed => "passed",
        State::Failed(_) => "failed",
        State::Untouched => "untouched",
        State::Skipped | State::Elsewhere => "skipped",
        State::Broken => "broken",
    }
}

/// How cells sort: the nearer to a pass, the higher.
fn rank(state: State) -> u8 {
    match state {
        State::Passed => 5,
        State::Failed(_) => 4,
        State::Untouched => 3,
        State::Skipped => 2,
        State::Elsewhere => 1,
        State::Broken => 0,
    }
}

fn matrix(html: &mut String, class: &Class) {
    html.push_str(
        "<div class=\"scroll\" id=\"scroll\"><table id=\"class\">\n<caption>Who stands where</caption>\n<thead><tr>\
         <th scope=\"col\" class=\"name\"><button>Learner</button></th>",
    );
    for column in &class.columns {
        head(html, column);
    }
    html.push_str(
        "<th scope=\"col\" class=\"figure\"><button>Passed</button></th><th scope=\"col\" class=\"figure\"><button>Points\
         </button></th></tr></thead>\n<tbody>\n",
    );
    for learner in &class.learners {
        row(html, class, learner);
    }
    html.push_str("</tbody></table></div>\n");
}

fn head(html: &mut String, column: &Column) {
    let mut about = format!(
        "{}: {}, {} points",
        column.chapter, column.title, column.points
    );
    for (word, text) in [("part", &column.part), ("due", &column.due)] {
        if let Some(text) = text {
            about.push_str(&format!(", {word} {text}"));
        }
    }
    if !column.counts {
        about.push_str(", does not count yet");
    }
    let _ = write!(
        html,
        "<th scope=\"col\" class=\"sign\"><button title=\"{}\">{}</button></th>",
        escape(&tame_line(&about)),
        escape(&tame_line(&column.exercise))
    );
}

fn row(html: &mut String, class: &Class, learner: &Learner) {
    let name = escape(&tame_line(&learner.name));
    // A name of one script does not turn the row of another.
    let _ = write!(
        html,
        "<tr><th scope=\"row\" class=\"name\"><bdi>{name}</bdi></th>"
    );
    for cell in &learner.cells {
        let state = cell.state();
        let _ = write!(
            html,
            "<td class=\"{}\" data-by=\"{}\">{}<i> {}</i></td>",
            css(state),
            rank(state),
            state.sign(),
            state.meaning()
        );
    }
    let score = class.score(learner);
    for (mine, of) in [(score.passed, score.exercises), (score.points, score.of)] {
        let _ = write!(
            html,
            "<td class=\"figure\" data-by=\"{mine}\">{mine}/{of}</td>"
        );
    }
    html.push_str("</tr>\n");
}

fn stopping(html: &mut String, class: &Class) {
    let stopping = class.stopping();
    if stopping.is_empty() {
        return;
    }
    html.push_str(
        "<h2>What stops most</h2>\n<div class=\"scroll\"><table class=\"stopping\">\n<thead><tr><th scope=\"col\">Exercise</th>\
         <th scope=\"col\">Stopped there</th><th scope=\"col\">Mostly</th><th scope=\"col\">Passed</th>\
         <th scope=\"col\">Not begun</th></tr></thead>\n<tbody>\n",
    );
    let all = class.learners.len().max(1);
    for (at, tally) in stopping {
        let Some(column) = class.columns.get(at) else {
            continue;
        };
        let mostly = tally.mostly.map(|verdict| State::Failed(verdict).meaning());
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}<small>{}</small></th><td><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" \
             aria-hidden=\"true\"><rect width=\"{}\" height=\"10\"/></svg>{} of {all}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&tame_line(&column.exercise)),
            escape(&tame_line(&column.title)),
            tally.stopped * 100 / all,
            tally.stopped,
            mostly.unwrap_or_default(),
            tally.passed,
            tally.untouched
        );
    }
    html.push_str("</tbody></table></div>\n");
}

fn problems(html: &mut String, class: &Class) {
    let problems: Vec<_> = class.problems();
    if problems.is_empty() {
        return;
    }
    html.push_str("<h2>Without a verdict</h2>\n<ul>\n");
    for (why, count) in problems {
        let times = match count {
            1 => String::new(),
            count => format!(" ({count} times)"),
        };
        let _ = writeln!(html, "<li>{}{times}</li>", escape(&why));
    }
    html.push_str("</ul>\n");
}

/// For each cell the number of its text; many learners have the same. Read by the script, and shown as text only.
fn data(html: &mut String, class: &Class) {
    let mut numbers: HashMap<[String; 3], usize> = HashMap::new();
    let mut texts: Vec<[String; 3]> = Vec::new();
    let rows = class.learners.iter().map(|learner| {
        let cells = learner.cells.iter().map(|cell| {
            let text = text(cell);
            *numbers.entry(text.clone()).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            })
        });
        cells.collect::<Vec<usize>>()
    });
    let rows: Vec<_> = rows.collect();
    let json = serde_json::json!({ "texts": texts, "rows": rows }).to_string();
    // Inside a script element only a `<` could end it.
    let json = json.replace('<', "\\u003c");
    let _ = writeln!(
        html,
        "<script type=\"application/json\" id=\"data\">{json}</script>"
    );
}

/// The verdict in a word or two, its sentence, its evidence.
fn text(cell: &Cell) -> [String; 3] {
    match cell {
        Cell::Judged(judged) => {
            let begun = if cell.state() == State::Untouched {
                "not begun: "
            } else {
                ""
            };
            let evidence = cut(&evidence(judged), MOST, "\n(the JSON report has the rest)");
            [
                format!("{begun}{}", title(&judged.line)),
                message(&judged.line),
                evidence,
            ]
        }
        Cell::Broken(why) => ["no verdict".to_owned(), tame(why), String::new()],
        Cell::Elsewhere { shard, of } => [
            "another shard's".to_owned(),
            format!("shard {shard} of {of} has this verdict; merge the parts"),
            String::new(),
        ],
    }
}
