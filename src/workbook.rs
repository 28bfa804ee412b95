//! Where everything of a workbook is. Every path has its author here; reads, and never writes into `exercises/`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;

use crate::cli::Shared;
use crate::core::lab_manifest::{self, Merged};
use crate::core::manifest::{self, Exercise, ExerciseKind, Manifest, Subject};
use crate::embedded;
use crate::exit::{Fault, told};
use crate::prepare::LabSources;

/// No exercise comes near it; rustc would work on more for minutes.
pub const LARGEST_FILE: u64 = 1 << 20;

/// What `init` notes down for `update`.
pub const VERSION_FILE: &str = ".asynclings/version";

/// Crates that a pack adds to the lab, and their versions.
pub const LAB_TOML: &str = "lab.toml";
pub const LAB_LOCK: &str = "lab.lock";
/// Crates for a room without network.
pub const VENDOR: &str = "vendor";
/// Says so to cargo in this folder, whoever starts it.
pub const CARGO_CONFIG: &str = ".cargo/config.toml";

#[derive(Debug, Clone)]
pub struct Workbook {
    root: PathBuf,
    manifest: Manifest,
}

/// A file, and its name in records, diagnostics and reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectFile {
    pub path: PathBuf,
    /// `exercises/04_locks/self_deadlock.rs`, with `/` on every system.
    pub display: String,
}

impl Workbook {
    /// The workbook in this folder, or the nearest one upwards from the current folder.
    pub fn find(dir: Option<&Path>) -> Result<Self> {
        let root = match dir {
            Some(dir) => absolute(dir)?,
            None => nearest_root(&absolute(Path::new("."))?)?,
        };
        let path = root.join("info.toml");
        let text = fs::read_to_string(&path).map_err(|error| unreadable_manifest(&root, &error))?;
        let manifest = parsed(&text)?;
        Ok(Self { root, manifest })
    }

    /// The workbook that these flags choose: all of it, or the exercises of one track, up to a chapter.
    pub fn chosen(shared: &Shared) -> Result<Self> {
        Self::find(shared.workbook.as_deref())?.chosen_by(shared)
    }

    fn chosen_by(mut self, shared: &Shared) -> Result<Self> {
        if let Some(track) = &shared.track {
            self.manifest = self
                .manifest
                .on_track(track)
                .map_err(|unknown| Fault::Usage(unknown.to_string()))?;
        }
        if let Some(chapter) = &shared.until {
            self.manifest = self
                .manifest
                .until(chapter)
                .map_err(|unknown| Fault::Usage(unknown.to_string()))?;
            if self.manifest.exercises.is_empty() {
                let text =
                    format!("no exercise is left with `--until {chapter}`; name a later chapter");
                return Err(Fault::Usage(text).into());
            }
        }
        Ok(self)
    }

    /// What a class is graded with: the workbook here, or where there is none the one that came with this program.
    pub fn to_grade_with(shared: &Shared) -> Result<Self> {
        let here = absolute(Path::new("."))?;
        let is_workbook = |dir: &Path| dir.join("info.toml").is_file();
        if shared.workbook.is_some() || here.ancestors().any(is_workbook) {
            return Self::chosen(shared);
        }
        let workbook = Self {
            root: embedded::extracted(&cache_root()?)?,
            manifest: parsed(embedded::INFO)?,
        };
        workbook.chosen_by(shared)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The named exercise; an unknown name is the command line's fault.
    pub fn exercise(&self, name: &str) -> Result<&Exercise> {
        let found = self.manifest.find(name);
        Ok(found.map_err(|unknown| Fault::Usage(unknown.to_string()))?)
    }

    /// The learner's files, and nothing else.
    pub fn exercises_dir(&self) -> PathBuf {
        self.root.join("exercises")
    }

    /// The learner's file, whether or not it is there; of several the one at fault.
    pub fn exercise_file(&self, exercise: &Exercise) -> SubjectFile {
        self.below(&self.root, "exercises", &inner_path(exercise))
    }

    /// All files of the learner's that belong to the exercise, the one at fault first.
    pub fn exercise_files(&self, exercise: &Exercise) -> Vec<SubjectFile> {
        let inner = inner_paths(exercise);
        let file = |inner: &String| self.below(&self.root, "exercises", inner);
        inner.iter().map(file).collect()
    }

    /// The program that stands beside the subject of a lint exercise. A variant without one of its own is about the
    /// other file, and has the solution's.
    pub fn companion(&self, exercise: &Exercise, subject: &Subject) -> Result<SubjectFile> {
        let own = self.subject(exercise, subject)?;
        let beside = SubjectFile {
            path: own.path.with_extension("rs"),
            display: format!(
                "{}.rs",
                own.display
                    .rsplit_once('.')
                    .map_or(own.display.as_str(), |(stem, _)| stem)
            ),
        };
        match subject {
            Subject::Variant { .. } if !beside.path.is_file() => {
                self.companion(exercise, &Subject::Solution)
            }
            _ => Ok(beside),
        }
    }

    pub fn subject(&self, exercise: &Exercise, subject: &Subject) -> Result<SubjectFile> {
        match subject {
            Subject::Exercise => Ok(self.exercise_file(exercise)),
            Subject::Solution => self.hidden("solutions", exercise),
            Subject::Variant { right, name } => {
                let kind = if *right { "right" } else { "wrong" };
                let inner = format!(
                    "{}/{}/{kind}/{name}.{}",
                    exercise.chapter,
                    exercise.name,
                    ending(exercise)
                );
                Ok(self.below(&self.hidden_root("checks")?, "checks", &inner))
            }
        }
    }

    pub fn checks(&self, exercise: &Exercise) -> Result<SubjectFile> {
        let inner = format!("{}/{}.rs", exercise.chapter, exercise.name);
        self.hidden_file("checks", exercise, &inner)
    }

    /// Of the program beside a lint exercise, where it has any: `checks/01_runtime/lint_block_on/service.rs`.
    pub fn service_checks(&self, exercise: &Exercise) -> Result<Option<SubjectFile>> {
        if exercise.kind != ExerciseKind::Lint {
            return Ok(None);
        }
        self.beside_the_checks(exercise, "service.rs")
    }

    /// The measured scenario, where the exercise has one: `checks/02_blocking/starved_health/incident.rs`.
    pub fn incident(&self, exercise: &Exercise) -> Result<Option<SubjectFile>> {
        self.beside_the_checks(exercise, "incident.rs")
    }

    /// What cannot be told counts as none.
    pub fn has_incident(&self, exercise: &Exercise) -> bool {
        self.incident(exercise).is_ok_and(|file| file.is_some())
    }

    fn beside_the_checks(&self, exercise: &Exercise, name: &str) -> Result<Option<SubjectFile>> {
        let inner = format!("{}/{}/{name}", exercise.chapter, exercise.name);
        let file = self.below(&self.hidden_root("checks")?, "checks", &inner);
        Ok(file.path.is_file().then_some(file))
    }

    /// Right ones first, by name.
    pub fn variants(&self, exercise: &Exercise) -> Result<Vec<Subject>> {
        let root = self
            .hidden_root("checks")?
            .join("checks")
            .join(&exercise.chapter)
            .join(&exercise.name);
        let mut variants = Vec::new();
        for (right, kind) in [(true, "right"), (false, "wrong")] {
            let mut names = files_with(ending(exercise), &root.join(kind))?;
            names.sort();
            variants.extend(
                names
                    .into_iter()
                    .map(|name| Subject::Variant { right, name }),
            );
        }
        Ok(variants)
    }

    /// The text of a file of the exercise's as shipped; `None` where it did not come with this program.
    pub fn shipped(&self, file: &SubjectFile) -> Option<&'static str> {
        if self.is_pack() {
            return None;
        }
        embedded::exercise(file.display.strip_prefix("exercises/")?)
    }

    /// A text that keeps the exercise's contract, for the judge: the solution, or the exercise as shipped.
    pub fn contract(&self, exercise: &Exercise) -> Option<String> {
        let solution = self.hidden("solutions", exercise).ok();
        let solution = solution.and_then(|file| fs::read_to_string(file.path).ok());
        let shipped = || self.shipped(&self.exercise_file(exercise));
        solution.or_else(|| shipped().map(str::to_string))
    }

    /// Whether the checks lie in the workbook itself, as in this repository, and not in the program.
    pub fn has_own_checks(&self) -> bool {
        self.root.join("checks").is_dir()
    }

    /// Somebody else's workbook, with exercises, solutions and checks of its own: not this repository, and nothing that
    /// `init` wrote.
    pub fn is_pack(&self) -> bool {
        self.has_own_checks() && !self.root.join("lab/lab.toml").is_file()
    }

    /// What the lab is built from: ours, and the crates that a pack adds in `lab.toml`, at the versions of `lab.lock`.
    pub fn lab_sources(&self) -> Result<LabSources> {
        let mut sources = embedded::lab_sources();
        sources.vendored = self.is_vendored().then(|| self.root.clone());
        let Some(merged) = self.lab_manifest()? else {
            return Ok(sources);
        };
        let missing = || {
            let text = format!(
                "{LAB_LOCK} is missing, which pins the crates of {LAB_TOML}; `asynclings dev update` writes it"
            );
            Fault::Workbook(text)
        };
        sources.lock = read_if_there(&self.lab_lock())?.ok_or_else(missing)?;
        sources.manifest = merged.manifest;
        sources.added = merged.added;
        Ok(sources)
    }

    /// The lab's manifest with the crates that the workbook adds; `None` where it adds none.
    pub fn lab_manifest(&self) -> Result<Option<Merged>> {
        let Some(text) = read_if_there(&self.root.join(LAB_TOML))? else {
            return Ok(None);
        };
        let merged = lab_manifest::merge(embedded::LAB_MANIFEST, &text);
        Ok(merged.map_err(|complaints| Fault::Workbook(told(&complaints)))?)
    }

    pub fn lab_lock(&self) -> PathBuf {
        self.root.join(LAB_LOCK)
    }

    /// Whether the crates lie in the workbook itself.
    pub fn is_vendored(&self) -> bool {
        self.root.join(VENDOR).is_dir()
    }

    /// `.asynclings/`: progress and what was kept aside.
    pub fn state_dir(&self) -> PathBuf {
        self.root.join(".asynclings")
    }

    pub fn progress_file(&self) -> PathBuf {
        self.state_dir().join("progress.toml")
    }

    /// The version of asynclings that wrote the workbook; empty where that is not known, as in a clone.
    pub fn written_by(&self) -> String {
        let version = fs::read_to_string(self.root.join(VERSION_FILE)).unwrap_or_default();
        version.trim().to_string()
    }

    /// Texts of the learner's that a reset replaced.
    pub fn kept_dir(&self) -> PathBuf {
        self.state_dir().join("kept")
    }

    /// Where check binaries are built: in the cache, as a workbook may be read-only.
    pub fn scratch_dir(&self) -> Result<PathBuf> {
        let mut hasher = DefaultHasher::new();
        self.root.hash(&mut hasher);
        Ok(cache_root()?
            .join("scratch")
            .join(format!("{:016x}", hasher.finish())))
    }

    /// A file of the checks or solutions, which must be there.
    fn hidden(&self, folder: &str, exercise: &Exercise) -> Result<SubjectFile> {
        self.hidden_file(folder, exercise, &inner_path(exercise))
    }

    fn hidden_file(&self, folder: &str, exercise: &Exercise, inner: &str) -> Result<SubjectFile> {
        let file = self.below(&self.hidden_root(folder)?, folder, inner);
        if file.path.is_file() {
            return Ok(file);
        }
        let text = if self.root.join(folder).is_dir() || self.is_pack() {
            format!(
                "{} is missing; exercise `{}` in info.toml needs it",
                file.display, exercise.name
            )
        } else {
            format!(
                "neither this workbook nor this asynclings has {folder} for exercise `{}`",
                exercise.name
            )
        };
        Err(Fault::Workbook(text).into())
    }

    fn hidden_root(&self, folder: &str) -> Result<PathBuf> {
        // Of a pack nothing lies in this program, though an exercise may have the name of one of ours.
        if self.root.join(folder).is_dir() || self.is_pack() {
            return Ok(self.root.clone());
        }
        embedded::extracted(&cache_root()?)
    }

    fn below(&self, root: &Path, folder: &str, inner: &str) -> SubjectFile {
        let path = inner
            .split('/')
            .fold(root.join(folder), |path, part| path.join(part));
        SubjectFile {
            path,
            display: format!("{folder}/{inner}"),
        }
    }
}

impl SubjectFile {
    /// The text, where it is one that rustc should see.
    pub fn read(&self) -> Result<String> {
        let fault = |what: String| Fault::Workbook(format!("{} {what}", self.display));
        let metadata = fs::metadata(&self.path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => fault(format!("is gone{}", self.remedy())),
            _ => fault(format!("cannot be read: {error}")),
        })?;
        if metadata.is_dir() {
            return Err(fault(format!(
                "is a directory; move it away{}",
                self.remedy().replacen(';', ", then", 1)
            ))
            .into());
        }
        if !metadata.is_file() {
            return Err(
                fault("is no plain file; put the exercise's text there".to_string()).into(),
            );
        }
        if metadata.len() > LARGEST_FILE {
            let size = metadata.len() >> 20;
            return Err(fault(format!(
                "has {size} MiB; an exercise has at most {}",
                LARGEST_FILE >> 20
            ))
            .into());
        }
        let bytes =
            fs::read(&self.path).map_err(|error| fault(format!("cannot be read: {error}")))?;
        String::from_utf8(bytes).map_err(|error| {
            let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
                .iter()
                .filter(|&&b| b == b'\n')
                .count();
            fault(format!("is no UTF-8 text from line {line} on")).into()
        })
    }

    fn remedy(&self) -> String {
        let name = self
            .display
            .rsplit('/')
            .next()
            .and_then(|name| Some(name.rsplit_once('.')?.0));
        match name.filter(|_| self.display.starts_with("exercises/")) {
            Some(name) => format!("; `asynclings reset {name}` brings it back"),
            None => String::new(),
        }
    }
}

/// `04_locks/self_deadlock.rs`
fn inner_path(exercise: &Exercise) -> String {
    inner_paths(exercise).swap_remove(0)
}

fn inner_paths(exercise: &Exercise) -> Vec<String> {
    let inner = |name: String| format!("{}/{name}", exercise.chapter);
    exercise.files().into_iter().map(inner).collect()
}

/// Of the file at fault: `rs`.
fn ending(exercise: &Exercise) -> &'static str {
    exercise.kind.endings()[0]
}

fn parsed(info: &str) -> Result<Manifest> {
    let of_workbook = |complaints: Vec<manifest::Complaint>| Fault::Workbook(told(&complaints));
    Ok(manifest::parse(info).map_err(of_workbook)?)
}

fn nearest_root(start: &Path) -> Result<PathBuf> {
    let root = start
        .ancestors()
        .find(|dir| dir.join("info.toml").is_file());
    let missing = "no info.toml here or in a folder above; `asynclings init` writes a workbook, `--workbook DIR` names one";
    Ok(root
        .map(Path::to_path_buf)
        .ok_or_else(|| Fault::Workbook(missing.to_string()))?)
}

fn unreadable_manifest(root: &Path, error: &std::io::Error) -> Fault {
    Fault::Workbook(match error.kind() {
        ErrorKind::NotFound => {
            format!(
                "{} has no info.toml; `asynclings init DIR` writes a workbook",
                root.display()
            )
        }
        _ => format!("{}: {error}", root.join("info.toml").display()),
    })
}

fn read_if_there(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::Workbook(format!("{}: {error}", path.display())).into()),
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    let machine = || Fault::Machine(format!("cannot tell where {} is", path.display()));
    let path = std::path::absolute(path).with_context(machine)?;
    // `components` leaves out the `.` of `--workbook .`, which would stand in every path.
    Ok(path.components().collect())
}

/// Their names without the ending; none where the folder is missing.
fn files_with(ending: &str, dir: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Fault::Workbook(format!("{}: {error}", dir.display())).into()),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let with_ending = |name: String| {
        let stem = name.strip_suffix(ending)?.strip_suffix('.')?;
        Some(stem.to_string())
    };
    Ok(names.filter_map(with_ending).collect())
}

/// `$ASYNCLINGS_CACHE`, or `asynclings` in the user's cache folder.
pub fn cache_root() -> Result<PathBuf> {
    if let Some(dir) = std::env::var_os("ASYNCLINGS_CACHE").filter(|dir| !dir.is_empty()) {
        return absolute(Path::new(&dir));
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        Fault::Machine(
            "no home folder to keep a cache in; set ASYNCLINGS_CACHE to a folder".to_string(),
        )
    })?;
    Ok(strategy.cache_dir().join("asynclings"))
}
