//! The record file of one check, read leniently: a process that was killed may have left half a line.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use anyhow::{Context, Result};

use crate::core::record::Record;

/// A lab writes a few KiB; a subject that got hold of the file may write anything.
const CAP: u64 = 4 << 20;

/// No file, no records: the process ended before the lab came to it.
pub(super) fn read(path: &Path) -> Result<Vec<Record>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.with_context(|| format!("cannot open the records in {}", path.display()))?,
    };
    let mut bytes = Vec::new();
    file.take(CAP)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read the records in {}", path.display()))?;
    Ok(parse(&bytes))
}

fn parse(bytes: &[u8]) -> Vec<Record> {
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    bytes[..whole]
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_record_is_passed_over() {
        let text = b"{\"record\":\"started\"}\n\xff garbage\n\n{\"record\":\"of a newer lab\"}\n{\"record\":\"finished\",\"peak\":7}\n";
        assert_eq!(
            parse(text),
            [Record::Started {}, Record::Finished { peak: 7 }]
        );
    }

    #[test]
    fn a_torn_last_line_is_dropped() {
        assert_eq!(
            parse(b"{\"record\":\"started\"}\n{\"record\":\"finished\",\"peak\":7}"),
            [Record::Started {}]
        );
        assert_eq!(parse(b"{\"rec"), []);
        assert_eq!(parse(b""), []);
    }

    #[test]
    fn no_file_is_no_records() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(&folder.path().join("none")).unwrap(), []);
    }
}
