//! `grade` and `merge` through the real binary: what a class gets, whatever its folders are like.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use crate::class::{Class, Graded, read, without_times};
use crate::support::{self, asynclings, until};

/// Texts that no other test has judged: `of` stands in each.
fn texts(of: &str) -> Vec<(&'static str, String)> {
    let serve = |body: &str| {
        format!("// {of}\npub async fn serve(order: u64) -> u64 {{\n{body}\n}}\n\nfn main() {{}}\n")
    };
    vec![
        ("solved", serve("    order + 1")),
        ("wrong", serve("    order + 2")),
        (
            "waits",
            serve("    std::future::pending::<()>().await;\n    order + 1"),
        ),
        ("panics", serve("    panic!(\"no order {order}\")")),
        ("leaves", serve("    std::process::exit(order as i32 - 20)")),
        (
            "broken",
            format!("// {of}\npub async fn serve(order: u64) -> u64 {{\n    order +\n}}\n"),
        ),
        ("empty", format!("// {of}\n")),
    ]
}

/// A class of this size: untouched, solved, wrong in five ways, and folders that are no good.
fn class_of(size: usize) -> Class {
    let class = Class::new();
    let (texts, untouched) = (texts(&class.mark), class.untouched());
    for learner in 0..size {
        let name = format!("learner-{learner:03}");
        let (_, text) = &texts[learner % texts.len()];
        match learner % 10 {
            0..5 => drop(class.learner(&name, &untouched)),
            9 => break_folder(class.learner(&name, &untouched), learner),
            _ => drop(class.learner(&name, text)),
        }
    }
    class
}

fn break_folder(folder: PathBuf, kind: usize) {
    let file = folder.join("exercises/01_test/tiny.rs");
    match kind / 10 % 5 {
        0 => fs::remove_file(file).unwrap(),
        1 => {
            fs::remove_file(&file).unwrap();
            std::os::unix::fs::symlink("/etc/passwd", file).unwrap();
        }
        2 => fs::remove_dir_all(folder.join("exercises")).unwrap(),
        3 => fs::write(file, vec![b'/'; 2 << 20]).unwrap(),
        _ => {
            fs::remove_file(&file).unwrap();
            fs::create_dir(file).unwrap();
        }
    }
}

#[track_caller]
fn ok(graded: Graded) -> Graded {
    assert_eq!(graded.output.status.code(), Some(0), "{}", graded.errors());
    graded
}

fn state(row: &Value) -> &str {
    row["verdict"].as_str().unwrap_or("no verdict")
}

#[test]
fn a_class_is_judged_once_and_shards_make_the_same_report() {
    let class = class_of(200);
    // The first shard leaves seven to judge; whichever shard is lost, its rows say so.
    let parts: Vec<PathBuf> = (1..=8)
        .map(|shard| class.tiny.dir.path().join(format!("part-{shard}.json")))
        .collect();
    let mut judged = 0;
    for (shard, part) in (1..=8).zip(&parts) {
        let output = class
            .command(&["--shard", &format!("{shard}/8"), "--report"])
            .arg(part)
            .args(class.folders())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        judged += figure(&said, "judged");
    }
    // Untouched ones are the same text 100 times over, and so are the others: eight in all.
    assert_eq!(judged, 8);

    let whole = ok(class.grade(&[]));
    let said = whole.errors();
    assert_eq!(
        (
            figure(&said, "folders"),
            figure(&said, "judged"),
            figure(&said, "known")
        ),
        (200, 0, 8),
        "{said}"
    );
    let merged = class.tiny.dir.path().join("merged.json");
    let output = asynclings()
        .arg("merge")
        .args(parts.iter().rev())
        .arg("--report")
        .arg(&merged)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // Verdicts came from one cache, so even the times are the same.
    assert_eq!(read(&merged), whole.report);

    let rows = whole.rows();
    assert_eq!(rows.len(), 200);
    let count = |word: &str| rows.values().filter(|row| state(row) == word).count();
    assert_eq!(count("no verdict"), 20);
    // As handed out, which fails: of the others some are solved.
    assert_eq!(
        rows.values().filter(|row| row["untouched"] == true).count(),
        100
    );
    for (verdict, least) in [
        ("passed", 5),
        ("check_failed", 100),
        ("hung", 5),
        ("panicked", 5),
        ("ended_early", 5),
        ("does_not_compile", 10),
    ] {
        assert!(count(verdict) >= least, "{verdict}: {}", count(verdict));
    }
    let of_disk: Vec<&str> = rows
        .values()
        .filter_map(|row| row["error"].as_str())
        .collect();
    for words in [
        "is not there",
        "is a link",
        "has no exercises/",
        "has 2 MiB",
        "is a folder",
    ] {
        assert!(
            of_disk.iter().any(|said| said.contains(words)),
            "{words}: {of_disk:?}"
        );
    }

    let output = asynclings()
        .arg("merge")
        .args(parts.iter().take(7))
        .arg("--report")
        .arg(&merged)
        .output()
        .unwrap();
    assert!(output.status.success());
    let lost = Graded {
        output,
        report: read(&merged),
    };
    let lost = lost
        .rows()
        .values()
        .filter(|row| row["error"].to_string().contains("shard 8"))
        .count();
    let of_eight = rows_elsewhere(&read(&parts[0]), 8);
    assert_eq!(lost, of_eight);
}

fn rows_elsewhere(part: &str, shard: u64) -> usize {
    let rows = part
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["shard"] == shard).count()
}

/// `12` of `.., 12 judged, ..`
#[track_caller]
fn figure(said: &str, word: &str) -> usize {
    let words: Vec<&str> = said.split_whitespace().collect();
    let at = words
        .iter()
        .position(|w| w.trim_end_matches([',', ';', ':']) == word)
        .unwrap_or_else(|| panic!("no `{word}` in: {said}"));
    words[at - 1]
        .parse()
        .unwrap_or_else(|_| panic!("no figure of `{word}`: {said}"))
}

#[test]
fn what_is_of_the_crate_alone_passes_as_it_does_at_home() {
    let class = Class::new();
    class.learner(
        "kim",
        "#[derive(Clone, Copy)]\npub(crate) struct Order(pub(crate) u64);\n\n\
         impl Order {\n    pub(crate) fn next(self) -> u64 {\n        self.0 + 1\n    }\n}\n\n\
         pub(crate) async fn serve(order: u64) -> u64 {\n    Order(order).next()\n}\n\nfn main() {}\n",
    );
    let graded = ok(class.grade(&[]));
    assert_eq!(
        state(&graded.rows()["kim"]),
        "passed",
        "{}",
        graded.errors()
    );
}

#[test]
fn a_run_that_was_killed_ends_with_the_report_of_one_that_was_not() {
    // Two classes alike but for a comment, so that neither knows the other's verdicts.
    let (stopped, whole) = (class_of(30), class_of(30));
    let whole = ok(whole.grade(&["--jobs", "1"]));

    let verdicts = support::cache().join("verdicts");
    let before = files_below(&verdicts);
    let mut grader = stopped
        .command(&["--jobs", "1"])
        .args(stopped.folders())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Others write there too; one of them or ours, the moment to kill is as good as any.
    until("a verdict is kept", || files_below(&verdicts) > before);
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&grader),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    grader.wait().unwrap();

    let resumed = ok(stopped.grade(&["--jobs", "1"]));
    assert_eq!(without_times(&resumed.report), without_times(&whole.report));
    let again = ok(stopped.grade(&[]));
    assert_eq!(figure(&again.errors(), "judged"), 0);
    assert_eq!(again.report, resumed.report);
}

fn files_below(folder: &std::path::Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&entry.path()),
            _ => usize::from(
                entry
                    .path()
                    .extension()
                    .is_some_and(|ending| ending == "json"),
            ),
        })
        .sum()
}

#[test]
fn folders_come_from_a_list_and_names_and_points_from_files() {
    let class = Class::new();
    for (name, text) in texts(&class.mark).into_iter().take(2) {
        class.learner(name, &text);
    }
    let root = class.tiny.dir.path();
    let put = |name: &str, text: &str| fs::write(root.join(name), text).unwrap();
    put(
        "list.txt",
        "# of today\nclass/solved\n\nclass/wrong\nclass/nobody\n",
    );
    put("names.csv", "folder,name\nsolved,Ann Lee\nwrong,=cmd()\n");
    put("points.toml", "default = 3\n");
    let names = ["csv", "json", "xml", "html"].map(|ending| root.join(format!("out.{ending}")));
    let mut command = class.command(&["--list", "../list.txt", "--names", "../names.csv"]);
    command.args(["--points", "../points.toml"]);
    for name in &names {
        command.arg("--report").arg(name);
    }
    command.arg("--exercism").arg(root.join("exercism"));
    command.arg("--classroom").arg(root.join("classroom"));
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in [
        "Ann Lee",
        "1/1",
        "3/3",
        "0/3",
        "the folder `nobody` is not there",
    ] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let [csv, json, xml, html] = names.map(|name| read(&name));
    assert!(csv.contains("Ann Lee,passed,1,3,3"), "{csv}");
    assert!(!csv.contains(",=cmd") && !csv.starts_with('='), "{csv}");
    assert!(json.contains("\"learner\":\"Ann Lee\""), "{json}");
    assert!(xml.contains("<testsuite name=\"Ann Lee\""), "{xml}");
    assert!(html.contains("Ann Lee") && html.starts_with("<!"), "{html}");
    assert_eq!(fs::read_dir(root.join("classroom")).unwrap().count(), 3);
    assert!(
        root.join("exercism/Ann Lee/tiny/results.json").is_file()
            || fs::read_dir(root.join("exercism")).unwrap().count() == 3
    );
}

#[test]
fn a_command_line_that_cannot_work_is_refused_before_anything_is_judged() {
    let class = Class::new();
    class.learner("ann", "");
    let nowhere = class.tiny.dir.path().join("none/x.csv");
    let ann = class.folder().join("ann");
    let ann = ann.to_str().unwrap();
    let twice = class.tiny.dir.path().join("twice.csv");
    fs::write(&twice, "ann,Ann\nbob,Ann\n").unwrap();
    for (arguments, words) in [
        (vec![], "required"),
        (vec!["--list", "none.txt"], "none.txt cannot be read"),
        (vec![ann, "--names", twice.to_str().unwrap()], "twice.csv:2"),
        (vec![ann, "--shard", "9/8"], "2/8"),
        (vec![ann, "--shard", "0/8"], "2/8"),
        (vec![ann, "--report", "out.pdf"], ".html"),
        (
            vec![ann, "--report", nowhere.to_str().unwrap()],
            "there is no folder",
        ),
        (
            vec![ann, "--points", "none.toml"],
            "none.toml cannot be read",
        ),
    ] {
        let output = class.command(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let part = class.tiny.dir.path().join("part.json");
    fs::write(&part, "{\"schema\":1,\"exercise\":\"tiny\"}\n").unwrap();
    let output = asynclings().arg("merge").arg(&part).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("part.json"));
}
