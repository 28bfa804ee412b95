//! A sale: 3,600 customers at once. A page needs two calls to services behind us, made side by side, of 300 ms each.
//! The container has room for 200 threads.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use lab::incident::{Answer, Incident};
use tokio::time::sleep;

use crate::exercise::{Backend, Req, serve};

struct Services;

impl Backend for Services {
    fn page(&self, user: u64) -> BoxFuture<'_, String> {
        Box::pin(async move {
            let call = || sleep(Duration::from_millis(300));
            tokio::join!(call(), call());
            format!("page of {user}")
        })
    }
}

#[test]
fn a_sale() {
    let incident = Incident::workers(2, "pages").max_blocking_threads(200);
    incident.run(|measured| async move {
        let services: Arc<dyn Backend> = Arc::new(Services);
        let page = |user| {
            let services = services.clone();
            async move {
                let answers = serve(vec![Req { user }], services).await;
                match answers.iter().any(|answer| answer.user == user) {
                    true => Answer::Done,
                    false => Answer::Failed,
                }
            }
        };
        measured.at_once(3_600, page).await;
    });
}
