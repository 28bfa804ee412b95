// wrong: check_failed a_payment_is_logged_under_its_user — the span is for debugging only: a log of `info` and above does not have it

//! Support reads the log of one customer by `pay{user=..}`. Since two customers can pay at the same time,
//! lines of one stand in the log of the other, and lines that belong to no payment stand there too.
//! Keep as they are, the checks use them: `TxId`, `PayError`, `Gateway`, `pay`, the span `pay` with its field `user`,
//! the events `charged` and `declined`.

use std::time::Duration;
use tracing::Instrument;

use futures::future::BoxFuture;
use tokio::time::sleep;
use tracing::{info, info_span, warn};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TxId(pub u64);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayError(pub String);

/// It logs too, while it works.
pub trait Gateway: Send + Sync {
    fn charge(&self, user: u64) -> BoxFuture<'_, Result<TxId, PayError>>;
}

pub async fn pay(user: u64, gateway: &dyn Gateway) -> Result<TxId, PayError> {
    let span = tracing::debug_span!("pay", user);
    async move {
        match gateway.charge(user).await {
            Ok(tx) => {
                info!(tx = tx.0, "charged");
                Ok(tx)
            }
            Err(reason) => {
                warn!(reason = reason.0, "declined");
                Err(reason)
            }
        }
    }
    .instrument(span)
    .await
}

struct Demo;
impl Gateway for Demo {
    fn charge(&self, user: u64) -> BoxFuture<'_, Result<TxId, PayError>> {
        Box::pin(async move {
            info!("user {user} is asked for the PIN");
            sleep(Duration::from_millis(100 * user)).await;
            match user {
                2 => Err(PayError("user 2 has no money".to_string())),
                _ => Ok(TxId(1_000 + user)),
            }
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let log = tracing_subscriber::fmt().without_time().with_target(false);
    log.with_ansi(false).init();
    let clock = async {
        sleep(Duration::from_millis(50)).await;
        info!("it is noon, and this line is nobody's");
    };
    let _ = tokio::join!(pay(1, &Demo), pay(2, &Demo), clock);
}
