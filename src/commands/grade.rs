//! `grade`: the folders of a class -> a table of verdicts. What was judged once is not judged again, nothing in a folder
//! is trusted, and no folder ends the run.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use futures::{StreamExt, stream};
use indicatif::ProgressBar;

use super::checking::{Checker, cores};
use super::{bar, class_files, lab, output};
use crate::cli::{Grade, Sandboxed, Shard, Shared};
use crate::confine::Sandbox;
use crate::core::class::{Cell, Class, Judged, Learner};
use crate::core::report::Line;
use crate::exit::{Fault, Outcome};
use crate::learners::{self, Folder};
use crate::verdicts::{Key, Verdicts};
use crate::workbook::{Workbook, cache_root};

mod judge;
mod plan;

use judge::Judge;
use plan::{Planned, Planner};

/// What became of a subject that several learners may have handed in.
type Verdict = Result<Line, String>;

/// # Errors
/// The command line, or a machine that cannot judge at all. What is wrong with one folder is a row of the report.
pub async fn run(shared: &Shared, request: &Grade) -> Result<Outcome> {
    let started = Instant::now();
    let workbook = Workbook::to_grade_with(shared)?;
    let folders = folders(request)?;
    let columns = class_files::columns(&workbook, request.points.as_deref())?;
    class_files::refuse_what_cannot_be_written(&request.reports)?;
    let lab = lab::ready(shared, &workbook).await?;
    let sandbox = match request.sandbox {
        Sandboxed::On => Some(Sandbox::new(&lab)?),
        Sandboxed::Off => None,
    };
    let checker = Checker {
        workbook: &workbook,
        lab: &lab,
        jobs: 1,
        sandbox: sandbox.as_ref(),
    };
    let judge = Judge::new(checker, Verdicts::in_cache(&cache_root()?));
    let planner = Planner::new(&workbook, &lab, request.sandbox)?;
    let graded = grade(&judge, &planner, folders, request).await;
    let class = Class {
        columns,
        learners: graded.learners,
        judge: planner.judge(),
    };
    output::warn(judge.warning());
    let (judged, known) = (judge.judged.get(), judge.known.get());
    eprintln!(
        "{} folders, {} different files: {judged} judged, {known} known from before; {:.1} s",
        class.learners.len(),
        judged + known,
        started.elapsed().as_secs_f32()
    );
    class_files::write(shared, &request.reports, &class)?;
    if graded.machine_failed {
        bail!(Fault::Machine(
            "this machine could not judge everything: see the rows that say so; the same command tries them again"
                .to_string()
        ));
    }
    Ok(Outcome::Passed)
}

fn folders(request: &Grade) -> Result<Vec<Folder>> {
    let mut paths = request.dirs.clone();
    if let Some(list) = &request.list {
        let text = std::fs::read_to_string(list)
            .with_context(|| Fault::Usage(format!("the list {} cannot be read", list.display())))?;
        // Named from where the list is, as in any file that names files.
        let base = list.parent().map(PathBuf::from).unwrap_or_default();
        let lines = text.lines().map(str::trim);
        paths.extend(
            lines
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
                .map(|line| base.join(line)),
        );
    }
    if paths.is_empty() {
        bail!(Fault::Usage(
            "no folder to grade; name one a learner, `grade submissions/*`, or a file that lists them with --list"
                .to_string()
        ));
    }
    let names = match &request.names {
        Some(file) => class_files::names(file)?,
        None => BTreeMap::new(),
    };
    let folders = learners::folders(&paths, &names);
    let twins = folders.windows(2).find(|two| two[0].name == two[1].name);
    if let Some([one, other]) = twins {
        bail!(Fault::Usage(format!(
            "{} and {} are both of `{}`; name each learner once, or tell them apart with --names",
            one.path.display(),
            other.path.display(),
            one.name
        )));
    }
    Ok(folders)
}

struct Graded {
    learners: Vec<Learner>,
    machine_failed: bool,
}

/// A folder, read; its verdicts may still be on their way.
struct Row {
    name: String,
    problem: Option<String>,
    sources: Vec<Source>,
}

/// Where a cell gets its verdict from.
enum Source {
    Broken(String),
    Elsewhere {
        shard: u32,
        of: u32,
    },
    Verdict {
        key: Key,
        untouched: bool,
        notes: Vec<String>,
    },
}

async fn grade(
    judge: &Judge<'_>,
    planner: &Planner,
    folders: Vec<Folder>,
    request: &Grade,
) -> Graded {
    let bar = bar::of(folders.len() * planner.exercises(), "verdicts");
    let verdicts: RefCell<HashMap<Key, Option<Verdict>>> = RefCell::default();
    let rows: RefCell<Vec<Row>> = RefCell::default();
    let at_once = request.jobs.unwrap_or(2 * cores()).max(1);
    // One folder after the other is read, and only as fast as its subjects are judged: a class of thousands is never in
    // memory. A subject that was seen before makes no job.
    let jobs = stream::iter(folders)
        .then(|folder| async {
            let plan = planner.plan(&folder).await;
            (folder, plan)
        })
        .flat_map(|(folder, plan)| {
            let plan = match plan {
                Ok(plan) => plan,
                Err(error) => plan::Plan::broken(format!("{error:#}"), planner.exercises()),
            };
            let mut sources = Vec::new();
            let mut jobs = Vec::new();
            for planned in plan.cells {
                sources.push(source(planned, request.shard, &verdicts, &mut jobs, &bar));
            }
            rows.borrow_mut().push(Row {
                name: folder.name,
                problem: plan.problem,
                sources,
            });
            stream::iter(jobs)
        })
        .map(|subject| async {
            let key = subject.key;
            let verdict = judge.verdict(subject).await;
            (key, verdict)
        })
        .buffer_unordered(at_once);
    let mut jobs = std::pin::pin!(jobs);
    let mut machine_failed = false;
    while let Some((key, verdict)) = jobs.next().await {
        bar.inc(1);
        // What only this text makes of the checks is no fault of the machine, and does not end with an error.
        machine_failed |= verdict
            .as_ref()
            .is_err_and(|error| !matches!(error.downcast_ref::<Fault>(), Some(Fault::Workbook(_))));
        let verdict = verdict.map_err(|error| format!("not judged: {error:#}"));
        verdicts.borrow_mut().insert(key, Some(verdict));
    }
    bar.finish_and_clear();
    let verdicts = verdicts.borrow();
    let learners = rows.take().into_iter().map(|row| Learner {
        name: row.name,
        problem: row.problem,
        cells: row
            .sources
            .into_iter()
            .map(|source| cell(source, &verdicts))
            .collect(),
    });
    Graded {
        learners: learners.collect(),
        machine_failed,
    }
}

fn source(
    planned: Planned,
    shard: Option<Shard>,
    verdicts: &RefCell<HashMap<Key, Option<Verdict>>>,
    jobs: &mut Vec<plan::Subject>,
    bar: &ProgressBar,
) -> Source {
    let subject = match planned {
        Planned::Broken(why) => {
            bar.inc(1);
            return Source::Broken(why);
        }
        Planned::Subject(subject) => subject,
    };
    let key = subject.key;
    if let Some(shard) = shard {
        let owner = shard.of(key.number());
        if owner != shard.index {
            bar.inc(1);
            return Source::Elsewhere {
                shard: owner,
                of: shard.count,
            };
        }
    }
    let (untouched, notes) = (subject.untouched, subject.notes.clone());
    let mut verdicts = verdicts.borrow_mut();
    if let std::collections::hash_map::Entry::Vacant(new) = verdicts.entry(key) {
        new.insert(None);
        jobs.push(*subject);
    } else {
        bar.inc(1);
    }
    Source::Verdict {
        key,
        untouched,
        notes,
    }
}

fn cell(source: Source, verdicts: &HashMap<Key, Option<Verdict>>) -> Cell {
    match source {
        Source::Broken(why) => Cell::Broken(why),
        Source::Elsewhere { shard, of } => Cell::Elsewhere { shard, of },
        Source::Verdict {
            key,
            untouched,
            notes,
        } => match verdicts.get(&key).and_then(Option::as_ref) {
            Some(Ok(line)) => Cell::Judged(Box::new(Judged {
                line: line.clone(),
                untouched,
                notes,
            })),
            Some(Err(why)) => Cell::Broken(why.clone()),
            None => Cell::Broken("not judged".to_string()),
        },
    }
}
