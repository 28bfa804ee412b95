// right: permits bound the jobs, a lock keeps both numbers

use std::sync::{Arc, Mutex};

use tokio::sync::Semaphore;
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
    let permits = Arc::new(Semaphore::new(8));
    let stats = Arc::new(Mutex::new((0, vec![0; imgs.len()])));
    let mut jobs = Vec::new();
    for (i, img) in imgs.into_iter().enumerate() {
        let permit = permits.clone().acquire_owned().await.unwrap();
        let (stats, codec) = (stats.clone(), codec.clone());
        jobs.push(spawn_blocking(move || {
            let bytes = codec.resize(&img).len() as u64;
            let mut stats = stats.lock().unwrap();
            stats.0 += bytes;
            stats.1[i] = bytes;
            drop(permit);
        }));
    }
    for job in jobs {
        job.await.unwrap();
    }
    let (total_out, per_image) = std::mem::take(&mut *stats.lock().unwrap());
    Stats {
        total_out,
        per_image,
    }
}
