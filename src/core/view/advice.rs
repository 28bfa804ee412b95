//! What to do next, in one sentence: a direction, never the fix. The hints climb from there.

use crate::core::manifest::Exercise;
use crate::core::record::HangKind;
use crate::core::verdict::{Judged, Verdict};

/// As `run` says it, with the command for a hint.
pub fn next_step(exercise: &Exercise, judged: &Judged) -> String {
    match judged.verdict {
        Verdict::Passed => format!(
            "`asynclings` goes on with the next exercise; `asynclings solution {0}` shows our fix beside yours, `asynclings explain {0}` tells it all",
            exercise.name
        ),
        Verdict::Skipped { .. } => direction(&judged.verdict).to_owned(),
        _ => format!(
            "{}; `asynclings hint {}` gives a hint",
            direction(&judged.verdict),
            exercise.name
        ),
    }
}

pub(super) fn direction(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "go on with the next exercise",
        Verdict::DoesNotCompile { .. } => {
            "begin with the first error: the others may follow from it"
        }
        Verdict::CheckFailed { .. } => "find the line that breaks the promise",
        Verdict::Hung {
            kind: HangKind::Waiting,
            ..
        } => "ask of each marked line who was to wake it, and where they are now",
        Verdict::Hung {
            kind: HangKind::Blocked,
            ..
        } => "ask who else needs the thread that the marked line holds",
        Verdict::Hung {
            kind: HangKind::Spinning,
            ..
        } => "ask where the marked loop lets other tasks run, and when it ends",
        Verdict::OverMemory { .. } => "ask what makes the marked line stop taking more",
        Verdict::Panicked {
            swallowed: true, ..
        } => "ask who is told of the panic at the marked line",
        Verdict::Panicked { .. } => "find out how the marked line can be reached in this state",
        Verdict::EndedEarly { .. } => "find what ends the process before its work is done",
        Verdict::Skipped { .. } => "install what is missing, or go on with the next exercise",
        Verdict::LeftRunning { .. } => "ask who owns what was started, and who waits for its end",
    }
}
