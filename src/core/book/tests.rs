use super::expand::resolve;
use super::{Book, Files, Medium, Site, api_paths, site_complaints};

const PAGE: &str = "book/src/01_a/one.md";

fn book(page: &str) -> Book {
    let files = [
        (PAGE, page),
        (
            "book/listings/src/01_a/one.rs",
            "// ANCHOR: all\nfn a() {\n    // ANCHOR: body\n    b();\n\n        c();\n    // ANCHOR_END: body\n}\n// ANCHOR_END: all\n// ANCHOR: open\n// ANCHOR: nothing\n// ANCHOR_END: nothing\n",
        ),
        (
            "book/drawings/01_a/one.toml",
            "title = \"A <b>\"\ntext = \"First.\\nThen.\"\nrows = [\"\"]\n[[lanes]]\nname = \"a\"\nkind = \"task\"\n",
        ),
        (
            "book/drawings/01_a/bad.toml",
            "title = \"\"\ntext = \"a\"\nrows = [\"\"]\nlanes = []\n",
        ),
    ];
    Book::new(Files::from(
        files.map(|(path, text)| (path.to_owned(), text.to_owned())),
    ))
}

fn expanded(page: &str, medium: Medium) -> (String, String) {
    let expanded = book(page).expanded(PAGE, medium).unwrap();
    let complaints: Vec<String> = expanded
        .complaints
        .iter()
        .map(ToString::to_string)
        .collect();
    (expanded.text, complaints.join("\n"))
}

#[test]
fn an_anchor_brings_its_lines_shifted_to_the_left_and_without_other_anchors() {
    let page = "a\n\n```rust\n{{#include ../../listings/src/01_a/one.rs:body}}\n```\n";
    assert_eq!(
        expanded(page, Medium::Html),
        (
            "a\n\n```rust\nb();\n\n    c();\n```\n".into(),
            String::new()
        )
    );
    let (all, _) = expanded(
        "{{#include ../../listings/src/01_a/one.rs:all}}",
        Medium::Html,
    );
    assert_eq!(all, "fn a() {\n    b();\n\n        c();\n}\n");
}

#[test]
fn what_an_include_cannot_bring_is_complained_of_with_its_line() {
    for (directive, what) in [
        (
            "include ../../listings/src/01_a/one.rs:gone",
            "book/src/01_a/one.md:2: ../../listings/src/01_a/one.rs has no anchor `gone`",
        ),
        (
            "include ../../listings/src/01_a/one.rs:open",
            "has no anchor `open`",
        ),
        (
            "include ../../listings/src/01_a/one.rs:nothing",
            "which is empty",
        ),
        (
            "include ../../listings/src/01_a/two.rs",
            "which is not there",
        ),
        ("include ../../../../secret", "which is not there"),
        (
            "include ../../../exercises/01_a/one.rs:x",
            "which learners change",
        ),
        ("drawing two", "book/drawings/01_a/two.toml is missing"),
        (
            "drawing bad",
            "book/drawings/01_a/bad.toml: `title` is 0 characters long",
        ),
        ("rustdoc_include a.rs", "is no directive"),
    ] {
        let (_, complaints) = expanded(&format!("a\n{{{{#{directive}}}}}\n"), Medium::Html);
        assert!(complaints.contains(what), "{directive}: {complaints}");
    }
    let (_, complaints) = expanded("see {{#include x}} there", Medium::Html);
    assert!(complaints.contains("on a line of its own"), "{complaints}");
}

#[test]
fn a_drawing_is_a_picture_in_the_browser_and_words_in_a_terminal() {
    let (html, complaints) = expanded("{{#drawing one}}", Medium::Html);
    assert_eq!(complaints, "");
    assert!(
        html.starts_with("<figure class=\"drawing\">\n<svg") && html.contains("A &lt;b&gt;"),
        "{html}"
    );
    let (words, _) = expanded("{{#drawing one}}", Medium::Words);
    assert_eq!(words, "> **Drawing: A <b>.** First. Then.\n");
}

#[test]
fn paths_go_from_the_page_and_not_out_of_the_workbook() {
    assert_eq!(
        resolve(PAGE, "../x/./y.md").as_deref(),
        Some("book/src/x/y.md")
    );
    assert_eq!(
        resolve(PAGE, "../../../solutions/a.rs").as_deref(),
        Some("solutions/a.rs")
    );
    assert_eq!(resolve(PAGE, "../../../../a"), None);
}

#[test]
fn api_paths_are_read_without_what_follows_them() {
    let book = book(
        "`tokio::time::timeout(d, f)`, `std::sync::Mutex::<T>::lock`, `tokio::select! {}`, `my::own`, `tokio`, tokio::spawn",
    );
    let paths: Vec<String> = api_paths(&book).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        paths,
        ["tokio::time::timeout", "std::sync::Mutex", "tokio::select"]
    );
}

fn site(page: &str) -> String {
    let site = Site::from([
        ("a/page.html".to_owned(), page.to_owned()),
        ("index.html".to_owned(), "<h1 id=\"top\">x</h1>".to_owned()),
        ("x.png".to_owned(), String::new()),
    ]);
    let complaints: Vec<String> = site_complaints(&site)
        .iter()
        .map(ToString::to_string)
        .collect();
    complaints.join("\n")
}

#[test]
fn links_that_live_are_left_alone() {
    let alive = "<p id=\"b-ö\"><a href=\"../index.html#top\">x</a><a href=\"#b-%C3%B6\">y</a><a href=\"https://doc.rust-lang.org\">z</a><img src=\"../x.png\">";
    assert_eq!(site(alive), "");
}

#[test]
fn dead_links_twin_ids_and_loads_from_elsewhere_are_found() {
    for (html, what) in [
        (
            "<a href=\"gone.html\">",
            "a/page.html: has a dead link: gone.html",
        ),
        (
            "<a href=\"../index.html#gone\">",
            "has a dead link: ../index.html#gone",
        ),
        ("<a href=\"#gone\">", "has a dead link: #gone"),
        ("<img src=\"gone.png\">", "has a dead link: gone.png"),
        ("<p id=\"a\"><p id=\"a\">", "has the id `a` twice"),
        (
            "<script src=\"https://cdn.example/x.js\"></script>",
            "loads https://cdn.example/x.js from elsewhere",
        ),
        (
            "<link rel=\"stylesheet\" href=\"//cdn.example/x.css\">",
            "loads //cdn.example/x.css from elsewhere",
        ),
        (
            "<style>@import \"https://cdn.example/x.css\";</style>",
            "loads https://cdn.example/x.css from elsewhere",
        ),
        (
            "<p style=\"background: url(https://cdn.example/x)\">",
            "loads https://cdn.example/x from elsewhere",
        ),
    ] {
        assert!(site(html).contains(what), "{html}: {}", site(html));
    }
}
