//! The door: parse, dispatch, exit code.

use std::process::ExitCode;

use asynclings::{cli, commands, exit};

fn main() -> ExitCode {
    let request = cli::parse();
    exit::code(commands::dispatch(request))
}
