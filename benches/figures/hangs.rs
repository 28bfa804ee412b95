//! How long a hang takes to become a verdict, after compiling.

use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::{ROUNDS, Workbook, print};

pub fn measure(workbook: &Workbook) {
    let waiting = run_ms(workbook, "self_deadlock", "waiting");
    let sides = format!("self_deadlock: {waiting} ms for all its checks");
    print(
        "verdict for a waiting hang, ms after compiling",
        &sides,
        waiting as f64,
        250.0,
        false,
    );

    let quiet = run_ms(workbook, "starved_health", "blocked");
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let busy = Busy((0..cores).map(|_| spin()).collect());
    let loaded = run_ms(workbook, "starved_health", "blocked");
    drop(busy);
    let sides =
        format!("starved_health: {quiet} ms on a quiet machine, {loaded} ms with every core busy");
    print(
        "verdict for a blocked thread, ms after compiling, every core busy",
        &sides,
        loaded as f64,
        2000.0,
        false,
    );
}

/// The median, of all checks of the exercise together.
fn run_ms(workbook: &Workbook, name: &str, kind: &str) -> u64 {
    let mut times: Vec<u64> = (0..ROUNDS.div_ceil(3))
        .map(|_| {
            let output = workbook.run(name).output().unwrap();
            let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(
                (&verdict["verdict"], &verdict["kind"]),
                (&"hung".into(), &kind.into()),
                "{verdict:#}"
            );
            verdict["run_ms"].as_u64().unwrap()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}

struct Busy(Vec<Child>);

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn spin() -> Child {
    Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}
