//! The record file of one check, read leniently: a process that was killed may have left half a line.

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::core::record::Record;

/// A lab writes a few KiB; a subject that got hold of the file may write anything.
const CAP: u64 = 4 << 20;

/// What the lab seals its records with; another one for each process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key([u8; 16]);

impl Key {
    pub(super) fn new() -> Self {
        let half = || RandomState::new().hash_one(0).to_le_bytes();
        let (first, second) = (half(), half());
        Self(std::array::from_fn(|at| {
            if at < 8 { first[at] } else { second[at - 8] }
        }))
    }

    /// A standard input that holds the key, and then ends.
    pub(super) fn stdin(&self) -> io::Result<Stdio> {
        let (reader, mut writer) = io::pipe()?;
        // It fits into any pipe.
        writer.write_all(&self.0)?;
        Ok(reader.into())
    }

    fn seal(&self, sealed: &[u8]) -> String {
        let mut seal = SipHasher24::new_with_key(&self.0);
        seal.write(sealed);
        format!("{:032x}", seal.finish128().as_u128())
    }
}

/// No file, no records: the process ended before the lab came to it.
pub(super) fn read(path: &Path, key: &Key) -> Result<Vec<Record>> {
    let file = match open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.with_context(|| format!("cannot open the records in {}", path.display()))?,
    };
    let Some(file) = file else {
        return Ok(Vec::new());
    };
    let mut bytes = Vec::new();
    file.take(CAP)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read the records in {}", path.display()))?;
    Ok(parse(&bytes, key))
}

/// `None`: something else stands there, which the lab did not make. It is not followed, and not waited for.
fn open(path: &Path) -> io::Result<Option<File>> {
    if !path.symlink_metadata()?.is_file() {
        return Ok(None);
    }
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits() as i32);
    }
    Ok(Some(options.open(path)?))
}

/// What has no seal is not the lab's. Where a line is missing, or is there twice, no end is believed: something else
/// had its hands in the file.
fn parse(bytes: &[u8], key: &Key) -> Vec<Record> {
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let lines = bytes[..whole].split(|byte| *byte == b'\n');
    let lines: Vec<(u64, &[u8])> = lines.filter_map(|line| unsealed(line, key)).collect();
    let mut numbers: Vec<u64> = lines.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    let complete = numbers.iter().copied().eq(0..numbers.len() as u64);
    let mut records: Vec<Record> = lines
        .into_iter()
        .filter_map(|(_, record)| serde_json::from_slice(record).ok())
        .collect();
    let ended = !cfg!(unix) || records.last() == Some(&Record::Ended {});
    if !complete || !ended {
        records.retain(|record| !matches!(record, Record::Finished { .. }));
    }
    records.retain(|record| *record != Record::Ended {});
    records
}

/// `SEAL NUMBER JSON`
fn unsealed<'l>(line: &'l [u8], key: &Key) -> Option<(u64, &'l [u8])> {
    let (seal, rest) = line.split_at_checked(32)?;
    let sealed = rest.strip_prefix(b" ")?;
    if key.seal(sealed).as_bytes() != seal {
        return None;
    }
    let space = sealed.iter().position(|byte| *byte == b' ')?;
    let number = std::str::from_utf8(&sealed[..space]).ok()?.parse().ok()?;
    Some((number, &sealed[space + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key([7; 16]);
    const STARTED: &str = "{\"record\":\"started\"}";
    const FINISHED: &str = "{\"record\":\"finished\",\"peak\":7}";
    const ENDED: &str = "{\"record\":\"ended\"}";

    fn sealed(number: u64, json: &str) -> String {
        let sealed = format!("{number} {json}");
        format!("{} {sealed}\n", KEY.seal(sealed.as_bytes()))
    }

    #[test]
    fn what_is_no_record_is_passed_over() {
        let mut text = sealed(0, STARTED).into_bytes();
        text.extend_from_slice(b"\xff garbage\n\n");
        text.extend_from_slice(sealed(1, "{\"record\":\"of a newer lab\"}").as_bytes());
        text.extend_from_slice(sealed(2, FINISHED).as_bytes());
        text.extend_from_slice(sealed(3, ENDED).as_bytes());
        assert_eq!(
            parse(&text, &KEY),
            [Record::Started {}, Record::Finished { peak: 7 }]
        );
    }

    #[test]
    fn what_has_no_seal_or_that_of_another_is_not_believed() {
        let started = sealed(0, STARTED);
        for forged in [
            format!("{FINISHED}\n"),
            format!("1 {FINISHED}\n"),
            sealed(1, FINISHED).replace("peak\":7", "peak\":8"),
            sealed(1, FINISHED).replacen(" 1 ", " 2 ", 1),
            started.clone().replacen(STARTED, FINISHED, 1),
        ] {
            let text = format!("{started}{forged}");
            assert_eq!(
                parse(text.as_bytes(), &KEY),
                [Record::Started {}],
                "{forged}"
            );
        }
        let text = started + &sealed(1, FINISHED);
        assert_eq!(parse(text.as_bytes(), &Key([8; 16])), []);
    }

    #[cfg(unix)]
    #[test]
    fn where_the_last_lines_were_taken_away_no_end_is_believed() {
        let begun = [sealed(0, STARTED), sealed(1, FINISHED), sealed(2, STARTED)].concat();
        let cut = [sealed(0, STARTED), sealed(1, FINISHED)].concat();
        for text in [begun, cut] {
            let records = parse(text.as_bytes(), &KEY);
            assert!(!records.contains(&Record::Finished { peak: 7 }), "{text}");
        }
    }

    #[test]
    fn where_a_line_was_taken_away_or_repeated_no_end_is_believed() {
        let (first, last) = (sealed(0, STARTED), sealed(2, FINISHED) + &sealed(3, ENDED));
        assert_eq!(
            parse((first.clone() + &last).as_bytes(), &KEY),
            [Record::Started {}]
        );
        let twice = format!("{first}{first}{}{}", sealed(1, FINISHED), sealed(2, ENDED));
        assert_eq!(
            parse(twice.as_bytes(), &KEY),
            [Record::Started {}, Record::Started {}]
        );
    }

    #[test]
    fn a_torn_last_line_is_dropped() {
        let text = sealed(0, STARTED) + sealed(1, FINISHED).trim_end();
        assert_eq!(parse(text.as_bytes(), &KEY), [Record::Started {}]);
        assert_eq!(parse(b"{\"rec", &KEY), []);
        assert_eq!(parse(b"", &KEY), []);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_no_records() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        assert_eq!(read(&link, &KEY).unwrap(), []);
        assert_eq!(read(folder.path(), &KEY).unwrap(), []);
    }

    #[test]
    fn no_file_is_no_records() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(&folder.path().join("none"), &KEY).unwrap(), []);
    }
}
