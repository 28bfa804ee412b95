//! `update`: a workbook as an older version could have written it, brought to this one.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support;

struct Older {
    dir: TempDir,
}

impl Older {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let init = support::asynclings()
            .current_dir(dir.path())
            .args(["init", "book"])
            .output()
            .unwrap();
        assert!(init.status.success(), "{init:?}");
        Self { dir }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("book")
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// As if the older version had shipped another text.
    fn shipped_otherwise(&self, inner: &str, text: &str) {
        self.write(&format!("exercises/{inner}"), text);
        self.write(&format!(".asynclings/shipped/{inner}"), text);
    }

    fn update(&self) -> (Option<i32>, String) {
        let update = support::asynclings()
            .current_dir(self.root())
            .arg("update")
            .output()
            .unwrap();
        let text = [update.stdout, update.stderr].concat();
        (
            update.status.code(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    }
}

#[test]
fn a_workbook_of_this_version_needs_nothing() {
    let book = Older::new();
    let (status, said) = book.update();
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("nothing to do"), "{said}");
}

#[test]
fn new_ones_come_untouched_ones_are_renewed_and_touched_ones_stay() {
    let book = Older::new();
    let shipped = book.read("exercises/04_locks/self_deadlock.rs");
    book.shipped_otherwise("04_locks/self_deadlock.rs", "// older\n");
    book.shipped_otherwise("04_locks/shared_conn.rs", "// older\n");
    book.write("exercises/04_locks/shared_conn.rs", "// mine\n");
    fs::remove_file(book.root().join("exercises/03_send/guard_across_await.rs")).unwrap();
    book.write(
        "exercises/01_runtime/lazy_future.rs",
        "// mine, of this version\n",
    );
    let (status, said) = book.update();
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(book.read("exercises/04_locks/self_deadlock.rs"), shipped);
    assert_eq!(book.read("exercises/04_locks/shared_conn.rs"), "// mine\n");
    assert!(
        book.root()
            .join("exercises/03_send/guard_across_await.rs")
            .is_file()
    );
    for sentence in [
        "exercises/04_locks/self_deadlock.rs is renewed",
        "exercises/04_locks/shared_conn.rs has changed, and yours is kept as you wrote it; `asynclings reset shared_conn` takes the new one",
        "exercises/03_send/guard_across_await.rs is new",
    ] {
        assert!(said.contains(sentence), "{said}");
    }
    assert!(!said.contains("lazy_future"), "{said}");
    let (_, again) = book.update();
    assert!(
        again.contains("shared_conn.rs has changed") && !again.contains("renewed"),
        "{again}"
    );
}

#[test]
fn an_exercise_that_moved_takes_its_text_and_its_progress_along() {
    let book = Older::new();
    let shipped = book.read("exercises/04_locks/self_deadlock.rs");
    fs::remove_dir_all(book.root().join(".asynclings/shipped/04_locks")).unwrap();
    fs::remove_dir_all(book.root().join("exercises/04_locks")).unwrap();
    let info = book.read("info.toml").replace(
        "name = \"self_deadlock\"\nchapter = \"04_locks\"",
        "name = \"self_deadlock\"\nchapter = \"03_send\"",
    );
    book.write("info.toml", &info);
    book.shipped_otherwise("03_send/self_deadlock.rs", &shipped);
    book.write("exercises/03_send/self_deadlock.rs", "// mine\n");
    book.write(
        ".asynclings/progress.toml",
        "[exercises.self_deadlock]\nattempts = 3\ndone = true\n",
    );
    let (status, said) = book.update();
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(
        book.read("exercises/04_locks/self_deadlock.rs"),
        "// mine\n"
    );
    assert!(
        !book
            .root()
            .join("exercises/03_send/self_deadlock.rs")
            .exists()
    );
    let progress = book.read(".asynclings/progress.toml");
    assert!(progress.contains("attempts = 3"), "{progress}");
    assert!(book.read("info.toml").contains("chapter = \"04_locks\""));
}

#[test]
fn what_is_no_exercise_is_renewed_and_a_copy_kept() {
    let book = Older::new();
    book.write("README.md", "my notes\n");
    let (_, said) = book.update();
    assert!(
        said.contains(
            "README.md is renewed; the text it had is kept in .asynclings/kept/README.md.1"
        ),
        "{said}"
    );
    assert_eq!(book.read(".asynclings/kept/README.md.1"), "my notes\n");
}

#[test]
fn an_exercise_that_is_gone_from_the_workbook_keeps_its_file() {
    let book = Older::new();
    let block = book.read("info.toml");
    let start = block.find("[[exercises]]").unwrap();
    let end = start + 1 + block[start + 1..].find("[[exercises]]").unwrap();
    let old = block[start..end].replace("lazy_future", "old_one");
    book.write("info.toml", &(block + "\n" + &old));
    book.write("exercises/01_runtime/old_one.rs", "// mine\n");
    let (status, said) = book.update();
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("`old_one` is no longer part of the workbook"),
        "{said}"
    );
    assert_eq!(book.read("exercises/01_runtime/old_one.rs"), "// mine\n");
}

#[test]
fn a_run_in_an_older_workbook_says_how_to_update_it() {
    let book = Older::new();
    book.write(".asynclings/version", "0.0.9\n");
    let run = || {
        let run = support::asynclings()
            .current_dir(book.root())
            .args(["run", "no_such_exercise"])
            .output()
            .unwrap();
        String::from_utf8_lossy(&run.stderr).into_owned()
    };
    assert!(run().contains("`asynclings update` brings it up to date"));
    let (_, said) = book.update();
    assert!(!said.contains("version"), "{said}");
    assert!(!run().contains("update"));
}

#[test]
fn an_older_program_and_a_clone_are_refused() {
    let book = Older::new();
    book.write(".asynclings/version", "999.0.0\n");
    let (status, said) = book.update();
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("update the program first"), "{said}");
    let clone = support::asynclings()
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .arg("update")
        .output()
        .unwrap();
    assert_eq!(clone.status.code(), Some(2));
}

#[test]
fn gates_of_whoever_teaches_stay() {
    let book = Older::new();
    let info = book.read("info.toml");
    let gate = "\n[[gates]]\nchapters = [\"04_locks\"]\nopens = 9000-01-01\n";
    // As an older version wrote it: the title is another.
    book.write(
        "info.toml",
        &(info.replacen("Entering the runtime", "Old", 1) + gate),
    );
    let (status, said) = book.update();
    assert_eq!(status, Some(0), "{said}");
    let now = book.read("info.toml");
    assert!(
        now.contains("Entering the runtime") && now.contains("opens = 9000-01-01"),
        "{now}"
    );
    let (_, said) = book.update();
    assert!(said.contains("nothing to do"), "{said}");
}
