//! Parts of a class, each written by one shard, joined into the table that one machine would have written.

use super::{Cell, Class, Judged, Learner};

/// Why parts do not belong together. Parts are counted from 1, in the order in which they were given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    #[error("there is nothing to merge; name the files that `grade --report part.json` wrote")]
    NoParts,
    #[error(
        "part {part} was judged by other checks, limits or another toolchain than part 1 (`{there}`, not `{here}`), so \
         their verdicts cannot stand in one table; grade its shard again with the asynclings and the workbook of part 1"
    )]
    Judge {
        part: usize,
        here: String,
        there: String,
    },
    #[error(
        "part {part} has other exercises, points or dates than part 1, first {first}; grade both with the same info.toml, \
         the same `--track` and the same `--points`"
    )]
    Columns { part: usize, first: String },
    #[error(
        "part {part} has other learners than part 1, first {first}; grade every shard with the same folders, `--list` and \
         `--names`"
    )]
    Learners { part: usize, first: String },
    #[error(
        "two parts judged `{exercise}` of {learner} and do not agree: `{one}`, and `{other}` in part {part}; leave the part \
         out that is not of this run, or grade both shards again"
    )]
    Verdicts {
        part: usize,
        learner: String,
        exercise: String,
        one: String,
        other: String,
    },
}

/// One table of all parts, in any order.
///
/// A cell that two parts judged must agree in its verdict and in that of each check; then the evidence of the part that was
/// given first stands, as times and random values differ from run to run. A verdict goes before `Broken`: another machine
/// could do what one could not.
///
/// # Errors
/// Where the parts are not of one class and one judge.
pub fn joined(parts: Vec<Class>) -> Result<Class, Mismatch> {
    let mut parts = parts.into_iter().zip(1..);
    let (mut whole, _) = parts.next().ok_or(Mismatch::NoParts)?;
    for (class, part) in parts {
        is_of(&whole, &class, part)?;
        for (mine, theirs) in whole.learners.iter_mut().zip(class.learners) {
            fill(mine, theirs, part)?;
        }
    }
    for cell in whole.learners.iter_mut().flat_map(|l| &mut l.cells) {
        if let Cell::Elsewhere { shard, of } = *cell {
            *cell = Cell::Broken(lost(shard, of));
        }
    }
    Ok(whole)
}

fn lost(shard: u32, of: u32) -> String {
    format!(
        "shard {shard} of {of} was not merged; grade it with `--shard {shard}/{of}` and merge its file too"
    )
}

fn is_of(whole: &Class, class: &Class, part: usize) -> Result<(), Mismatch> {
    if class.judge != whole.judge {
        return Err(Mismatch::Judge {
            part,
            here: whole.judge.clone(),
            there: class.judge.clone(),
        });
    }
    let columns = whole.columns.iter().zip(&class.columns);
    if class.columns != whole.columns {
        let names = |class: &Class| class.columns.iter().map(|c| c.exercise.clone()).collect();
        let differing = columns.into_iter().find(|(mine, theirs)| mine != theirs);
        let first = match differing {
            Some((mine, theirs)) if mine.exercise == theirs.exercise => {
                format!("in what it says of `{}`", mine.exercise)
            }
            _ => first_difference(names(whole), names(class)),
        };
        return Err(Mismatch::Columns { part, first });
    }
    let learners = |class: &Class| class.learners.iter().map(|l| l.name.clone()).collect();
    let (mine, theirs): (Vec<String>, Vec<String>) = (learners(whole), learners(class));
    if mine != theirs {
        let first = first_difference(mine, theirs);
        return Err(Mismatch::Learners { part, first });
    }
    Ok(())
}

/// ``with `never_closed` where part 1 has `lost_panic` ``
fn first_difference(mine: Vec<String>, theirs: Vec<String>) -> String {
    let length = mine.len().max(theirs.len());
    let named = |names: &[String], at: usize| {
        names
            .get(at)
            .map_or("nothing".to_owned(), |name| format!("`{name}`"))
    };
    let at = (0..length).find(|at| mine.get(*at) != theirs.get(*at));
    let at = at.unwrap_or(0);
    format!(
        "with {} where part 1 has {}",
        named(&theirs, at),
        named(&mine, at)
    )
}

fn fill(mine: &mut Learner, theirs: Learner, part: usize) -> Result<(), Mismatch> {
    mine.problem = mine.problem.take().or(theirs.problem);
    for (cell, other) in mine.cells.iter_mut().zip(theirs.cells) {
        match (&*cell, &other) {
            (Cell::Judged(one), Cell::Judged(two)) if !agree(one, two) => {
                return Err(Mismatch::Verdicts {
                    part,
                    learner: mine.name.clone(),
                    exercise: one.line.exercise.clone(),
                    one: one.line.verdict.word().to_owned(),
                    other: two.line.verdict.word().to_owned(),
                });
            }
            (Cell::Elsewhere { .. }, _) | (Cell::Broken(_), Cell::Judged(_)) => *cell = other,
            _ => {}
        }
    }
    Ok(())
}

fn agree(one: &Judged, two: &Judged) -> bool {
    let outcomes = |judged: &Judged| -> Vec<_> {
        let checks = judged.line.checks.iter();
        checks.map(|c| (c.name.clone(), c.outcome)).collect()
    };
    (one.line.verdict, one.line.kind, one.untouched)
        == (two.line.verdict, two.line.kind, two.untouched)
        && outcomes(one) == outcomes(two)
}
