//! No sandbox on this system.

use std::path::PathBuf;

use anyhow::{Result, bail};
use tokio::process::Command;

use super::Rules;
use crate::exit::Fault;

pub(super) fn supported() -> Result<()> {
    bail!(Fault::Machine(format!(
        "there is no sandbox on {}: Landlock and seccomp are Linux's; grade there, or, where you trust every line of these folders, with --sandbox=off",
        std::env::consts::OS
    )))
}

pub(super) fn restrict(_: &mut Command, _: Rules) -> Result<()> {
    supported()
}

pub(super) fn loaders() -> Vec<PathBuf> {
    Vec::new()
}
