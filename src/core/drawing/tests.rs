use super::{Complaint, Drawing, parse};

const DRAWING: &str = r#"
title = "One thumbnail holds the only worker"
text = """The worker resizes.
  Nobody answers the probe."""
rows = ["0 ms", "1 ms", "900 ms", "901 ms"]

[[lanes]]
name = "worker thread"
kind = "thread"

[[lanes]]
name = "client"
kind = "other"

[[spans]]
lane = "worker thread"
from = 1
to = 3
is = "blocks"
label = "resize()"

[[spans]]
lane = "client"
from = 0
to = 2
is = "waits"
label = "for an answer & more"

[[marks]]
lane = "client"
at = 2
is = "fails"

[[arrows]]
from = "client"
to = "worker thread"
at = 1
label = "GET /health"
"#;

fn drawing(old: &str, new: &str) -> Result<Drawing, Vec<Complaint>> {
    assert!(DRAWING.contains(old), "{old}");
    parse(&DRAWING.replacen(old, new, 1))
}

fn svg() -> String {
    parse(DRAWING).unwrap().svg("one").unwrap()
}

#[track_caller]
fn complains(old: &str, new: &str, what: &str) {
    let complaints = match drawing(old, new) {
        Ok(drawing) => drawing.svg("one").unwrap_err(),
        Err(complaints) => complaints,
    };
    let told: Vec<String> = complaints.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|told| told.contains(what)), "{told:#?}");
}

/// The value of an attribute in the first line that contains `line`.
fn number(svg: &str, line: &str, attribute: &str) -> f64 {
    let found = svg.lines().find(|text| text.contains(line));
    let found = found.unwrap_or_else(|| panic!("no {line} in {svg}"));
    let (_, value) = found.split_once(&format!(" {attribute}=\"")).unwrap();
    value.split('"').next().unwrap().parse().unwrap()
}

#[test]
fn it_can_stand_in_markdown_and_be_read_aloud() {
    let svg = svg();
    assert!(svg.lines().all(|line| !line.trim().is_empty()), "{svg}");
    assert!(svg.starts_with("<figure"), "an HTML block begins with it");
    assert!(svg.contains("role=\"img\" aria-labelledby=\"one-title one-desc\""));
    assert!(
        svg.contains("<desc id=\"one-desc\">The worker resizes. Nobody answers the probe.</desc>")
    );
    assert!(svg.contains("for an answer &amp;"), "{svg}");
    assert!(
        !svg.contains('#') || svg.contains("url(#one-"),
        "colours are the theme's"
    );
}

#[test]
fn ids_are_unique_and_begin_with_the_drawings_own() {
    let svg = svg();
    let ids: Vec<&str> = svg
        .split(" id=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert!(ids.iter().all(|id| id.starts_with("one-")), "{ids:?}");
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
}

#[test]
fn a_box_lies_between_its_rows_and_an_event_opens_room_for_its_words() {
    let svg = svg();
    let (arrow, thread) = (
        number(&svg, "class=\"arrow\"", "y1"),
        number(&svg, "span blocks", "y"),
    );
    assert!(arrow < thread, "the request comes before the work");
    let waits = number(&svg, "span waits", "y");
    assert!(
        waits < arrow && arrow < waits + number(&svg, "span waits", "height"),
        "{svg}"
    );
    let words = number(&svg, "in-waits", "y");
    assert!(
        !(arrow - 16.0..arrow + 5.0).contains(&words),
        "not under the arrow: {words}"
    );
}

#[test]
fn kinds_differ_without_colour() {
    let svg = svg();
    assert!(svg.contains("class=\"span blocks\" style=\"fill: url(#one-blocks)\""));
    for words in ["blocks its thread", "waits at an .await"] {
        assert!(svg.contains(words), "the legend names what is drawn");
    }
    assert!(!svg.contains("dropped unfinished"), "and nothing else");
    assert!(
        svg.contains(">fails</text>"),
        "a mark without words gets its kind's"
    );
}

#[test]
fn a_long_word_is_broken_after_a_sign_that_code_has() {
    let svg = drawing("resize()", "spawn_blocking_thumbnail()")
        .unwrap()
        .svg("one")
        .unwrap();
    assert!(
        svg.contains(">spawn_blocking_<") && svg.contains(">thumbnail()<"),
        "{svg}"
    );
}

#[test]
fn a_label_that_does_not_fit_is_complained_of() {
    complains(
        "resize()",
        "Donaudampfschifffahrtsgesellschaftskapitän",
        "is wider than its column",
    );
    complains(
        "resize()",
        &"word ".repeat(60),
        "lines, and there is room for 5 between its events; use fewer",
    );
    complains("GET /health", &"x".repeat(60), "arrow `xxx");
    complains(
        "label = \"GET",
        "label = \"a\"\n[[marks]]\nlane = \"client\"\nat = 1\nis = \"ends\"\nlabel = \"Donaudampfschifffahrtsgesellschaft GET",
        "mark `Donau",
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    complains(
        "lane = \"client\"",
        "lane = \"clint\"",
        "is in lane `clint`, which is none of `lanes`",
    );
    complains(
        "to = \"worker thread\"",
        "to = \"worker\"",
        "is in lane `worker`",
    );
    complains(
        "to = \"worker thread\"",
        "to = \"client\"",
        "from a lane to itself",
    );
    complains("to = 3", "to = 1", "ends before it begins");
    complains("to = 3", "to = 5", "is at row 5, and there are rows 0 to 4");
    complains("at = 2", "at = 9", "is at row 9");
    complains(
        "lane = \"worker thread\"\nfrom = 1",
        "lane = \"client\"\nfrom = 1",
        "overlap",
    );
    complains(
        "name = \"client\"",
        "name = \"worker thread\"",
        "two lanes are named",
    );
    complains(
        "is = \"fails\"",
        "is = \"dies\"",
        "line 32: unknown variant `dies`",
    );
    complains("title = \"", "titel = \"", "line 2: unknown field `titel`");
    complains(
        "title = \"One",
        &format!("title = \"{}One", "x".repeat(60)),
        "95 characters long",
    );
    complains(
        "Nobody answers the probe.\"\"\"",
        "\"\"\"\nmore = 1",
        "unknown field `more`",
    );
}
