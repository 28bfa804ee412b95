use super::sample::{Dice, HOSTILE, class, judged, shards};
use super::*;
use crate::core::view::{Colour, Look};

mod files;
mod joining;
mod reports;

fn look(width: usize, colour: Colour) -> Look {
    Look {
        width,
        colour,
        links: None,
        program: "asynclings",
    }
}

fn hostile() -> Class {
    let mut class = class(HOSTILE.len(), 4, 3);
    for (learner, name) in class.learners.iter_mut().zip(HOSTILE) {
        learner.name = name.to_owned();
    }
    class
}

/// With cells of one learner as given.
fn of_cells(verdicts: &[(VerdictKind, bool)]) -> Class {
    let mut class = class(1, verdicts.len(), 1);
    let mut dice = Dice(7);
    for (at, (verdict, untouched)) in verdicts.iter().enumerate() {
        class.columns[at].counts = true;
        class.columns[at].points = 2;
        class.learners[0].cells[at] = judged(&class.columns[at], *verdict, *untouched, &mut dice);
    }
    class
}

#[test]
fn a_skipped_exercise_costs_no_points_and_an_untouched_one_does() {
    let class = of_cells(&[
        (VerdictKind::Passed, false),
        (VerdictKind::Skipped, false),
        (VerdictKind::Hung, true),
    ]);
    let score = class.score(&class.learners[0]);
    assert_eq!((score.points, score.of), (2, 4));
    assert_eq!((score.passed, score.exercises), (1, 2));
}

#[test]
fn what_is_not_due_yet_is_shown_and_does_not_count() {
    let mut class = of_cells(&[(VerdictKind::Passed, false), (VerdictKind::Hung, false)]);
    class.columns[1].counts = false;
    let score = class.score(&class.learners[0]);
    assert_eq!((score.points, score.of), (2, 2));
    assert!(csv(&class).contains("hung"));
}

#[test]
fn an_exercise_stops_those_who_began_and_not_those_who_did_not() {
    let mut class = class(4, 1, 1);
    let mut dice = Dice(1);
    let cells = [
        (VerdictKind::Hung, false),
        (VerdictKind::Hung, false),
        (VerdictKind::Panicked, false),
        (VerdictKind::Hung, true),
    ];
    for (learner, (verdict, untouched)) in class.learners.iter_mut().zip(cells) {
        learner.cells[0] = judged(&class.columns[0], verdict, untouched, &mut dice);
    }
    let (at, tally) = class.stopping()[0];
    assert_eq!((at, tally.stopped, tally.untouched), (0, 3, 1));
    assert_eq!(tally.mostly, Some(VerdictKind::Hung));
}
