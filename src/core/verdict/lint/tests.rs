use super::*;

const CONFIG: &str =
    "# list\ndisallowed-methods = [\n    \"tokio::block_on\",\n    \"std::fs::metadata\",\n]\n";
const PROGRAM: &str = "pub fn charge() {}\n\nfn main() {\n    enter();\n}\n";
const CHECKS: &str = "//! of all\n\nfn scenery() {}\n\n/// it stayed green\npub async fn a_handle_is_refused() {\n    \
    handle.block_on(); //~ refused\n}\n\n/// it went red\n/// over nothing\nfn the_rest_is_free() {\n    std::fs::metadata();\n}\n";

fn sources() -> LintSources<'static> {
    LintSources {
        config_file: "c.toml",
        config: CONFIG,
        program_file: "p.rs",
        program: PROGRAM,
        checks_file: "k.rs",
        checks: CHECKS,
    }
}

fn said(level: &str, code: Option<&str>, message: &str, file: &str, line: u32) -> Diagnostic {
    Diagnostic {
        level: level.to_string(),
        code: code.map(str::to_string),
        message: message.to_string(),
        rendered: String::new(),
        at: Some(Place {
            file: file.to_string(),
            line,
            column: None,
            what: String::new(),
        }),
    }
}

fn hit(file: &str, line: u32) -> Diagnostic {
    said(
        "warning",
        Some(LINT),
        "use of a disallowed method `std::fs::metadata`",
        file,
        line,
    )
}

fn judged(all: Vec<Diagnostic>, forced: Vec<Diagnostic>) -> Judged {
    judge(
        &sources(),
        LintOutcome::Said { all, forced },
        Duration::ZERO,
    )
    .unwrap()
}

/// Name of the check, and the first place.
fn failing(judged: &Judged) -> (String, String) {
    let check = judged.failing().unwrap();
    let at = check.at.first().unwrap();
    (check.name.clone(), format!("{}:{}", at.file, at.line))
}

#[test]
fn it_passes_where_the_marked_lines_are_refused_and_no_others() {
    let judged = judged(vec![hit("k.rs", 7)], vec![hit("p.rs", 4)]);
    assert_eq!(judged.verdict, Verdict::Passed);
    assert_eq!(judged.checks.len(), 4);
}

#[test]
fn a_missing_ban_is_blamed_on_the_entry_that_clippy_made_nothing_of() {
    let void = "`tokio::block_on` does not refer to a reachable function";
    let judged = judged(vec![said("warning", None, void, "c.toml", 3)], vec![]);
    assert_eq!(
        failing(&judged),
        ("a_handle_is_refused".into(), "c.toml:3".into())
    );
    assert!(judged.at[0].what.contains(void));
    assert_eq!(judged.message, "it stayed green");
}

#[test]
fn a_missing_ban_without_a_word_of_clippy_is_blamed_on_the_list() {
    assert_eq!(
        failing(
            &judge(
                &LintSources {
                    config: "# none\ndisallowed-methods = []\n",
                    ..sources()
                },
                LintOutcome::Said {
                    all: vec![],
                    forced: vec![]
                },
                Duration::ZERO
            )
            .unwrap()
        ),
        ("a_handle_is_refused".into(), "c.toml:2".into())
    );
}

#[test]
fn an_entry_that_clippy_passes_over_in_silence_is_marked_as_such() {
    let sources = LintSources {
        config: "disallowed-methods = [\n    \"thread::block_on\",\n]\n",
        ..sources()
    };
    let said = LintOutcome::Said {
        all: vec![],
        forced: vec![],
    };
    let judged = judge(&sources, said, Duration::ZERO).unwrap();
    assert_eq!(judged.at[0].line, 2);
    assert!(judged.at[0].what.contains("no word"));
}

#[test]
fn as_long_as_the_list_refuses_nothing_the_service_is_not_judged() {
    assert_eq!(judged(vec![], vec![hit("p.rs", 1)]).checks.len(), 2);
}

#[test]
fn a_ban_too_many_is_blamed_on_its_entry() {
    let judged = judged(vec![hit("k.rs", 7), hit("k.rs", 13)], vec![]);
    assert_eq!(
        failing(&judged),
        ("the_rest_is_free".into(), "c.toml:4".into())
    );
    assert_eq!(judged.message, "it went red over nothing");
}

#[test]
fn the_program_may_look_away_in_main_once_and_nowhere_else() {
    let refused = || vec![hit("k.rs", 7)];
    for (all, forced, check) in [
        (vec![hit("p.rs", 1)], vec![], CLEAN),
        (vec![], vec![hit("p.rs", 1)], CLEAN),
        (vec![], vec![hit("p.rs", 4), hit("p.rs", 4)], CLEAN),
        (vec![hit("p.rs", 4)], vec![hit("p.rs", 4)], STATED),
        (
            vec![said("warning", Some(UNFULFILLED), "unfulfilled", "p.rs", 3)],
            vec![],
            STATED,
        ),
    ] {
        let judged = judged([refused(), all].concat(), forced);
        assert_eq!(failing(&judged).0, check);
    }
}

#[test]
fn without_clippy_it_is_skipped_and_neither_passed_nor_failed() {
    let judged = judge(&sources(), LintOutcome::NoClippy, Duration::ZERO).unwrap();
    assert!(judged.verdict.skipped() && !judged.verdict.passed());
}

#[test]
fn what_clippy_cannot_read_does_not_compile_and_our_own_mistake_is_ours() {
    let error = said("error", None, "invalid array\nexpected", "c.toml", 2);
    let refused = judged(vec![error], vec![]);
    assert_eq!(refused.message, "invalid array");
    assert_eq!(refused.at[0].line, 2);
    let ours = LintOutcome::Said {
        all: vec![said("error", None, "no such thing", "k.rs", 2)],
        forced: vec![],
    };
    assert!(matches!(
        judge(&sources(), ours, Duration::ZERO),
        Err(OurFault::ChecksDoNotCompile { .. })
    ));
}
