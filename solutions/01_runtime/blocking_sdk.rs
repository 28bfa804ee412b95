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

// ANCHOR: owner
/// Our door to the card company. It may be dropped anywhere: in a handler, by a runtime that shuts down,
/// when no runtime is left. Its connection is then closed, though a charge under way is finished first.
pub struct Gateway {
    /// Taken out by `drop` only.
    sdk: Option<Arc<KgSdk>>,
}
// ANCHOR_END: owner

impl Gateway {
    pub fn new(sdk: KgSdk) -> Gateway {
        let sdk = Some(Arc::new(sdk));
        Gateway { sdk }
    }

    // ANCHOR: call
    /// What the host answers. Other requests go on meanwhile, and so do other charges.
    pub async fn charge(&self, amount: u64) -> Result<TxId, KgError> {
        // The SDK blocks the thread that calls it, so that must be a thread of the blocking pool: no
        // request runs there, and no runtime minds. The `Arc` goes along, as a call that has begun
        // outlives a caller who hangs up.
        let sdk = self.sdk.clone().expect("only `drop` takes it");
        let answer = tokio::task::spawn_blocking(move || sdk.charge(amount)).await;
        answer.unwrap_or_else(|end| Err(KgError(end.to_string())))
    }
    // ANCHOR_END: call
}

// ANCHOR: end
impl Drop for Gateway {
    fn drop(&mut self) {
        // Dropping the SDK drops its runtime, which waits for that runtime's threads: it blocks, just
        // like a call. This code may run on a thread that must not block, or after the last runtime
        // is gone, so it takes the one thread that is always there to be had: a new one.
        let sdk = self.sdk.take();
        std::thread::spawn(move || drop(sdk));
    }
}
// ANCHOR_END: end

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
