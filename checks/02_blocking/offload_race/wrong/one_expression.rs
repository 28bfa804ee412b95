// wrong: check_failed two_pictures_at_once_are_both_billed — in one line it is still a load, a resize and a store

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
    let total_out = Arc::new(AtomicU64::new(0));
    let mut jobs = Vec::new();
    for img in imgs {
        let (total_out, codec) = (total_out.clone(), codec.clone());
        jobs.push(spawn_blocking(move || {
            let bytes;
            total_out.store(
                total_out.load(Ordering::SeqCst) + {
                    bytes = codec.resize(&img).len() as u64;
                    bytes
                },
                Ordering::SeqCst,
            );
            bytes
        }));
    }
    let mut per_image = Vec::new();
    for job in jobs {
        per_image.push(job.await.unwrap());
    }
    Stats {
        total_out: total_out.load(Ordering::SeqCst),
        per_image,
    }
}
