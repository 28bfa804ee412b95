// wrong: check_failed every_batch_is_billed_alone — started anew by each batch, while another one counts

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::task::spawn_blocking;

pub struct Img {
    pub raw: Vec<u8>,
}

pub trait Codec: Send + Sync {
    fn resize(&self, img: &Img) -> Vec<u8>;
}

#[derive(Debug, PartialEq, Eq)]
pub struct Stats {
    pub total_out: u64,
    pub per_image: Vec<u64>,
}

pub async fn resize_all(imgs: Vec<Img>, codec: Arc<dyn Codec>) -> Stats {
    static TOTAL_OUT: AtomicU64 = AtomicU64::new(0);
    TOTAL_OUT.store(0, Ordering::SeqCst);
    let mut jobs = Vec::new();
    for img in imgs {
        let codec = codec.clone();
        jobs.push(spawn_blocking(move || {
            let bytes = codec.resize(&img).len() as u64;
            TOTAL_OUT.fetch_add(bytes, Ordering::SeqCst);
            bytes
        }));
    }
    let mut per_image = Vec::new();
    for job in jobs {
        per_image.push(job.await.unwrap());
    }
    Stats {
        total_out: TOTAL_OUT.load(Ordering::SeqCst),
        per_image,
    }
}
