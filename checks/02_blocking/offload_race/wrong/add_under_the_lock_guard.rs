// wrong: check_failed pictures_are_resized_at_the_same_time — the guard on the left may be taken before the resize on the right is done

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
    let total_out = Arc::new(Mutex::new(0));
    let mut jobs = Vec::new();
    for img in imgs {
        let (total_out, codec) = (total_out.clone(), codec.clone());
        jobs.push(spawn_blocking(move || {
            let bytes;
            let mut total_out = total_out.lock().unwrap();
            *total_out += {
                bytes = codec.resize(&img).len() as u64;
                bytes
            };
            bytes
        }));
    }
    let mut per_image = Vec::new();
    for job in jobs {
        per_image.push(job.await.unwrap());
    }
    let total_out = *total_out.lock().unwrap();
    Stats {
        total_out,
        per_image,
    }
}
