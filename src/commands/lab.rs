//! The lab, ready to compile with: built once, with a progress bar over cargo's messages.

use anyhow::Result;
use indicatif::ProgressBar;

use super::bar;
use crate::cli::Shared;
use crate::prepare::{self, Cache, Lab, Options, Progress};
use crate::workbook::{Workbook, cache_root};

/// # Errors
/// No toolchain, no network while something must be downloaded, no space.
pub async fn ready(shared: &Shared, workbook: &Workbook) -> Result<Lab> {
    let cache = Cache {
        root: cache_root()?,
    };
    let mut shown: Option<ProgressBar> = None;
    let options = Options {
        offline: shared.offline,
    };
    let sources = workbook.lab_sources()?;
    let lab = prepare::lab(&cache, &sources, options, |progress| {
        show(&mut shown, &progress)
    })
    .await;
    if let Some(bar) = shown {
        bar.finish_and_clear();
    }
    lab
}

pub(super) fn show(shown: &mut Option<ProgressBar>, progress: &Progress) {
    match progress {
        Progress::WaitingForOther => {
            let bar = shown.get_or_insert_with(|| {
                bar::spinner("waiting for another asynclings that is building the lab")
            });
            bar.tick();
        }
        Progress::Fetching { what } => {
            let bar = shown.get_or_insert_with(|| bar::spinner(""));
            bar.set_message(what.clone());
        }
        Progress::Compiling { done, total, krate } => {
            let bar = shown.take().filter(|bar| bar.length().is_some());
            let bar = shown
                .insert(bar.unwrap_or_else(|| bar::of(*total, "crates of the lab, built once")));
            bar.set_length(*total as u64);
            bar.set_position(*done as u64);
            bar.set_message(krate.clone());
        }
        Progress::Ready => {}
    }
}
