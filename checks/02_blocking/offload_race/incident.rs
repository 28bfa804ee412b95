//! A hundred batches of eight pictures, one batch every 10 ms; a resize takes 2 ms. Shops pay by the byte.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::sleep;
use std::time::Duration;

use lab::incident::{Answer, Better, Incident, at_work};

use crate::exercise::{Codec, Img, resize_all};

struct Vendor;

impl Codec for Vendor {
    fn resize(&self, img: &Img) -> Vec<u8> {
        let _at_work = at_work("resize");
        sleep(Duration::from_millis(2));
        img.raw.clone()
    }
}

#[test]
fn batches_of_pictures() {
    Incident::one_thread("batches").run(|measured| async move {
        let (made, billed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let batch = |n: u64| {
            let (made, billed) = (made.clone(), billed.clone());
            async move {
                let img = |k| Img {
                    raw: vec![0; 100 + (n * 8 + k) as usize],
                };
                let stats = resize_all((0..8).map(img).collect(), Arc::new(Vendor)).await;
                made.fetch_add(stats.per_image.iter().sum(), Relaxed);
                billed.fetch_add(stats.total_out, Relaxed);
                Answer::Done
            }
        };
        measured
            .at_pace(100, Duration::from_millis(10), batch)
            .await;
        let (made, billed) = (made.load(Relaxed), billed.load(Relaxed));
        measured.figure("bytes of thumbnails", made as f64, "", Better::Neither);
        measured.lost(made.saturating_sub(billed), "bytes not billed");
    });
}
