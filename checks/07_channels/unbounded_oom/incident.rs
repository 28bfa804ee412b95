//! Three thousand payments over fifty connections, one every half a millisecond, each with an event of 64 KiB for BI. BI is
//! down for the first second, then it reads what is there. A thousandth of the outage of report A, and a hundredth of its
//! memory.

// also: right/full_is_an_answer, answers Full

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use lab::incident::{Answer, Incident};

use crate::exercise::{Event, EventBus};

#[test]
fn bi_is_down() {
    Incident::workers(1, "events").run(|measured| async move {
        let (bus, mut bi) = EventBus::new(64);
        let bus = Arc::new(bus);
        let reader = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let mut read = 0_u64;
            while bi.next().await.is_some() {
                read += 1;
            }
            read
        });
        let emitted = |tx| {
            let bus = bus.clone();
            async move {
                let raw = Bytes::from(vec![0; 64 << 10]);
                let record = [0; 1024];
                match bus.emit(Event { tx, raw, record }).await {
                    Ok(()) => Answer::Done,
                    Err(_) => Answer::Failed,
                }
            }
        };
        let pace = Duration::from_micros(500);
        measured.at_pace_over(50, 3_000, pace, emitted).await;
        drop(bus);
        let _ = reader.await;
    });
}
