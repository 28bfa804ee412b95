//! Folders that learners handed in. Nothing in them is trusted: a file is read only if it is an ordinary one, of an
//! exercise's size, and in the folder itself, whatever links lie in between.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::workbook::LARGEST_FILE;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// As reports call the learner.
    pub name: String,
    pub path: PathBuf,
}

/// Named after their folders; where two folders have one name, after as much of their paths as tells them apart. By
/// name, so that the order in which a shell lists them is no part of a report.
pub fn folders(paths: &[PathBuf], names: &BTreeMap<String, String>) -> Vec<Folder> {
    // A folder that is named twice is graded once.
    let paths: Vec<&PathBuf> = paths.iter().collect::<BTreeSet<_>>().into_iter().collect();
    let mut depth = vec![1; paths.len()];
    let named = |at: usize, depth: &[usize]| {
        let tail = tail(paths[at], depth[at]);
        names.get(&tail).cloned().unwrap_or(tail)
    };
    loop {
        let mut users: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in 0..paths.len() {
            users.entry(named(at, &depth)).or_default().push(at);
        }
        let twins: Vec<usize> = users
            .into_values()
            .filter(|users| users.len() > 1)
            .flatten()
            .filter(|at| depth[*at] < paths[*at].components().count())
            .collect();
        if twins.is_empty() {
            break;
        }
        twins.into_iter().for_each(|at| depth[at] += 1);
    }
    let mut folders: Vec<Folder> = (0..paths.len())
        .map(|at| Folder {
            name: named(at, &depth),
            path: paths[at].clone(),
        })
        .collect();
    folders.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    folders
}

fn tail(path: &Path, depth: usize) -> String {
    let parts: Vec<_> = path.components().collect();
    let tail: PathBuf = parts[parts.len().saturating_sub(depth)..].iter().collect();
    let mut name = String::new();
    for part in tail.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(part.valid());
        // Two names that differ stay two.
        for byte in part.invalid() {
            let _ = write!(name, "\\x{byte:02x}");
        }
    }
    match cfg!(windows) {
        true => name.replace('\\', "/"),
        false => name,
    }
}

/// What is wrong with a folder as a whole, as a sentence; `None` where exercises can be looked for in it.
pub fn problem(folder: &Path) -> Option<String> {
    let said = match open(folder, Path::new("exercises")).and_then(|file| file.metadata()) {
        Ok(metadata) if metadata.is_dir() => return None,
        Ok(_) => "has no exercises/ but a file of that name".to_string(),
        Err(error) if !folder.is_dir() => match error.kind() {
            ErrorKind::NotFound => "is not there".to_string(),
            _ => format!("cannot be opened: {error}"),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let deeper = std::fs::read_dir(folder).is_ok_and(|entries| {
                entries
                    .flatten()
                    .any(|entry| entry.path().join("exercises").is_dir())
            });
            if deeper {
                "has no exercises/, but folders in it have: name those, one a learner"
            } else {
                "has no exercises/"
            }
            .to_string()
        }
        Err(error) => format!("has an exercises/ that {}", refusal(&error)),
    };
    Some(format!("the folder `{}` {said}", tail(folder, 1)))
}

/// The bytes of `exercises/..`; or why there are none, as a sentence.
pub fn read(folder: &Path, inner: &str) -> Result<Vec<u8>, String> {
    let fault = |what: String| format!("{inner} {what}");
    let file = open(folder, Path::new(inner)).map_err(|error| fault(refusal(&error)))?;
    let metadata = file
        .metadata()
        .map_err(|error| fault(format!("cannot be read: {error}")))?;
    if metadata.is_dir() {
        return Err(fault("is a folder".to_string()));
    }
    // A pipe or a device may have no end.
    if !metadata.is_file() {
        return Err(fault("is no ordinary file".to_string()));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| fault(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let (size, most) = (metadata.len() >> 20, LARGEST_FILE >> 20);
        return Err(fault(format!("has {size} MiB, an exercise at most {most}")));
    }
    Ok(bytes)
}

/// What `open` says of a link.
const LINK: ErrorKind = ErrorKind::InvalidFilename;

fn refusal(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "is not there".to_string(),
        ErrorKind::NotADirectory => "is not there: something on the way is no folder".to_string(),
        LINK => {
            "is a link, or behind one; links in a learner's folder are not followed".to_string()
        }
        _ => format!("cannot be read: {error}"),
    }
}

/// Follows no link below `folder`, and never waits: to open a pipe would.
#[cfg(target_os = "linux")]
fn open(folder: &Path, inner: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};
    use rustix::io::Errno;
    let base = open(
        folder,
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    let file = openat2(
        base,
        inner,
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC,
        Mode::empty(),
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    );
    match file {
        Err(Errno::LOOP | Errno::XDEV) => Err(LINK.into()),
        file => Ok(file?.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn open(folder: &Path, inner: &Path) -> io::Result<File> {
    let mut path = folder.to_path_buf();
    for part in inner.components() {
        path.push(part);
        let metadata = std::fs::symlink_metadata(&path)?;
        if metadata.is_symlink() {
            return Err(LINK.into());
        }
        if !metadata.is_file() && !metadata.is_dir() {
            return Err(io::Error::other("it is no ordinary file"));
        }
    }
    File::open(path)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files for the tests")]
mod tests {
    use super::*;

    fn names(paths: &[&str], given: &[(&str, &str)]) -> Vec<String> {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let given = given.iter().map(|(a, b)| ((*a).into(), (*b).into()));
        let folders = folders(&paths, &given.collect());
        folders.into_iter().map(|folder| folder.name).collect()
    }

    #[test]
    fn a_learner_is_called_as_the_folder_or_as_the_list_says() {
        assert_eq!(names(&["in/zoe", "in/ann/"], &[]), ["ann", "zoe"]);
        assert_eq!(
            names(&["in/7", "in/8"], &[("7", "Ann Lee")]),
            ["8", "Ann Lee"]
        );
        assert_eq!(names(&["w1/ann", "w2/ann"], &[]), ["w1/ann", "w2/ann"]);
        assert_eq!(names(&["in/ann", "in/ann/"], &[]), ["ann"]);
        assert_eq!(names(&["/ann", "/in/../ann"], &[]), ["../ann", "/ann"]);
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_is_read_and_nothing_without_end() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("ann");
        let exercises = folder.join("exercises/01_test");
        std::fs::create_dir_all(&exercises).unwrap();
        std::fs::write(dir.path().join("secret"), "s").unwrap();
        std::fs::write(exercises.join("plain.rs"), "fn main() {}").unwrap();
        symlink(dir.path().join("secret"), exercises.join("link.rs")).unwrap();
        symlink("/dev/zero", exercises.join("zero.rs")).unwrap();
        symlink(dir.path(), exercises.join("up")).unwrap();
        std::fs::create_dir(exercises.join("dir.rs")).unwrap();
        std::fs::File::create(exercises.join("long.rs"))
            .unwrap()
            .set_len(3 << 20)
            .unwrap();
        std::process::Command::new("mkfifo")
            .arg(exercises.join("pipe.rs"))
            .status()
            .unwrap();
        let said = |name: &str| read(&folder, &format!("exercises/01_test/{name}")).unwrap_err();
        assert_eq!(
            read(&folder, "exercises/01_test/plain.rs").unwrap(),
            b"fn main() {}"
        );
        for (name, words) in [
            ("link.rs", "is a link"),
            ("zero.rs", "is a link"),
            ("up/secret", "behind one"),
            ("dir.rs", "is a folder"),
            ("long.rs", "has 3 MiB"),
            ("pipe.rs", "no ordinary file"),
            ("none.rs", "is not there"),
        ] {
            let said = said(name);
            assert!(said.contains(words), "{name}: {said}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_folder_is_said_once() {
        let dir = tempfile::tempdir().unwrap();
        let says = |path: &Path, words: &str| {
            let said = problem(path).unwrap_or_default();
            assert!(said.contains(words), "{said}");
        };
        says(&dir.path().join("none"), "not there");
        says(dir.path(), "has no exercises/");
        std::fs::create_dir_all(dir.path().join("ann/exercises")).unwrap();
        says(dir.path(), "name those");
        assert_eq!(problem(&dir.path().join("ann")), None);
        std::fs::create_dir(dir.path().join("bob")).unwrap();
        std::fs::write(dir.path().join("bob/exercises"), "").unwrap();
        says(
            &dir.path().join("bob"),
            "`bob` has no exercises/ but a file",
        );
    }
}
