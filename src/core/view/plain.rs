//! Watch mode as lines that are only ever added: for screen readers, and for terminals that can do no more. It says what
//! has changed since it spoke last; the words are those of the screen.

use super::foot::{key_words, named, next, polling, question};
use super::head::chapter;
use super::listing::{hint_text, list_text};
use super::paint::Look;
use super::screen::{
    all_passed, findings, finished, gone, no_lab, one_of_all, page, solution, welcome,
};
use crate::core::session::{Going, JobKind, Lab, Screen, Session};

/// Exercises that are named where a name is not clear.
const MAX_NAMED: usize = 12;

/// Says what is new, and remembers what it said.
#[derive(Debug, Default)]
pub struct Teller {
    said: Option<Said>,
}

/// Where the session was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    exercise: usize,
    lab: String,
    /// Generation of the last job.
    job: u64,
    /// Generation of the last verdict.
    found: Option<u64>,
    hints: u8,
    notices: u64,
    asked: bool,
    going: Option<Going>,
    screen: Screen,
    /// The page, or the fix beside ours.
    page: bool,
    /// Results of all, lines of `main`.
    results: usize,
    lines: usize,
    ended: bool,
    gone: bool,
    finished: bool,
    polling: bool,
}

impl Said {
    fn of(session: &Session) -> Self {
        Self {
            exercise: session.current,
            lab: lab(session).to_owned(),
            job: session.generation,
            found: session.found.is_some().then_some(session.found_in),
            hints: session.hints,
            notices: session.notices,
            asked: session.asked,
            going: session.going.clone(),
            screen: session.screen,
            page: match session.screen {
                Screen::Page => session.page.is_some(),
                Screen::Solution => session.compared.is_some(),
                _ => false,
            },
            results: session.all.len(),
            lines: whole_lines(session),
            ended: session.main.end.is_some(),
            gone: session.gone,
            finished: session.finished,
            polling: session.polling.is_some(),
        }
    }
}

impl Teller {
    /// What is new since the last call. `look` should have no colour and no links.
    pub fn tell(&mut self, session: &Session, look: &Look) -> Vec<String> {
        let now = Said::of(session);
        let lines = match &self.said {
            None => [
                beginning(session, look),
                news(&blank(&now), &now, session, look),
            ]
            .concat(),
            Some(before) => news(before, &now, session, look),
        };
        self.said = Some(now);
        lines
    }
}

/// As if nothing had been said but where we are.
fn blank(now: &Said) -> Said {
    Said {
        lab: String::new(),
        job: 0,
        found: None,
        hints: 0,
        notices: 0,
        asked: false,
        going: None,
        gone: false,
        polling: false,
        ..now.clone()
    }
}

fn beginning(session: &Session, look: &Look) -> Vec<String> {
    let mut lines = Vec::new();
    if session.welcome {
        lines.extend(welcome(session, look));
    }
    lines.extend(here(session, look));
    let keys = format!("type a key or its word, then Enter: {}", key_words());
    lines.extend(look.wrap(&keys, "", "  "));
    lines
}

/// Which exercise this is.
fn here(session: &Session, look: &Look) -> Vec<String> {
    let Some(exercise) = session.exercise() else {
        return Vec::new();
    };
    let (done, total) = session.score();
    let name = format!("{}: {}", exercise.name, exercise.title);
    let place = format!(
        "{}, {} min, {done} of {total} done: {}",
        chapter(session, exercise),
        exercise.minutes,
        session.file()
    );
    [look.wrap(&name, "", "  "), look.wrap(&place, "", "  ")].concat()
}

fn news(before: &Said, now: &Said, session: &Session, look: &Look) -> Vec<String> {
    let moved = now.exercise != before.exercise;
    let entered = now.screen != before.screen;
    let mut lines = Vec::new();
    if moved {
        lines.push(String::new());
        lines.extend(here(session, look));
    }
    if now.polling && !before.polling {
        let why = session.polling.as_deref().unwrap_or_default();
        lines.extend(look.wrap(&polling(why), "! ", "  "));
    }
    if now.notices != before.notices {
        let notice = session.notice.iter();
        lines.extend(notice.flat_map(|notice| look.wrap(notice, "! ", "  ")));
    }
    if now.lab != before.lab {
        lines.extend(lab_news(session, look));
    }
    if now.gone && !before.gone {
        lines.extend(gone(session, look));
    }
    if now.finished && !before.finished {
        lines.extend(finished(session, look));
    }
    if let Some(exercise) = session.exercise() {
        let known = if moved {
            0
        } else {
            before.hints.min(now.hints)
        };
        let new = known + 1..=now.hints;
        lines.extend(new.flat_map(|level| hint_text(exercise, level, look)));
    }
    if now.job > before.job {
        lines.extend(job_news(session));
    }
    if now.found.is_some() && (moved || now.found != before.found) {
        lines.extend(verdict(session, look));
    }
    match now.screen {
        Screen::Exercise if entered && !moved => lines.extend(here(session, look)),
        Screen::Exercise => {}
        Screen::List if entered => {
            let name = session.exercise().map(|exercise| exercise.name.as_str());
            lines.extend(list_text(&session.manifest, &session.progress, name, look));
            lines.push(GO_BACK.to_owned());
        }
        Screen::List => {}
        Screen::Page if now.page && (entered || !before.page) => {
            lines.extend(page(session, look));
            lines.push(GO_BACK.to_owned());
        }
        Screen::Solution if now.page && (entered || !before.page) => {
            lines.extend(solution(session, look));
            lines.push(GO_BACK.to_owned());
        }
        Screen::Page | Screen::Solution => {}
        Screen::All => lines.extend(all_news(before, now, session, look)),
        Screen::Main => lines.extend(main_news(before, now, session, look)),
    }
    if now.asked && !before.asked {
        lines.extend(look.wrap(&format!("{} y or n", question(session)), "? ", "  "));
    }
    if let Some(going) = &now.going
        && before.going != now.going
    {
        lines.extend(going_news(session, going, look));
    }
    lines
}

const GO_BACK: &str = "(Enter alone goes back to the exercise)";

/// The lab's news without its numbers, which change all the time.
fn lab(session: &Session) -> &str {
    match &session.lab {
        Lab::Preparing(what) => what.split(':').next().unwrap_or_default(),
        Lab::Ready => "",
        Lab::Failed(why) => why,
    }
}

fn lab_news(session: &Session, look: &Look) -> Vec<String> {
    match &session.lab {
        Lab::Preparing(_) => vec![lab(session).to_owned()],
        Lab::Ready => Vec::new(),
        Lab::Failed(why) => [no_lab(why, look), next(session, look)].concat(),
    }
}

fn job_news(session: &Session) -> Option<String> {
    let words = match session.job.as_ref()?.kind {
        JobKind::Check => "checking",
        JobKind::All => "checking all",
        JobKind::Main => "what its main prints:",
    };
    Some(words.to_owned())
}

fn verdict(session: &Session, look: &Look) -> Vec<String> {
    let found = session.found.iter();
    let mut lines: Vec<String> = found.flat_map(|found| findings(found, look)).collect();
    lines.extend(next(session, look));
    lines
}

fn all_news(before: &Said, now: &Said, session: &Session, look: &Look) -> Vec<String> {
    // Another run begins with none.
    let known = if now.job > before.job {
        0
    } else {
        before.results.min(now.results)
    };
    let new = &session.all[known..];
    let mut lines: Vec<String> = new
        .iter()
        .flat_map(|result| one_of_all(session, result, look))
        .collect();
    if !new.is_empty() && now.results == session.manifest.exercises.len() {
        lines.push(all_passed(session));
        lines.push(GO_BACK.to_owned());
    }
    lines
}

/// Lines of `main` that have their end.
fn whole_lines(session: &Session) -> usize {
    let main = &session.main;
    let open = usize::from(main.end.is_none() || main.lines.last().is_some_and(String::is_empty));
    main.dropped + main.lines.len().saturating_sub(open)
}

fn main_news(before: &Said, now: &Said, session: &Session, look: &Look) -> Vec<String> {
    let main = &session.main;
    let known = if now.job > before.job {
        0
    } else {
        before.lines.min(now.lines)
    };
    let mut lines = Vec::new();
    if known < main.dropped {
        lines.push(format!(
            "  ({} lines are left out here)",
            main.dropped - known
        ));
    }
    let kept = main.lines.iter().skip(known.saturating_sub(main.dropped));
    let new = now.lines - known.max(main.dropped);
    lines.extend(kept.take(new).map(|line| format!("  {line}")));
    if let (true, Some(end)) = (
        now.ended && !(before.ended && now.job <= before.job),
        &main.end,
    ) {
        lines.extend(look.wrap(end, "", "  "));
        lines.push(GO_BACK.to_owned());
    }
    lines
}

fn going_news(session: &Session, going: &Going, look: &Look) -> Vec<String> {
    if going.typed.is_empty() {
        return vec![
            "go to which exercise? Its name, a part of it, or its number; Enter alone leaves"
                .to_owned(),
        ];
    }
    let matches = session.matches();
    if matches.is_empty() {
        let text = format!(
            "no exercise has `{}` in its name; another?",
            super::legible(&going.typed)
        );
        return look.wrap(&text, "? ", "  ");
    }
    let mut lines = vec!["? which of these?".to_owned()];
    let names = matches.iter().take(MAX_NAMED);
    lines.extend(names.map(|&exercise| format!("  {}", named(session, exercise))));
    if matches.len() > MAX_NAMED {
        lines.push(format!("  and {} more", matches.len() - MAX_NAMED));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::session::Event;
    use crate::core::session::tests::{hangs, passes, ready, session_of};
    use crate::core::view::Colour;

    fn line(text: &str) -> Event {
        Event::Line(text.to_owned())
    }

    fn look() -> Look {
        Look {
            width: 72,
            colour: Colour::None,
            links: None,
            program: "asynclings",
        }
    }

    /// What is said after each of these, with what was typed.
    fn told(names: &[&str], events: Vec<Event>) -> String {
        let mut session = session_of(names);
        let mut teller = Teller::default();
        let mut lines = teller.tell(&session, &look());
        for event in events {
            if let Event::Line(line) = &event {
                lines.push(format!("$ {line}"));
            }
            session.on(event);
            lines.extend(teller.tell(&session, &look()));
        }
        lines.join("\n")
    }

    #[test]
    fn a_whole_exercise_in_lines() {
        let events = vec![
            Event::Preparing("building the lab, once: [#---] 50 of 213, serde".into()),
            Event::Preparing("building the lab, once: [##--] 100 of 213, tokio".into()),
            ready(),
            Event::Tick(std::time::Duration::from_secs(1)),
            Event::Compiled { generation: 1 },
            hangs(1),
            line("h"),
            line("n"),
            line("zz"),
            line("x"),
            line("n"),
            Event::FileChanged(0),
            passes(2),
            line("n"),
        ];
        insta::assert_snapshot!(told(&["alpha", "beta"], events), @"
        Welcome to asynclings.
        Each exercise is a small Tokio program with one fault from production.
          1. Open exercises/01_first/alpha.rs (o does) and read its header.
          2. Mend it and save: it is checked, and the verdict names the line
             at fault.
          3. Once it has passed, n goes on. h hints, e explains, m runs the
             program itself.

        alpha: The alpha one
        First, 5 min, 0 of 2 done: exercises/01_first/alpha.rs
        type a key or its word, then Enter: n next, p back, r run, h hint, e
          explain, o editor, g goto, l list, d solution, c all, x reset, u undo,
          m main, q quit
        looking for the lab
        building the lab, once
        checking
        ✗ hung (waiting): what it is about
        next: ask of each marked line who was to wake it, and where they are
              now; h gives a hint
        $ h
        hint 1 of 3: look
          Look there.
        $ n
        ! not passed yet; n once more goes on all the same
        $ zz
        ! `zz` is no key; ? names the keys
        $ x
        ? reset exercises/01_first/alpha.rs to how it was shipped? Your text is
          kept aside. y or n
        $ n
        ! nothing was reset
        checking
        ✓ passed: all 0 checks hold
        passed, press n for the next exercise
        d shows our fix beside yours; e explains it all
        $ n

        beta: The beta one
        First, 5 min, 1 of 2 done: exercises/01_first/beta.rs
        checking
        ");
    }

    #[test]
    fn lists_pages_and_runs_in_lines() {
        let output = |text: &str| Event::MainOutput {
            generation: 3,
            text: text.into(),
        };
        let events = vec![
            ready(),
            hangs(1),
            line("l"),
            line(""),
            line("e"),
            Event::Explained {
                exercise: 0,
                result: Ok("# Why\n\nBecause.\n".into()),
            },
            line("c"),
            Event::OneOfAll {
                generation: 2,
                now: 7,
                exercise: 1,
                result: Ok("passed"),
            },
            Event::OneOfAll {
                generation: 2,
                now: 7,
                exercise: 0,
                result: Ok("check failed"),
            },
            Event::AllDone { generation: 2 },
            line("m"),
            output("one\ntw"),
            output("o\nthree"),
            Event::MainDone {
                generation: 3,
                end: "it ended with exit status 0".into(),
            },
            line("g"),
            line("a"),
            line("beta"),
            passes(4),
            line("q"),
        ];
        insta::assert_snapshot!(told(&["alpha", "beta"], events), @"
        Welcome to asynclings.
        Each exercise is a small Tokio program with one fault from production.
          1. Open exercises/01_first/alpha.rs (o does) and read its header.
          2. Mend it and save: it is checked, and the verdict names the line
             at fault.
          3. Once it has passed, n goes on. h hints, e explains, m runs the
             program itself.

        alpha: The alpha one
        First, 5 min, 0 of 2 done: exercises/01_first/alpha.rs
        type a key or its word, then Enter: n next, p back, r run, h hint, e
          explain, o editor, g goto, l list, d solution, c all, x reset, u undo,
          m main, q quit
        looking for the lab
        checking
        ✗ hung (waiting): what it is about
        next: ask of each marked line who was to wake it, and where they are
              now; h gives a hint
        $ l
        01_first  First
        >  1 ~ tried  alpha  The alpha one (5 min)
           2   open   beta   The beta one (5 min)
        (Enter alone goes back to the exercise)
        $ 
        alpha: The alpha one
        First, 5 min, 0 of 2 done: exercises/01_first/alpha.rs
        $ e
        Why

        Because.
        (Enter alone goes back to the exercise)
        $ c
        checking all
          ✓ beta: passed
          ✗ alpha: check failed
        1 of 2 passed
        (Enter alone goes back to the exercise)
        $ m
        what its main prints:
          one
          two
          three
        it ended with exit status 0
        (Enter alone goes back to the exercise)
        $ g
        go to which exercise? Its name, a part of it, or its number; Enter alone leaves
        $ a
        ? which of these?
             1 alpha · The alpha one
          ✓  2 beta · The beta one
        $ beta

        beta: The beta one
        First, 5 min, 1 of 2 done: exercises/01_first/beta.rs
        checking
        ✓ passed: all 0 checks hold
        passed, press n for the next exercise
        d shows our fix beside yours; e explains it all
        $ q
        ");
    }

    #[test]
    fn output_that_is_not_kept_is_counted() {
        let many: String = (0..600).map(|n| format!("line {n}\n")).collect();
        let output = Event::MainOutput {
            generation: 2,
            text: many,
        };
        let told = told(&["alpha"], vec![ready(), line("m"), output]);
        assert!(
            told.contains("(101 lines are left out here)\n  line 101\n"),
            "{told}"
        );
        assert!(told.ends_with("line 599"), "{told}");
    }
}
