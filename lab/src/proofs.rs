//! The lab proved on itself: each test runs its own binary again, as the runner would, with faulty code from
//! `proofs/subject.rs` in the learner's place, and reads the records. On stable Tokio.

use std::process::Command;

use serde_json::Value;

mod endings;
mod hangs;
mod subject;

const SUBJECT: &str = "src/proofs/subject.rs";

/// What became of one check.
struct Run {
    records: Vec<Value>,
    status: Option<i32>,
}

/// In the process that a proof starts: the check. In the proof itself: `judge`, once that process has ended.
fn prove(name: &str, check: impl FnOnce(), judge: impl FnOnce(Run)) {
    if std::env::var_os("LAB_PROOF").is_some() {
        check();
    } else {
        judge(run(name));
    }
}

#[expect(clippy::disallowed_methods, reason = "the proof plays the runner")]
fn run(name: &str) -> Run {
    let folder = std::env::temp_dir().join(format!(
        "lab-proof-{}-{}",
        std::process::id(),
        name.replace(':', "-")
    ));
    let _ = std::fs::remove_file(&folder);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            &format!("proofs::{name}"),
            "--exact",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("LAB_PROOF", "1")
        .env("ASYNCLINGS_RECORD", &folder)
        .env("ASYNCLINGS_SUBJECT", SUBJECT)
        .env("ASYNCLINGS_PARENT", std::process::id().to_string())
        .env("ASYNCLINGS_SEED", "7")
        // As the runner does, for the reason that it gives.
        .env(
            "GLIBC_TUNABLES",
            "glibc.pthread.stack_cache_size=0xffffffffffffffff",
        );
    let output = command.output().unwrap();
    let records = std::fs::read_to_string(&folder).unwrap_or_default();
    let _ = std::fs::remove_file(&folder);
    let records = records
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    Run {
        records,
        status: output.status.code(),
    }
}

impl Run {
    /// The only record of this kind.
    fn record(&self, kind: &str) -> &Value {
        let mut found = self
            .records
            .iter()
            .filter(|record| record["record"] == kind);
        match (found.next(), found.next()) {
            (Some(record), None) => record,
            _ => panic!("expected one record `{kind}` in {:?}", self.records),
        }
    }

    fn passed(&self) -> bool {
        self.status == Some(0)
            && self
                .records
                .iter()
                .any(|record| record["record"] == "finished")
    }
}

/// That the most telling place of the record is the subject's line with this marker in it.
fn assert_at(record: &Value, marker: &str) {
    let place = &record["at"][0];
    let text = include_str!("proofs/subject.rs");
    let line = text
        .lines()
        .position(|line| line.ends_with(&format!("// {marker}")))
        .expect("no such marker")
        + 1;
    assert_eq!(place["line"], line, "{record}");
}
