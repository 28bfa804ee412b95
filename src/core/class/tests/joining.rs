use super::*;

/// A part, the words by which it is found, and what is done to it.
type Change = (&'static str, fn(&mut Class));

#[test]
fn what_was_written_is_read_back_whole() {
    for seed in 1..40 {
        let mut class = class(seed as usize % 7, seed as usize % 5, seed);
        if let Some(learner) = class.learners.first_mut() {
            learner.problem = Some("its folder cannot be read: \"a\"\nb".to_owned());
        }
        assert_eq!(from_json(&to_json(&class), "a.json").unwrap(), class);
    }
    let hostile = hostile();
    assert_eq!(from_json(&to_json(&hostile), "a.json").unwrap(), hostile);
}

#[test]
fn joined_shards_are_byte_for_byte_what_one_machine_writes() {
    for seed in 1..40 {
        let whole = class(1 + seed as usize % 9, 1 + seed as usize % 6, seed);
        let mut dice = Dice(seed);
        let of = 1 + dice.below(8) as u32;
        let mut parts = shards(&whole, of, &mut dice);
        // The order in which they come says nothing.
        parts.rotate_left(dice.below(of as usize));
        let read = parts
            .iter()
            .map(|part| from_json(&to_json(part), "p").unwrap());
        let joined = joined(read.collect()).unwrap();
        assert_eq!(to_json(&joined), to_json(&whole));
    }
}

#[test]
fn a_lost_shard_is_a_sentence_in_its_cells_and_not_the_end() {
    let whole = class(5, 4, 2);
    let mut parts = shards(&whole, 3, &mut Dice(5));
    parts.remove(1);
    let joined = joined(parts).unwrap();
    let lost: Vec<&Cell> = joined.learners.iter().flat_map(|l| &l.cells).collect();
    let lost = lost.into_iter().filter_map(|cell| match cell {
        Cell::Broken(why) if why.starts_with("shard") => Some(why.as_str()),
        _ => None,
    });
    let lost: Vec<&str> = lost.collect();
    assert!(!lost.is_empty());
    let why = "shard 2 of 3 was not merged; grade it with `--shard 2/3` and merge its file too";
    assert!(lost.iter().all(|said| *said == why), "{lost:?}");
}

#[test]
fn parts_of_another_run_are_refused_and_say_which_and_what_to_do() {
    let changes: [Change; 6] = [
        ("part 2 was judged by other checks", |c| c.judge.push('x')),
        ("first with nothing where part 1 has `exercise_1`", |c| {
            c.columns.pop();
        }),
        ("first in what it says of `exercise_0`", |c| {
            c.columns[0].points = 9
        }),
        (
            "first with `exercise_1` where part 1 has `exercise_0`",
            |c| {
                c.columns.remove(0);
            },
        ),
        ("first with `eve` where part 1 has `learner 000`", |c| {
            c.learners[0].name = "eve".into();
        }),
        ("first with nothing where part 1 has `learner 001`", |c| {
            c.learners.pop();
        }),
    ];
    for (words, change) in changes {
        let one = class(2, 2, 4);
        let mut other = one.clone();
        change(&mut other);
        let said = joined(vec![one, other]).unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
        assert!(said.contains("; grade"), "{said}");
    }
    let said = joined(Vec::new()).unwrap_err().to_string();
    assert!(said.contains("nothing to merge"), "{said}");
}

#[test]
fn two_verdicts_on_one_cell_must_agree_but_for_times_and_random_values() {
    let one = of_cells(&[(VerdictKind::Hung, false)]);
    let mut same = one.clone();
    if let Cell::Judged(judged) = &mut same.learners[0].cells[0] {
        judged.line.run_ms += 5;
        judged.line.message = "another order".into();
        judged.line.checks[0].ms += 1;
    }
    let both = joined(vec![one.clone(), same]).unwrap();
    assert_eq!(both, one, "the first stands");
    let mut other = one.clone();
    other.learners[0].cells[0] = judged(&one.columns[0], VerdictKind::Passed, false, &mut Dice(1));
    let said = joined(vec![one, other]).unwrap_err().to_string();
    for part in [
        "`exercise_0` of learner 000",
        "`hung`, and `passed` in part 2",
        "grade both shards again",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_verdict_goes_before_a_machine_that_could_not() {
    let judged = of_cells(&[(VerdictKind::Hung, false)]);
    let mut broken = judged.clone();
    broken.learners[0].cells[0] = Cell::Broken("no compiler".into());
    for parts in [
        vec![judged.clone(), broken.clone()],
        vec![broken, judged.clone()],
    ] {
        assert_eq!(joined(parts).unwrap(), judged);
    }
}

#[test]
fn a_file_cut_anywhere_below_its_header_keeps_its_rows_and_says_what_it_lacks() {
    let whole = class(3, 3, 9);
    let text = to_json(&whole);
    let header = text.find('\n').unwrap() + 1;
    let ends: Vec<usize> = (header..text.len() - 1)
        .filter(|at| text.is_char_boundary(*at))
        .collect();
    for end in ends.into_iter().step_by(37) {
        let class = from_json(&text[..end], "part-3.json").unwrap();
        let cells = |class: &Class| -> Vec<Cell> {
            class
                .learners
                .iter()
                .flat_map(|l| l.cells.clone())
                .collect()
        };
        let (read, all) = (cells(&class), cells(&whole));
        assert_eq!(read.len(), all.len());
        let kept = text[header..end].matches('\n').count();
        assert_eq!(read[..kept], all[..kept]);
        let Cell::Broken(why) = &read[read.len() - 1] else {
            panic!("cut at {end}");
        };
        assert!(
            why.contains(&format!(
                "part-3.json is cut short: it ends after {kept} of 9 cells"
            )),
            "{why}"
        );
    }
}

#[test]
fn a_damaged_file_is_refused_with_its_line() {
    let text = to_json(&class(2, 2, 1));
    let lines: Vec<&str> = text.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    let swapped = [lines[0], lines[2], lines[1], lines[3], lines[4]].join("\n") + "\n";
    let unknown = r#"{"schema":1,"learner":"learner 000","exercise":"exercise_1","verdict":"odd"}"#;
    for (text, words) in [
        (String::new(), "p.json:1: is no header of a class"),
        ("[]\n".into(), "p.json:1: is no header of a class"),
        (
            with(0, r#"{"schema":2,"class":{}}"#),
            "p.json:1: is of a newer asynclings",
        ),
        (with(2, "{"), "p.json:3: is no JSON object"),
        (with(2, unknown), "p.json:3: cannot be understood"),
        (
            swapped,
            "p.json:2: is about `exercise_1` of `learner 000`, and `exercise_0` of `learner 000` comes next",
        ),
        (
            text.clone() + lines[4],
            "p.json:6: stands below the last of 4 cells",
        ),
    ] {
        let said = from_json(&text, "p.json").unwrap_err().to_string();
        assert!(said.starts_with(words), "{said}");
    }
    let more = text.replacen("{\"schema\":1,", "{\"schema\":1,\"new\":[1],", 9);
    assert!(
        from_json(&more, "p.json").is_ok(),
        "fields are only ever added"
    );
}
