//! Asks rustfmt whether files are formatted. Changes nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tokio::process::Command;

use crate::exit::Fault;

/// The files among these that rustfmt would change.
///
/// # Errors
/// Where there is no rustfmt. A file that it cannot parse is not an error: it may be a fault of an exercise.
#[expect(
    clippy::disallowed_methods,
    reason = "rustfmt is started here, reads files and ends by itself"
)]
pub async fn unformatted(sysroot: &Path, files: &[PathBuf]) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    // As many as a command line surely takes.
    for some in files.chunks(200) {
        let output = Command::new(sysroot.join("bin/rustfmt"))
            .args([
                "--check",
                "--files-with-diff",
                "--color=never",
                "--edition=2024",
            ])
            .args(some)
            .kill_on_drop(true)
            .output()
            .await
            .context(Fault::Machine(
                "rustfmt is missing; `rustup component add rustfmt` brings it".to_string(),
            ))?;
        found.extend(
            String::from_utf8_lossy(&output.stdout)
                .lines()
                .map(PathBuf::from),
        );
    }
    Ok(found)
}
