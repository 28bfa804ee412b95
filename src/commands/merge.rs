//! `merge`: what the shards of a class reported -> the report of the class.

use std::path::PathBuf;

use anyhow::Result;

use super::class_files;
use crate::cli::{Reports, Shared};
use crate::core::class;
use crate::exit::{Fault, Outcome};

pub(super) fn run(shared: &Shared, parts: &[PathBuf], reports: &Reports) -> Result<Outcome> {
    class_files::refuse_what_cannot_be_written(reports)?;
    let parts = parts.iter().map(|file| class_files::part(file));
    let parts = parts.collect::<Result<Vec<_>>>()?;
    let class = class::joined(parts).map_err(|mismatch| Fault::Usage(mismatch.to_string()))?;
    class_files::write(shared, reports, &class)?;
    Ok(Outcome::Passed)
}
