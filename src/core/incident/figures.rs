//! The table: each figure of each turn, and better or worse than as shipped, in words.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::Turn;
use crate::core::manifest::Bytes;
use crate::core::record::{Better, Extra, Lost, Measured, Record};

/// Three digits of each latency are kept.
const DIGITS: u8 = 3;
/// Figures nearer to each other are called the same: two noisy cores.
const SAME: f64 = 1.15;
/// Of no consequence to anybody, and mostly noise.
const TRIFLE: Duration = Duration::from_millis(2);
const TRIFLE_BYTES: f64 = 1024.0 * 1024.0;

#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    pub counting: String,
    pub due: u64,
    pub answered: u64,
    /// Failed, panicked, or never answered.
    pub errors: u64,
    pub panicked: u64,
    /// `None` where nothing was answered, or all in less than a microsecond.
    pub per_second: Option<f64>,
    pub p50: Option<Duration>,
    pub p99: Option<Duration>,
    pub lost: Option<Lost>,
    pub extra: Vec<Extra>,
    pub peak: Bytes,
}

impl Figures {
    pub fn of(records: &[Record]) -> Option<Figures> {
        records.iter().find_map(|record| match record {
            Record::Measured(measured) => Some(Figures::from(measured)),
            _ => None,
        })
    }
}

impl From<&Measured> for Figures {
    fn from(measured: &Measured) -> Self {
        let answered = measured.latencies_us.len() as u64;
        let seconds = Duration::from_micros(measured.span_us).as_secs_f64();
        let good = answered.saturating_sub(measured.failed);
        let histogram = histogram(&measured.latencies_us);
        let quantile = |q| {
            Some(Duration::from_micros(
                histogram.as_ref()?.value_at_quantile(q),
            ))
        };
        Figures {
            counting: measured.counting.clone(),
            due: measured.due,
            answered,
            errors: measured.due.saturating_sub(good),
            panicked: measured.panicked,
            per_second: (answered > 0 && seconds > 0.0).then(|| answered as f64 / seconds),
            p50: quantile(0.50),
            p99: quantile(0.99),
            lost: measured.lost.clone(),
            extra: measured.extra.clone(),
            peak: Bytes(measured.peak),
        }
    }
}

/// `None` where there is nothing in it.
fn histogram(latencies: &[u64]) -> Option<Histogram<u64>> {
    let mut histogram = Histogram::new(DIGITS).ok()?;
    for micros in latencies {
        histogram.record(*micros).ok()?;
    }
    (!histogram.is_empty()).then_some(histogram)
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    /// One for each turn: the figure, and a word about it against the first turn.
    pub cells: Vec<(String, Option<Word>)>,
}

/// Against the code as shipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Same,
    Better(String),
    Worse(String),
}

impl Word {
    pub fn said(&self) -> String {
        match self {
            Word::Same => "same".to_owned(),
            Word::Better(by) => format!("better, {by}"),
            Word::Worse(by) => format!("worse, {by}"),
        }
    }
}

/// A figure to be compared, and how it is written.
struct Cell {
    value: f64,
    text: String,
}

type Take = Box<dyn Fn(&Turn) -> Option<Cell>>;

/// Rows that no turn has a figure for are left out.
pub fn rows(turns: &[Turn]) -> Vec<Row> {
    let measured = |take: fn(&Figures) -> Option<Cell>| -> Take {
        Box::new(move |turn| take(turn.figures.as_ref()?))
    };
    let mut table: Vec<(String, Better, f64, Take)> = vec![
        (
            "requests a second".to_owned(),
            Better::More,
            0.0,
            measured(|figures| figures.per_second.map(rate)),
        ),
        (
            "p50".to_owned(),
            Better::Less,
            TRIFLE.as_secs_f64(),
            measured(|figures| figures.p50.map(time)),
        ),
        (
            "p99".to_owned(),
            Better::Less,
            TRIFLE.as_secs_f64(),
            measured(|figures| figures.p99.map(time)),
        ),
        (
            "errors".to_owned(),
            Better::Less,
            0.0,
            measured(|figures| Some(errors(figures))),
        ),
    ];
    if let Some(what) = lost(turns) {
        let take = measured(|figures| figures.lost.as_ref().map(|lost| count(lost.count)));
        table.push((format!("lost: {what}"), Better::Less, 0.0, take));
    }
    table.push((
        "peak memory".to_owned(),
        Better::Less,
        TRIFLE_BYTES,
        measured(|figures| Some(bytes(figures.peak))),
    ));
    table.push((
        "longest poll".to_owned(),
        Better::Less,
        TRIFLE.as_secs_f64(),
        Box::new(|turn| {
            let longest = turn.observed.as_ref()?.timeline.longest_poll_us;
            Some(time(Duration::from_micros(longest)))
        }),
    ));
    table.push((
        "polls a request".to_owned(),
        Better::Neither,
        0.0,
        Box::new(|turn| turn.observed.as_ref()?.polls_a_request().map(rate)),
    ));
    for (name, better) in extras(turns) {
        let wanted = name.clone();
        let take: Take = Box::new(move |turn| {
            let figures = turn.figures.as_ref()?;
            figures
                .extra
                .iter()
                .find(|extra| extra.name == wanted)
                .map(of_extra)
        });
        table.push((name, better, 0.0, take));
    }
    let row = |(name, better, trifle, take): (String, Better, f64, Take)| {
        let cells: Vec<Option<Cell>> = turns.iter().map(take).collect();
        let before = cells.first().and_then(|cell| Some(cell.as_ref()?.value));
        let fair = |at: usize| !OF_A_WHOLE_RUN.contains(&name.as_str()) || both_whole(turns, at);
        let any = cells.iter().any(Option::is_some);
        let cells = (0..)
            .zip(&cells)
            .map(|(at, cell)| match cell {
                None => ("-".to_owned(), None),
                Some(cell) => {
                    let before = before.filter(|_| at > 0 && fair(at));
                    let word = before.and_then(|b| word(b, cell.value, better, trifle));
                    (cell.text.clone(), word)
                }
            })
            .collect();
        any.then_some(Row { name, cells })
    };
    table.into_iter().filter_map(row).collect()
}

/// Of a turn that was ended in the middle they say little, and against another one's nothing.
const OF_A_WHOLE_RUN: [&str; 3] = ["requests a second", "p50", "p99"];

fn both_whole(turns: &[Turn], at: usize) -> bool {
    [0, at]
        .iter()
        .all(|turn| turns[*turn].judged.verdict.passed())
}

fn lost(turns: &[Turn]) -> Option<String> {
    turns
        .iter()
        .find_map(|turn| Some(turn.figures.as_ref()?.lost.as_ref()?.what.clone()))
}

/// The names of the scenario's own figures, in the order in which a turn first had them.
fn extras(turns: &[Turn]) -> Vec<(String, Better)> {
    let mut names: Vec<(String, Better)> = Vec::new();
    for extra in turns
        .iter()
        .filter_map(|turn| turn.figures.as_ref())
        .flat_map(|figures| &figures.extra)
    {
        if !names.iter().any(|(name, _)| *name == extra.name) {
            names.push((extra.name.clone(), extra.better));
        }
    }
    names
}

/// `None` where neither way is better.
fn word(before: f64, after: f64, better: Better, trifle: f64) -> Option<Word> {
    let (less, more) = (before.min(after), before.max(after));
    if better == Better::Neither {
        return None;
    }
    if more - less <= trifle || more <= less * SAME {
        return Some(Word::Same);
    }
    let gained = (after > before) == (better == Better::More);
    let factor = match (less, after > before) {
        (0.0, true) => "was none".to_owned(),
        (0.0, false) => "none left".to_owned(),
        (_, true) => format!("{}x more", factor(more / less)),
        (_, false) => format!("{}x less", factor(more / less)),
    };
    Some(if gained {
        Word::Better(factor)
    } else {
        Word::Worse(factor)
    })
}

fn factor(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.1}")
    } else {
        grouped(ratio.round() as u64)
    }
}

fn rate(value: f64) -> Cell {
    let text = if value < 100.0 {
        format!("{value:.1}")
    } else {
        grouped(value.round() as u64)
    };
    Cell { value, text }
}

fn time(value: Duration) -> Cell {
    let millis = value.as_secs_f64() * 1000.0;
    let text = match millis {
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 10_000.0 => format!("{} ms", grouped(ms.round() as u64)),
        ms => format!("{:.1} s", ms / 1000.0),
    };
    Cell {
        value: value.as_secs_f64(),
        text,
    }
}

fn bytes(value: Bytes) -> Cell {
    let mib = value.0 as f64 / f64::from(1 << 20);
    Cell {
        value: value.0 as f64,
        text: format!("{mib:.1} MiB"),
    }
}

fn errors(figures: &Figures) -> Cell {
    Cell {
        value: figures.errors as f64,
        text: match figures.errors {
            0 => "none".to_owned(),
            errors => format!("{} of {}", grouped(errors), grouped(figures.due)),
        },
    }
}

fn count(value: u64) -> Cell {
    let text = match value {
        0 => "none".to_owned(),
        value => grouped(value),
    };
    Cell {
        value: value as f64,
        text,
    }
}

fn of_extra(extra: &Extra) -> Cell {
    let number = if extra.value.fract() == 0.0 {
        grouped(extra.value as u64)
    } else {
        format!("{:.1}", extra.value)
    };
    Cell {
        value: extra.value,
        text: format!("{number} {}", extra.unit).trim_end().to_owned(),
    }
}

/// `12,400`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
