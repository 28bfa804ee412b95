use serde_json::Value;

use super::*;

#[test]
fn a_table_says_who_stands_where_and_what_stops_most() {
    let class = class(6, 12, 11);
    insta::assert_snapshot!(
        "table_80",
        table(&class, &look(80, Colour::None)).join("\n")
    );
    insta::assert_snapshot!(
        "table_30",
        table(&class, &look(30, Colour::None)).join("\n")
    );
}

#[test]
fn no_meaning_is_in_a_colour_alone() {
    let class = class(30, 26, 5);
    let plain = table(&class, &look(100, Colour::None)).join("\n");
    let coloured = table(&class, &look(100, Colour::Ansi)).join("\n");
    assert_ne!(plain, coloured);
    assert_eq!(strip_ansi_escapes::strip_str(coloured), plain);
    let signs: HashSet<char> = State::all().map(State::sign).collect();
    let meanings: HashSet<&str> = State::all().map(State::meaning).collect();
    assert_eq!((signs.len(), meanings.len()), (12, 12));
}

#[test]
fn a_class_of_two_hundred_fits_a_terminal() {
    let lines = table(&class(200, 26, 5), &look(80, Colour::None));
    let wide = lines
        .iter()
        .filter(|line| line.chars().count() > 80)
        .collect::<Vec<_>>();
    assert!(wide.is_empty(), "{wide:?}");
    assert!(lines.len() < 245, "{}", lines.len());
}

#[test]
fn an_empty_class_is_a_table_too() {
    for class in [class(0, 0, 1), class(0, 3, 1), class(3, 0, 1)] {
        table(&class, &look(80, Colour::None));
        html(&class, "empty");
        assert!(csv(&class).starts_with("learner,"));
        junit(&class).unwrap();
        assert_eq!(exercism(&class).len(), 0);
    }
}

#[test]
fn a_spreadsheet_runs_nothing_of_a_name() {
    let csv = csv(&hostile());
    let mut reader = ::csv::ReaderBuilder::new().from_reader(csv.as_bytes());
    let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), HOSTILE.len());
    for row in &rows {
        assert!(
            !row[0].starts_with(['=', '+', '-', '@', '\t', '\r']),
            "{row:?}"
        );
    }
    assert_eq!(&rows[1][0], "'=HYPERLINK(\"http://x\",\"y\")");
    assert_eq!(&rows[5][0], "two lines ,and;commas");
}

#[test]
fn csv_has_a_row_a_learner_and_a_word_a_cell() {
    insta::assert_snapshot!(csv(&class(3, 3, 8)).replace("\r\n", "\n"));
}

#[test]
fn junit_has_a_suite_a_learner_and_a_case_an_exercise() {
    let mut class = class(1, 5, 2);
    let mut dice = Dice(3);
    let column = |at: usize| class.columns[at].clone();
    class.learners[0].cells = vec![
        judged(&column(0), VerdictKind::Passed, false, &mut dice),
        judged(&column(1), VerdictKind::Hung, false, &mut dice),
        judged(&column(2), VerdictKind::DoesNotCompile, true, &mut dice),
        judged(&column(3), VerdictKind::Skipped, false, &mut dice),
        Cell::Broken("the file is missing; hand it in".into()),
    ];
    let xml = junit(&class).unwrap();
    for part in [
        "<testsuites name=\"asynclings class\" tests=\"5\" failures=\"2\" errors=\"1\">",
        "<testsuite name=\"learner 000\" tests=\"5\" skipped=\"1\" errors=\"1\" failures=\"2\"",
        "classname=\"learner 000.01_chapter\"",
        "type=\"hung\"",
        "type=\"untouched\"",
        "<skipped message=\"it says",
        "<error message=\"the file is missing; hand it in\" type=\"broken\"/>",
    ] {
        assert!(xml.contains(part), "{part}:\n{xml}");
    }
    assert_eq!(xml.matches("<testcase ").count(), 5);
}

#[test]
fn no_report_lets_through_what_a_learner_wrote_against_it() {
    let class = hostile();
    let page = html(&class, HOSTILE[0]);
    let plain = table(&class, &look(100, Colour::None)).join("\n");
    let exports = exercism(&class).into_iter().chain(classroom(&class));
    let exports: String = exports.map(|(_, text)| text).collect();
    for (report, text) in [
        ("html", &page),
        ("csv", &csv(&class)),
        ("junit", &junit(&class).unwrap()),
        ("table", &plain),
        ("exports", &exports),
    ] {
        let bad = |c: char| c.is_control() && c != '\n' && c != '\r' || c == '\u{202e}';
        assert_eq!(text.chars().find(|c| bad(*c)), None, "{report}");
    }
    assert!(!page.contains("<script>alert"), "{page}");
    assert!(!page.contains("<img"), "{page}");
    assert!(!page.contains("\" onmouseover"), "{page}");
    // One for the data, one for ours.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    for outside in [
        "src=",
        "href=\"http",
        "url(",
        "@import",
        "fetch(",
        "innerHTML",
    ] {
        assert!(
            !page
                .replace("&lt;img src=x&gt;", "")
                .replace("\\u003cimg src=x", "")
                .contains(outside),
            "{outside}"
        );
    }
}

#[test]
fn the_page_carries_each_text_once_and_every_cell_its_own() {
    let class = class(40, 6, 21);
    let page = html(&class, "A class");
    let data = page.split("id=\"data\">").nth(1).unwrap();
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    assert_eq!(data["rows"].as_array().unwrap().len(), 40);
    assert_eq!(data["rows"][3].as_array().unwrap().len(), 6);
    let texts = data["texts"].as_array().unwrap();
    let different: HashSet<String> = texts.iter().map(Value::to_string).collect();
    assert_eq!(texts.len(), different.len());
    assert_eq!(
        page.matches("<td class=\"passed\"").count(),
        page.matches("✓<i> passed").count()
    );
}

#[test]
fn exercism_gets_version_two_with_its_statuses_and_short_outputs() {
    let mut class = of_cells(&[
        (VerdictKind::Passed, false),
        (VerdictKind::Hung, false),
        (VerdictKind::DoesNotCompile, false),
        (VerdictKind::CheckFailed, false),
    ]);
    if let Cell::Judged(judged) = &mut class.learners[0].cells[3] {
        judged.line.checks[0].output = "é".repeat(900);
    }
    class.learners[0].cells[1] = Cell::Broken("no file; hand it in".into());
    let files = exercism(&class);
    let read = |at: usize| -> Value { serde_json::from_str(&files[at].1).unwrap() };
    assert_eq!(files[0].0, "learner-000/exercise_0/results.json");
    assert_eq!(
        (&read(0)["version"], &read(0)["status"]),
        (&2.into(), &"pass".into())
    );
    assert_eq!(read(0)["tests"][0]["name"], "a transfer ends");
    assert_eq!(
        (&read(1)["status"], &read(1)["message"]),
        (&"error".into(), &"no file; hand it in".into())
    );
    assert_eq!(read(2)["status"], "error");
    assert!(
        read(2)["message"]
            .as_str()
            .unwrap()
            .starts_with("does not compile")
    );
    assert_eq!(
        (&read(3)["status"], &read(3)["message"]),
        (&"fail".into(), &Value::Null)
    );
    let output = read(3)["tests"][0]["output"].as_str().unwrap().to_owned();
    assert_eq!(output.chars().count(), 500);
    assert!(output.ends_with("Output was truncated. Please limit to 500 chars"));
}

#[test]
fn classroom_gets_the_points_that_count() {
    let mut class = of_cells(&[
        (VerdictKind::Passed, false),
        (VerdictKind::Hung, false),
        (VerdictKind::Skipped, false),
        (VerdictKind::Hung, false),
    ]);
    class.columns[3].counts = false;
    let files = classroom(&class);
    assert_eq!(files[0].0, "learner-000/classroom.json");
    let grader: Value = serde_json::from_str(&files[0].1).unwrap();
    assert_eq!(
        (&grader["version"], &grader["status"]),
        (&1.into(), &"fail".into())
    );
    assert_eq!(grader["max_score"], 4);
    let tests = grader["tests"].as_array().unwrap();
    let scores: Vec<&Value> = tests.iter().map(|test| &test["score"]).collect();
    assert_eq!(scores, [2, 0]);
    assert_eq!(
        files[1],
        (
            "learner-000/points.txt".to_owned(),
            "Points 2/4\n".to_owned()
        )
    );
}

#[test]
fn no_name_leaves_its_folder_or_takes_anothers() {
    let names = [
        "..",
        "",
        "/",
        "../../x",
        "a/b",
        "A/B",
        "a-b",
        "CON",
        "con.txt",
        ".hidden",
        "Ana\u{308} Ü",
        "a\0b",
        "COM1",
        "\u{202e}",
        "a-b-2",
    ];
    let mut class = class(names.len(), 1, 1);
    for (learner, name) in class.learners.iter_mut().zip(names) {
        learner.name = name.to_owned();
    }
    let files = exercism(&class);
    let mut seen = HashSet::new();
    for (path, _) in &files {
        let parts: Vec<&str> = path.split('/').collect();
        let [folder, _, _] = parts[..] else {
            panic!("{path}");
        };
        assert!(!folder.is_empty() && !folder.starts_with('.'), "{path}");
        assert!(
            !["con", "com1", "con.txt"].contains(&folder.to_lowercase().as_str()),
            "{path}"
        );
        assert!(seen.insert(folder.to_lowercase()), "{path} twice");
    }
    // A part is a file that somebody hands in.
    class.columns[0].exercise = "../../x".into();
    assert!(exercism(&class)[0].0.ends_with("/x/results.json"));
    let long = "é".repeat(300);
    class.learners.truncate(1);
    class.learners[0].name = long;
    assert!(exercism(&class)[0].0.len() < 120);
}
