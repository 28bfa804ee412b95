// right: collected as they come, then sorted by the place of their request

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
use tokio::{runtime, time::Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Req {
    pub user: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resp {
    pub user: u64,
    pub page: String,
}

/// The service behind us. It takes any number of calls at once.
pub trait Backend: Send + Sync {
    fn page(&self, user: u64) -> BoxFuture<'_, String>;
}

async fn handle(req: Req, api: Arc<dyn Backend>) -> Resp {
    let page = api.page(req.user).await;
    let user = req.user;
    Resp { user, page }
}

/// Serves all requests at the same time, whatever their number, and holds no other thread for them; the
/// answers stand in the order of the requests.
pub async fn serve(reqs: Vec<Req>, api: Arc<dyn Backend>) -> Vec<Resp> {
    let mut running = stream::FuturesUnordered::new();
    for (n, req) in reqs.into_iter().enumerate() {
        let api = api.clone();
        running.push(async move { (n, handle(req, api).await) });
    }
    let mut answers: Vec<(usize, Resp)> = running.by_ref().collect().await;
    answers.sort_by_key(|(n, _)| *n);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

struct Demo;
impl Backend for Demo {
    fn page(&self, user: u64) -> BoxFuture<'_, String> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(100)).await;
            format!("<h1>Hello, customer {user}</h1>")
        })
    }
}

fn main() -> std::io::Result<()> {
    let mut container = runtime::Builder::new_multi_thread();
    container.enable_all().worker_threads(1);
    container.max_blocking_threads(4).build()?.block_on(async {
        for customers in [4, 20, 60] {
            let (start, reqs) = (Instant::now(), (0..customers).map(|user| Req { user }));
            let answers = serve(reqs.collect(), Arc::new(Demo)).await.len();
            let ms = start.elapsed().as_millis();
            println!(
                "{answers} customers, whose pages take 100 ms each: the last has it after {ms} ms"
            );
        }
    });
    Ok(())
}
