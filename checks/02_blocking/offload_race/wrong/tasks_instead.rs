// wrong: hung:blocked other_requests_go_on_meanwhile — tasks on one thread cannot race, and nothing else runs there

use std::sync::Arc;

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
    let mut tasks = Vec::new();
    for img in imgs {
        let codec = codec.clone();
        tasks.push(tokio::spawn(async move { codec.resize(&img).len() as u64 }));
    }
    let mut per_image = Vec::new();
    for task in tasks {
        per_image.push(task.await.unwrap());
    }
    Stats {
        total_out: per_image.iter().sum(),
        per_image,
    }
}
