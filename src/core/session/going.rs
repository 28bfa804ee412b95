//! Going to an exercise by its name: what was typed so far, and which exercises it may mean.

use super::event::{Action, Key};
use super::state::{Found, Screen, Session};
use crate::core::progress::Change;

/// Longer than any name.
const MAX_TYPED: usize = 60;

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Going {
    pub typed: String,
    /// Which of the matches Enter goes to.
    pub chosen: usize,
}

impl Session {
    pub(super) fn ask_where(&mut self) -> Vec<Action> {
        self.show(|session| session.going = Some(Going::default()))
    }

    pub(super) fn on_going(&mut self, key: Key) -> Vec<Action> {
        match key {
            Key::CtrlZ => return self.suspend(),
            Key::Escape => self.going = None,
            Key::Enter => return self.go_to_chosen(),
            Key::Tab => self.complete(),
            Key::Down => self.choose(1),
            Key::Up => self.choose(-1),
            Key::Char(c) => self.type_on(|typed| {
                if typed.len() < MAX_TYPED {
                    typed.push(c);
                }
            }),
            Key::Backspace => self.type_on(|typed| {
                typed.pop();
            }),
            Key::PageUp | Key::PageDown | Key::Home | Key::End | Key::CtrlC => {}
        }
        vec![Action::Draw]
    }

    fn type_on(&mut self, change: impl FnOnce(&mut String)) {
        if let Some(going) = &mut self.going {
            change(&mut going.typed);
            going.chosen = 0;
        }
    }

    fn choose(&mut self, by: isize) {
        let last = self.matches().len().saturating_sub(1);
        if let Some(going) = &mut self.going {
            going.chosen = going.chosen.saturating_add_signed(by).min(last);
        }
    }

    /// A word that opens a gate is taken where names are.
    pub(super) fn open_by(&mut self, word: &str) -> Option<Vec<Action>> {
        let opened = self.progress.opened_by(&self.manifest, word);
        let first = opened.first()?;
        let text = match opened.len() {
            1 => format!("`{first}` is open now"),
            n => format!("`{first}` and {} more are open now", n - 1),
        };
        self.going = None;
        let mut actions = self.record(Change::Opened {
            word: word.trim().to_owned(),
        });
        actions.extend(self.reply(text));
        if self.owes_a_check() || matches!(self.found, Some(Found::Trouble(_))) {
            actions.extend(self.check());
        }
        Some(actions)
    }

    fn go_to_chosen(&mut self) -> Vec<Action> {
        let typed = self.going.as_ref().map(|going| going.typed.clone());
        if let Some(actions) = self.open_by(&typed.unwrap_or_default()) {
            return actions;
        }
        let chosen = self.going.as_ref().map_or(0, |going| going.chosen);
        match self.matches().get(chosen) {
            Some(&exercise) => self.go_there(exercise),
            // The prompt says that nothing is named so.
            None => Vec::new(),
        }
    }

    pub(super) fn go_there(&mut self, exercise: usize) -> Vec<Action> {
        self.going = None;
        if exercise == self.current {
            return self.show(|session| session.screen = Screen::Exercise);
        }
        self.go_to(exercise)
    }

    /// As far as all names go that begin so; where that adds nothing, on to the next match.
    fn complete(&mut self) {
        let matches = self.matches();
        let Some(going) = &mut self.going else {
            return;
        };
        let typed = plain(&going.typed);
        let names = matches
            .iter()
            .map(|&exercise| self.manifest.exercises[exercise].name.as_str());
        let mut beginning = names.clone().filter(|name| name.starts_with(&typed));
        let further = match (&matches[..], beginning.next()) {
            // The only one, wherever in its name the text stands.
            (&[only], _) => self.manifest.exercises[only].name.as_str(),
            (_, Some(first)) => beginning.fold(first, common),
            (_, None) => "",
        };
        if further.len() > typed.len() {
            going.typed = further.to_owned();
            going.chosen = 0;
        } else if !matches.is_empty() {
            going.chosen = (going.chosen + 1) % matches.len();
        }
    }

    /// The exercises that what was typed may mean, the likeliest first; all of them before anything is typed.
    pub(in crate::core) fn matches(&self) -> Vec<usize> {
        let typed = self.going.as_ref().map(|going| plain(&going.typed));
        let typed = typed.unwrap_or_default();
        let mut found: Vec<(u8, usize)> = self
            .manifest
            .exercises
            .iter()
            .enumerate()
            .filter_map(|(index, exercise)| Some((rank(&exercise.name, index, &typed)?, index)))
            .collect();
        // Stable: those of one rank stay in the order of the path.
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, index)| index).collect()
    }
}

/// How well a name answers to what was typed, 0 best. The number in the list is as good as the name.
fn rank(name: &str, index: usize, typed: &str) -> Option<u8> {
    if name == typed || typed.parse::<usize>() == Ok(index + 1) {
        Some(0)
    } else if name.starts_with(typed) {
        Some(1)
    } else if name.split('_').any(|word| word.starts_with(typed)) {
        Some(2)
    } else {
        name.contains(typed).then_some(3)
    }
}

/// Names have small letters and underscores.
pub(super) fn plain(typed: &str) -> String {
    typed.trim().to_lowercase().replace([' ', '-'], "_")
}

fn common<'n>(one: &'n str, other: &str) -> &'n str {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b);
    // Names are ASCII; of any other the rest is left to be typed.
    one.get(..same.count()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, check, key, ready, screen, session_of};
    use super::super::{Event, Session};
    use super::*;

    const NAMES: [&str; 5] = [
        "self_deadlock",
        "lost_panic",
        "lock_release_lost",
        "shared_conn",
        "busy_503",
    ];

    /// At the prompt, with this typed.
    fn typed(text: &str) -> Session {
        let mut session = session_of(&NAMES);
        after(&mut session, vec![ready(), key('g')]);
        after(&mut session, text.chars().map(key).collect());
        session
    }

    #[test]
    fn what_is_typed_names_the_likeliest_first() {
        let table: [(&str, &[usize]); 8] = [
            ("", &[0, 1, 2, 3, 4]),
            ("lo", &[1, 2, 0]),
            ("los", &[1, 2]),
            ("conn", &[3]),
            ("Shared Co", &[3]),
            ("3", &[2, 4]),
            ("503", &[4]),
            ("mutex", &[]),
        ];
        for (text, wanted) in table {
            assert_eq!(typed(text).matches(), wanted, "{text}");
        }
    }

    #[test]
    fn tab_completes_as_far_as_all_go_and_then_walks() {
        let after_tab = |text: &str| {
            let mut session = typed(text);
            after(&mut session, vec![Event::Key(Key::Tab)]);
            let going = session.going.unwrap();
            (going.typed, going.chosen)
        };
        assert_eq!(after_tab("l"), ("lo".into(), 0));
        assert_eq!(after_tab("lo"), ("lo".into(), 1));
        assert_eq!(after_tab("los"), ("lost_panic".into(), 0));
        assert_eq!(after_tab("503"), ("busy_503".into(), 0));
        assert_eq!(after_tab("mutex"), ("mutex".into(), 0));
    }

    #[test]
    fn enter_goes_and_escape_leaves() {
        let mut session = typed("los");
        let there = after(&mut session, vec![Event::Key(Key::Enter)]);
        let moved = Change::MovedTo {
            name: "lost_panic".into(),
        };
        assert_eq!(
            there,
            [
                Action::Cancel,
                Action::SaveProgress(vec![moved]),
                check(2, 1)
            ]
        );
        let mut session = typed("los");
        assert_eq!(after(&mut session, vec![Event::Key(Key::Escape)]), []);
        assert_eq!((session.going, session.current), (None, 0));
        let mut session = typed("los");
        let keys = [Key::Down, Key::Down, Key::Up, Key::Down, Key::Enter];
        after(&mut session, keys.map(Event::Key).into());
        assert_eq!(session.current, 2);
    }

    #[test]
    fn nothing_named_so_goes_nowhere_and_a_letter_taken_back_helps() {
        let mut session = typed("sq");
        assert_eq!(after(&mut session, vec![Event::Key(Key::Enter)]), []);
        assert!(screen(&session).contains("no exercise has that in its name"));
        let keys = [Key::Backspace, Key::Enter].map(Event::Key);
        after(&mut session, keys.into());
        assert_eq!(session.going, None, "`s` is for the exercise shown");
        assert_eq!(session.current, 0);
    }

    #[test]
    fn the_prompt_on_a_low_screen() {
        let mut session = typed("o");
        session.on(Event::Resize {
            width: 60,
            height: 15,
        });
        insta::assert_snapshot!(screen(&session), @"
        self_deadlock                       [----------] 0 of 5 done
        exercises/01_first/self_deadlock.rs            First · 5 min







        go to: o_
          >    1 self_deadlock · The self_deadlock one
               2 lost_panic · The lost_panic one
               3 lock_release_lost · The lock_release_lost one
            and 1 more
        Tab completes  Enter goes  Esc leaves
        ");
    }
}
