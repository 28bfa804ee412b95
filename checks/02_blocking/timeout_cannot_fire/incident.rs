//! Checkout asks the vendor about a hundred cards, one every 20 ms, with a limit of 50 ms. The vendor answers at once, but
//! for every tenth card it takes half a second.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use lab::incident::{Answer, Incident, at_work};

use crate::exercise::{FraudSdk, verify_within};

struct Vendor;

impl FraudSdk for Vendor {
    fn verify(&self, token: &str) -> bool {
        let _at_work = at_work("the vendor thinks");
        if token.ends_with('7') {
            sleep(Duration::from_millis(500));
        }
        true
    }
}

#[test]
fn cards_are_asked_about() {
    Incident::one_thread("cards").run(|measured| async move {
        let card = |n| async move {
            let limit = Duration::from_millis(50);
            // An answer in time is an answer, also a `TimedOut`.
            let _ = verify_within(format!("card-{n}"), Arc::new(Vendor), limit).await;
            Answer::Done
        };
        let pace = Duration::from_millis(20);
        measured.at_pace(100, pace, card).await;
    });
}
