//! The dependencies of one lab are most of another's: a pack adds a crate or two, a newer asynclings changes some. What
//! cargo has built for the one is copied for the other, and cargo decides what of it fits. A failure here costs time only.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::lock;
use super::place::{Place, lock_of};

/// Into the target folder of a lab that was never built. Whether there was something to copy.
pub(super) fn seed(place: &Place) -> bool {
    let target = place.target();
    let Some(other) = latest(place) else {
        return false;
    };
    // Nobody builds there meanwhile, and nobody tidies it away.
    let Some(_held) = lock::try_exclusive(&lock_of(&other)) else {
        return false;
    };
    let Ok(scratch) = tempfile::Builder::new()
        .prefix("target-")
        .tempdir_in(place.base())
    else {
        return false;
    };
    copy(&other.join("target"), scratch.path()).is_ok()
        && fs::rename(scratch.path(), &target).is_ok()
}

/// The other lab that was built last.
fn latest(place: &Place) -> Option<PathBuf> {
    let entries = fs::read_dir(place.cache()).ok()?.flatten();
    let bases = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("lab-"));
    let built = bases.filter_map(|entry| {
        let base = entry.path();
        let built: SystemTime = fs::metadata(base.join("target")).ok()?.modified().ok()?;
        (base != place.base()).then_some((built, base))
    });
    Some(built.max()?.1)
}

/// With the times of the files, by which cargo tells what is fresh.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            fs::create_dir(&to)?;
            copy(&from, &to)?;
        } else if metadata.is_file() {
            fs::copy(&from, &to)?;
            File::options()
                .append(true)
                .open(&to)?
                .set_modified(metadata.modified()?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files for the test")]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_copy_is_as_old_as_what_it_was_made_of() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        fs::create_dir_all(from.join("deps")).unwrap();
        fs::create_dir(&to).unwrap();
        let file = from.join("deps/a.rlib");
        fs::write(&file, "a").unwrap();
        let old = SystemTime::now() - Duration::from_secs(1000);
        let opened = File::options().append(true).open(&file).unwrap();
        opened.set_modified(old).unwrap();
        copy(&from, &to).unwrap();
        let copied = to.join("deps/a.rlib");
        assert_eq!(fs::read_to_string(&copied).unwrap(), "a");
        assert_eq!(fs::metadata(copied).unwrap().modified().unwrap(), old);
    }
}
