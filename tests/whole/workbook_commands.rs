//! Commands around a workbook that need no lab: init, list, hint, reset, solution, doctor, dev new, completions.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::{TINY_SOLUTION, Tiny, asynclings};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn ok(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
fn fails(output: &Output, status: i32, words: &[&str]) {
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    for word in words {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
}

fn in_dir(dir: &Path, args: &[&str]) -> Output {
    asynclings().current_dir(dir).args(args).output().unwrap()
}

/// Everything below a folder, by its path from there.
fn tree(dir: &Path) -> Vec<String> {
    fn walk(dir: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                found.push(
                    path.strip_prefix(root)
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .replace('\\', "/"),
                );
            }
        }
    }
    let mut found = Vec::new();
    walk(dir, dir, &mut found);
    found.sort();
    found
}

/// A workbook as `init` writes it, and the name and file of its first exercise.
fn initialised(dir: &Path) -> (String, std::path::PathBuf) {
    ok(&in_dir(dir, &["init", "book"]));
    let list: Value = serde_json::from_str(&ok(&in_dir(
        &dir.join("book"),
        &["list", "--format", "json"],
    )))
    .unwrap();
    let name = list["current"].as_str().unwrap().to_string();
    let of_name = |chapter: &&Value| {
        chapter["exercises"]
            .as_array()
            .unwrap()
            .iter()
            .any(|e| e["name"] == name.as_str())
    };
    let chapter = list["chapters"]
        .as_array()
        .unwrap()
        .iter()
        .find(of_name)
        .unwrap()["id"]
        .as_str()
        .unwrap();
    let file = dir
        .join("book/exercises")
        .join(chapter)
        .join(format!("{name}.rs"));
    (name, file)
}

#[test]
fn init_writes_all_that_a_learner_and_an_editor_need() {
    let dir = tempfile::tempdir().unwrap();
    let (_, file) = initialised(dir.path());
    assert!(file.is_file());
    let files = tree(&dir.path().join("book"));
    for expected in [
        ".gitignore",
        ".vscode/settings.json",
        "Cargo.lock",
        "Cargo.toml",
        "README.md",
        "info.toml",
        "rust-analyzer.toml",
    ] {
        assert!(
            files.iter().any(|file| file == expected),
            "{expected}: {files:?}"
        );
    }
    assert!(
        !files
            .iter()
            .any(|file| file.starts_with("solutions") || file.starts_with("checks")),
        "{files:?}"
    );
    let manifest: toml::Table = fs::read_to_string(dir.path().join("book/Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    for bin in manifest["bin"].as_array().unwrap() {
        assert!(
            dir.path()
                .join("book")
                .join(bin["path"].as_str().unwrap())
                .is_file(),
            "{bin}"
        );
    }
}

#[test]
fn the_manifest_and_lock_file_of_a_new_workbook_fit_each_other() {
    let dir = tempfile::tempdir().unwrap();
    initialised(dir.path());
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    // For this machine only: crates of other systems need not have been downloaded.
    let output = std::process::Command::new(cargo)
        .args(["tree", "--locked", "--offline"])
        .current_dir(dir.path().join("book"))
        .output()
        .unwrap();
    assert!(ok(&output).contains("tokio v1"));
}

#[test]
fn init_overwrites_nothing() {
    let dir = tempfile::tempdir().unwrap();
    initialised(dir.path());
    fails(
        &in_dir(dir.path(), &["init", "book"]),
        2,
        &["workbook already"],
    );
    fs::write(dir.path().join("file"), "mine").unwrap();
    fails(&in_dir(dir.path(), &["init", "file"]), 2, &["is a file"]);
    fs::create_dir(dir.path().join("full")).unwrap();
    fs::write(dir.path().join("full/notes"), "mine").unwrap();
    fails(
        &in_dir(dir.path(), &["init", "full"]),
        2,
        &["not empty", "new folder"],
    );
    assert_eq!(tree(&dir.path().join("full")), ["notes"]);
}

#[test]
fn init_fills_an_empty_folder_also_the_current_one() {
    let dir = tempfile::tempdir().unwrap();
    ok(&in_dir(dir.path(), &["init", "."]));
    ok(&in_dir(dir.path(), &["list"]));
}

#[cfg(unix)]
#[test]
fn init_leaves_nothing_behind_where_it_cannot_write() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    fails(
        &in_dir(dir.path(), &["init", "file/book"]),
        2,
        &["below one"],
    );
    if cfg!(target_os = "linux") {
        // A file system that takes no folder, not even of root.
        fails(
            &in_dir(dir.path(), &["init", "/proc/none/book"]),
            3,
            &["cannot write"],
        );
    }
    let closed = dir.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
    // Root may write anywhere.
    if fs::write(closed.join("probe"), "").is_ok() {
        return;
    }
    fails(
        &in_dir(dir.path(), &["init", "closed/deep/book"]),
        3,
        &["cannot write"],
    );
    assert_eq!(fs::read_dir(closed).unwrap().count(), 0);
}

#[test]
fn the_list_shows_chapters_state_and_the_current_exercise() {
    let tiny = Tiny::new(TINY_SOLUTION);
    let listed = ok(&tiny.asynclings(&["list"]));
    for part in ["01_test", "> ", "tiny", "0 of 1 done"] {
        assert!(listed.contains(part), "{part}: {listed}");
    }
    let json: Value =
        serde_json::from_str(&ok(&tiny.asynclings(&["list", "--format", "json"]))).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["chapters"][0]["exercises"][0]["done"], false);
}

#[test]
fn hints_climb_one_level_at_each_call_and_are_remembered() {
    let tiny = Tiny::new(TINY_SOLUTION);
    for (args, word) in [
        (&["hint"][..], "Look."),
        (&["hint", "tiny"], "Think."),
        (&["hint", "tiny", "--level", "1"], "Look."),
        (&["hint"], "Do."),
        (&["hint"], "Do."),
    ] {
        let said = ok(&tiny.asynclings(args));
        assert!(said.contains(word), "{args:?}: {said}");
    }
    let progress = fs::read_to_string(tiny.root().join(".asynclings/progress.toml")).unwrap();
    assert!(progress.contains("hints = 3"), "{progress}");
    fails(
        &tiny.asynclings(&["hint", "tinny"]),
        2,
        &["did you mean `tiny`?"],
    );
    let json: Value = serde_json::from_str(&ok(
        &tiny.asynclings(&["hint", "--format", "json", "--level", "2"])
    ))
    .unwrap();
    assert_eq!(
        (&json["level"], &json["text"]),
        (&Value::from(2), &Value::from("Think."))
    );
}

#[test]
fn a_reset_restores_byte_for_byte_and_keeps_every_text_aside() {
    let dir = tempfile::tempdir().unwrap();
    let (name, file) = initialised(dir.path());
    let book = dir.path().join("book");
    let shipped = fs::read(&file).unwrap();
    let mine: [&[u8]; 2] = [b"my fix", b"\xff\xfe not UTF-8"];
    for text in mine {
        fs::write(&file, text).unwrap();
        let said = ok(&in_dir(&book, &["reset", &name]));
        assert!(said.contains(".asynclings"), "{said}");
        assert_eq!(fs::read(&file).unwrap(), shipped);
    }
    let kept = fs::read_dir(book.join(".asynclings/kept")).unwrap();
    let mut kept: Vec<Vec<u8>> = kept
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    kept.sort();
    assert_eq!(kept, mine);
    fs::remove_file(&file).unwrap();
    ok(&in_dir(&book, &["reset", "--all"]));
    assert_eq!(fs::read(&file).unwrap(), shipped);
    assert!(ok(&in_dir(&book, &["reset", "--all"])).contains("as it was shipped"));
}

#[test]
fn a_reset_that_cannot_keep_the_text_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (name, file) = initialised(dir.path());
    fs::write(&file, "my fix").unwrap();
    fs::remove_dir_all(dir.path().join("book/.asynclings")).unwrap();
    fs::write(
        dir.path().join("book/.asynclings"),
        "a file in the folder's place",
    )
    .unwrap();
    fails(
        &in_dir(&dir.path().join("book"), &["reset", &name]),
        3,
        &["untouched", "cannot be kept"],
    );
    assert_eq!(fs::read(&file).unwrap(), b"my fix");
}

#[test]
fn the_solution_is_shown_once_the_exercise_has_passed_and_not_before() {
    let tiny = Tiny::new(&TINY_SOLUTION.replace("order + 1", "1 + order"));
    fails(
        &tiny.asynclings(&["solution", "tiny"]),
        1,
        &["has not passed yet", "hint tiny"],
    );
    fs::create_dir(tiny.root().join(".asynclings")).unwrap();
    let progress = "[exercises.tiny]\ndone = true\nattempts = 1\nfirst_pass = 1\n";
    fs::write(tiny.root().join(".asynclings/progress.toml"), progress).unwrap();
    let diff = ok(&tiny.asynclings(&["solution"]));
    assert_eq!(diff, ok(&tiny.asynclings(&["diff", "tiny"])));
    for line in [
        "--- exercises/01_test/tiny.rs (yours)",
        "+++ solutions/01_test/tiny.rs (ours)",
        "-    1 + order",
        "+    order + 1",
    ] {
        assert!(diff.lines().any(|found| found == line), "{line}:\n{diff}");
    }
    fs::write(tiny.exercise(), TINY_SOLUTION).unwrap();
    assert!(ok(&tiny.asynclings(&["diff", "tiny"])).contains("the same"));
}

#[test]
fn garbage_in_the_progress_file_is_set_aside_with_a_word() {
    let tiny = Tiny::new(TINY_SOLUTION);
    let state = tiny.root().join(".asynclings");
    fs::create_dir(&state).unwrap();
    fs::write(state.join("progress.toml"), "\0 [[[").unwrap();
    let output = tiny.asynclings(&["list"]);
    fails(
        &output,
        0,
        &["warning", "progress.toml.broken-1", "0 of 1 done"],
    );
    assert_eq!(
        fs::read(state.join("progress.toml.broken-1")).unwrap(),
        b"\0 [[["
    );
}

#[test]
fn the_doctor_finds_what_is_wrong_and_says_whose_it_is() {
    let tiny = Tiny::new(TINY_SOLUTION);
    let well = ok(&tiny.asynclings(&["doctor"]));
    for part in [
        "toolchain",
        "cache",
        "lab",
        "watcher",
        "terminal",
        "workbook",
        "progress",
    ] {
        assert!(well.contains(part), "{part}: {well}");
    }
    fs::remove_file(tiny.root().join("checks/01_test/tiny.rs")).unwrap();
    fails(
        &tiny.asynclings(&["doctor"]),
        4,
        &["WRONG", "checks/01_test/tiny.rs"],
    );
    let empty = tempfile::tempdir().unwrap();
    let broken = asynclings()
        .current_dir(tiny.root())
        .env("PATH", empty.path())
        .env("ASYNCLINGS_CACHE", empty.path())
        .arg("doctor")
        .output();
    fails(&broken.unwrap(), 3, &["WRONG", "toolchain", "rustup"]);
    for line in text(&tiny.asynclings(&["doctor", "--format", "json"]).stdout).lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(
            line["what"].is_string() && line["state"].is_string(),
            "{line}"
        );
    }
}

#[test]
fn a_new_exercise_is_complete_and_refused_where_it_would_clash() {
    let tiny = Tiny::new(TINY_SOLUTION);
    ok(&tiny.asynclings(&["dev", "new", "fresh", "--chapter", "01_test"]));
    for path in [
        "exercises/01_test/fresh.rs",
        "solutions/01_test/fresh.rs",
        "checks/01_test/fresh.rs",
        "checks/01_test/fresh/right/boxed.rs",
        "checks/01_test/fresh/wrong/dropped.rs",
    ] {
        assert!(tiny.root().join(path).is_file(), "{path}");
    }
    assert!(ok(&tiny.asynclings(&["list"])).contains("fresh"));
    let before = tree(&tiny.root());
    for (name, chapter, words) in [
        ("fresh", "01_test", &["is or was called `fresh`"][..]),
        ("other", "01_tset", &["did you mean `01_test`?"]),
        ("Not-A-Name", "01_test", &["lower-case letters"]),
    ] {
        fails(
            &tiny.asynclings(&["dev", "new", name, "--chapter", chapter]),
            2,
            words,
        );
    }
    assert_eq!(tree(&tiny.root()), before);
}

#[test]
fn completions_are_scripts() {
    for (shell, word) in [
        ("bash", "complete"),
        ("zsh", "#compdef"),
        ("fish", "complete"),
    ] {
        assert!(
            ok(&asynclings().args(["completions", shell]).output().unwrap()).contains(word),
            "{shell}"
        );
    }
}

#[test]
fn a_new_exercise_proves_itself() {
    let tiny = Tiny::new(TINY_SOLUTION);
    ok(&tiny.asynclings(&["dev", "new", "fresh", "--chapter", "01_test"]));
    ok(&tiny.asynclings(&["dev", "check", "fresh"]));
    ok(&tiny.asynclings(&["run", "fresh", "--solution"]));
    fails(
        &tiny.asynclings(&["run", "fresh"]),
        1,
        &["exercises/01_test/fresh.rs"],
    );
}

#[test]
fn the_program_itself_is_run_and_its_end_is_told_and_nothing_counts_as_checked() {
    let main_of = |body: &str| format!("pub async fn serve() {{}}\n\nfn main() {{\n{body}\n}}\n");
    let tiny = Tiny::new(&main_of("    println!(\"three orders\");"));
    let run = tiny.asynclings(&["run", "tiny", "--main"]);
    assert_eq!(ok(&run), "three orders\n");
    assert!(text(&run.stderr).contains("it ended with exit status 0"));
    assert!(ok(&tiny.asynclings(&["list"])).contains("0 of 1"));

    let tiny = Tiny::new(&main_of(
        "    println!(\"one\");\n    std::process::exit(7);",
    ));
    fails(
        &tiny.asynclings(&["run", "--main"]),
        1,
        &["one", "it ended with exit status 7"],
    );
    let tiny = Tiny::new(&main_of("    missing();"));
    fails(
        &tiny.asynclings(&["run", "--main"]),
        1,
        &[
            "missing",
            "exercises/01_test/tiny.rs:4",
            "it does not compile",
        ],
    );
    fails(
        &tiny.asynclings(&["run", "--main", "--format", "json"]),
        2,
        &["`--main` checks nothing"],
    );
}

#[test]
fn a_report_is_written_where_it_is_asked_for_and_tells_nothing_private() {
    let tiny = Tiny::named("private folder", "fn secret_code() {}\n");
    let root = tiny.root();
    fs::create_dir_all(root.join(".asynclings")).unwrap();
    let progress = "opened = [\"said aloud\"]\n[exercises.tiny]\nattempts = 7\ndone = false\nlast = \"hung\"\nhints = 3\n";
    fs::write(root.join(".asynclings/progress.toml"), progress).unwrap();
    let human = ok(&tiny.asynclings(&["report"]));
    assert!(
        human.contains("0 of 1 exercises passed, with 7 checks."),
        "{human}"
    );
    assert!(
        human.contains("* `tiny`: tried, 7 checks, 3 of 3 hints, last verdict: hung"),
        "{human}"
    );
    let json = ok(&tiny.asynclings(&["report", "--format", "json"]));
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["exercises"][0]["last_verdict"], "hung");
    ok(&tiny.asynclings(&["report", "--out", "mine.md"]));
    assert_eq!(fs::read_to_string(root.join("mine.md")).unwrap(), human);
    let mut private = vec![
        "private".to_owned(),
        "secret".to_owned(),
        "aloud".to_owned(),
        "/".to_owned(),
    ];
    private.extend(
        ["USER", "HOME", "HOSTNAME"]
            .iter()
            .filter_map(|name| std::env::var(name).ok()),
    );
    for word in private.iter().filter(|word| !word.is_empty()) {
        assert!(
            !human.contains(word.as_str()) && !json.contains(word.as_str()),
            "{word}: {human}"
        );
    }
    fails(
        &tiny.asynclings(&["report", "--out", "no/such/folder/mine.md"]),
        3,
        &["cannot write no/such/folder/mine.md"],
    );
    fails(
        &tiny.asynclings(&["report", "--format", "junit"]),
        2,
        &["--format junit"],
    );
}
