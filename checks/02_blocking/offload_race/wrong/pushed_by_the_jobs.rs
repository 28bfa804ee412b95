// wrong: check_failed every_picture_has_its_own_bytes — one lock for all, pushed as they come

use std::sync::{Arc, Mutex};

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
    let per_image = Arc::new(Mutex::new(Vec::new()));
    let mut jobs = Vec::new();
    for img in imgs {
        let (per_image, codec) = (per_image.clone(), codec.clone());
        jobs.push(spawn_blocking(move || {
            let bytes = codec.resize(&img).len() as u64;
            per_image.lock().unwrap().push(bytes);
        }));
    }
    for job in jobs {
        job.await.unwrap();
    }
    let per_image = std::mem::take(&mut *per_image.lock().unwrap());
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
