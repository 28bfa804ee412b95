//! Verdicts that were given before: a subject is judged once, however many learners handed it in, and a run that was
//! stopped goes on. In the cache, a file a verdict, by a hash of all that the verdict depends on.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::core::report::Line;

/// Of all that a verdict depends on. Not the short hash that names folders elsewhere: a learner could make two files that
/// share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key([u8; 32]);

impl Key {
    /// Each part with its length, so that no two lists of parts are the same bytes.
    pub fn of<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// A number that is the same on every machine.
    pub fn number(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[derive(Debug, Clone)]
pub struct Verdicts {
    dir: PathBuf,
}

impl Verdicts {
    pub fn in_cache(cache: &Path) -> Self {
        Self {
            dir: cache.join("verdicts"),
        }
    }

    /// `None`: never given, or what was kept cannot be read; then it is given again.
    pub fn get(&self, key: &Key) -> Option<Line> {
        serde_json::from_slice(&fs::read(self.file(key)).ok()?).ok()
    }

    /// Whole or not at all. What cannot be kept only costs time: the caller says so once.
    pub fn put(&self, key: &Key, line: &Line) -> std::io::Result<()> {
        let file = self.file(key);
        let dir = file.parent().unwrap_or(&self.dir);
        fs::create_dir_all(dir)?;
        let mut new = tempfile::NamedTempFile::new_in(dir)?;
        new.write_all(&serde_json::to_vec(line)?)?;
        new.persist(&file)?;
        Ok(())
    }

    /// Few enough in a folder for any file system.
    fn file(&self, key: &Key) -> PathBuf {
        let name = key.to_string();
        self.dir
            .join(&name[..2])
            .join(format!("{}.json", &name[2..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let key = |parts: &[&[u8]]| Key::of(parts.iter().copied());
        assert_ne!(key(&[b"ab", b"c"]), key(&[b"a", b"bc"]));
        assert_ne!(key(&[b"ab"]), key(&[b"ab", b""]));
        assert_eq!(key(&[b"ab", b"c"]), key(&[b"ab", b"c"]));
    }
}
