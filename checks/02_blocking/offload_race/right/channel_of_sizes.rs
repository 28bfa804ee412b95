// right: the jobs tell their bytes, one reader adds them up

use std::sync::Arc;

use tokio::sync::mpsc;
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
    let mut per_image = vec![0; imgs.len()];
    let (tell, mut sizes) = mpsc::channel(8);
    for (i, img) in imgs.into_iter().enumerate() {
        let (tell, codec) = (tell.clone(), codec.clone());
        spawn_blocking(move || {
            let bytes = codec.resize(&img).len() as u64;
            let _ = tell.blocking_send((i, bytes));
        });
    }
    drop(tell);
    let mut total_out = 0;
    while let Some((i, bytes)) = sizes.recv().await {
        per_image[i] = bytes;
        total_out += bytes;
    }
    Stats {
        total_out,
        per_image,
    }
}
