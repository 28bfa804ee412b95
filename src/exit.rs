//! Exit statuses: what a script learns from a run. Documented in the README.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::core::view::typed;
use crate::program;

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything asked for passed, or there was nothing to pass.
    Passed,
    /// Checked, and at least one exercise has not passed yet.
    NotYet,
    /// Stopped by Ctrl-C or a signal.
    Interrupted,
}

/// Whose fault an error is. Attach it as the error or as its context; the innermost sentence tells what to do.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The command line: an unknown exercise, flags that do not go together.
    #[error("{0}")]
    Usage(String),
    /// This machine: no toolchain, no disk, no permission.
    #[error("{0}")]
    Machine(String),
    /// This workbook: a bad manifest, a missing file, a check that does not compile.
    #[error("{0}")]
    Workbook(String),
}

impl Fault {
    fn status(&self) -> u8 {
        match self {
            Fault::Usage(_) => 2,
            Fault::Machine(_) => 3,
            Fault::Workbook(_) => 4,
        }
    }
}

/// One complaint a line, for a `Fault`.
pub fn told(complaints: &[impl Display]) -> String {
    let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Prints an error as a sentence on standard error and turns the result into the process's exit status.
pub fn code(result: anyhow::Result<Outcome>) -> ExitCode {
    match result {
        Ok(Outcome::Passed) => ExitCode::SUCCESS,
        Ok(Outcome::NotYet) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(130),
        // A reader that went away (`asynclings list | head`) is no error of ours.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do where standard error is gone as well.
            let text = format!("error: {error:#}");
            let _ = writeln!(io::stderr(), "{}", typed(&text, program::name()));
            ExitCode::from(error.downcast_ref::<Fault>().map_or(3, Fault::status))
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
