use std::time::Duration;

use super::{Action, Checked, Event, Farewell, Found, JobKind, Key, Lab, Screen, Session, Signal};
use crate::core::manifest::{Chapter, Exercise, Expectation, Limits, Manifest, VerdictKind};
use crate::core::pacing::{Gate, Seal};
use crate::core::progress::{Change, Progress};
use crate::core::record::HangKind;
use crate::core::verdict::{Judged, Verdict};
use crate::core::view::{Colour, Look, draw};

fn exercise(name: &str) -> Exercise {
    Exercise {
        name: name.into(),
        chapter: "01_first".into(),
        title: format!("The {name} one"),
        minutes: 5,
        difficulty: 1,
        starts_as: Expectation {
            verdict: VerdictKind::Hung,
            hang: None,
            check: None,
            code: None,
            message: None,
        },
        hints: [
            "Look there.".into(),
            "Think of it.".into(),
            "Do this.".into(),
        ],
        sources: Vec::new(),
        limits: Limits::default(),
        former_names: Vec::new(),
        kind: Default::default(),
    }
}

pub(in crate::core) fn session() -> Session {
    session_of(&["alpha", "beta", "gamma"])
}

pub(in crate::core) fn session_of(names: &[&str]) -> Session {
    let manifest = Manifest {
        language: "en".into(),
        chapters: vec![Chapter {
            id: "01_first".into(),
            title: "First".into(),
        }],
        exercises: names.iter().map(|name| exercise(name)).collect(),
        tracks: Vec::new(),
        gates: Vec::new(),
    };
    let files = names
        .iter()
        .map(|name| format!("exercises/01_first/{name}.rs"))
        .collect();
    Session::new(manifest, Progress::default(), files)
}

pub(in crate::core) fn verdict(verdict: Verdict) -> Result<Box<Checked>, String> {
    let judged = Judged {
        verdict,
        at: Vec::new(),
        message: "what it is about".into(),
        checks: Vec::new(),
        warnings: Vec::new(),
        swallowed: Vec::new(),
    };
    Ok(Box::new(Checked {
        judged,
        source: "fn main() {}\n".into(),
    }))
}

pub(in crate::core) fn passes(generation: u64) -> Event {
    Event::CheckDone {
        generation,
        now: 7,
        result: verdict(Verdict::Passed),
    }
}

pub(in crate::core) fn hangs(generation: u64) -> Event {
    let hung = Verdict::Hung {
        kind: HangKind::Waiting,
        tasks: Vec::new(),
    };
    Event::CheckDone {
        generation,
        now: 7,
        result: verdict(hung),
    }
}

pub(in crate::core) fn key(key: char) -> Event {
    Event::Key(Key::Char(key))
}

/// Feeds the events; what the last one asked for, without `Draw`.
pub(in crate::core) fn after(session: &mut Session, events: Vec<Event>) -> Vec<Action> {
    let mut last = Vec::new();
    for event in events {
        last = session.on(event);
    }
    last.retain(|action| *action != Action::Draw);
    last
}

pub(in crate::core) fn check(generation: u64, exercise: usize) -> Action {
    Action::StartCheck {
        generation,
        exercise,
    }
}

pub(in crate::core) fn ready() -> Event {
    Event::Prepared(Ok(()))
}

#[test]
fn each_event_asks_for_what_it_means() {
    let stop = |farewell| vec![Action::Cancel, Action::Quit(farewell)];
    let hint = |level| Change::HintTaken {
        name: "alpha".into(),
        level,
    };
    let table: Vec<(&str, Vec<Event>, Vec<Action>)> = vec![
        ("the lab becomes ready", vec![ready()], vec![check(1, 0)]),
        (
            "a save before that is kept for then",
            vec![Event::FileChanged(0)],
            vec![],
        ),
        (
            "a save in a run",
            vec![ready(), Event::FileChanged(0)],
            vec![check(2, 0)],
        ),
        (
            "two saves in a row",
            vec![ready(), Event::FileChanged(0), Event::FileChanged(0)],
            vec![check(3, 0)],
        ),
        (
            "an old result",
            vec![ready(), Event::FileChanged(0), passes(1)],
            vec![],
        ),
        (
            "a save after a verdict",
            vec![ready(), passes(1), Event::FileChanged(0)],
            vec![check(2, 0)],
        ),
        (
            "a save of another exercise",
            vec![ready(), Event::FileChanged(1)],
            vec![],
        ),
        (
            "the file goes in a run",
            vec![ready(), Event::FileGone(0)],
            vec![Action::Cancel],
        ),
        (
            "it goes and comes back",
            vec![ready(), Event::FileGone(0), Event::FileChanged(0)],
            vec![check(2, 0)],
        ),
        (
            "another file goes",
            vec![ready(), Event::FileGone(2)],
            vec![],
        ),
        ("r in a run", vec![ready(), key('r')], vec![check(2, 0)]),
        (
            "r after a verdict",
            vec![ready(), hangs(1), key('r')],
            vec![check(2, 0)],
        ),
        ("n in a run", vec![ready(), key('n')], vec![]),
        ("n after a hang", vec![ready(), hangs(1), key('n')], vec![]),
        (
            "n in the run after a pass",
            vec![ready(), passes(1), Event::FileChanged(0), key('n')],
            vec![],
        ),
        (
            "h",
            vec![ready(), key('h')],
            vec![Action::SaveProgress(vec![hint(1)])],
        ),
        (
            "h twice",
            vec![ready(), key('h'), key('h')],
            vec![Action::SaveProgress(vec![hint(2)])],
        ),
        (
            "h after the last hint",
            vec![key('h'), key('h'), key('h'), key('h')],
            vec![],
        ),
        ("l in a run", vec![ready(), key('l')], vec![]),
        (
            "c in a run",
            vec![ready(), key('c')],
            vec![Action::StartAll {
                generation: 2,
                exercises: vec![0, 1, 2],
            }],
        ),
        ("c before the lab is ready", vec![key('c')], vec![]),
        (
            "m in a run",
            vec![ready(), key('m')],
            vec![Action::StartMain {
                generation: 2,
                exercise: 0,
            }],
        ),
        (
            "a save while main runs",
            vec![ready(), key('m'), Event::FileChanged(0)],
            vec![check(3, 0)],
        ),
        (
            "a save while all run",
            vec![ready(), key('c'), Event::FileChanged(0)],
            vec![check(3, 0)],
        ),
        ("x alone", vec![ready(), key('x')], vec![]),
        (
            "x and n",
            vec![ready(), hangs(1), key('x'), key('n')],
            vec![],
        ),
        (
            "x and y",
            vec![ready(), hangs(1), key('x'), key('y')],
            vec![Action::Reset(0)],
        ),
        (
            "x and something else",
            vec![ready(), key('x'), key('h')],
            vec![],
        ),
        ("y alone", vec![ready(), key('y')], vec![]),
        ("an unknown key", vec![ready(), key('z')], vec![]),
        ("q in a run", vec![ready(), key('q')], stop(Farewell::Asked)),
        (
            "q at rest",
            vec![ready(), hangs(1), key('q')],
            vec![Action::Quit(Farewell::Asked)],
        ),
        (
            "Ctrl-C in a run",
            vec![ready(), Event::Key(Key::CtrlC)],
            stop(Farewell::Interrupted),
        ),
        (
            "Ctrl-C at a question",
            vec![key('x'), Event::Key(Key::CtrlC)],
            vec![Action::Quit(Farewell::Interrupted)],
        ),
        (
            "SIGINT in a run",
            vec![ready(), Event::Signal(Signal::Interrupt)],
            stop(Farewell::Interrupted),
        ),
        (
            "SIGTERM in a run",
            vec![ready(), Event::Signal(Signal::Stop)],
            stop(Farewell::Interrupted),
        ),
        (
            "Ctrl-Z",
            vec![Event::Key(Key::CtrlZ)],
            vec![Action::Suspend],
        ),
        (
            "Ctrl-Z in a run",
            vec![ready(), Event::Key(Key::CtrlZ)],
            vec![Action::Cancel, Action::Suspend],
        ),
        (
            "going on after it",
            vec![
                ready(),
                Event::Key(Key::CtrlZ),
                Event::Signal(Signal::Resume),
            ],
            vec![Action::Resume, check(2, 0)],
        ),
        (
            "going on after a SIGSTOP in a run, whose clocks went on",
            vec![ready(), Event::Signal(Signal::Resume)],
            vec![Action::Resume, check(2, 0)],
        ),
        (
            "SIGCONT",
            vec![Event::Signal(Signal::Resume)],
            vec![Action::Resume],
        ),
        (
            "r when the lab failed",
            vec![Event::Prepared(Err("no rustc".into())), key('r')],
            vec![Action::Prepare],
        ),
        (
            "g after another was saved",
            vec![ready(), hangs(1), Event::FileChanged(1), key('g')],
            vec![
                Action::SaveProgress(vec![Change::MovedTo {
                    name: "beta".into(),
                }]),
                check(2, 1),
            ],
        ),
        ("g alone asks where", vec![ready(), key('g')], vec![]),
        (
            "g, once the word that offered another is gone",
            vec![ready(), hangs(1), Event::FileChanged(1), key('z'), key('g')],
            vec![],
        ),
        (
            "o without an editor",
            vec![ready(), hangs(1), key('o')],
            vec![],
        ),
    ];
    for (what, events, wanted) in table {
        assert_eq!(after(&mut session(), events), wanted, "{what}");
    }
}

#[test]
fn a_verdict_is_recorded_and_passing_does_not_move_on_by_itself() {
    let mut session = session();
    let actions = after(&mut session, vec![ready(), passes(1)]);
    let change = Change::Checked {
        name: "alpha".into(),
        passed: true,
        verdict: Some(VerdictKind::Passed),
        at: 7,
    };
    assert_eq!(actions, [Action::SaveProgress(vec![change])]);
    assert_eq!(session.current, 0);
    assert!(
        screen(&session).contains("passed, press n"),
        "{}",
        screen(&session)
    );
}

#[test]
fn n_goes_through_the_workbook_to_its_end() {
    let mut session = session();
    after(&mut session, vec![ready()]);
    for (exercise, generation) in [(1, 1), (2, 2)] {
        let actions = after(&mut session, vec![passes(generation), key('n')]);
        assert_eq!(actions.last(), Some(&check(generation + 1, exercise)));
    }
    assert_eq!(after(&mut session, vec![passes(3), key('n')]), []);
    assert!(
        screen(&session).contains("the workbook is done"),
        "{}",
        screen(&session)
    );
    assert_eq!(
        after(&mut session, vec![Event::FileChanged(2)]),
        [check(4, 2)]
    );
    assert!(!session.finished);
}

#[test]
fn a_check_that_gave_way_to_main_is_made_up_for() {
    let mut session = session();
    after(&mut session, vec![ready(), key('m')]);
    assert_eq!(
        after(&mut session, vec![Event::Key(Key::Escape)]),
        [Action::Cancel, check(3, 0)]
    );
}

#[test]
fn a_reset_checks_again_and_takes_the_pass_back() {
    let mut session = session();
    let done = Event::ResetDone {
        exercise: 0,
        result: Ok("kept aside".into()),
    };
    let actions = after(
        &mut session,
        vec![ready(), passes(1), key('x'), key('y'), done],
    );
    assert_eq!(
        actions,
        [
            Action::SaveProgress(vec![Change::Reset {
                name: "alpha".into()
            }]),
            check(2, 0)
        ]
    );
    let failed = Event::ResetDone {
        exercise: 0,
        result: Err("read-only".into()),
    };
    assert_eq!(after(&mut session, vec![failed]), []);
    assert_eq!(session.notice.as_deref(), Some("read-only"));
}

#[test]
fn what_we_wrote_ourselves_does_not_take_its_own_notice_away() {
    for done in [
        Event::ResetUndone(Ok("it is back".into())),
        Event::ResetDone {
            exercise: 0,
            result: Ok("it is back".into()),
        },
    ] {
        let mut session = session();
        after(&mut session, vec![ready(), passes(1), done]);
        after(&mut session, vec![Event::FileChanged(0)]);
        let notice = session.notice.clone().unwrap_or_default();
        assert!(notice.starts_with("it is back"), "{notice}");
        after(&mut session, vec![Event::FileChanged(0)]);
        assert_eq!(session.notice, None, "the learner's own save does");
    }
}

#[test]
fn the_end_of_endless_output_is_kept() {
    let mut session = session();
    after(&mut session, vec![ready(), key('m')]);
    let job = session.job.as_ref().map(|job| job.kind);
    assert_eq!(job, Some(JobKind::Main));
    for n in 0..3000 {
        let text = format!("line {n}\nhalf");
        session.on(Event::MainOutput {
            generation: 2,
            text,
        });
    }
    session.on(Event::MainOutput {
        generation: 2,
        text: "x".repeat(100_000),
    });
    session.on(Event::MainDone {
        generation: 2,
        end: "it ended with exit status 0".into(),
    });
    assert!(session.main.lines.len() <= 500);
    assert!(session.main.lines.iter().all(|line| line.len() < 110_000));
    assert!(session.main.dropped > 2000);
    let shown = screen(&session);
    assert!(shown.contains("exit status 0"), "{shown}");
}

#[test]
fn nothing_moves_at_rest_so_that_no_tick_is_due() {
    let mut session = session();
    assert!(session.is_moving());
    after(&mut session, vec![ready()]);
    assert!(session.is_moving());
    after(&mut session, vec![hangs(1)]);
    assert!(!session.is_moving());
    assert_eq!(session.on(Event::Tick(Duration::from_secs(1))), []);
}

#[test]
fn any_two_events_leave_a_screen_that_fits() {
    let events: Vec<Event> = "nrhlcxymqgjkzou?"
        .chars()
        .map(key)
        .chain([Key::Escape, Key::PageDown, Key::Home, Key::Enter, Key::Tab].map(Event::Key))
        .chain([
            Event::FileChanged(0),
            Event::FileChanged(9),
            Event::FileGone(0),
        ])
        .chain([passes(1), hangs(2), Event::AllDone { generation: 2 }])
        .chain([
            Event::Compiled { generation: 1 },
            Event::Line("g no such".into()),
        ])
        .chain([Event::Polling("no events arrive".into())])
        .chain([Event::Prepared(Err("no rustc\nat all".into()))])
        .collect();
    for (first, second) in events
        .iter()
        .flat_map(|first| events.iter().map(move |second| (first, second)))
    {
        let mut session = session();
        for event in [&ready(), first, second] {
            session.on(event.clone());
        }
        for (width, height) in [(12, 5), (60, 10), (200, 60)] {
            session.on(Event::Resize { width, height });
            fits(&session);
        }
    }
}

fn fits(session: &Session) {
    let (width, height) = session.size();
    let drawn = draw(
        session,
        &Look {
            width,
            colour: Colour::None,
            links: None,
            program: "asynclings",
        },
    );
    assert!(
        drawn.rows.len() == height,
        "{} rows of {height}",
        drawn.rows.len()
    );
    for row in &drawn.rows {
        assert!(
            row.chars().count() <= width,
            "{row:?} is wider than {width}"
        );
    }
}

pub(in crate::core) fn screen(session: &Session) -> String {
    let look = Look {
        width: session.size().0,
        colour: Colour::None,
        links: None,
        program: "asynclings",
    };
    draw(session, &look).rows.join("\n")
}

#[test]
fn the_first_screen_explains_itself() {
    insta::assert_snapshot!(screen(&session()), @"
    alpha · The alpha one                                   [----------] 0 of 3 done
    exercises/01_first/alpha.rs                                        First · 5 min

    Welcome to asynclings.
    Each exercise is a small Tokio program with one fault from production.
      1. Open exercises/01_first/alpha.rs (o does) and read its header.
      2. Mend it and save: it is checked, and the verdict names the line at fault.
      3. Once it has passed, n goes on. h hints, e explains, m runs the program
         itself.












    | looking for the lab 0.0 s
    n next  p back  r run  h hint  e explain  o editor  g goto  l list  d solution
    c all  x reset  u undo  m main  q quit
    ");
}

#[test]
fn a_verdict_with_a_hint_on_a_narrow_screen() {
    let mut session = session();
    after(
        &mut session,
        vec![
            ready(),
            hangs(1),
            key('h'),
            Event::Resize {
                width: 60,
                height: 20,
            },
        ],
    );
    insta::assert_snapshot!(screen(&session), @"
    alpha · The alpha one               [----------] 0 of 3 done
    exercises/01_first/alpha.rs                    First · 5 min

    hint 1 of 3: look
      Look there.

    ✗ hung (waiting): what it is about









    next: ask of each marked line who was to wake it, and where
          they are now; h gives a hint
    n next  p back  r run  h hint  e explain  o editor  g goto
    l list  d solution  c all  x reset  u undo  m main  q quit
    ");
    assert_eq!(session.lab, Lab::Ready);
    assert_eq!(session.screen, Screen::Exercise);
    assert!(matches!(session.found, Some(Found::Verdict(_))));
}

#[test]
fn the_list_and_the_question_before_a_reset() {
    let mut session = session();
    after(&mut session, vec![ready(), passes(1), key('l')]);
    insta::assert_snapshot!(screen(&session), @"
    3 exercises, 1 done
        #   state   name  min title
    >  *1 ✓ done    alpha   5 The alpha one
        2   open    beta    5 The beta one
        3   open    gamma   5 The gamma one
















    The alpha one · you are here · First · level 1 of 5 · 1 try · no hints
    ↑↓ move  Enter go  / find  f state  c chapter  t track  s sort  a all  h hint
    e page  x reset  q back
    ");
    after(&mut session, vec![key('x')]);
    insta::assert_snapshot!(screen(&session), @"
    3 exercises, 1 done
        #   state   name  min title
    >  *1 ✓ done    alpha   5 The alpha one
        2   open    beta    5 The beta one
        3   open    gamma   5 The gamma one

















    ? reset alpha to how it was shipped? Your text is kept aside.
    y yes  n no
    ");
}

#[test]
fn e_brings_the_page_once_and_esc_goes_back() {
    let mut session = session();
    after(&mut session, vec![ready(), hangs(1)]);
    let asked = session.on(key('e'));
    assert_eq!(asked, [Action::Draw, Action::Explain(0)]);
    session.on(Event::Explained {
        exercise: 0,
        result: Ok("# Why\n\n<details class=\"fix\">\n\nDo this.\n\n</details>\n".into()),
    });
    assert_eq!(session.screen, Screen::Page);
    let before = screen(&session);
    assert!(
        before.contains("Why") && !before.contains("Do this."),
        "{before}"
    );
    assert_eq!(session.on(Event::Key(Key::Escape)), [Action::Draw]);
    assert_eq!(session.on(key('e')), [Action::Draw]);
    session.progress.apply(&Change::Checked {
        name: "alpha".into(),
        passed: true,
        verdict: None,
        at: 7,
    });
    let passed = screen(&session);
    assert!(passed.contains("Do this."), "{passed}");
}

#[test]
fn a_verdict_that_comes_while_somebody_reads_leaves_the_page_where_it_is() {
    let mut session = session();
    after(
        &mut session,
        vec![ready(), key('e'), Event::Key(Key::PageDown)],
    );
    let at = session.scroll;
    assert!(at > 0);
    session.on(hangs(1));
    assert_eq!((session.screen, session.scroll), (Screen::Page, at));
}

#[test]
fn a_page_of_another_exercise_comes_too_late() {
    let mut session = session();
    session.on(Event::Explained {
        exercise: 2,
        result: Ok("# Other\n".into()),
    });
    assert_eq!(session.page, None);
}

#[test]
fn the_answer_to_a_key_goes_with_the_next_verdict() {
    let mut session = session();
    after(&mut session, vec![ready(), hangs(1), key('n')]);
    assert!(screen(&session).contains("not passed yet"));
    after(&mut session, vec![Event::FileChanged(0)]);
    after(&mut session, vec![key('n')]);
    assert!(screen(&session).contains("still running"));
    after(&mut session, vec![passes(2)]);
    assert!(!screen(&session).contains("still running"));
}

#[test]
fn an_old_verdict_is_said_to_be_old_until_the_new_one_is_there() {
    let mut session = session();
    after(&mut session, vec![ready(), hangs(1), Event::FileChanged(0)]);
    let compiling = screen(&session);
    assert!(compiling.contains("hung (waiting)"), "{compiling}");
    assert!(
        compiling.contains("| checking: compiling 0.0 s; above is the verdict before"),
        "{compiling}"
    );
    session.on(Event::Compiled { generation: 2 });
    session.on(Event::Tick(Duration::from_millis(1300)));
    let running = screen(&session);
    assert!(
        running.contains("/ checking: running its checks 1.3 s"),
        "{running}"
    );
    session.on(passes(2));
    assert!(!screen(&session).contains("verdict before"));
}

/// `beta` opens at 100 seconds, `gamma` with the word `fox`.
fn held_back() -> Session {
    let mut session = session();
    session.manifest.gates = vec![
        Gate {
            exercises: vec!["beta".into()],
            opens: chrono::DateTime::from_timestamp(100, 0).map(Into::into),
            word: None,
        },
        Gate {
            exercises: vec!["gamma".into()],
            opens: None,
            word: Some(Seal::new("fox", 1)),
        },
    ];
    session.at(99);
    after(&mut session, vec![ready(), passes(1)]);
    session
}

#[test]
fn past_what_is_open_n_says_when_the_next_opens_and_goes_there_then() {
    let mut session = held_back();
    assert_eq!(after(&mut session, vec![key('n')]), []);
    let shown = screen(&session);
    assert!(shown.contains("all that is open is done"), "{shown}");
    assert!(
        shown.contains("`beta` is closed: it opens on 1970-01-01 at 00:01 UTC; 1 more"),
        "{shown}"
    );
    session.at(100);
    let moved = Change::MovedTo {
        name: "beta".into(),
    };
    assert_eq!(
        after(&mut session, vec![key('n')]),
        [Action::SaveProgress(vec![moved]), check(2, 1)]
    );
}

#[test]
fn no_way_leads_to_a_closed_exercise_and_each_says_why() {
    let typed = |text: &str| -> Vec<Event> {
        let keys = text.chars().map(key);
        [key('g')]
            .into_iter()
            .chain(keys)
            .chain([Event::Key(Key::Enter)])
            .collect()
    };
    let ways = [
        typed("gamma"),
        vec![Event::Line("g gamma".into())],
        vec![key('l'), Event::Key(Key::End), Event::Key(Key::Enter)],
        vec![Event::FileChanged(2), key('g')],
    ];
    for way in ways {
        let mut session = held_back();
        assert_eq!(after(&mut session, way.clone()), [], "{way:?}");
        assert_eq!(session.current, 0);
        let shown = screen(&session);
        assert!(
            shown.contains("`gamma` is closed: it opens with the word"),
            "{way:?}\n{shown}"
        );
    }
    let mut session = held_back();
    let all = after(&mut session, vec![key('c')]);
    let exercises = vec![0];
    assert_eq!(
        all,
        [Action::StartAll {
            generation: 2,
            exercises
        }]
    );
}

#[test]
fn a_word_opens_where_names_are_typed() {
    for events in [
        vec![Event::Line("g Fox".into())],
        vec![
            key('g'),
            key('f'),
            key('o'),
            key('x'),
            Event::Key(Key::Enter),
        ],
    ] {
        let mut session = held_back();
        let actions = after(&mut session, events);
        assert!(
            matches!(&actions[0], Action::SaveProgress(changes) if matches!(&changes[0], Change::Opened { .. }))
        );
        assert!(screen(&session).contains("`gamma` is open now"));
        after(&mut session, vec![key('n')]);
        assert_eq!(session.current, 2);
    }
}

#[test]
fn where_nothing_is_open_the_screen_says_so_and_a_date_that_comes_opens() {
    let mut session = held_back();
    session.manifest.gates[0].exercises.push("alpha".into());
    session.progress = Progress::default();
    assert_eq!(after(&mut session, vec![key('r')]), []);
    assert!(
        screen(&session).contains("`alpha` is closed"),
        "{}",
        screen(&session)
    );
    assert_eq!(after(&mut session, vec![key('h')]), []);
    session.at(100);
    assert_eq!(after(&mut session, vec![key('r')]), [check(2, 0)]);
}
