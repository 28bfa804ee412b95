// wrong: check_failed a_payment_is_logged_under_its_user — `fields(user)` names the field and leaves it empty: it is not the parameter of that name

use std::time::Duration;

use futures::future::BoxFuture;
use tokio::time::sleep;
use tracing::{info, instrument, warn};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TxId(pub u64);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayError(pub String);

/// It logs too, while it works.
pub trait Gateway: Send + Sync {
    fn charge(&self, user: u64) -> BoxFuture<'_, Result<TxId, PayError>>;
}

/// Charges the user once. Whatever is logged by this payment, here or in the gateway, stands in its span
/// `pay{user=..}`, and nothing else does.
#[instrument(name = "pay", skip_all, fields(user))]
pub async fn pay(user: u64, gateway: &dyn Gateway) -> Result<TxId, PayError> {
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
