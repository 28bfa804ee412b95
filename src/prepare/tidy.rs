//! Labs that nobody uses any more. Runs after a build, which is rare; a failure here is no failure of the build.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::lock;
use super::place::{Place, in_use, lock_of};

/// Of each kind: a stable and a nightly toolchain, and the one before an update.
const KEPT: usize = 3;
/// Unused for this long. One lab is 15 MB, its dependencies 150 MB.
const AGE: Duration = Duration::from_secs(7 * 24 * 3600);

pub(super) fn tidy(place: &Place) {
    for lab in old(labs(&place.base())) {
        remove_lab(&lab);
    }
    let bases = folders(place.cache(), |name| name.starts_with("lab-"));
    let used = bases
        .into_iter()
        .map(|base| (last_used(&base), base))
        .collect();
    for base in old(used) {
        remove_base(&base);
    }
}

/// With the time of their last use.
fn labs(base: &Path) -> Vec<(SystemTime, PathBuf)> {
    let labs = folders(base, |name| {
        name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    labs.into_iter()
        .map(|lab| (modified(&in_use(&lab)), lab))
        .collect()
}

fn last_used(base: &Path) -> SystemTime {
    labs(base)
        .into_iter()
        .map(|(used, _)| used)
        .max()
        .unwrap_or_else(|| modified(base))
}

fn old(mut all: Vec<(SystemTime, PathBuf)>) -> Vec<PathBuf> {
    all.sort_by(|a, b| b.cmp(a));
    let limit = SystemTime::now() - AGE;
    all.into_iter()
        .skip(KEPT)
        .filter(|(used, _)| *used < limit)
        .map(|(_, folder)| folder)
        .collect()
}

/// Only if no runner has it in use.
fn remove_lab(lab: &Path) {
    if let Some(_nobody) = lock::try_exclusive(&in_use(lab)) {
        let _ = fs::remove_dir_all(lab);
    }
}

/// The lock file stays: a runner may be about to lock it.
fn remove_base(base: &Path) {
    let Some(_not_building) = lock::try_exclusive(&lock_of(base)) else {
        return;
    };
    let nobody: Vec<_> = labs(base)
        .iter()
        .map(|(_, lab)| lock::try_exclusive(&in_use(lab)))
        .collect();
    if nobody.iter().all(Option::is_some) {
        let _ = fs::remove_dir_all(base);
    }
}

fn folders(parent: &Path, named: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    let entries = entries
        .flatten()
        .filter(|entry| named(&entry.file_name().to_string_lossy()));
    entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

/// The beginning of time for what is not there.
fn modified(path: &Path) -> SystemTime {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab(base: &Path, name: &str, days: u64) -> PathBuf {
        let lab = base.join(name);
        fs::create_dir_all(&lab).unwrap();
        let used = SystemTime::now() - Duration::from_secs(days * 24 * 3600);
        fs::File::create(in_use(&lab))
            .unwrap()
            .set_modified(used)
            .unwrap();
        lab
    }

    #[test]
    fn labs_long_unused_go_and_the_newest_stay() {
        let base = tempfile::tempdir().unwrap();
        for (number, days) in [(1, 0), (2, 10), (3, 20), (4, 30), (5, 40)] {
            lab(base.path(), &format!("{number:016x}"), days);
        }
        lab(base.path(), &format!("{:016x}", 6), 1);
        let old: Vec<_> = old(labs(base.path()))
            .iter()
            .map(|lab| lab.file_name().unwrap().to_owned())
            .collect();
        assert_eq!(
            old,
            [3, 4, 5].map(|number| format!("{number:016x}").into()) as [std::ffi::OsString; 3]
        );
    }

    #[test]
    fn a_lab_in_use_stays() {
        let base = tempfile::tempdir().unwrap();
        let lab = lab(base.path(), "0123456789abcdef", 100);
        let user = lock::shared(&in_use(&lab)).unwrap();
        remove_lab(&lab);
        assert!(lab.exists());
        drop(user);
        remove_lab(&lab);
        assert!(!lab.exists());
    }
}
