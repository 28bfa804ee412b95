//! Packs: a workbook of somebody else's is begun, proven, mended and solved as ours is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{asynclings, ends};

/// A pack in a folder of its own.
struct Pack {
    dir: TempDir,
}

impl Pack {
    /// As an author begins.
    fn begun() -> Self {
        let pack = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        let begin = ["dev", "new", "--pack", "our incidents"];
        ends(&pack.outside(&begin), 0, &["uncounted_orders", "dev check"]);
        pack
    }

    /// The one in this repository, as a learner has it.
    fn banking() -> Self {
        let pack = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packs/banking");
        for (path, bytes) in files(&source) {
            // What somebody left there who tried it.
            if !path.starts_with("target") && !path.starts_with(".asynclings") {
                pack.write(&path, bytes);
            }
        }
        pack
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("our incidents")
    }

    fn outside(&self, arguments: &[&str]) -> Output {
        let mut command = asynclings();
        command.current_dir(self.dir.path()).args(arguments);
        command.output().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = asynclings();
        // What these tests need was fetched for the tests themselves.
        command
            .current_dir(self.root())
            .args(arguments)
            .arg("--offline");
        command.output().unwrap()
    }

    fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn change(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.root().join(path)).unwrap();
        assert!(text.contains(from), "{path} has no {from}");
        self.write(path, text.replacen(from, to, 1));
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.current_dir(self.root());
        git.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
        let output = git.args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

/// By their path from the folder.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(dir: &Path, root: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                let inner = path.strip_prefix(root).unwrap().to_path_buf();
                found.insert(inner, fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(root, root, &mut found);
    found
}

#[test]
fn a_pack_that_was_just_begun_holds_and_is_solved() {
    let pack = Pack::begun();
    ends(
        &pack.run(&["dev", "check"]),
        0,
        &["1 exercise holds: 4 subjects"],
    );
    ends(
        &pack.run(&["run"]),
        1,
        &["check failed", "exercises/01_incidents/uncounted_orders.rs"],
    );
    ends(&pack.run(&["run", "--solution"]), 0, &["passed"]);
    ends(
        &pack.run(&["run", "--track", "first-day"]),
        1,
        &["check failed"],
    );
    ends(
        &pack.run(&["dev", "update"]),
        0,
        &["Cargo.toml is in step", "info.schema.json is in step"],
    );
    let second = ["dev", "new", "late_reply", "--chapter", "01_incidents"];
    ends(
        &pack.run(&second),
        0,
        &["`asynclings dev check late_reply` proves it"],
    );
    ends(
        &pack.run(&["dev", "check", "late_reply"]),
        0,
        &["1 exercise holds"],
    );
    let before = files(&pack.root());
    let again = ["dev", "new", "--pack", "our incidents"];
    ends(&pack.outside(&again), 2, &["is a workbook already"]);
    let bad = [
        "dev",
        "new",
        "Bad-Name",
        "--chapter",
        "01_a",
        "--pack",
        "other",
    ];
    ends(&pack.outside(&bad), 2, &["lower-case letters"]);
    assert!(!pack.dir.path().join("other").exists());
    assert_eq!(files(&pack.root()), before);
}

#[test]
fn an_exercise_of_a_pack_is_reset_to_what_is_committed() {
    let pack = Pack::begun();
    let exercise = "exercises/01_incidents/uncounted_orders.rs";
    let shipped = fs::read(pack.root().join(exercise)).unwrap();
    ends(
        &pack.run(&["reset", "uncounted_orders"]),
        4,
        &["not committed", "git commit"],
    );
    pack.git(&["init", "--quiet"]);
    pack.git(&["add", "."]);
    pack.git(&["commit", "--quiet", "--message", "begin"]);
    pack.change(exercise, "let _ = ", "drop");
    ends(
        &pack.run(&["reset", "uncounted_orders"]),
        0,
        &["your text is kept in"],
    );
    assert_eq!(fs::read(pack.root().join(exercise)).unwrap(), shipped);
    ends(&pack.run(&["update"]), 2, &["git pull"]);
}

/// In a pack an exercise may be called as one of ours is, in a chapter that is called as ours is.
#[test]
fn nothing_of_ours_is_taken_for_the_packs() {
    let pack = Pack {
        dir: tempfile::tempdir().unwrap(),
    };
    let begin = [
        "dev",
        "new",
        "lazy_future",
        "--chapter",
        "01_runtime",
        "--pack",
        "our incidents",
    ];
    ends(&pack.outside(&begin), 0, &[]);
    ends(&pack.run(&["reset", "lazy_future"]), 4, &["not committed"]);
    ends(&pack.run(&["explain", "lazy_future"]), 4, &["has no page"]);
    fs::remove_dir_all(pack.root().join("solutions")).unwrap();
    let missing = "solutions/01_runtime/lazy_future.rs is missing";
    ends(&pack.run(&["run", "--solution"]), 4, &[missing]);
}

#[test]
fn a_pack_with_a_crate_of_its_own_is_proven_and_solved() {
    let pack = Pack::banking();
    ends(
        &pack.run(&["dev", "check"]),
        0,
        &["1 exercise holds: 6 subjects"],
    );
    let failed = ends(&pack.run(&["run", "--format", "json"]), 1, &[]);
    let failed: Value = serde_json::from_str(failed.lines().next().unwrap()).unwrap();
    assert_eq!(failed["verdict"], "check_failed");
    assert_eq!(
        failed["checks"][0]["name"],
        "a_late_reply_reaches_nobody_else"
    );
    ends(
        &pack.run(&["run", "--solution", "--track", "on-call"]),
        0,
        &["passed"],
    );
    ends(
        &pack.run(&["doctor"]),
        0,
        &["the lab has more crates: slab", "language: en"],
    );

    // Its own limit, below the usual one and above what the exercise needs.
    pack.change(
        "exercises/01_gateway/reused_id.rs",
        "        let (answer, answered)",
        "        std::hint::black_box(vec![1u8; 100 << 20]);\n        let (answer, answered)",
    );
    ends(&pack.run(&["run"]), 1, &["over memory", "64 MiB"]);
}

/// Where one of these changes, a command writes it anew.
#[test]
fn generated_files_of_the_pack_are_in_step_with_their_sources() {
    let pack = Pack::banking();
    let before = files(&pack.root());
    ends(&pack.run(&["dev", "update"]), 0, &["lab.lock"]);
    let after = files(&pack.root());
    for (path, bytes) in &before {
        let text = String::from_utf8_lossy;
        let now = text(&after[path]);
        let path = path.display();
        assert_eq!(
            text(bytes),
            now,
            "{path}: run `dev update` in tests/packs/banking"
        );
    }
}

/// What is broken, how, with which command it shows, and what is said.
#[test]
fn a_broken_pack_is_told_what_to_mend() {
    let exercise = "exercises/01_gateway/reused_id.rs";
    let gone = "";
    let lab = "[dependencies]\nslab = \"0.4\"\n";
    for (path, from, to, command, words) in [
        (
            "info.toml",
            "language = \"en\"",
            "language = \"English\"",
            "list",
            "info.toml:4: `language` of info.toml is `English`; use a language tag such as `ko`",
        ),
        (
            "info.toml",
            "chapters]]\nid = \"01",
            "chapters]]\nid = \"02",
            "list",
            "did you mean `02_gateway`?",
        ),
        (
            "solutions/01_gateway/reused_id.rs",
            gone,
            gone,
            "dev check",
            "solutions/01_gateway/reused_id.rs is missing; exercise `reused_id` in info.toml needs it",
        ),
        (
            "lab.lock",
            gone,
            gone,
            "run",
            "lab.lock is missing, which pins the crates of lab.toml; `asynclings dev update` writes it",
        ),
        (
            "lab.toml",
            lab,
            "[dependencies]\nslab = \"0.4\"\nmemchr = \"2\"\n",
            "run",
            "lab.lock does not fit lab.toml and this version of asynclings; `asynclings dev update`",
        ),
        (
            "lab.toml",
            lab,
            "[dependencies]\ntokio = \"1.30\"\n",
            "run",
            "`tokio` is in the lab already, at version 1",
        ),
        (
            "lab.toml",
            lab,
            "[dependencies]\nslab = \"0.4\"\n\n[profile.dev]\ndebug = 1\n",
            "dev check",
            "`profile` has no place here",
        ),
        (
            "lab.toml",
            lab,
            "[dependencies]\nno_such_crate_anywhere = \"9\"\n",
            "dev update",
            "no_such_crate_anywhere",
        ),
        (
            exercise,
            "use slab::Slab;",
            "use slabb::Slab;",
            "dev check reused_id --jobs 1",
            "reused_id: exercise: must be check_failed",
        ),
        (
            "Cargo.toml",
            "name = \"reused_id\"",
            "name = \"reused_key\"",
            "dev check",
            "Cargo.toml, by which editors know the exercises, is not what info.toml and lab.toml say; `asynclings dev update`",
        ),
        (
            "checks/01_gateway/reused_id/wrong/quarantine.rs",
            "// wrong: check_failed",
            "// wrong: hung:waiting",
            "dev check",
            "reused_id: wrong/quarantine: must be hung",
        ),
    ] {
        let pack = Pack::banking();
        if from.is_empty() {
            fs::remove_file(pack.root().join(path)).unwrap();
        } else {
            pack.change(path, from, to);
        }
        let command: Vec<&str> = command.split(' ').collect();
        let output = pack.run(&command);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            [3, 4].map(Some).contains(&output.status.code()),
            "{words}: {said}"
        );
        assert!(said.contains(words), "not `{words}` but: {said}");
    }
}

#[test]
fn the_texts_of_a_pack_have_their_language() {
    let pack = Pack::begun();
    pack.change("info.toml", "language = \"en\"", "language = \"ko\"");
    pack.change(
        "info.toml",
        "\"Orders that nobody counts\"",
        "\"아무도 세지 않은 주문\"",
    );
    let list = ends(
        &pack.run(&["list", "--format", "json"]),
        0,
        &["아무도 세지 않은 주문"],
    );
    let list: Value = serde_json::from_str(list.lines().next().unwrap()).unwrap();
    assert_eq!(list["language"], "ko");
    ends(&pack.run(&["list"]), 0, &["아무도 세지 않은 주문"]);
}
