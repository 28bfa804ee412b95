//! `incident`: the measured scenario of an exercise, for the code as shipped, the learner's and the solution, one after
//! the other: each once for the figures, and once observed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::checking::{of_workbook, seed};
use super::hint::named_or_current;
use super::{bar, lab, output};
use crate::cli::{Format, Shared};
use crate::compile::{self, Build, Job, Kind, Reuse};
use crate::core::incident::{Figures, Observed, Turn, also, panics, story};
use crate::core::manifest::{Exercise, Limits, Subject};
use crate::core::report;
use crate::core::verdict::{self, BuildOutcome, CheckRun, Judged, Sources};
use crate::core::view::{incident_page, incident_text};
use crate::execute;
use crate::exit::{Fault, Outcome};
use crate::prepare::Lab;
use crate::store::{self, Store};
use crate::workbook::{SubjectFile, Workbook};

/// A scenario takes seconds; what takes this long has no end.
const WALL: Duration = Duration::from_secs(60);

pub struct Request {
    /// `None`: the current exercise.
    pub name: Option<String>,
    /// Where the page with the timeline goes.
    pub html: Option<PathBuf>,
    /// A poll of so long is called slow.
    pub slow: Duration,
}

/// One subject to be run.
struct Entry {
    title: String,
    subject: String,
    file: SubjectFile,
}

/// # Errors
/// An exercise without a scenario, a workbook or machine with a fault. A hang or a panic is a result.
pub async fn run(shared: &Shared, request: &Request) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let (store, warning) = Store::open(&workbook);
    output::warn(warning);
    let exercise = named_or_current(&workbook, store.progress(), request.name.as_deref())?;
    if workbook.incident(exercise)?.is_none() {
        return Err(no_scenario(&workbook, exercise).into());
    }
    let lab = lab::ready(shared, &workbook).await?;
    let Played { story, turns } = play(&workbook, &lab, exercise).await?;
    let title = format!("{}: {}", exercise.name, exercise.title);
    if let Some(path) = &request.html {
        let page = incident_page(
            &title,
            &story,
            &workbook.manifest().language,
            &turns,
            request.slow,
        );
        store::replace(path, page.as_bytes())
            .with_context(|| Fault::Machine(format!("cannot write {}", path.display())))?;
    }
    match shared.format {
        Format::Json => output::print([report::incident(exercise, &story, &turns)])?,
        _ => {
            let look = output::look(&workbook);
            output::print(incident_text(&title, &story, &turns, request.slow, &look))?;
            if let Some(path) = &request.html {
                output::print([String::new(), format!("the page: {}", path.display())])?;
            }
        }
    }
    Ok(Outcome::Passed)
}

/// A scenario's story, and each subject's turn in it.
pub(super) struct Played {
    pub(super) story: String,
    pub(super) turns: Vec<Turn>,
}

/// # Errors
/// As `run`.
pub(super) async fn play(workbook: &Workbook, lab: &Lab, exercise: &Exercise) -> Result<Played> {
    let scenario = workbook.incident(exercise)?;
    let scenario = scenario.ok_or_else(|| no_scenario(workbook, exercise))?;
    let source = scenario.read()?;
    let scratch = workbook.scratch_dir()?;
    let entries = entries(workbook, exercise, &source, &scratch)?;
    let stage = Stage {
        workbook,
        lab,
        exercise,
        scenario: &scenario,
        source: &source,
        scratch: &scratch,
    };
    let bar = bar::of(3 * entries.len(), "steps");
    let mut turns = Vec::new();
    for entry in &entries {
        turns.push(stage.turn(entry, &bar).await?);
    }
    bar.finish_and_clear();
    Ok(Played {
        story: story(&source),
        turns,
    })
}

/// What keeps the scenario from being compiled with the solution; it is not run. `None` where nothing does, or there is
/// no scenario.
pub(super) async fn broken(
    workbook: &Workbook,
    lab: &Lab,
    exercise: &Exercise,
) -> Result<Option<String>> {
    let Some(scenario) = workbook.incident(exercise)? else {
        return Ok(None);
    };
    let stage = Stage {
        workbook,
        lab,
        exercise,
        scenario: &scenario,
        source: &scenario.read()?,
        scratch: &workbook.scratch_dir()?,
    };
    let entry = Entry {
        title: "solution".to_owned(),
        subject: "solution".to_owned(),
        file: workbook.subject(exercise, &Subject::Solution)?,
    };
    let BuildOutcome::Refused { diagnostics } = stage.build(&entry).await?.outcome else {
        return Ok(None);
    };
    let first = diagnostics
        .first()
        .map_or("", |error| error.message.as_str());
    Ok(Some(format!("{}: {first}", scenario.display)))
}

fn no_scenario(workbook: &Workbook, exercise: &Exercise) -> Fault {
    let exercises = workbook.manifest().exercises.iter();
    let with_one: Vec<&str> = exercises
        .filter(|exercise| workbook.has_incident(exercise))
        .map(|exercise| exercise.name.as_str())
        .collect();
    let them = match with_one[..] {
        [] => "no exercise of this workbook has one".to_owned(),
        _ => format!("these have one: {}", with_one.join(", ")),
    };
    Fault::Usage(format!(
        "`{}` has no measured scenario; {them}",
        exercise.name
    ))
}

/// As shipped first: the others are compared with it. What the learner has not touched is not run twice.
fn entries(
    workbook: &Workbook,
    exercise: &Exercise,
    scenario: &str,
    scratch: &Path,
) -> Result<Vec<Entry>> {
    let entry = |title: &str, subject: &str, file| Entry {
        title: title.to_owned(),
        subject: subject.to_owned(),
        file,
    };
    let yours = workbook.exercise_file(exercise);
    let text = yours.read()?;
    let mut entries = Vec::new();
    match workbook.shipped(&yours) {
        Some(shipped) if shipped != text => {
            let file = SubjectFile {
                path: written(scratch, exercise, shipped)?,
                display: yours.display.clone(),
            };
            entries.push(entry("as shipped", "shipped", file));
            entries.push(entry("yours", "exercise", yours));
        }
        Some(_) => entries.push(entry("as shipped", "shipped", yours)),
        None => entries.push(entry("yours", "exercise", yours)),
    }
    for (name, title) in also(scenario) {
        let variants = workbook.variants(exercise)?;
        let subject = variants
            .into_iter()
            .find(|subject| subject.to_string() == name);
        let subject = subject.with_context(|| {
            Fault::Workbook(format!(
                "the scenario of `{}` names {name}, which is not there",
                exercise.name
            ))
        })?;
        entries.push(entry(&title, &name, workbook.subject(exercise, &subject)?));
    }
    let solution = workbook.subject(exercise, &Subject::Solution)?;
    entries.push(entry("solution", "solution", solution));
    Ok(entries)
}

/// rustc needs a file.
fn written(scratch: &Path, exercise: &Exercise, text: &str) -> Result<PathBuf> {
    let path = scratch.join(format!("{}-as-shipped.rs", exercise.name));
    fs::create_dir_all(scratch)
        .and_then(|()| store::replace(&path, text.as_bytes()))
        .with_context(|| Fault::Machine(format!("cannot write {}", path.display())))?;
    Ok(path)
}

struct Stage<'a> {
    workbook: &'a Workbook,
    lab: &'a Lab,
    exercise: &'a Exercise,
    scenario: &'a SubjectFile,
    source: &'a str,
    scratch: &'a Path,
}

impl Stage<'_> {
    async fn turn(&self, entry: &Entry, bar: &indicatif::ProgressBar) -> Result<Turn> {
        bar.set_message(format!("{}: compiling", entry.title));
        let build = self.build(entry).await?;
        bar.inc(1);
        let runs = [("measuring", false), ("observing", true)];
        let mut done = Vec::new();
        for (what, observe) in runs {
            bar.set_message(format!("{}: {what}", entry.title));
            done.push(self.measure(entry, &build, observe).await?);
            bar.inc(1);
        }
        let observed = done.pop().flatten();
        let measured = done.pop().flatten();
        let records = measured.as_ref().map(|run| run.records.as_slice());
        let records = records.unwrap_or_default();
        Ok(Turn {
            title: entry.title.clone(),
            subject: entry.subject.clone(),
            figures: Figures::of(records),
            panics: panics(records, &entry.file.display),
            observed: observed.and_then(|run| Observed::of(&run.records)),
            judged: self.judge(entry, &build, measured)?,
        })
    }

    async fn build(&self, entry: &Entry) -> Result<Build> {
        let slot = format!(
            "{}-incident-{}",
            self.exercise.name,
            entry.subject.replace('/', "-")
        );
        let job = Job {
            kind: Kind::Checks,
            subject: &entry.file.path,
            subject_display: &entry.file.display,
            checks: Some((&self.scenario.path, &self.scenario.display)),
            scratch: self.scratch,
            name: &slot,
            reuse: Reuse::Once,
            sandbox: None,
        };
        compile::build(self.lab, &job).await
    }

    /// `None` where there is no program to run.
    async fn measure(
        &self,
        entry: &Entry,
        build: &Build,
        observe: bool,
    ) -> Result<Option<CheckRun>> {
        let Some(binary) = &build.binary else {
            return Ok(None);
        };
        let names = execute::check_names(binary, &build.checks_key, None).await?;
        let [name] = &names[..] else {
            return Err(Fault::Workbook(format!(
                "{} needs exactly one `#[test]` function and has {}",
                self.scenario.display,
                names.len()
            ))
            .into());
        };
        let env = execute::Env {
            subject: &entry.file.display,
            limits: Limits {
                wall: WALL,
                ..Limits::default()
            },
            seed: seed(),
            observe,
            sandbox: None,
        };
        execute::run_check(binary, name, env).await.map(Some)
    }

    fn judge(&self, entry: &Entry, build: &Build, run: Option<CheckRun>) -> Result<Judged> {
        let contract = self.workbook.contract(self.exercise);
        let sources = Sources {
            subject_file: &entry.file.display,
            subject: &build.subject,
            checks_file: &self.scenario.display,
            checks: self.source,
            shipped: contract.as_deref(),
            until: None,
        };
        let runs = run.into_iter().collect();
        Ok(
            verdict::judge(self.exercise, &sources, build.outcome.clone(), runs)
                .map_err(|fault| of_workbook(self.exercise, &fault))?,
        )
    }
}
