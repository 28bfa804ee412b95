// wrong: hung:blocked other_requests_go_on_meanwhile — the others are on the pool, and the caller would only wait: it resizes the last picture itself
//! Shops pay by the byte for their thumbnails. Since the resizes run on the blocking pool, shops with
//! many pictures are billed too little. One picture at a time, every total is right.
//! Keep as they are, the checks use them: `Img`, the trait `Codec`, `Stats` and the signature of `resize_all`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use tokio::task::spawn_blocking;

pub struct Img {
    pub raw: Vec<u8>,
}

/// The vendor's image library, safe to call from many threads.
pub trait Codec: Send + Sync {
    fn resize(&self, img: &Img) -> Vec<u8>;
}

/// Bytes of the thumbnails: of this batch, and of each picture, in the order of the pictures.
#[derive(Debug, PartialEq, Eq)]
pub struct Stats {
    pub total_out: u64,
    pub per_image: Vec<u64>,
}

/// Resizes every picture once, several at the same time. Other requests on this thread go on meanwhile.
pub async fn resize_all(mut imgs: Vec<Img>, codec: Arc<dyn Codec>) -> Stats {
    let total_out = Arc::new(AtomicU64::new(0));
    let mine = if imgs.len() > 1 { imgs.pop() } else { None };
    let jobs: Vec<_> = imgs
        .into_iter()
        .map(|img| {
            let (total_out, codec) = (total_out.clone(), codec.clone());
            spawn_blocking(move || {
                let bytes = codec.resize(&img).len() as u64;
                // Read, add and write in one step: nobody comes in between. Two steps lose what others
                // add meanwhile, and no ordering helps: `SeqCst` orders steps, it does not join them.
                total_out.fetch_add(bytes, SeqCst);
                bytes
            })
        })
        .collect();

    let mine = mine.map(|img| codec.resize(&img).len() as u64);
    total_out.fetch_add(mine.unwrap_or(0), SeqCst);

    let mut per_image = Vec::new();
    for job in jobs {
        per_image.push(job.await.expect("the codec does not panic"));
    }
    per_image.extend(mine);
    Stats {
        total_out: total_out.load(SeqCst),
        per_image,
    }
}

/// Sleeping stands for computing here; the thread is taken either way.
struct Vendor;

impl Codec for Vendor {
    fn resize(&self, img: &Img) -> Vec<u8> {
        std::thread::sleep(Duration::from_millis(50));
        img.raw.iter().step_by(100).copied().collect()
    }
}

#[tokio::main]
async fn main() {
    let imgs = [1_000, 20_000, 300_000].map(|bytes| Img {
        raw: vec![0; bytes],
    });
    let stats = resize_all(imgs.into(), Arc::new(Vendor)).await;
    let sum: u64 = stats.per_image.iter().sum();
    println!("thumbnails: {:?} bytes, {sum} together", stats.per_image);
    println!("billed: {} bytes", stats.total_out);
}
