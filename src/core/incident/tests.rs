use std::time::Duration;

use super::*;
use crate::core::record::{Better, Extra, Lost, Measured, Record, SeenTask, Timeline};
use crate::core::verdict::{Judged, Verdict};

fn measured(latencies_us: Vec<u64>, due: u64) -> Measured {
    Measured {
        counting: "pages".to_owned(),
        due,
        span_us: 1_000_000,
        latencies_us,
        peak: 8 << 20,
        ..Measured::default()
    }
}

fn turn(title: &str, measured: Measured) -> Turn {
    Turn {
        title: title.to_owned(),
        subject: title.to_owned(),
        judged: Judged {
            verdict: Verdict::Passed,
            at: Vec::new(),
            message: String::new(),
            checks: Vec::new(),
            warnings: Vec::new(),
            swallowed: Vec::new(),
        },
        panics: Vec::new(),
        figures: Figures::of(&[Record::Measured(measured)]),
        observed: None,
    }
}

fn row(turns: &[Turn], name: &str) -> Row {
    let row = rows(turns).into_iter().find(|row| row.name == name);
    row.unwrap_or_else(|| panic!("no row `{name}`"))
}

#[test]
fn quantiles_are_of_all_answers_and_a_request_without_one_is_an_error() {
    let figures = Figures::from(&measured((1..=100).map(|ms| ms * 1_000).collect(), 103));
    let near = |seen: Option<Duration>, ms: f64| {
        let seen = seen.unwrap().as_secs_f64() * 1_000.0;
        assert!((seen / ms - 1.0).abs() < 0.002, "{seen} against {ms}");
    };
    near(figures.p50, 50.0);
    near(figures.p99, 99.0);
    assert_eq!((figures.answered, figures.errors), (100, 3));
    assert_eq!(figures.per_second, Some(100.0));
}

#[test]
fn nothing_answered_has_no_latencies_and_no_rate() {
    let figures = Figures::from(&measured(Vec::new(), 5));
    assert_eq!(
        (figures.p50, figures.p99, figures.per_second),
        (None, None, None)
    );
    assert_eq!(figures.errors, 5);
    let turns = [
        turn("as shipped", measured(Vec::new(), 5)),
        turn("solution", measured(vec![7], 5)),
    ];
    assert_eq!(row(&turns, "p99").cells[0], ("-".to_owned(), None));
    // There is nothing to compare it with.
    assert_eq!(row(&turns, "p99").cells[1].1, None);
}

#[test]
fn better_and_worse_are_said_against_the_code_as_shipped() {
    let fast = measured(vec![10_000; 4], 4);
    let slow = measured(vec![400_000; 4], 4);
    let p99 = |before: &Measured, after: &Measured| {
        let turns = [
            turn("as shipped", before.clone()),
            turn("yours", after.clone()),
        ];
        row(&turns, "p99").cells[1].1.clone()
    };
    assert_eq!(p99(&slow, &fast), Some(Word::Better("40x less".to_owned())));
    assert_eq!(p99(&fast, &slow), Some(Word::Worse("40x more".to_owned())));
    assert_eq!(p99(&slow, &slow), Some(Word::Same));
    let trifle = measured(vec![11_000; 4], 4);
    assert_eq!(p99(&fast, &trifle), Some(Word::Same));
}

#[test]
fn the_pace_of_a_turn_that_was_ended_is_compared_with_nothing() {
    let mut ended = turn("as shipped", measured(vec![400_000; 2], 4));
    ended.judged.verdict = Verdict::OverMemory { peak: 2, limit: 1 };
    let turns = [ended, turn("solution", measured(vec![10_000; 4], 4))];
    assert_eq!(row(&turns, "p99").cells[1].1, None);
    let gone = Some(Word::Better("none left".to_owned()));
    assert_eq!(row(&turns, "errors").cells[1].1, gone);
}

#[test]
fn what_was_lost_and_is_not_any_more_is_better_without_a_factor() {
    let lost = |count| Measured {
        lost: Some(Lost {
            count,
            what: "events".to_owned(),
        }),
        ..measured(vec![1], 1)
    };
    let turns = [turn("as shipped", lost(1_200)), turn("solution", lost(0))];
    let row = row(&turns, "lost: events");
    assert_eq!(row.cells[0].0, "1,200");
    assert_eq!(
        row.cells[1],
        (
            "none".to_owned(),
            Some(Word::Better("none left".to_owned()))
        )
    );
}

#[test]
fn a_figure_of_a_scenarios_own_is_a_row() {
    let with = |value| Measured {
        extra: vec![Extra {
            name: "on call was told".to_owned(),
            value,
            unit: "times".to_owned(),
            better: Better::More,
        }],
        ..measured(vec![1], 1)
    };
    let turns = [turn("as shipped", with(0.0)), turn("solution", with(50.0))];
    let row = row(&turns, "on call was told");
    assert_eq!(
        row.cells[1],
        (
            "50 times".to_owned(),
            Some(Word::Better("was none".to_owned()))
        )
    );
}

fn task(name: Option<&str>, born: u64, ended: Option<u64>, how: &str) -> SeenTask {
    SeenTask {
        name: name.map(str::to_owned),
        spawned: Some(crate::core::record::Place {
            file: "exercises/02_blocking/x.rs".to_owned(),
            line: 21,
            column: None,
            what: "spawn".to_owned(),
        }),
        born,
        ended,
        how: how.to_owned(),
    }
}

#[test]
fn a_lane_says_when_a_task_was_polled_waited_and_how_it_ended() {
    let timeline = Timeline {
        until: 1_000_000,
        threads_poll: vec![true, false],
        tasks: vec![
            task(None, 0, Some(700_000), ""),
            task(Some("probe"), 10, Some(20), "cancelled"),
            task(Some("bug"), 10, Some(30), "panicked"),
        ],
        polls: vec![(0, 0, 100, 200), (0, 0, 300_000, 650_000)],
        marks: vec![("resize".to_owned(), 1, 5, 500_000)],
        all_polls: 2,
        longest_poll_us: 350_000,
        ..Timeline::default()
    };
    let lanes = lanes(&timeline, Duration::from_millis(100));
    let labels: Vec<&str> = lanes.iter().map(|lane| lane.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "the runtime's thread",
            "blocking thread 1",
            "task of line 21",
            "probe",
            "bug"
        ]
    );
    let shapes = |lane: usize| {
        lanes[lane]
            .segments
            .iter()
            .map(|s| s.shape)
            .collect::<Vec<_>>()
    };
    assert_eq!(shapes(0), [Shape::Polled, Shape::Slow]);
    assert_eq!(shapes(1), [Shape::Work]);
    assert_eq!(
        shapes(2),
        [Shape::Waits, Shape::Polled, Shape::Slow, Shape::Ended]
    );
    assert_eq!(shapes(3), [Shape::Waits, Shape::Cancelled]);
    assert_eq!(shapes(4), [Shape::Waits, Shape::Panicked]);
}

#[test]
fn many_tasks_of_one_kind_share_a_lane_and_polls_too_near_to_tell_are_one() {
    let timeline = Timeline {
        until: 1_000_000,
        threads_poll: vec![true],
        tasks: (0..50)
            .map(|n| task(Some("pages"), n, Some(900_000), ""))
            .collect(),
        polls: (0..50)
            .map(|n| (n as usize, 0, 100 + 2 * n, 101 + 2 * n))
            .collect(),
        ..Timeline::default()
    };
    let lanes = lanes(&timeline, Duration::from_millis(100));
    assert_eq!(lanes.len(), 2);
    assert_eq!(lanes[1].label, "50 pages");
    let polled: Vec<&Segment> = lanes[1]
        .segments
        .iter()
        .filter(|s| s.shape == Shape::Polled)
        .collect();
    assert_eq!((polled.len(), polled[0].polls), (1, 50));
}

#[test]
fn a_scenarios_story_and_its_other_subjects_are_read_from_its_file() {
    let source = "//! BI is down.\n//! For a second.\n\n// also: right/x, answers Full\n\nuse a;\n";
    assert_eq!(story(source), "BI is down. For a second.");
    assert_eq!(
        also(source),
        [("right/x".to_owned(), "answers Full".to_owned())]
    );
}

#[test]
fn a_panic_is_told_once_with_its_line() {
    let place = |file: &str, line| crate::core::record::Place {
        file: file.to_owned(),
        line,
        column: None,
        what: String::new(),
    };
    let panic = |message: &str| Record::Panicked {
        message: message.to_owned(),
        origin: Some(place("checks/x/incident.rs", 3)),
        on: crate::core::record::PanicOn::Task,
        spawned: None,
        at: vec![place("exercises/x.rs", 29)],
    };
    let told = panics(&[panic("a"), panic("a"), panic("b")], "exercises/x.rs");
    assert_eq!(told.len(), 2);
    assert_eq!(told[0].1.as_ref().map(|place| place.line), Some(29));
}

#[test]
fn the_table_stands_beside_where_it_fits_and_below_where_not() {
    use crate::core::view::{Colour, Look, incident_text};
    let before = measured(vec![400_000; 4], 4);
    let after = measured(vec![10_000; 4], 4);
    let turns = [
        turn("as shipped", before),
        turn("yours", after.clone()),
        turn("solution", after),
    ];
    let drawn = |width| {
        let look = Look {
            width,
            colour: Colour::None,
            links: None,
            program: "asynclings",
        };
        let lines = incident_text(
            "x: T",
            "A story.",
            &turns,
            Duration::from_millis(100),
            &look,
        );
        assert!(
            lines.iter().all(|line| line.chars().count() <= width),
            "{lines:#?}"
        );
        lines.join("\n")
    };
    insta::assert_snapshot!("table_80", drawn(80));
    insta::assert_snapshot!("table_60", drawn(60));
}
