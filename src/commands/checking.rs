//! The line that every judging command shares: subject -> compile -> execute -> verdict.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::compile::{self, Build, Job, Kind, LintJob, Reuse};
use crate::confine::Sandbox;
use crate::core::manifest::{Exercise, ExerciseKind, Subject};
use crate::core::report::Reported;
use crate::core::verdict::{self, CheckRun, Judged, LintSources, OurFault, Sources};
use crate::execute;
use crate::exit::Fault;
use crate::prepare::Lab;
use crate::workbook::{SubjectFile, Workbook};

/// What it takes to judge the subjects of a workbook.
#[derive(Debug, Clone, Copy)]
pub struct Checker<'a> {
    pub workbook: &'a Workbook,
    pub lab: &'a Lab,
    /// How many checks of one subject run at a time.
    pub jobs: usize,
    /// Nobody trusts the subjects.
    pub sandbox: Option<&'a Sandbox>,
}

/// A subject, judged.
#[derive(Debug, Clone)]
pub struct Checked {
    pub judged: Judged,
    /// The subject's text as it was compiled.
    pub source: String,
    pub compile: Duration,
    /// All checks together.
    pub run: Duration,
}

/// A subject that was compiled, or was refused by rustc, and can be judged any number of times.
pub enum Compiled<'a> {
    Program(Box<Program<'a>>),
    /// Nothing is compiled: each judging runs clippy.
    Lint(Box<Lint<'a>>),
}

/// One judging.
#[derive(Debug, Clone, Copy)]
pub struct Round<'r> {
    pub seed: u64,
    /// No check after this one.
    pub until: Option<&'r str>,
}

pub struct Lint<'a> {
    checker: Checker<'a>,
    exercise: &'a Exercise,
    config: SubjectFile,
    companion: SubjectFile,
    checks: SubjectFile,
    /// Of the program beside it, to be run once clippy is content.
    service_checks: Option<SubjectFile>,
    slot: String,
}

/// A subject's files, wherever they are.
#[derive(Debug, Clone)]
pub struct Files {
    /// The one at fault.
    pub subject: SubjectFile,
    /// The program beside it, in a lint exercise.
    pub companion: Option<SubjectFile>,
}

/// What a program is compiled from.
struct Parts {
    subject: SubjectFile,
    checks: SubjectFile,
    contract: Option<String>,
    slot: String,
}

pub struct Program<'a> {
    checker: Checker<'a>,
    exercise: &'a Exercise,
    subject: SubjectFile,
    checks: SubjectFile,
    checks_text: String,
    contract: Option<String>,
    build: Build,
    names: Vec<String>,
}

impl<'a> Checker<'a> {
    /// Dropping the future ends every process that it started.
    pub async fn check(
        &self,
        exercise: &'a Exercise,
        subject: &Subject,
        reuse: Reuse,
    ) -> Result<Checked> {
        self.compile(exercise, subject, reuse).await?.run().await
    }

    pub async fn compile(
        &self,
        exercise: &'a Exercise,
        subject: &Subject,
        reuse: Reuse,
    ) -> Result<Compiled<'a>> {
        let files = Files {
            subject: self.workbook.subject(exercise, subject)?,
            companion: match exercise.kind {
                ExerciseKind::Lint => Some(self.workbook.companion(exercise, subject)?),
                ExerciseKind::Program => None,
            },
        };
        // What cannot be read is the workbook's fault, and no verdict on the learner's code.
        for file in [Some(&files.subject), files.companion.as_ref()] {
            file.map_or(Ok(String::new()), SubjectFile::read)?;
        }
        self.compile_files(exercise, files, slot_name(exercise, subject), reuse)
            .await
    }

    /// `slot`: tells subjects apart that are compiled at the same time.
    pub async fn compile_files(
        &self,
        exercise: &'a Exercise,
        Files { subject, companion }: Files,
        slot: String,
        reuse: Reuse,
    ) -> Result<Compiled<'a>> {
        let checks = self.workbook.checks(exercise)?;
        if let Some(companion) = companion {
            let service_checks = self.workbook.service_checks(exercise)?;
            return Ok(Compiled::Lint(Box::new(Lint {
                checker: *self,
                exercise,
                config: subject,
                companion,
                checks,
                service_checks,
                slot,
            })));
        }
        let program = Parts {
            contract: self.workbook.contract(exercise),
            slot,
            subject,
            checks,
        };
        let program = self.program(exercise, program, reuse).await?;
        Ok(Compiled::Program(Box::new(program)))
    }

    async fn program(
        &self,
        exercise: &'a Exercise,
        parts: Parts,
        reuse: Reuse,
    ) -> Result<Program<'a>> {
        let Parts {
            subject: file,
            checks,
            contract,
            slot,
        } = parts;
        let scratch = self.workbook.scratch_dir()?;
        let job = Job {
            kind: Kind::Checks,
            subject: &file.path,
            subject_display: &file.display,
            checks: Some((&checks.path, &checks.display)),
            scratch: &scratch,
            name: &slot,
            reuse,
            sandbox: self.sandbox,
        };
        let build = compile::build(self.lab, &job).await?;
        let names = match &build.binary {
            Some(binary) => execute::check_names(binary, &build.checks_key, self.sandbox).await?,
            None => Vec::new(),
        };
        Ok(Program {
            checker: *self,
            exercise,
            checks_text: checks.read()?,
            contract,
            subject: file,
            checks,
            build,
            names,
        })
    }
}

impl Compiled<'_> {
    pub async fn run(&self) -> Result<Checked> {
        self.run_as(Round {
            seed: seed(),
            until: None,
        })
        .await
    }

    pub async fn run_as(&self, round: Round<'_>) -> Result<Checked> {
        match self {
            Compiled::Program(program) => program.run(round).await,
            Compiled::Lint(lint) => lint.run(round).await,
        }
    }
}

impl Lint<'_> {
    async fn run(&self, round: Round<'_>) -> Result<Checked> {
        let linted = self.lint().await?;
        match &self.service_checks {
            Some(checks) if linted.judged.verdict.passed() => {
                self.service(checks, linted, round).await
            }
            _ => Ok(linted),
        }
    }

    /// A service that clippy has nothing against may still stand still: it is run as well.
    async fn service(
        &self,
        checks: &SubjectFile,
        linted: Checked,
        round: Round<'_>,
    ) -> Result<Checked> {
        let solution = self
            .checker
            .workbook
            .companion(self.exercise, &Subject::Solution)?;
        let parts = Parts {
            subject: self.companion.clone(),
            checks: checks.clone(),
            contract: solution.read().ok(),
            slot: format!("{}-service", self.slot),
        };
        let program = self.checker.program(self.exercise, parts, Reuse::Once);
        let mut checked = program.await?.run(round).await?;
        let ran = std::mem::take(&mut checked.judged.checks);
        checked.judged.checks = [linted.judged.checks, ran].concat();
        checked.run += linted.run;
        Ok(checked)
    }

    async fn lint(&self) -> Result<Checked> {
        let started = Instant::now();
        let job = LintJob {
            config: (&self.config.path, &self.config.display),
            program: (&self.companion.path, &self.companion.display),
            checks: (&self.checks.path, &self.checks.display),
            scratch: &self.checker.workbook.scratch_dir()?,
            name: &self.slot,
            sandbox: self.checker.sandbox,
        };
        let linted = compile::lint(self.checker.lab, &job).await?;
        let checks = self.checks.read()?;
        let sources = LintSources {
            config_file: &self.config.display,
            config: &linted.config,
            program_file: &self.companion.display,
            program: &linted.program,
            checks_file: &self.checks.display,
            checks: &checks,
        };
        let judged = verdict::judge_lint(&sources, linted.outcome, linted.took)
            .map_err(|fault| of_workbook(self.exercise, &fault))?;
        // The text whose lines the evidence names.
        let at_program = judged
            .at
            .first()
            .is_some_and(|place| place.file == self.companion.display);
        let source = if at_program {
            linted.program
        } else {
            linted.config
        };
        Ok(Checked {
            judged,
            source,
            compile: Duration::ZERO,
            run: started.elapsed(),
        })
    }
}

pub fn of_workbook(exercise: &Exercise, fault: &OurFault) -> Fault {
    Fault::Workbook(format!("exercise `{}`: {fault}", exercise.name))
}

impl Program<'_> {
    async fn run(&self, round: Round<'_>) -> Result<Checked> {
        let started = Instant::now();
        let runs = self.runs(round).await?;
        let run = started.elapsed();
        let sources = Sources {
            subject_file: &self.subject.display,
            subject: &self.build.subject,
            checks_file: &self.checks.display,
            checks: &self.checks_text,
            shipped: self.contract.as_deref(),
            until: round.until,
        };
        let judged = verdict::judge(self.exercise, &sources, self.build.outcome.clone(), runs)
            .map_err(|fault| of_workbook(self.exercise, &fault))?;
        Ok(Checked {
            judged,
            source: self.build.subject.clone(),
            compile: self.build.took,
            run,
        })
    }

    async fn runs(&self, Round { seed, until }: Round<'_>) -> Result<Vec<CheckRun>> {
        let Some(binary) = &self.build.binary else {
            return Ok(Vec::new());
        };
        let env = execute::Env {
            subject: &self.subject.display,
            limits: self.exercise.limits,
            seed,
            observe: false,
            sandbox: self.checker.sandbox,
        };
        let wanted = until.map(|last| verdict::checks_until(&self.checks_text, last));
        let is_wanted = |name: &&String| {
            let name = name.rsplit("::").next().unwrap_or(name);
            wanted.as_ref().is_none_or(|wanted| wanted.contains(&name))
        };
        let names: Vec<String> = self.names.iter().filter(is_wanted).cloned().collect();
        execute::run_all(binary, &names, env, self.checker.jobs)
            .await
            .with_context(|| format!("exercise `{}`", self.exercise.name))
    }
}

impl Checked {
    pub fn reported<'a>(&'a self, exercise: &'a Exercise, subject: &'a Subject) -> Reported<'a> {
        Reported {
            exercise,
            subject,
            judged: &self.judged,
            compile: self.compile,
            run: self.run,
        }
    }
}

/// Another one each run: no answer can be hard-coded.
pub fn seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// How many processes this machine runs at a time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// How many checks of one exercise run at a time where it is the only one. A check that hangs mostly sleeps until that is
/// called a hang, so it leaves its core to another.
pub fn side_by_side() -> usize {
    2 * cores()
}

pub fn slot_name(exercise: &Exercise, subject: &Subject) -> String {
    format!(
        "{}-{}",
        exercise.name,
        subject.to_string().replace('/', "-")
    )
}
