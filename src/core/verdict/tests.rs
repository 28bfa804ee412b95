use std::time::Duration;

use super::*;
use crate::core::manifest::{Bytes, Exercise, Expectation, Limits};

const SUBJECT_FILE: &str = "exercises/04_locks/transfer.rs";
const CHECKS_FILE: &str = "checks/04_locks/transfer.rs";
const SUBJECT: &str = "\
// The transfer never ends.

pub async fn transfer(amount: u64) -> u64 {
    amount
}
";
const CHECKS: &str = "\
use crate::exercise::transfer;

#[test]
fn a_transfer_ends() {
    lab::paused(|| async { transfer(3).await; });
}

#[test]
fn money_is_kept() {
    lab::paused(|| async { lab::expect_eq(transfer(3).await, 3, \"the amount\") });
}
";

fn exercise() -> Exercise {
    Exercise {
        name: "transfer".into(),
        chapter: "04_locks".into(),
        title: "Transfer".into(),
        minutes: 5,
        difficulty: 1,
        starts_as: Expectation {
            verdict: VerdictKind::Hung,
            hang: None,
            check: Some("a_transfer_ends".into()),
            code: None,
            message: None,
        },
        hints: ["a".into(), "b".into(), "c".into()],
        sources: vec![],
        limits: Limits {
            wall: Duration::from_secs(10),
            memory: Bytes(256 << 20),
        },
        former_names: vec![],
        kind: Default::default(),
    }
}

fn sources() -> Sources<'static> {
    Sources {
        subject_file: SUBJECT_FILE,
        subject: SUBJECT,
        checks_file: CHECKS_FILE,
        checks: CHECKS,
        shipped: Some(SUBJECT),
        until: None,
    }
}

fn place(file: &str, line: u32) -> Place {
    Place {
        file: file.into(),
        line,
        column: None,
        what: String::new(),
    }
}

fn here(line: u32) -> Place {
    place(SUBJECT_FILE, line)
}

fn run(name: &str, ending: Ending, records: Vec<Record>, output: &str) -> CheckRun {
    let took = Duration::from_millis(5);
    CheckRun {
        name: name.into(),
        ending,
        records,
        output: output.into(),
        took,
    }
}

fn good(name: &str) -> CheckRun {
    run(name, Ending::Exited(0), vec![started(), finished()], "")
}

fn started() -> Record {
    Record::Started {}
}

fn finished() -> Record {
    Record::Finished { peak: 1 }
}

fn failed(line: u32) -> Record {
    Record::Failed {
        message: "money was lost".into(),
        expected: None,
        seen: None,
        at: vec![here(line)],
    }
}

fn hung(kind: HangKind) -> Record {
    let chain = vec![here(10), here(11)];
    Record::Hung {
        kind,
        tasks: vec![StuckTask {
            spawned: Some(here(12)),
            chain,
        }],
        at: vec![],
    }
}

fn panicked(on: PanicOn, origin: Place, at: Vec<Place>) -> Record {
    Record::Panicked {
        message: "no receipt".into(),
        origin: Some(origin),
        on,
        spawned: None,
        at,
    }
}

fn over_memory() -> Record {
    Record::OverMemory {
        peak: 257 << 20,
        limit: 256 << 20,
        at: vec![here(7)],
    }
}

fn left(what: Leftover) -> Record {
    Record::LeftRunning {
        what,
        count: 2,
        detail: "sleep 60".into(),
        at: vec![here(8)],
    }
}

fn judged(first: CheckRun) -> Result<Judged, OurFault> {
    let build = BuildOutcome::Built { warnings: vec![] };
    judge(
        &exercise(),
        &sources(),
        build,
        vec![first, good("checks::money_is_kept")],
    )
}

fn of(ending: Ending, records: Vec<Record>, output: &str) -> Judged {
    let mut records = records;
    records.insert(0, started());
    judged(run("checks::a_transfer_ends", ending, records, output)).unwrap()
}

#[test]
fn a_pass_needs_status_zero_and_the_finished_record() {
    let judged = judged(good("checks::a_transfer_ends")).unwrap();
    assert_eq!(judged.verdict, Verdict::Passed);
    assert!(judged.at.is_empty() && judged.message.is_empty() && judged.failing().is_none());
}

type Rule = (
    Ending,
    Vec<Record>,
    &'static str,
    VerdictKind,
    u32,
    &'static str,
);

/// Ending, records, output; then the verdict, its first line, and its sentence.
#[test]
fn every_rule_gives_its_verdict_line_and_sentence() {
    use Ending::{Deadline, Exited, Signalled};
    use VerdictKind::*;
    let subject_panic = || panicked(PanicOn::Check, here(9), vec![]);
    let check_panic = || panicked(PanicOn::Check, place(CHECKS_FILE, 4), vec![]);
    let task_panic = || panicked(PanicOn::Task, here(5), vec![]);
    let tokio_panic = |at| panicked(PanicOn::Check, place("tokio/src/runtime/handle.rs", 1), at);
    // Line 3 is `pub async fn transfer`, which the check calls.
    #[rustfmt::skip]
    let table: Vec<Rule> = vec![
        (Exited(0), vec![], "", EndedEarly, 3, "the process exited with status 0 before the check was over"),
        (Exited(0), vec![subject_panic()], "", EndedEarly, 9, "the process exited with status 0 before the check was over"),
        (Exited(3), vec![], "", EndedEarly, 3, "the process exited with status 3 before the check was over"),
        (Exited(3), vec![finished()], "", EndedEarly, 3, "the process exited with status 3 after the check was over"),
        (Exited(101), vec![], "", EndedEarly, 3, "the process exited with status 101, as after a panic that nothing recorded"),
        (Signalled(11), vec![finished()], "", EndedEarly, 3, "the process was ended by SIGSEGV, a bad memory access"),
        (Signalled(6), vec![], "", EndedEarly, 3, "the process aborted (SIGABRT)"),
        (Signalled(40), vec![], "", EndedEarly, 3, "the process was ended by signal 40"),
        (Signalled(6), vec![], "thread 'main' has overflowed its stack", EndedEarly, 3, "the process overflowed its stack"),
        (Signalled(9), vec![], "", EndedEarly, 3, "the process was killed (SIGKILL), perhaps by the system for want of memory"),
        (Signalled(6), vec![], "memory allocation of 68719476736 bytes failed", OverMemory, 3, "it holds 64 GiB at once, and its limit is 256 MiB"),
        (Signalled(6), vec![over_memory()], "", OverMemory, 7, "it holds 257 MiB at once, and its limit is 256 MiB"),
        (Exited(0), vec![finished(), over_memory()], "", OverMemory, 7, "it holds 257 MiB at once, and its limit is 256 MiB"),
        (Deadline { busy: true }, vec![], "", Hung, 3, "it runs without end, and never comes to wait"),
        (Deadline { busy: false }, vec![finished()], "", Hung, 3, "`transfer` holds the thread, and nothing else can run there"),
        (Deadline { busy: true }, vec![hung(HangKind::Waiting)], "", Hung, 11, "it waits for something that never comes"),
        (Exited(1), vec![failed(2), hung(HangKind::Blocked)], "", Hung, 11, "a call holds the thread, and nothing else can run there"),
        (Exited(101), vec![failed(6)], "", CheckFailed, 6, "money was lost"),
        (Exited(0), vec![failed(6), finished()], "", CheckFailed, 6, "money was lost"),
        (Deadline { busy: false }, vec![failed(6)], "", CheckFailed, 6, "money was lost"),
        (Exited(101), vec![subject_panic()], "", Panicked, 9, "no receipt"),
        (Signalled(6), vec![subject_panic()], "", Panicked, 9, "no receipt"),
        (Exited(101), vec![tokio_panic(vec![here(4)])], "", Panicked, 4, "no receipt"),
        (Exited(101), vec![tokio_panic(vec![])], "", Panicked, 3, "no receipt"),
        (Exited(101), vec![task_panic(), check_panic()], "", Panicked, 5, "in a task: no receipt"),
        (Exited(101), vec![task_panic()], "", Panicked, 5, "in a task: no receipt"),
        (Exited(1), vec![left(Leftover::Task)], "", LeftRunning, 8, "2 tasks are still running after the check: sleep 60"),
        (Exited(0), vec![left(Leftover::Child), finished()], "", LeftRunning, 8, "2 child processes are still running after the check: sleep 60"),
    ];
    for (ending, records, output, kind, line, sentence) in table {
        let label = format!("{ending:?} {records:?} {output}");
        let judged = of(ending, records, output);
        assert_eq!(judged.verdict.kind(), kind, "{label}");
        assert_eq!(
            judged.at.first().map(|place| place.line),
            Some(line),
            "{label}"
        );
        let words = judged.message.replace("in `transfer` ", "");
        assert_eq!(words, sentence, "{label}");
        assert_eq!(judged.failing().unwrap().name, "a_transfer_ends");
    }
}

#[test]
fn a_caught_panic_is_no_failure_where_the_check_finished() {
    let caught = panicked(PanicOn::Task, here(5), vec![]);
    let judged = of(Ending::Exited(0), vec![caught, finished()], "");
    assert!(judged.verdict.passed());
    assert!(judged.swallowed.is_empty());
}

#[test]
fn a_swallowed_panic_is_evidence_of_a_failure_with_its_line() {
    let lost = panicked(PanicOn::Task, here(5), vec![]);
    let unplaced = Record::Failed {
        message: "a receipt is missing".into(),
        expected: None,
        seen: None,
        at: vec![],
    };
    let judged = of(Ending::Exited(101), vec![lost, unplaced], "");
    assert_eq!(judged.verdict.kind(), VerdictKind::CheckFailed);
    assert_eq!(judged.at, [here(5)]);
    assert_eq!(judged.swallowed.len(), 1);
    assert_eq!(judged.swallowed[0].message, "no receipt");
}

#[test]
fn places_outside_the_subject_are_never_shown() {
    let foreign = Record::Failed {
        message: "m".into(),
        expected: None,
        seen: None,
        at: vec![place(CHECKS_FILE, 1), here(6), here(6)],
    };
    assert_eq!(of(Ending::Exited(101), vec![foreign], "").at, [here(6)]);
}

#[test]
fn a_panic_of_the_check_itself_is_our_fault() {
    let own = panicked(PanicOn::Check, place(CHECKS_FILE, 4), vec![]);
    let run = run(
        "checks::a_transfer_ends",
        Ending::Exited(101),
        vec![started(), own],
        "",
    );
    let error = judged(run).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the check `a_transfer_ends` panicked in its own code, checks/04_locks/transfer.rs:4: no receipt; please report it"
    );
}

#[test]
fn checks_come_in_the_order_of_their_source_and_the_first_failure_decides() {
    let build = BuildOutcome::Built { warnings: vec![] };
    let second = run(
        "checks::money_is_kept",
        Ending::Exited(101),
        vec![started(), failed(6)],
        "",
    );
    let first = run(
        "checks::a_transfer_ends",
        Ending::Exited(1),
        vec![started(), hung(HangKind::Waiting)],
        "",
    );
    let judged = judge(&exercise(), &sources(), build, vec![second, first]).unwrap();
    assert_eq!(judged.verdict.kind(), VerdictKind::Hung);
    let names: Vec<_> = judged
        .checks
        .iter()
        .map(|check| check.name.as_str())
        .collect();
    assert_eq!(names, ["a_transfer_ends", "money_is_kept"]);
}

#[test]
fn a_check_that_did_not_run_is_no_pass() {
    let built = || BuildOutcome::Built { warnings: vec![] };
    let none = judge(&exercise(), &sources(), built(), vec![]).unwrap_err();
    assert_eq!(
        none,
        OurFault::NoChecks {
            file: CHECKS_FILE.into()
        }
    );
    let one = judge(
        &exercise(),
        &sources(),
        built(),
        vec![good("checks::a_transfer_ends")],
    )
    .unwrap_err();
    assert_eq!(
        one,
        OurFault::NotRun {
            file: CHECKS_FILE.into(),
            names: "`money_is_kept`".into()
        }
    );
}

fn error(message: &str, rendered: &str) -> Diagnostic {
    Diagnostic {
        level: "error".into(),
        code: None,
        message: message.into(),
        rendered: rendered.into(),
        at: None,
    }
}

fn refused(subject: &str, diagnostics: Vec<Diagnostic>) -> Result<Judged, OurFault> {
    let sources = Sources {
        subject,
        ..sources()
    };
    judge(
        &exercise(),
        &sources,
        BuildOutcome::Refused { diagnostics },
        vec![],
    )
}

#[test]
fn errors_of_the_learners_file_come_first_and_give_the_line() {
    let theirs = error(
        "mismatched types",
        &format!("error\n --> {SUBJECT_FILE}:4:5\n"),
    );
    let ours = error("unresolved", &format!("error\n --> {CHECKS_FILE}:1:5\n"));
    let judged = refused(SUBJECT, vec![ours, theirs]).unwrap();
    assert_eq!(judged.message, "mismatched types");
    assert_eq!((judged.at[0].line, judged.at[0].column), (4, Some(5)));
}

#[test]
fn a_note_in_the_learners_file_gives_the_line_where_the_error_is_in_the_checks() {
    let rendered = format!(
        "error: future cannot be sent between threads safely\n  --> {CHECKS_FILE}:4:5\nnote: used across an await\n  --> {SUBJECT_FILE}:4:9\n"
    );
    let judged = refused(
        SUBJECT,
        vec![error(
            "future cannot be sent between threads safely",
            &rendered,
        )],
    )
    .unwrap();
    assert_eq!(judged.at[0].line, 4);
    assert_eq!(
        judged.message,
        "future cannot be sent between threads safely"
    );
}

#[test]
fn a_missing_or_changed_item_reads_as_a_sentence() {
    let rendered =
        format!("error[E0425]: cannot find function `transfer`\n --> {CHECKS_FILE}:4:5\n");
    let missing = error("cannot find function `transfer` in this scope", &rendered);
    let renamed = SUBJECT.replace("fn transfer", "fn move_money");
    let judged = refused(&renamed, vec![missing]).unwrap();
    let sentence =
        "the checks need `pub async fn transfer(amount: u64) -> u64`; keep its signature";
    assert_eq!(judged.message, sentence);

    let rendered = format!(
        "error[E0308]: mismatched types\n --> {CHECKS_FILE}:4:5\nnote: function defined here\n --> {SUBJECT_FILE}:3:14\n  | transfer(3)\n"
    );
    let retyped = SUBJECT.replace("amount: u64", "amount: &str");
    let judged = refused(&retyped, vec![error("mismatched types", &rendered)]).unwrap();
    assert_eq!(judged.message, sentence);
    assert_eq!(
        judged.at[0],
        Place {
            what: "transfer".into(),
            ..here(3)
        }
    );
}

#[test]
fn an_error_of_the_checks_alone_is_our_fault() {
    let ours = error(
        "cannot find value `oops`",
        &format!("error\n --> {CHECKS_FILE}:4:5\n"),
    );
    let fault = refused(SUBJECT, vec![ours]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "checks/04_locks/transfer.rs does not compile, and not because of the exercise: cannot find value `oops`; please report it"
    );
}
