//! Noon: three hundred receipts are asked for at once. Each takes 4 MiB and 60 ms while it is made; the container has 64 MiB
//! for them and two CPUs. Here the kernel's part is played by a limit of 256 MiB.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use lab::incident::{Answer, Incident, at_work};

use crate::exercise::{Limits, build_runtime};

fn make_receipt() {
    let _at_work = at_work("a receipt");
    let memory = vec![1_u8; 4 << 20];
    sleep(Duration::from_millis(60));
    drop(memory);
}

#[test]
fn receipts_at_noon() {
    Incident::one_thread("receipts").run(|measured| async move {
        let container = Limits {
            mem_bytes: 64 << 20,
            per_job_bytes: 4 << 20,
            cpus: 2,
        };
        let runtime = Arc::new(build_runtime(&container).unwrap());
        let pool = runtime.handle().clone();
        let receipt = |_| {
            let pool = pool.clone();
            async move {
                match pool.spawn_blocking(make_receipt).await {
                    Ok(()) => Answer::Done,
                    Err(_) => Answer::Failed,
                }
            }
        };
        measured.at_once(300, receipt).await;
        // Not here: a runtime must not be dropped where async code runs.
        Arc::into_inner(runtime).unwrap().shutdown_background();
    });
}
