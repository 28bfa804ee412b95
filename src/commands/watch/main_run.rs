//! The key m: output goes to the loop as events.

use std::cell::RefCell;

use anyhow::Result;
use tokio::sync::mpsc::Sender;

use super::super::main_run;
use crate::core::manifest::{Exercise, Subject};
use crate::core::session::Event;
use crate::prepare::Lab;
use crate::workbook::Workbook;

/// Sends what it prints; gives back how it ended, in a sentence.
pub(super) async fn run(
    workbook: &Workbook,
    lab: &Lab,
    exercise: &Exercise,
    generation: u64,
    events: &Sender<Event>,
) -> Result<String> {
    // What does not fit into the channel waits here; the run itself caps how much that can be.
    let waiting = RefCell::new(String::new());
    let send = |text: &str| {
        let mut waiting = waiting.borrow_mut();
        waiting.push_str(text);
        if let Ok(place) = events.try_reserve() {
            place.send(Event::MainOutput {
                generation,
                text: std::mem::take(&mut waiting),
            });
        }
    };
    let ended = main_run::run(workbook, lab, exercise, &Subject::Exercise, send).await?;
    let text = waiting.take();
    // The loop that listens owns this job: it cannot be gone.
    let _ = events.send(Event::MainOutput { generation, text }).await;
    Ok(ended.sentence)
}
