//! A service with one thread. Kubernetes asks for its health every 10 ms, two hundred times; meanwhile three large
//! photos come in, half a second of resizing each.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use lab::incident::{Answer, Incident, at_work};

use crate::exercise::{Codec, make_thumbnail};

struct Vendor;

impl Codec for Vendor {
    /// Sleeping stands for computing here; the thread is taken either way, and a busy machine takes no longer.
    fn resize(&self, raw: &[u8]) -> Vec<u8> {
        let _at_work = at_work("resize");
        sleep(Duration::from_millis(500));
        raw.iter().step_by(1_000).copied().collect()
    }
}

#[test]
fn health_checks_while_photos_come_in() {
    Incident::one_thread("health checks").run(|measured| async move {
        std::fs::write("photo.jpg", vec![7; 2_000_000]).unwrap();
        let photos = tokio::spawn(async {
            for _ in 0..3 {
                tokio::time::sleep(Duration::from_millis(100)).await;
                let _ = make_thumbnail("photo.jpg".into(), Arc::new(Vendor)).await;
            }
        });
        let asked = |_| async { Answer::Done };
        measured
            .at_pace(200, Duration::from_millis(10), asked)
            .await;
        let _ = photos.await;
    });
}
