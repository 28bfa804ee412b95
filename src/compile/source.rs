//! A source file, read once: rustc gets this text, whatever is saved meanwhile.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::Result;

use super::diagnostics;
use crate::core::verdict::Diagnostic;
use crate::exit::Fault;

/// An exercise is a few KiB.
const CAP: u64 = 1 << 20;

#[derive(Debug)]
pub(super) enum Source {
    Text(String),
    /// The learner's to mend, as an error in it is.
    Refused(Box<Diagnostic>),
}

pub(super) fn subject(path: &Path, display: &str) -> Source {
    match read(path) {
        Ok(text) => Source::Text(text),
        Err((line, reason)) => Source::Refused(Box::new(diagnostics::ours(
            format!("{display} {reason}"),
            display,
            line,
        ))),
    }
}

pub(super) fn checks(path: &Path, display: &str) -> Result<String> {
    let fault = |(_, reason)| {
        Fault::Workbook(format!(
            "the checks {display} {reason}; looked at {}",
            path.display()
        ))
    };
    Ok(read(path).map_err(fault)?)
}

/// `Err`: the line it is about, and what is wrong and what to do.
fn read(path: &Path) -> Result<String, (u32, String)> {
    let first = |reason: String| (1, reason);
    let metadata = fs::metadata(path).map_err(|error| first(unreadable(&error)))?;
    if metadata.is_dir() {
        return Err(first("is a folder; a file of Rust source belongs here, and `asynclings reset` brings it back once the folder is gone".to_string()));
    }
    // A pipe or a device may have no end.
    if !metadata.is_file() {
        return Err(first(
            "is no ordinary file; `asynclings reset` brings the exercise back once it is gone"
                .to_string(),
        ));
    }
    if metadata.len() > CAP {
        let mib = metadata.len() as f64 / f64::from(1 << 20);
        return Err(first(format!(
            "is {mib:.1} MiB long, an exercise at most 1 MiB; was something else saved over it?"
        )));
    }
    let bytes = fs::read(path).map_err(|error| first(unreadable(&error)))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
        (
            line,
            format!("is not UTF-8 text in line {line}; save it as UTF-8"),
        )
    })
}

fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "is not there; `asynclings reset` brings it back".to_string(),
        _ => format!("cannot be read: {error}"),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files for the tests")]
mod tests {
    use super::*;

    fn reason(path: &Path) -> (u32, String) {
        read(path).unwrap_err()
    }

    #[test]
    fn what_rustc_could_not_take_is_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rs");
        assert!(reason(&file).1.contains("is not there"));
        assert!(reason(folder.path()).1.contains("is a folder"));
        fs::write(&file, b"fn main() {}\n// caf\xe9\n").unwrap();
        assert_eq!(
            reason(&file),
            (
                2,
                "is not UTF-8 text in line 2; save it as UTF-8".to_string()
            )
        );
        fs::File::create(&file).unwrap().set_len(50 << 20).unwrap();
        assert!(reason(&file).1.starts_with("is 50.0 MiB long"));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_not_read() {
        assert!(
            reason(Path::new("/dev/zero"))
                .1
                .contains("no ordinary file")
        );
    }
}
