//! A batch of calls, and what becomes of their ends.

use futures::future::try_join_all;
use futures::stream::{FuturesUnordered, StreamExt};
use tokio::task::JoinSet;

async fn charge(req: u64) -> Result<u64, String> {
    tokio::task::yield_now().await;
    match req {
        0 => Err("card expired".to_string()),
        _ => Ok(9_000 + req),
    }
}

// ANCHOR: fault
pub async fn charge_all(reqs: Vec<u64>) -> Vec<u64> {
    let mut calls = JoinSet::new();
    for req in reqs {
        calls.spawn(charge(req));
    }
    let mut charged = Vec::new();
    while let Some(call) = calls.join_next().await {
        if let Ok(Ok(tx)) = call {
            charged.push(tx);
        }
    }
    charged
}
// ANCHOR_END: fault

#[derive(Debug)]
pub enum Failure {
    Refused(String),
    Unclear,
}

// ANCHOR: handles_with_ids
pub async fn charge_and_tell(reqs: Vec<u64>) -> Vec<(u64, Result<u64, Failure>)> {
    let calls: FuturesUnordered<_> = reqs
        .into_iter()
        .map(|req| {
            let call = tokio::spawn(charge(req));
            async move { (req, call.await) }
        })
        .collect();
    let outcomes = calls.map(|(req, end)| match end {
        Ok(Ok(tx)) => (req, Ok(tx)),
        Ok(Err(reason)) => (req, Err(Failure::Refused(reason))),
        Err(_) => (req, Err(Failure::Unclear)),
    });
    outcomes.collect().await
}
// ANCHOR_END: handles_with_ids

// ANCHOR: answers_of_nobody
pub async fn answers_of_nobody(reqs: Vec<u64>) -> Vec<Result<u64, String>> {
    let calls: FuturesUnordered<_> = reqs.into_iter().map(charge).collect();
    // Whoever is answered first stands first.
    calls.collect().await
}
// ANCHOR_END: answers_of_nobody

// ANCHOR: all_or_nothing
pub async fn all_or_nothing(reqs: Vec<u64>) -> Result<Vec<u64>, String> {
    try_join_all(reqs.into_iter().map(charge)).await
}
// ANCHOR_END: all_or_nothing
