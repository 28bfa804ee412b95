//! Every verdict as a learner reads it.

use std::time::Duration;

use super::{Colour, Look, fit, verdict_lines, verdict_text};
use crate::core::manifest::{Exercise, Expectation, Limits, VerdictKind};
use crate::core::record::{HangKind, Leftover, PanicOn, Place, StuckTask};
use crate::core::verdict::{CheckOutcome, Diagnostic, Failure, Judged, Swallowed, Verdict};

const SOURCE: &str = "use tokio::sync::Mutex;

pub async fn transfer(bank: &Mutex<Bank>) {
    let mut from = bank.lock().await;
    settle(bank).await;
    from.total -= 1;
}

async fn settle(bank: &Mutex<Bank>) {
    let mut to = bank.lock().await;
    to.total += 1;
}
";

fn exercise() -> Exercise {
    Exercise {
        name: "self_deadlock".into(),
        chapter: "04_locks".into(),
        title: "A lock that waits for itself".into(),
        minutes: 15,
        difficulty: 2,
        starts_as: Expectation {
            verdict: VerdictKind::Hung,
            hang: None,
            check: None,
            code: None,
            message: None,
        },
        hints: ["Look.".into(), "Think.".into(), "Do.".into()],
        sources: Vec::new(),
        limits: Limits::default(),
        former_names: Vec::new(),
        kind: Default::default(),
    }
}

fn place(line: u32, column: u32, what: &str) -> Place {
    let file = "exercises/04_locks/self_deadlock.rs".into();
    Place {
        file,
        line,
        column: (column > 0).then_some(column),
        what: what.into(),
    }
}

fn check(name: &str, verdict: Verdict, message: &str, at: &[Place]) -> CheckOutcome {
    CheckOutcome {
        name: name.into(),
        verdict,
        at: at.to_vec(),
        message: message.into(),
        swallowed: Vec::new(),
        output: String::new(),
        took: Duration::from_millis(14),
    }
}

/// One check passed, one gave this verdict.
fn judged(verdict: Verdict, message: &str, at: &[Place]) -> Judged {
    Judged {
        verdict: verdict.clone(),
        at: at.to_vec(),
        message: message.into(),
        checks: vec![
            check("an_empty_transfer_ends", Verdict::Passed, "", &[]),
            check("a_transfer_ends", verdict, message, at),
        ],
        warnings: Vec::new(),
        swallowed: Vec::new(),
    }
}

fn text(judged: &Judged) -> String {
    for width in [60, 80, 200] {
        let look = Look {
            width,
            colour: Colour::None,
            links: None,
            program: "asynclings",
        };
        assert!(fit(&verdict_lines(judged, SOURCE, &look), width).len() < 60);
    }
    let look = Look {
        width: 72,
        colour: Colour::None,
        links: None,
        program: "asynclings",
    };
    verdict_text(&exercise(), judged, SOURCE, &look)
}

fn diagnostic(level: &str, message: &str, rendered: &str) -> Diagnostic {
    let code = Some("E0425".into());
    Diagnostic {
        level: level.into(),
        code,
        message: message.into(),
        rendered: rendered.into(),
        at: None,
    }
}

#[test]
fn passed() {
    let mut all = judged(Verdict::Passed, "", &[]);
    all.warnings = vec![diagnostic(
        "warning",
        "unused variable: `x`",
        "\x1b[33mwarning\x1b[0m: unused variable: `x`\n",
    )];
    insta::assert_snapshot!(text(&all), @"
    ✓ passed: both checks hold

      ✓ passed  an empty transfer ends
      ✓ passed  a transfer ends

    warning: unused variable: `x`

    next: `asynclings` goes on with the next exercise;
          `asynclings solution self_deadlock` shows our fix beside yours,
          `asynclings explain self_deadlock` tells it all
    ");
}

#[test]
fn does_not_compile() {
    let rendered = "\x1b[1m\x1b[91merror[E0425]\x1b[0m: cannot find value `bnak`\n --> exercises/04_locks/self_deadlock.rs:5:12\n  |\n5 |     settle(bnak).await;\n  |            ^^^^ help: `bank`\n\n";
    let diagnostics = vec![
        diagnostic("error", "cannot find value `bnak`", rendered),
        diagnostic("warning", "unused import", "warning: unused import\n"),
        diagnostic(
            "error",
            "aborting due to 1 previous error",
            "error: aborting due to 1 previous error\n",
        ),
    ];
    let mut refused = judged(
        Verdict::DoesNotCompile { diagnostics },
        "cannot find value `bnak`",
        &[place(5, 12, "")],
    );
    refused.checks.clear();
    insta::assert_snapshot!(text(&refused), @"
    ✗ does not compile: cannot find value `bnak`

    error[E0425]: cannot find value `bnak`
     --> exercises/04_locks/self_deadlock.rs:5:12
      |
    5 |     settle(bnak).await;
      |            ^^^^ help: `bank`

      and 1 warning

    next: begin with the first error: the others may follow from it;
          `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn check_failed() {
    let failure = Failure {
        message: "the customer's balance is wrong after the transfer".into(),
        expected: Some("Balance { total: 90 }".into()),
        seen: Some("Balance {\n    total: 100\n}".into()),
    };
    let message = failure.message.clone();
    let mut failed = judged(
        Verdict::CheckFailed { failure },
        &message,
        &[place(6, 5, "")],
    );
    failed.checks[1].output = (0..20).map(|n| format!("line {n}\x1b[31m\n")).collect();
    failed.swallowed = vec![Swallowed {
        message: "index out of bounds: the len is 0".into(),
        on: PanicOn::Task,
        origin: None,
        at: vec![place(11, 0, "")],
    }];
    insta::assert_snapshot!(text(&failed), @"
    ✗ check failed: the customer's balance is wrong after the transfer
      in the check “a transfer ends”

      expected  Balance { total: 90 }
      seen      Balance {
                    total: 100
                }

     --> exercises/04_locks/self_deadlock.rs:6:5
      |
    6 |     from.total -= 1;
      |     ^^^^

      a task panicked, and Tokio caught it: index out of bounds: the len
      is 0
      --> exercises/04_locks/self_deadlock.rs:11
       |
    11 |     to.total += 1;
       |     ^^^^^^^^^^^^^^ panics here

      ✓ passed        an empty transfer ends
      ✗ check failed  a transfer ends

      it printed (8 lines before these):
      | line 8
      | line 9
      | line 10
      | line 11
      | line 12
      | line 13
      | line 14
      | line 15
      | line 16
      | line 17
      | line 18
      | line 19

    next: find the line that breaks the promise;
          `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn hung_waiting() {
    let stuck = StuckTask {
        spawned: None,
        chain: vec![place(5, 18, "settle"), place(10, 23, "Mutex::lock")],
    };
    let spawned = StuckTask {
        spawned: Some(place(3, 0, "tokio::spawn")),
        chain: vec![place(4, 25, "Mutex::lock")],
    };
    let tasks = vec![stuck, spawned.clone(), spawned];
    let hung = judged(
        Verdict::Hung {
            kind: HangKind::Waiting,
            tasks,
        },
        "every task waits for something that never comes",
        &[place(10, 23, "Mutex::lock")],
    );
    insta::assert_snapshot!(text(&hung), @"
    ✗ hung (waiting): every task waits for something that never comes
      in the check “a transfer ends”

      what the check itself awaits:
      --> exercises/04_locks/self_deadlock.rs:10:23
       |
     5 |     settle(bank).await;
       |                  ----- awaits that
    ...
    10 |     let mut to = bank.lock().await;
       |                       ^^^^ waits here: Mutex::lock

      2 tasks spawned at exercises/04_locks/self_deadlock.rs:3:
     --> exercises/04_locks/self_deadlock.rs:4:25
      |
    4 |     let mut from = bank.lock().await;
      |                         ^^^^ waits here: Mutex::lock

      ✓ passed          an empty transfer ends
      ✗ hung (waiting)  a transfer ends

    next: ask of each marked line who was to wake it, and where they are
          now; `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn hung_with_no_chain_to_show() {
    let tasks = vec![StuckTask {
        spawned: Some(place(5, 0, "tokio::spawn")),
        chain: Vec::new(),
    }];
    let hung = judged(
        Verdict::Hung {
            kind: HangKind::Waiting,
            tasks,
        },
        "a task waits and shows no line",
        &[],
    );
    insta::assert_snapshot!(text(&hung), @"
    ✗ hung (waiting): a task waits and shows no line
      in the check “a transfer ends”

      the task spawned at exercises/04_locks/self_deadlock.rs:5:
     --> exercises/04_locks/self_deadlock.rs:5
      |
    5 |     settle(bank).await;
      |     ^^^^^^^^^^^^^^^^^^^ spawned here; where it waits cannot be seen

      ✓ passed          an empty transfer ends
      ✗ hung (waiting)  a transfer ends

    next: ask of each marked line who was to wake it, and where they are
          now; `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn hung_blocked_and_spinning() {
    let hung = |kind, message, what| {
        judged(
            Verdict::Hung {
                kind,
                tasks: Vec::new(),
            },
            message,
            &[place(4, 25, what), place(3, 0, "")],
        )
    };
    let blocked = hung(
        HangKind::Blocked,
        "a call holds the thread, and nothing else can run on it",
        "std::fs::read",
    );
    insta::assert_snapshot!(text(&blocked), @"
    ✗ hung (blocked): a call holds the thread, and nothing else can run
      on it
      in the check “a transfer ends”

     --> exercises/04_locks/self_deadlock.rs:4:25
      |
    3 | pub async fn transfer(bank: &Mutex<Bank>) {
      | -------------------------------------------
    4 |     let mut from = bank.lock().await;
      |                         ^^^^ holds the thread here: std::fs::read

      ✓ passed          an empty transfer ends
      ✗ hung (blocked)  a transfer ends

    next: ask who else needs the thread that the marked line holds;
          `asynclings hint self_deadlock` gives a hint
    ");
    let spinning = hung(
        HangKind::Spinning,
        "code runs without end and never yields",
        "",
    );
    insta::assert_snapshot!(text(&spinning), @"
    ✗ hung (spinning): code runs without end and never yields
      in the check “a transfer ends”

     --> exercises/04_locks/self_deadlock.rs:4:25
      |
    3 | pub async fn transfer(bank: &Mutex<Bank>) {
      | -------------------------------------------
    4 |     let mut from = bank.lock().await;
      |                         ^^^^ runs here without end

      ✓ passed           an empty transfer ends
      ✗ hung (spinning)  a transfer ends

    next: ask where the marked loop lets other tasks run, and when it ends;
          `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn over_memory() {
    let verdict = Verdict::OverMemory {
        peak: 268_500_000,
        limit: 256 << 20,
    };
    let over = judged(
        verdict,
        "live memory went over the limit",
        &[place(11, 0, "mpsc::Sender::send")],
    );
    insta::assert_snapshot!(text(&over), @"
    ✗ over memory: live memory went over the limit
      in the check “a transfer ends”

      peak 256.1 MiB, limit 256.0 MiB

      --> exercises/04_locks/self_deadlock.rs:11
       |
    11 |     to.total += 1;
       |     ^^^^^^^^^^^^^^
       |     this allocation crossed the limit: mpsc::Sender::send

      ✓ passed       an empty transfer ends
      ✗ over memory  a transfer ends

    next: ask what makes the marked line stop taking more;
          `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn panicked() {
    let panicked = |swallowed| {
        let verdict = Verdict::Panicked {
            message: "boom".into(),
            swallowed,
        };
        judged(verdict, "a task panicked with “boom”", &[place(6, 5, "")])
    };
    insta::assert_snapshot!(text(&panicked(true)), @"
    ✗ panicked, unnoticed: a task panicked with “boom”
      in the check “a transfer ends”

     --> exercises/04_locks/self_deadlock.rs:6:5
      |
    6 |     from.total -= 1;
      |     ^^^^ panics here

      ✓ passed               an empty transfer ends
      ✗ panicked, unnoticed  a transfer ends

    next: ask who is told of the panic at the marked line;
          `asynclings hint self_deadlock` gives a hint
    ");
    insta::assert_snapshot!(text(&panicked(false)), @"
    ✗ panicked: a task panicked with “boom”
      in the check “a transfer ends”

     --> exercises/04_locks/self_deadlock.rs:6:5
      |
    6 |     from.total -= 1;
      |     ^^^^ panics here

      ✓ passed    an empty transfer ends
      ✗ panicked  a transfer ends

    next: find out how the marked line can be reached in this state;
          `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn ended_early() {
    let verdict = Verdict::EndedEarly {
        how: "exit status 0".into(),
    };
    let ended = judged(
        verdict,
        "the process ended with exit status 0 before the check was done",
        &[],
    );
    insta::assert_snapshot!(text(&ended), @"
    ✗ ended early: the process ended with exit status 0 before the check
      was done
      in the check “a transfer ends”

      ✓ passed       an empty transfer ends
      ✗ ended early  a transfer ends

    next: find what ends the process before its work is done;
          `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn left_running() {
    let verdict = Verdict::LeftRunning {
        what: Leftover::Task,
        count: 2,
        detail: String::new(),
    };
    let left = judged(
        verdict,
        "two tasks still run after the check",
        &[place(5, 5, "tokio::spawn")],
    );
    insta::assert_snapshot!(text(&left), @"
    ✗ left running: two tasks still run after the check
      in the check “a transfer ends”

     --> exercises/04_locks/self_deadlock.rs:5:5
      |
    5 |     settle(bank).await;
      |     ^^^^^^ started here, and still running: tokio::spawn

      ✓ passed        an empty transfer ends
      ✗ left running  a transfer ends

    next: ask who owns what was started, and who waits for its end;
          `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn a_second_failing_check_gives_its_reason_in_the_list() {
    let hung = Verdict::Hung {
        kind: HangKind::Waiting,
        tasks: Vec::new(),
    };
    let mut both = judged(hung, "every task waits", &[place(10, 23, "Mutex::lock")]);
    let ended = Verdict::EndedEarly {
        how: "signal 6".into(),
    };
    both.checks.push(check(
        "money_is_neither_made_nor_lost",
        ended,
        "the process was ended by signal 6",
        &[place(4, 1, "")],
    ));
    insta::assert_snapshot!(text(&both), @"
    ✗ hung (waiting): every task waits
      in the check “a transfer ends”

      --> exercises/04_locks/self_deadlock.rs:10:23
       |
    10 |     let mut to = bank.lock().await;
       |                       ^^^^ waits here: Mutex::lock

      ✓ passed          an empty transfer ends
      ✗ hung (waiting)  a transfer ends
      ✗ ended early     money is neither made nor lost
                        the process was ended by signal 6
                        exercises/04_locks/self_deadlock.rs:4:1

    next: ask of each marked line who was to wake it, and where they are
          now; `asynclings hint self_deadlock` gives a hint
    ");
}

#[test]
fn colour_and_links_change_no_word() {
    let over = judged(
        Verdict::OverMemory { peak: 1, limit: 2 },
        "too much",
        &[place(11, 5, "x")],
    );
    let dressed = Look {
        width: 72,
        colour: Colour::Ansi,
        links: Some("file:///w".into()),
        program: "asynclings",
    };
    let bare = Look {
        colour: Colour::None,
        links: None,
        ..dressed.clone()
    };
    let text = verdict_lines(&over, SOURCE, &dressed).join("\n");
    assert!(text.contains("\x1b]8;;file:///w/exercises/04_locks/self_deadlock.rs\x1b\\"));
    assert_eq!(
        super::paint::plain(&text),
        verdict_lines(&over, SOURCE, &bare).join("\n")
    );
}
