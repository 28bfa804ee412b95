//! Runs clippy on a lint exercise: the learner's program and the checks under the learner's clippy.toml, and the program
//! once more with every exception overruled. Nothing is linked or run.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::process::Command;

use super::slot::{CHECKS, ROOT, SUBJECT, Slot};
use super::source::{self, Source};
use super::{Job, Kind, Reuse, command, diagnostics, rustc};
use crate::confine::Sandbox;
use crate::core::verdict::{Diagnostic, LintOutcome};
use crate::prepare::Lab;

const CONFIG: &str = "clippy.toml";
const LINT: &str = "clippy::disallowed_methods";

#[derive(Debug, Clone, Copy)]
pub struct LintJob<'a> {
    /// Each with its name in diagnostics: the learner's clippy.toml and program, and our checks.
    pub config: (&'a Path, &'a str),
    pub program: (&'a Path, &'a str),
    pub checks: (&'a Path, &'a str),
    pub scratch: &'a Path,
    pub name: &'a str,
    /// As in `Job`: the program is then looked at before the checks lie beside it.
    pub sandbox: Option<&'a Sandbox>,
}

/// The texts as clippy read them, whatever was saved since.
#[derive(Debug, Clone)]
pub struct Linted {
    pub outcome: LintOutcome,
    pub config: String,
    pub program: String,
    pub took: Duration,
}

/// Dropping the future ends clippy. `Err` is the machine's fault or ours.
pub async fn lint(lab: &Lab, job: &LintJob<'_>) -> Result<Linted> {
    let started = Instant::now();
    let mut linted = Linted {
        outcome: LintOutcome::NoClippy,
        config: String::new(),
        program: String::new(),
        took: Duration::ZERO,
    };
    let clippy = lab
        .rustc
        .with_file_name(format!("clippy-driver{}", std::env::consts::EXE_SUFFIX));
    if !clippy.is_file() {
        return Ok(linted);
    }
    for (path, display) in [job.config, job.program] {
        let text = match source::subject(path, display) {
            Source::Text(text) => text,
            Source::Refused(diagnostic) => {
                linted.outcome = LintOutcome::Said {
                    all: vec![*diagnostic],
                    forced: Vec::new(),
                };
                return Ok(linted);
            }
        };
        if path == job.config.0 {
            linted.config = text;
        } else {
            linted.program = text;
        }
    }
    let checks = source::checks(job.checks.0, job.checks.1)?;
    let run = Run {
        lab,
        job,
        clippy: &clippy,
        slot: &Slot::take(&as_job(job))?,
    };
    run.slot.write_beside(CONFIG, &linted.config)?;
    let whole = [ROOT, "--crate-name", "check", "--crate-type", "lib"];
    let forced = [
        SUBJECT,
        "--crate-name",
        "exercise",
        "--crate-type",
        "bin",
        "--force-warn",
        LINT,
    ];
    let (all, forced) = if job.sandbox.is_some() {
        run.slot.write_subject_alone(&linted.program)?;
        let alone = [SUBJECT, "--crate-name", "check", "--crate-type", "lib"];
        let (mut all, forced) = tokio::try_join!(run.clippy(&alone), run.clippy(&forced))?;
        let root = format!("extern crate lab as _;\n#[path = \"{CHECKS}\"]\nmod checks;\n");
        run.slot.write_beside(ROOT, &root)?;
        run.slot.write_beside(CHECKS, &checks)?;
        let of_checks = run.clippy(&whole).await?;
        // The configuration is the same, and is complained of once.
        for said in of_checks {
            if !all.contains(&said) {
                all.push(said);
            }
        }
        (all, forced)
    } else {
        run.slot.write(&linted.program, Some(&checks))?;
        tokio::try_join!(run.clippy(&whole), run.clippy(&forced))?
    };
    linted.outcome = LintOutcome::Said { all, forced };
    linted.took = started.elapsed();
    Ok(linted)
}

fn as_job<'a>(job: &LintJob<'a>) -> Job<'a> {
    Job {
        kind: Kind::Checks,
        subject: job.program.0,
        subject_display: job.program.1,
        checks: Some(job.checks),
        scratch: job.scratch,
        name: job.name,
        reuse: Reuse::Once,
        sandbox: job.sandbox,
    }
}

struct Run<'a> {
    lab: &'a Lab,
    job: &'a LintJob<'a>,
    clippy: &'a Path,
    slot: &'a Slot,
}

impl Run<'_> {
    async fn clippy(&self, of: &[&str]) -> Result<Vec<Diagnostic>> {
        let stderr = rustc::errors_of(self.command(of)?, self.clippy).await?;
        let config_path = self.slot.folder().join(CONFIG).display().to_string();
        let files = [
            (config_path.as_str(), self.job.config.1),
            // Where the folder was mapped away.
            (CONFIG, self.job.config.1),
            (self.job.program.1, self.job.program.1),
            (self.job.checks.1, self.job.checks.1),
        ];
        Ok(diagnostics::of_files(&stderr, &files))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "clippy is started here, as a group"
    )]
    fn command(&self, of: &[&str]) -> Result<Command> {
        let mut command = Command::new(self.clippy);
        command::confined(&mut command, self.job.sandbox, self.slot)?;
        command
            .current_dir(self.slot.folder())
            .args(of)
            .args(["--edition", "2024", "--emit=metadata", "-o"])
            // The two run at the same time.
            .arg(format!("{}.rmeta", of[2]))
            .args(["--error-format=json", "--json=diagnostic-rendered-ansi"])
            .args(["-A", "dead_code", "-A", "clippy::all", "-W", LINT])
            .args(self.arguments())
            .env("CLIPPY_CONF_DIR", self.slot.folder())
            .env_remove("CLIPPY_ARGS")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command::without_rustc_variables(&mut command);
        Ok(command)
    }

    fn arguments(&self) -> Vec<OsString> {
        command::for_lint(self.lab, &as_job(self.job), self.slot)
    }
}
