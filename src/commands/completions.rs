//! `completions`: a script for the learner's shell.

use std::io::{self, Write};

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::cli::Request;
use crate::exit::Outcome;

pub(super) fn run(shell: Shell) -> Result<Outcome> {
    // Into memory first: the generator panics where standard output is closed.
    let mut script = Vec::new();
    generate(shell, &mut Request::command(), "asynclings", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Outcome::Passed)
}
