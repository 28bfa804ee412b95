//! A type that owns a runtime: its call blocks, and so does its end.

use tokio::runtime::{Builder, Runtime};

// ANCHOR: fault
pub struct Sdk {
    runtime: Runtime,
}

impl Sdk {
    pub fn connect() -> std::io::Result<Sdk> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Sdk { runtime })
    }

    #[expect(clippy::disallowed_methods, reason = "an SDK that is not async")]
    pub fn balance(&self) -> u64 {
        self.runtime.block_on(async { 711 })
    }
}

/// Looks like one call that blocks. There are two: the second is the closing brace.
pub async fn balance_of_today() -> std::io::Result<u64> {
    let sdk = Sdk::connect()?;
    Ok(sdk.balance())
}
// ANCHOR_END: fault

#[cfg(test)]
mod tests {
    use super::{Builder, Sdk, balance_of_today};

    // ANCHOR: both_panic
    #[test]
    #[allow(clippy::disallowed_methods, reason = "a test may block")]
    fn the_call_panics_and_so_does_the_end() {
        let service = Builder::new_current_thread().build().unwrap();
        let call = service.spawn(async { balance_of_today().await.unwrap() });
        assert!(service.block_on(call).unwrap_err().is_panic());

        let sdk = Sdk::connect().unwrap();
        let end = service.spawn(async move { drop(sdk) });
        assert!(service.block_on(end).unwrap_err().is_panic());
    }
    // ANCHOR_END: both_panic

    // ANCHOR: on_the_pool
    #[test]
    #[allow(clippy::disallowed_methods, reason = "a test may block")]
    fn neither_panics_on_a_thread_of_the_blocking_pool() {
        let service = Builder::new_current_thread().build().unwrap();
        let job = service.spawn_blocking(|| Sdk::connect().unwrap().balance());
        assert_eq!(service.block_on(job).unwrap(), 711);
    }
    // ANCHOR_END: on_the_pool
}
