//! What the lab tells the runner: one JSON object a line. The runner's `core/record.rs` reads them.
//!
//! Under the runner a line is sealed: `SEAL NUMBER JSON`. The seal is made with a key that the subject does not have,
//! so a subject cannot write a verdict of its own; the numbers show whether it has taken a line away.

use std::hash::Hasher;
use std::io::Write;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde_json::{Value, json};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::startup;

/// A line of source, by the path the learner knows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    pub column: Option<u32>,
    /// What stands there, in a word or two: `Mutex::lock`, `tokio::spawn`, `std::fs::read`.
    pub what: String,
}

impl Place {
    pub(crate) fn of(location: &Location<'_>, what: &str) -> Place {
        Place {
            file: location.file().to_owned(),
            line: location.line(),
            column: Some(location.column()),
            what: what.to_owned(),
        }
    }

    pub(crate) fn in_subject(&self) -> bool {
        crate::trail::is_subject(std::path::Path::new(&self.file))
    }

    pub(crate) fn json(&self) -> Value {
        let mut value = json!({"file": self.file, "line": self.line, "what": self.what});
        if let Some(column) = self.column {
            value["column"] = json!(column);
        }
        value
    }
}

pub(crate) fn places(places: &[Place]) -> Value {
    places.iter().map(Place::json).collect()
}

/// Appends one record: a single write, so that two threads never mix their lines.
pub(crate) fn write(record: &Value) {
    crate::memory::uncapped(|| match &startup::settings().record {
        Some(path) => {
            let line = line(record);
            let file = std::fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(path);
            if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
                eprintln!(
                    "asynclings: cannot write the record {}: {error}",
                    path.display()
                );
            }
        }
        None => {
            if let Some(sentence) = sentence(record) {
                eprintln!("lab: {sentence}");
            }
        }
    });
}

fn line(record: &Value) -> String {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let Some(key) = &startup::settings().key else {
        return format!("{record}\n");
    };
    let sealed = format!("{} {record}", WRITTEN.fetch_add(1, Relaxed));
    let mut seal = SipHasher24::new_with_key(key);
    seal.write(sealed.as_bytes());
    format!("{:032x} {sealed}\n", seal.finish128().as_u128())
}

/// For somebody who started the binary by hand.
fn sentence(record: &Value) -> Option<String> {
    let at = match record["at"].as_array().and_then(|places| places.first()) {
        Some(place) => format!(
            ", at {}:{} {}",
            place["file"].as_str()?,
            place["line"],
            place["what"].as_str()?
        ),
        None => String::new(),
    };
    let text = match record["record"].as_str()? {
        "failed" => format!("the check failed: {}", record["message"].as_str()?),
        "panicked" => format!("panicked: {}", record["message"].as_str()?),
        "hung" => format!("hung, {}", record["kind"].as_str()?),
        "over_memory" => format!(
            "over memory: {} of {} bytes",
            record["peak"], record["limit"]
        ),
        "left_running" => format!(
            "left running: {} {}",
            record["count"],
            record["what"].as_str()?
        ),
        _ => return None,
    };
    Some(text + &at)
}
