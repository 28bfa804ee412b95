use chrono::{DateTime, Utc};

use super::*;
use crate::core::manifest::{Manifest, parse};

fn manifest() -> Manifest {
    let mut text = String::from("format_version = 1\n");
    for chapter in ["01_a", "02_b"] {
        text.push_str(&format!(
            "[[chapters]]\nid = \"{chapter}\"\ntitle = \"T\"\n"
        ));
    }
    for (name, chapter) in [("one", "01_a"), ("two", "01_a"), ("three", "02_b")] {
        text.push_str(&format!(
            "[[exercises]]\nname = \"{name}\"\nchapter = \"{chapter}\"\ntitle = \"T\"\nminutes = 1\ndifficulty = 1\n\
             starts_as = {{ verdict = \"hung\", check = \"c\" }}\nhints = [\"a\", \"b\", \"c\"]\nsources = []\n\
             former_names = [\"old_{name}\"]\n"
        ));
    }
    text.push_str("[[tracks]]\nid = \"day-1\"\ntitle = \"T\"\nexercises = [\"three\"]\n");
    parse(&text).unwrap()
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[test]
fn without_a_table_each_exercise_is_worth_a_point() {
    let columns = columns(&manifest(), &Points::default(), at("2026-10-01T00:00:00Z"));
    let names: Vec<&str> = columns.iter().map(|c| c.exercise.as_str()).collect();
    assert_eq!(names, ["one", "two", "three"]);
    assert!(
        columns
            .iter()
            .all(|c| c.points == 1 && c.counts && c.part.is_none())
    );
}

#[test]
fn points_parts_and_dates_come_from_a_small_table() {
    let text = "default = 2\n[points]\nold_two = 5\n[[parts]]\ntitle = \"Week 1\"\ndue = 2026-10-09\nchapters = [\"01_a\"]\n\
                [[parts]]\ntitle = \"Week 2\"\ndue = 2026-10-16T18:00:00+02:00\ntrack = \"day-1\"\n";
    let points = points(text, "points.toml", &manifest()).unwrap();
    let of = |now: &str| columns(&manifest(), &points, at(now));
    let before = of("2026-10-09T23:59:58Z");
    assert_eq!(
        before.iter().map(|c| c.points).collect::<Vec<_>>(),
        [2, 5, 2]
    );
    assert_eq!(before[0].part.as_deref(), Some("Week 1"));
    assert_eq!(before[0].due.as_deref(), Some("2026-10-09T23:59:59+00:00"));
    assert_eq!(before[2].due.as_deref(), Some("2026-10-16T18:00:00+02:00"));
    let counts = |columns: Vec<Column>| columns.iter().map(|c| c.counts).collect::<Vec<_>>();
    assert_eq!(counts(before), [false, false, false]);
    assert_eq!(counts(of("2026-10-09T23:59:59Z")), [true, true, false]);
    assert_eq!(counts(of("2026-10-16T16:00:00Z")), [true, true, true]);
}

#[test]
fn a_wrong_table_of_points_says_where_and_what_to_do() {
    for (text, words) in [
        (
            "default = \"a\"",
            "points.toml:1: `default` of points.toml must be a whole number from 0 to 1000",
        ),
        (
            "[points]\nthre = 1",
            "points.toml:2: no exercise is called `thre`; did you mean `three`?",
        ),
        (
            "[points]\nzzzzz = 1",
            "; `asynclings list` shows what there is",
        ),
        (
            "[points]\none = -1",
            "points.toml:2: `one` of `points` of points.toml must be a whole number",
        ),
        (
            "point = 1",
            "points.toml:1: points.toml has an unknown key `point`; did you mean `points`?",
        ),
        (
            "[[parts]]\ntitle = \"A\"",
            "part `A` needs one of `track`, `chapters` and `exercises`",
        ),
        (
            "[[parts]]\ntitle = \"A\"\ntrack = \"day-1\"\nchapters = [\"01_a\"]",
            "part `A` needs one of",
        ),
        (
            "[[parts]]\ntitle = \"A\"\ntrack = \"day-2\"",
            "did you mean `day-1`?",
        ),
        (
            "[[parts]]\ntitle = \"A\"\nchapters = [\"01_b\"]",
            "points.toml:3: `chapters` of part `A` has the unknown `01_b`; did you mean",
        ),
        ("[[parts]]\nexercises = [\"one\"]", "part 1 has no `title`"),
        (
            "[[parts]]\ntitle = \"A\"\nexercises = [\"one\"]\ndue = \"2026-10-09\"",
            "points.toml:4: `due` of part `A` must be a date without quotes",
        ),
        (
            "[[parts]]\ntitle = \"A\"\nexercises = [\"one\"]\ndue = 18:00:00",
            "must be a date without quotes",
        ),
        (
            "[[parts]]\ntitle = \"A\"\nexercises = [\"one\"]\n[[parts]]\ntitle = \"B\"\nchapters = [\"01_a\"]",
            "part `B` has `one`, which is in the part `A` already",
        ),
        ("[[parts", "points.toml:1: "),
    ] {
        let said = points(text, "points.toml", &manifest()).unwrap_err();
        let said: Vec<String> = said.iter().map(ToString::to_string).collect();
        assert!(said.join("\n").contains(words), "{text}:\n{said:?}");
    }
}

#[test]
fn names_are_read_with_or_without_a_heading() {
    for text in [
        "\u{feff}Folder,Name\nada/,\"Lovelace, Ada\"\ngrace,Grace Hopper\n",
        "ada,\"Lovelace, Ada\"\r\ngrace , Grace Hopper",
    ] {
        let names = names(text, "names.csv").unwrap();
        assert_eq!(names["ada"], "Lovelace, Ada");
        assert_eq!(names["grace"], "Grace Hopper");
        assert_eq!(names.len(), 2);
    }
    assert!(names("", "names.csv").unwrap().is_empty());
}

#[test]
fn a_wrong_table_of_names_says_each_row() {
    let text = "folder,name\nada,Ada\nada,Other\nbob,Ada\nx\n,Y\nz,\na,b,c\n";
    let said = names(text, "names.csv").unwrap_err();
    let said: Vec<String> = said.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"));
}
