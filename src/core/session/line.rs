//! Keys typed as lines, where a terminal can do no more: a key or its word, and Enter.

use super::event::{Action, Key};
use super::going::plain;
use super::state::{Screen, Session};
use crate::core::view::KEYS;

impl Session {
    pub(super) fn on_line(&mut self, line: &str) -> Vec<Action> {
        let line = line.trim();
        if self.editing {
            return Vec::new();
        }
        if self.going.is_some() {
            return self.on_name(line);
        }
        if self.screen == Screen::List {
            // It has been read; the table's own keys are for those who see it.
            let actions = self.toggle(Screen::List);
            if matches!(line, "" | "l" | "list") {
                return actions;
            }
            return [actions, self.on_line(line)].concat();
        }
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (key(first), first.chars().next()) {
            // Enter alone leaves what Escape leaves.
            (_, None) => self.on_key(Key::Escape),
            (Some(Key::Char('g' | '/')), _) if !rest.is_empty() && !self.asked => {
                self.notice = None;
                self.ask_where();
                self.on_name(rest)
            }
            (_, Some(first)) if self.asked => self.on_answer(Key::Char(first)),
            (Some(key), _) => self.on_key(key),
            (None, _) => {
                self.insists = false;
                self.reply(format!("`{line}` is no key; ? names the keys"))
            }
        }
    }

    /// A name that fits one exercise goes there; where several fit they are named, and the next line is asked for.
    fn on_name(&mut self, name: &str) -> Vec<Action> {
        if name.is_empty() {
            return self.on_going(Key::Escape);
        }
        if let Some(actions) = self.open_by(name) {
            return actions;
        }
        if let Some(going) = &mut self.going {
            going.typed = name.to_owned();
            going.chosen = 0;
        }
        let matches = self.matches();
        let exercises = &self.manifest.exercises;
        let exact = |exercise: &usize| {
            exercises[*exercise].name == plain(name) || name.parse::<usize>() == Ok(exercise + 1)
        };
        match matches[..] {
            [only] => self.go_there(only),
            [first, ..] if exact(&first) => self.go_there(first),
            _ => vec![Action::Draw],
        }
    }
}

fn key(word: &str) -> Option<Key> {
    let mut chars = word.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return Some(Key::Char(only));
    }
    let (key, _) = KEYS.iter().find(|(_, name)| *name == word)?;
    key.chars().next().map(Key::Char)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, check, hangs, key, ready, session_of};
    use super::super::{Event, Farewell};
    use super::*;
    use crate::core::progress::Change;

    fn line(text: &str) -> Event {
        Event::Line(text.to_owned())
    }

    #[test]
    fn a_line_is_a_key_a_word_or_a_name() {
        let there = |exercise, name: &str| {
            let moved = Change::MovedTo { name: name.into() };
            vec![Action::SaveProgress(vec![moved]), check(2, exercise)]
        };
        let hint = Change::HintTaken {
            name: "lost_panic".into(),
            level: 1,
        };
        let table: Vec<(&[&str], Vec<Action>)> = vec![
            (&["r"], vec![check(2, 0)]),
            (&["run"], vec![check(2, 0)]),
            (&[" r "], vec![check(2, 0)]),
            (&["hint"], vec![Action::SaveProgress(vec![hint])]),
            (&["q"], vec![Action::Quit(Farewell::Asked)]),
            (&["rr"], vec![]),
            (&[""], vec![]),
            (&["x", "y"], vec![Action::Reset(0)]),
            (&["x", "yes"], vec![Action::Reset(0)]),
            (&["x", ""], vec![]),
            (&["g busy"], there(2, "busy_503")),
            (&["goto busy_503"], there(2, "busy_503")),
            (&["g", "busy"], there(2, "busy_503")),
            (&["g 3"], there(2, "busy_503")),
            (&["g lo"], vec![]),
            (&["g lo", "lock"], there(1, "lock_release_lost")),
            (&["g lo", ""], vec![]),
        ];
        for (lines, wanted) in table {
            let mut session = session_of(&["lost_panic", "lock_release_lost", "busy_503"]);
            after(&mut session, vec![ready(), hangs(1)]);
            let events = lines.iter().map(|text| line(text)).collect();
            assert_eq!(after(&mut session, events), wanted, "{lines:?}");
        }
    }

    #[test]
    fn enter_alone_leaves_what_escape_leaves() {
        let mut session = session_of(&["alpha"]);
        after(&mut session, vec![ready(), hangs(1), key('l')]);
        assert_eq!(session.screen, Screen::List);
        after(&mut session, vec![line("")]);
        assert_eq!(session.screen, Screen::Exercise);
    }

    #[test]
    fn every_key_that_is_named_is_one() {
        for (name, word) in KEYS {
            let mut session = session_of(&["alpha"]);
            after(&mut session, vec![ready(), hangs(1), line(word)]);
            let said = session.notice.unwrap_or_default();
            assert!(
                !said.contains("is no key") && !said.contains("does nothing"),
                "{word}: {said}"
            );
            assert_eq!(super::key(word), super::key(name), "{word}");
        }
    }
}
