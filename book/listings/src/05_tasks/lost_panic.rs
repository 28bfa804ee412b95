//! Where a panic of a task goes.

use std::collections::HashMap;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

async fn send_receipt(charge: u64) -> Result<(), String> {
    tokio::task::yield_now().await;
    match charge {
        0 => Err("no such charge".to_string()),
        _ => Ok(()),
    }
}

// ANCHOR: fault
pub async fn send_all(charges: Vec<u64>) -> Vec<(u64, Result<(), String>)> {
    let (done, mut outcomes) = mpsc::channel(32);
    for charge in charges {
        let done = done.clone();
        tokio::spawn(async move {
            let outcome = send_receipt(charge).await;
            let _ = done.send((charge, outcome)).await;
        });
    }
    drop(done);

    let mut report = Vec::new();
    while let Some(outcome) = outcomes.recv().await {
        report.push(outcome);
    }
    report
}
// ANCHOR_END: fault

#[derive(Debug, Default)]
pub struct Report {
    pub ok: Vec<u64>,
    pub failed: Vec<(u64, String)>,
    pub panicked: Vec<u64>,
}

// ANCHOR: join_set_with_ids
pub async fn send_and_report(charges: Vec<u64>) -> Report {
    let mut tasks = JoinSet::new();
    let mut charge_of = HashMap::new();
    for charge in charges {
        let task = tasks.spawn(send_receipt(charge));
        charge_of.insert(task.id(), charge);
    }

    let mut report = Report::default();
    while let Some(end) = tasks.join_next_with_id().await {
        match end {
            Ok((task, Ok(()))) => report.ok.push(charge_of[&task]),
            Ok((task, Err(reason))) => report.failed.push((charge_of[&task], reason)),
            Err(end) if end.is_panic() => report.panicked.push(charge_of[&end.id()]),
            Err(end) => report.failed.push((charge_of[&end.id()], end.to_string())),
        }
    }
    report
}
// ANCHOR_END: join_set_with_ids

// ANCHOR: while_let_some_ok
pub async fn until_the_first_panic(mut tasks: JoinSet<u64>) -> Vec<u64> {
    let mut ok = Vec::new();
    // A panic comes out as `Some(Err(..))`, which does not match: the loop ends, and the set is dropped.
    while let Some(Ok(charge)) = tasks.join_next().await {
        ok.push(charge);
    }
    ok
}
// ANCHOR_END: while_let_some_ok
