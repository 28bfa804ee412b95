//! Classes for tests: every kind of cell, from a seed.

use super::{Cell, Class, Column, Judged, Learner};
use crate::core::manifest::VerdictKind;
use crate::core::record::{HangKind, Place, StuckTask};
use crate::core::report::{Check, Evidence, Line};

/// Numbers that look random and are the same on each machine: xorshift.
pub(super) struct Dice(pub u64);

impl Dice {
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// What a learner who means harm writes.
pub(super) const HOSTILE: [&str; 6] = [
    "</script><script>alert(1)</script>",
    "=HYPERLINK(\"http://x\",\"y\")",
    "\u{202e}evil\u{202c} \u{1b}[2J\u{1b}]0;x\u{7} \0",
    "../../etc/passwd",
    "\" onmouseover=\"alert(1)' & <img src=x>",
    "two\nlines\r\n,and;commas",
];

pub(super) fn class(learners: usize, columns: usize, seed: u64) -> Class {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let columns: Vec<Column> = (0..columns).map(|at| column(at, &mut dice)).collect();
    let learners = (0..learners).map(|at| Learner {
        name: format!("learner {at:03}"),
        problem: None,
        cells: columns.iter().map(|c| cell(c, &mut dice)).collect(),
    });
    Class {
        learners: learners.collect(),
        columns,
        judge: format!("judge-{seed}"),
    }
}

fn column(at: usize, dice: &mut Dice) -> Column {
    let part = (at % 4 == 3).then(|| format!("part {at}"));
    Column {
        exercise: format!("exercise_{at}"),
        chapter: format!("0{}_chapter", at % 9),
        title: format!("The title of {at}"),
        points: 1 + dice.below(3) as u32,
        due: part
            .is_some()
            .then(|| "2026-10-09T23:59:59+00:00".to_owned()),
        part,
        counts: at % 5 != 4,
    }
}

fn cell(column: &Column, dice: &mut Dice) -> Cell {
    match dice.below(20) {
        0 => Cell::Broken(format!("{} is missing; hand it in", column.exercise)),
        1..=8 => judged(column, VerdictKind::Passed, false, dice),
        9..=12 => judged(column, VerdictKind::CheckFailed, true, dice),
        n => judged(column, VerdictKind::ALL[n % 9], false, dice),
    }
}

pub(super) fn judged(
    column: &Column,
    verdict: VerdictKind,
    untouched: bool,
    dice: &mut Dice,
) -> Cell {
    let passed = verdict == VerdictKind::Passed;
    let place = Place {
        file: format!("exercises/{}/{}.rs", column.chapter, column.exercise),
        line: 1 + dice.below(80) as u32,
        column: None,
        what: "Mutex::lock".to_owned(),
    };
    let kind = (verdict == VerdictKind::Hung).then_some(HangKind::Waiting);
    let text = HOSTILE[dice.below(HOSTILE.len())];
    let check = Check {
        name: "a_transfer_ends".to_owned(),
        outcome: verdict,
        kind,
        message: if passed {
            String::new()
        } else {
            text.to_owned()
        },
        ms: dice.below(500) as u64,
        at: if passed {
            Vec::new()
        } else {
            vec![place.clone()]
        },
        evidence: Evidence {
            expected: (verdict == VerdictKind::CheckFailed).then(|| "3".to_owned()),
            seen: (verdict == VerdictKind::CheckFailed).then(|| text.to_owned()),
            tasks: kind.map_or(Vec::new(), |_| {
                vec![StuckTask {
                    spawned: None,
                    chain: vec![place.clone()],
                }]
            }),
            peak: None,
            limit: None,
        },
        swallowed: Vec::new(),
        output: if passed {
            String::new()
        } else {
            text.repeat(3)
        },
    };
    Cell::Judged(Box::new(Judged {
        line: Line {
            schema: 1,
            exercise: column.exercise.clone(),
            chapter: column.chapter.clone(),
            subject: "exercise".to_owned(),
            verdict,
            kind,
            message: if passed {
                String::new()
            } else {
                format!("it says {text}")
            },
            at: if passed { Vec::new() } else { vec![place] },
            checks: if verdict == VerdictKind::DoesNotCompile {
                Vec::new()
            } else {
                vec![check]
            },
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            compile_ms: dice.below(400) as u64,
            run_ms: dice.below(400) as u64,
        },
        untouched,
        notes: if dice.below(9) == 0 {
            vec!["uses unsafe in line 7".to_owned()]
        } else {
            Vec::new()
        },
    }))
}

/// What each of `of` shards writes of a class.
pub(super) fn shards(whole: &Class, of: u32, dice: &mut Dice) -> Vec<Class> {
    let mut parts: Vec<Class> = (0..of).map(|_| whole.clone()).collect();
    for (l, learner) in whole.learners.iter().enumerate() {
        for c in 0..learner.cells.len() {
            let mine = 1 + dice.below(of as usize) as u32;
            for (part, shard) in parts.iter_mut().zip(1..) {
                if shard != mine {
                    part.learners[l].cells[c] = Cell::Elsewhere { shard: mine, of };
                }
            }
        }
    }
    parts
}
