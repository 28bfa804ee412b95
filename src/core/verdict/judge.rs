//! Build outcome + endings + records -> `Judged`. The order of the rules is in `of_check`.

use super::{BuildOutcome, CheckRun, Judged, OurFault, Sources};
use crate::core::manifest::Exercise;

/// # Errors
/// Where the fault is ours and no verdict on the learner's code would be fair.
pub fn judge(
    exercise: &Exercise,
    sources: &Sources<'_>,
    build: BuildOutcome,
    runs: Vec<CheckRun>,
) -> Result<Judged, OurFault> {
    let _ = (exercise, sources, build, runs);
    Err(OurFault::NoChecks {
        file: String::new(),
    })
}
