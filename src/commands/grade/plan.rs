//! What is in a folder -> what is to be judged of it, and by which key the verdict is known.

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use tokio::task::spawn_blocking;

use crate::cli::Sandboxed;
use crate::core::manifest::{Exercise, ExerciseKind};
use crate::core::suspicion;
use crate::learners::{self, Folder};
use crate::prepare::Lab;
use crate::verdicts::Key;
use crate::workbook::Workbook;

/// Goes up when a verdict is made in another way.
const VERSION: u32 = 1;

/// A folder, read.
pub(super) struct Plan {
    pub(super) problem: Option<String>,
    /// One an exercise.
    pub(super) cells: Vec<Planned>,
}

pub(super) enum Planned {
    Broken(String),
    Subject(Box<Subject>),
}

/// A text to be judged.
pub(super) struct Subject {
    pub(super) key: Key,
    /// Of the manifest's.
    pub(super) exercise: usize,
    /// The one at fault first; each with its name in reports.
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) untouched: bool,
    pub(super) notes: Vec<String>,
}

impl Plan {
    pub(super) fn broken(why: String, cells: usize) -> Self {
        let cell = || Planned::Broken(why.clone());
        Self {
            cells: std::iter::repeat_with(cell).take(cells).collect(),
            problem: Some(why),
        }
    }
}

/// What is known of an exercise before any folder is read.
struct Expected {
    /// Each file's name, and its text as it is handed out.
    files: Vec<(String, Option<Vec<u8>>)>,
    /// Of all that judges the exercise.
    judge: Key,
}

pub(super) struct Planner {
    exercises: Arc<Vec<Expected>>,
    judge: Key,
}

impl Planner {
    pub(super) fn new(workbook: &Workbook, lab: &Lab, sandbox: Sandboxed) -> Result<Self> {
        let program = program();
        let exercises = workbook
            .manifest()
            .exercises
            .iter()
            .map(|exercise| expected(workbook, exercise, lab, sandbox, &program))
            .collect::<Result<Vec<_>>>()?;
        // Without the program's own file: shards run on machines that each built it.
        let judge = Key::of(exercises.iter().flat_map(|(_, texts)| {
            texts
                .iter()
                .map(Vec::as_slice)
                .chain([env!("CARGO_PKG_VERSION").as_bytes()])
        }));
        Ok(Self {
            exercises: Arc::new(
                exercises
                    .into_iter()
                    .map(|(expected, _)| expected)
                    .collect(),
            ),
            judge,
        })
    }

    pub(super) fn exercises(&self) -> usize {
        self.exercises.len()
    }

    /// The same on every machine that judges alike.
    pub(super) fn judge(&self) -> String {
        self.judge.to_string()[..16].to_string()
    }

    /// Reads the folder, on a thread of its own: a folder may lie on a slow disk.
    pub(super) async fn plan(&self, folder: &Folder) -> Result<Plan> {
        let (exercises, path) = (Arc::clone(&self.exercises), folder.path.clone());
        let read = spawn_blocking(move || {
            if let Some(problem) = learners::problem(&path) {
                return Plan::broken(problem, exercises.len());
            }
            let cells = exercises.iter().enumerate();
            Plan {
                problem: None,
                cells: cells
                    .map(|(at, expected)| planned(&path, at, expected))
                    .collect(),
            }
        });
        read.await.context("reading it was given up")
    }
}

fn planned(folder: &std::path::Path, exercise: usize, expected: &Expected) -> Planned {
    let mut files = Vec::new();
    for (name, _) in &expected.files {
        match learners::read(folder, name) {
            Ok(bytes) => files.push((name.clone(), bytes)),
            Err(why) => return Planned::Broken(why),
        }
    }
    let texts = files.iter().map(|(_, bytes)| bytes.as_slice());
    let untouched = files
        .iter()
        .zip(&expected.files)
        .all(|((_, bytes), (_, shipped))| {
            shipped
                .as_deref()
                .is_some_and(|shipped| same(shipped, bytes))
        });
    let notes = match untouched {
        true => Vec::new(),
        false => files
            .iter()
            .zip(&expected.files)
            .flat_map(|((_, bytes), (_, shipped))| {
                let shipped = shipped.as_deref().unwrap_or_default();
                let text = |bytes| String::from_utf8_lossy(bytes);
                suspicion::notes(&text(bytes), &text(shipped))
            })
            .collect(),
    };
    Planned::Subject(Box::new(Subject {
        key: Key::of(
            [expected.judge.to_string().as_bytes()]
                .into_iter()
                .chain(texts),
        ),
        exercise,
        files,
        untouched,
        notes,
    }))
}

/// A checkout on Windows writes other line ends into what nobody touched.
fn same(shipped: &[u8], bytes: &[u8]) -> bool {
    shipped == bytes || without_returns(shipped).eq(without_returns(bytes))
}

fn without_returns(bytes: &[u8]) -> impl Iterator<Item = &u8> {
    bytes.iter().filter(|byte| **byte != b'\r')
}

/// With the texts that judge it, but for what is different on each machine.
fn expected(
    workbook: &Workbook,
    exercise: &Exercise,
    lab: &Lab,
    sandbox: Sandboxed,
    program: &str,
) -> Result<(Expected, Vec<Vec<u8>>)> {
    let mut judges = vec![
        VERSION.to_string(),
        format!("{sandbox:?}"),
        exercise.name.clone(),
        exercise.chapter.clone(),
        format!("{:?}", exercise.limits),
        workbook.checks(exercise)?.read()?,
        workbook.contract(exercise).unwrap_or_default(),
    ];
    if let Some(checks) = workbook.service_checks(exercise)? {
        judges.push(checks.read()?);
    }
    if exercise.kind == ExerciseKind::Lint {
        let companion = workbook.companion(exercise, &crate::core::manifest::Subject::Solution)?;
        judges.push(companion.read()?);
    }
    let texts: Vec<Vec<u8>> = judges.into_iter().map(String::into_bytes).collect();
    let here = [lab.key.as_bytes(), program.as_bytes()];
    let judge = Key::of(texts.iter().map(Vec::as_slice).chain(here));
    let files = workbook
        .exercise_files(exercise)
        .into_iter()
        .map(|file| {
            let shipped = workbook.shipped(&file).map(str::as_bytes).map(Vec::from);
            // A pack's own are what it hands out.
            let shipped = shipped.or_else(|| std::fs::read(&file.path).ok());
            (file.display, shipped)
        })
        .collect();
    Ok((Expected { files, judge }, texts))
}

/// This very program: one that was built anew may judge in another way, whatever its version says.
fn program() -> String {
    let modified = std::env::current_exe()
        .and_then(|path| path.metadata())
        .and_then(|metadata| Ok((metadata.len(), metadata.modified()?)));
    match modified {
        Ok((len, time)) => {
            let time = time.duration_since(UNIX_EPOCH).unwrap_or_default();
            format!("{len} {}", time.as_nanos())
        }
        Err(_) => String::new(),
    }
}
