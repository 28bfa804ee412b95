//! BI is down. Three hundred payments come in over fifty connections, one every 5 ms; the bus has room for a hundred events,
//! and the load balancer cuts off whoever hears nothing for half a second.

// also: wrong/more_room, more room

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use lab::incident::{Answer, Better, Incident};
use tokio::time::timeout;

use crate::exercise::{Event, EventBus, post_event};

#[test]
fn payments_while_bi_is_down() {
    Incident::one_thread("payments").run(|measured| async move {
        let (bus, bi) = EventBus::new(100);
        let bus = Arc::new(bus);
        let cut_off = Arc::new(std::sync::atomic::AtomicU64::new(0));
        let payment = |tx| {
            let (bus, cut_off) = (bus.clone(), cut_off.clone());
            async move {
                let payload = Bytes::from(vec![0; 32 << 10]);
                let status = post_event(&bus, Event { tx, payload });
                match timeout(Duration::from_millis(500), status).await {
                    // An answer is an answer: the shop can try again.
                    Ok(_) => Answer::Done,
                    Err(_) => {
                        cut_off.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        Answer::Failed
                    }
                }
            }
        };
        measured
            .at_pace_over(50, 300, Duration::from_millis(5), payment)
            .await;
        let cut_off = cut_off.load(std::sync::atomic::Ordering::Relaxed);
        measured.figure("payments cut off", cut_off as f64, "", Better::Less);
        drop(bi);
    });
}
