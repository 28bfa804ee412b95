//! The book through the front door: this one builds without a word, and each thing that a book must not have is found
//! in a small book that has it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::support::{TINY_SOLUTION, Tiny, asynclings};

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

const PAGE: &str = r#"# Tiny

`tiny` · Test · 1 minute · ★

## The incident

An order gets its own number. See [the introduction](../introduction.md#for-whom) and `std::mem::swap`.

## Why it happens

{{#drawing tiny}}

## How it shows

```text
{{#include ../../verdicts/01_test/tiny.txt}}
```

<details class="fix">
<summary>The fix (this gives the exercise away)</summary>

## The fix, line by line

```rust,ignore
{{#include ../../../solutions/01_test/tiny.rs:fix}}
```

## Other right fixes

None.

## Tempting wrong fixes

None.

</details>

## For good

Count.

## Sources

- [Tokio](https://docs.rs/tokio)
"#;

const DRAWING: &str = r#"title = "One order"
text = "A task takes an order and answers."
rows = ["now", "then"]

[[lanes]]
name = "task"
kind = "task"

[[spans]]
lane = "task"
from = 0
to = 2
is = "runs"
label = "serve"
"#;

/// A workbook with one exercise and a book that has nothing wrong with it.
struct Small(Tiny);

impl Small {
    fn new() -> Self {
        let small = Self(Tiny::new(TINY_SOLUTION));
        let anchored = TINY_SOLUTION.replace(
            "    order + 1\n",
            "    // ANCHOR: fix\n    order + 1\n    // ANCHOR_END: fix\n",
        );
        for (path, text) in [
            (
                "book/book.toml",
                "[book]\ntitle = \"Small\"\n\n[output.html]\ninput-404 = \"\"\n\n[output.html.search]\n",
            ),
            (
                "book/src/SUMMARY.md",
                "# Summary\n\n- [Introduction](introduction.md)\n- [Tiny](01_test/tiny.md)\n",
            ),
            (
                "book/src/introduction.md",
                "# Introduction\n\n## For whom\n\nFor you.\n",
            ),
            ("book/src/01_test/tiny.md", PAGE),
            ("book/drawings/01_test/tiny.toml", DRAWING),
            ("book/verdicts/01_test/tiny.txt", "✓ passed\n"),
            ("solutions/01_test/tiny.rs", &anchored),
        ] {
            small.put(path, text);
        }
        small
    }

    /// With a text in one file replaced by another.
    fn with(path: &str, old: &str, new: &str) -> Self {
        let small = Self::new();
        small.change(path, old, new);
        small
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.0.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn change(&self, path: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.0.root().join(path)).unwrap();
        assert!(text.contains(old), "{path} has no {old}");
        self.put(path, &text.replacen(old, new, 1));
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.0.root().join(path)).unwrap();
    }

    fn html(&self) -> PathBuf {
        self.0.root().join("book/html")
    }

    #[track_caller]
    fn is_refused_for(&self, what: &str) {
        let output = self.0.asynclings(&["dev", "book"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(4), "{what}: {said}");
        assert!(said.contains(what), "not `{what}` but: {said}");
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn this_book_builds_without_a_word_and_can_be_searched() {
    let out = tempfile::tempdir().unwrap();
    let output = asynclings()
        .args(["--workbook", REPOSITORY, "dev", "book", "--out"])
        .arg(out.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let index = fs::read_dir(out.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("searchindex")
        })
        .unwrap();
    let index = fs::read_to_string(index).unwrap();
    for words in ["cancel safe", "Mutex", "backpressure"] {
        assert!(index.contains(words), "search would not find {words}");
    }
}

#[test]
fn a_book_with_nothing_wrong_is_built_with_its_code_and_its_drawing() {
    let small = Small::new();
    let output = small.0.asynclings(&["dev", "book"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    let page = fs::read_to_string(small.html().join("01_test/tiny.html")).unwrap();
    for part in [
        "order + 1",
        "<svg",
        "role=\"img\"",
        "<desc id=\"drawing-tiny-desc\">A task takes",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("ANCHOR"), "{page}");
}

#[test]
fn what_a_page_shows_must_be_there() {
    let page = "book/src/01_test/tiny.md";
    Small::with(page, ":fix}}", ":fxi}}").is_refused_for("has no anchor `fxi`");
    Small::with(page, "tiny.rs:fix", "tinny.rs:fix").is_refused_for("tinny.rs, which is not there");
    Small::with("solutions/01_test/tiny.rs", "    order + 1\n", "\n")
        .is_refused_for("tiny.rs:fix, which is empty");
    Small::with(page, "{{#include ../../verdicts/01_test/tiny.txt}}", "")
        .is_refused_for("has an empty code block after");
    Small::with(page, "An order gets", "{{#playground x.rs}}")
        .is_refused_for("book/src/01_test/tiny.md:7: `{{#playground x.rs}}");
    Small::with(page, "../../../solutions", "../../../exercises")
        .is_refused_for("which learners change");
    Small::with(page, "{{#drawing tiny}}", "{{#drawing tinny}}")
        .is_refused_for("book/drawings/01_test/tinny.toml is missing");
    Small::with(page, "{{#drawing tiny}}", "")
        .is_refused_for("book/drawings/01_test/tiny.toml: is on no page");
    Small::with(
        "book/drawings/01_test/tiny.toml",
        "lane = \"task\"",
        "lane = \"tsak\"",
    )
    .is_refused_for("is in lane `tsak`");
}

#[test]
fn each_exercise_has_its_page_and_each_page_its_exercise() {
    let small = Small::new();
    small.remove("book/src/01_test/tiny.md");
    small.is_refused_for("book/src/01_test/tiny.md: is missing; each exercise has a page");
    let small = Small::new();
    small.put("book/src/01_test/other.md", "# Other\n");
    small.is_refused_for("book/src/01_test/other.md: is the page of no exercise");
    small.is_refused_for("book/src/01_test/other.md: is not listed in book/src/SUMMARY.md");
    let summary = "book/src/SUMMARY.md";
    Small::with(summary, "- [Tiny](01_test/tiny.md)\n", "")
        .is_refused_for("tiny.md: is not listed");
    Small::with(summary, "[Tiny]", "[Tinny]")
        .is_refused_for("must be listed as [Tiny], as in info.toml");
    Small::with(summary, "introduction.md", "introduktion.md")
        .is_refused_for("SUMMARY.md:3: introduktion.md is not there");
    Small::with(summary, "- [Tiny]", "- [Again](introduction.md)\n- [Tiny]")
        .is_refused_for("introduction.md is listed twice");
}

#[test]
fn a_page_has_the_sections_that_readers_know_and_one_fold() {
    let page = "book/src/01_test/tiny.md";
    Small::with(page, "# Tiny", "# Tinny").is_refused_for("must have one title, `# Tiny`");
    Small::with(page, "## For good", "## For ever")
        .is_refused_for("tiny.md:38: here `## For good` must come");
    Small::with(page, "## For good\n\nCount.\n\n", "")
        .is_refused_for("here `## For good` must come");
    Small::with(page, "## Sources", "## Sources\n\n## More")
        .is_refused_for("here the end of the page must come");
    Small::with(page, "<details class=\"fix\">", "<details>")
        .is_refused_for("must have one `<details class=\"fix\">`");
    Small::with(page, "</details>", "</details>\n\n<details>\n\n</details>")
        .is_refused_for("must have one `<details class=\"fix\">`");
    Small::with(
        page,
        "\n</details>\n\n## For good\n",
        "\n## For good\n\n</details>\n",
    )
    .is_refused_for("`## For good` must stand outside");
}

#[test]
fn links_are_alive_and_nothing_is_loaded_from_elsewhere() {
    let page = "book/src/01_test/tiny.md";
    Small::with(page, "introduction.md#for-whom", "intro.md")
        .is_refused_for("has a dead link: ../intro");
    Small::with(page, "#for-whom", "#for-whose")
        .is_refused_for("has a dead link: ../introduction.html#for-whose");
    Small::with(page, "Count.", "![count](https://img.example/count.png)")
        .is_refused_for("loads https://img.example/count.png from elsewhere");
    let small = Small::with(
        "book/book.toml",
        "input-404",
        "additional-css = [\"theme/book.css\"]\ninput-404",
    );
    small.put(
        "book/theme/book.css",
        "@import url(\"https://fonts.example/a.css\");\n",
    );
    small.is_refused_for("loads https://fonts.example/a.css from elsewhere");
    Small::with(
        page,
        "{{#drawing tiny}}",
        "{{#drawing tiny}}\n\n{{#drawing tiny}}",
    )
    .is_refused_for("has the id `drawing-tiny-title` twice");
}

#[test]
fn what_mdbook_itself_refuses_or_warns_of_is_said() {
    Small::with(
        "book/book.toml",
        "[output.html.search]",
        "[output.html.serach]",
    )
    .is_refused_for("unknown field `serach`");
    Small::with("book/src/01_test/tiny.md", "Count.", "<b>Count.").is_refused_for("unclosed");
}

#[test]
fn a_verdict_that_the_book_quotes_is_renewed_by_a_command_and_then_holds() {
    let small = Small::new();
    small.change("exercises/01_test/tiny.rs", "order + 1", "order");
    let check =
        |arguments: &[&str]| stderr(&small.0.asynclings(&[&["dev", "check"], arguments].concat()));
    let said = check(&["tiny"]);
    assert!(
        said.contains("book/verdicts/01_test/tiny.txt: the run gives `✗ check failed"),
        "{said}"
    );
    assert!(
        said.contains("`asynclings dev check tiny --renew` writes it anew"),
        "{said}"
    );
    let said = check(&["tiny", "--renew"]);
    assert!(!said.contains("book/verdicts"), "{said}");
    let verdict =
        fs::read_to_string(small.0.root().join("book/verdicts/01_test/tiny.txt")).unwrap();
    assert!(
        verdict.starts_with("✗ check failed") && !verdict.contains('\x1b'),
        "{verdict}"
    );
    let said = check(&["tiny"]);
    assert!(!said.contains("book/verdicts"), "{said}");
}

#[test]
fn an_api_that_the_crates_do_not_have_is_found_and_one_that_they_have_is_not() {
    let real = "`tokio::sync::Mutex::lock` `tokio::select!` `tokio::time::timeout(..)` `std::sync::mpsc::TryRecvError::Empty` \
                `futures::future::join_all` `tokio_util::sync::CancellationToken::child_token` `tokio::io::AsyncReadExt::read_exact` \
                `tracing::Instrument` `tokio_stream::wrappers::ReceiverStream` `std::future::Future::poll` `tokio::sync`";
    let unreal = "`tokio::sync::Mutex::lock_now` `tokio::sync::Mutexx` `tokio::tyme::sleep` `std::mem::swop` `tokio::io::AsyncReadExt::read_some`";
    let small = Small::with(
        "book/src/introduction.md",
        "For you.",
        &format!("{real}\n\n{unreal}"),
    );
    let said = stderr(&small.0.asynclings(&["dev", "check"]));
    let missing: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("there is no `"))
        .collect();
    let named: Vec<&str> = missing
        .iter()
        .map(|line| line.split('`').nth(1).unwrap())
        .collect();
    assert_eq!(
        named,
        [
            "std::mem::swop",
            "tokio::io::AsyncReadExt::read_some",
            "tokio::sync::Mutex::lock_now",
            "tokio::sync::Mutexx",
            "tokio::tyme::sleep"
        ],
        "{said}"
    );
    assert!(
        missing[0].starts_with("book/src/introduction.md:"),
        "{missing:?}"
    );
}

#[test]
fn explain_stops_before_the_fix_until_the_exercise_has_passed() {
    let small = Small::new();
    let output = small.0.asynclings(&["explain"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        text.contains("An order gets its own number.") && text.contains("Drawing: One order"),
        "{text}"
    );
    assert!(
        !text.contains("order + 1") && text.contains("asynclings explain tiny --all"),
        "{text}"
    );
    assert!(!text.contains('\x1b'), "a pipe gets no colour: {text:?}");
    let all = stdout(&small.0.asynclings(&["explain", "tiny", "--all"]));
    assert!(all.contains("    order + 1\n"), "{all}");
    small.put(
        ".asynclings/progress.toml",
        "[exercises.tiny]\nattempts = 1\ndone = false\nfirst_pass = 1\n",
    );
    let passed = stdout(&small.0.asynclings(&["explain", "tiny"]));
    assert_eq!(passed, all);
}

#[test]
fn explain_says_what_it_does_not_know() {
    let small = Small::new();
    let unknown = small.0.asynclings(&["explain", "tinny"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("tiny"), "{}", stderr(&unknown));
    // A pack of somebody else's, without a book.
    let tiny = Tiny::new(TINY_SOLUTION);
    let pageless = tiny.asynclings(&["explain"]);
    assert_eq!(pageless.status.code(), Some(4));
    assert!(
        stderr(&pageless).contains("the book has no page for exercise `tiny`"),
        "{}",
        stderr(&pageless)
    );
}

#[test]
fn a_workbook_that_init_wrote_brings_the_book_of_the_program() {
    let home = tempfile::tempdir().unwrap();
    let run = |folder: &Path, arguments: &[&str]| {
        let mut command = asynclings();
        command.env("ASYNCLINGS_CACHE", home.path().join("cache"));
        command
            .current_dir(folder)
            .args(arguments)
            .output()
            .unwrap()
    };
    assert!(run(home.path(), &["init", "workbook"]).status.success());
    let workbook = home.path().join("workbook");
    let page = run(&workbook, &["explain", "self_deadlock"]);
    assert!(stdout(&page).contains("The incident"), "{}", stderr(&page));
    let first = run(&workbook, &["book", "--no-open"]);
    let index = PathBuf::from(stdout(&first).trim());
    assert!(index.is_file(), "{}", stderr(&first));
    assert!(
        index
            .with_file_name("04_locks")
            .join("self_deadlock.html")
            .is_file()
    );
    let built = fs::metadata(&index).unwrap().modified().unwrap();
    let second = run(&workbook, &["book", "--no-open"]);
    assert_eq!(stdout(&first), stdout(&second));
    assert_eq!(
        fs::metadata(&index).unwrap().modified().unwrap(),
        built,
        "it is built once"
    );
}
