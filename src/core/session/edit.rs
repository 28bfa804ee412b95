//! The learner's editor, opened from watch mode.

use super::event::Action;
use super::state::{Found, Screen, Session};
use crate::core::editing::Shows;

impl Session {
    /// Opens the exercise where the verdict points. Of an editor in the terminal the check waits until it has ended: the
    /// verdict could not be seen before.
    pub(super) fn edit(&mut self) -> Vec<Action> {
        if self.gone {
            let text = format!("{} is gone; x brings what was shipped", self.file());
            return self.reply(text);
        }
        let Some(editor) = &self.editor else {
            return self.reply(
                "o opens your editor once you name it: `export EDITOR=vim` (or VISUAL), and start asynclings again",
            );
        };
        let edit = Action::Edit {
            exercise: self.current,
            at: match &self.found {
                Some(Found::Verdict(checked)) => checked.judged.at.first().cloned(),
                _ => None,
            },
        };
        let mut actions = Vec::new();
        match editor.shows() {
            Shows::InAWindow => {
                let text = format!("opened in {}; save there, and it is checked", editor.name());
                actions.extend(self.reply(text));
            }
            Shows::InTheTerminal => {
                self.give_way();
                actions.extend(self.cancel());
                self.screen = Screen::Exercise;
                self.editing = true;
            }
        }
        actions.push(edit);
        actions
    }

    pub(super) fn on_edited(&mut self, result: Result<(), String>) -> Vec<Action> {
        self.editing = false;
        let mut actions = vec![Action::Resume];
        if let Err(why) = result {
            self.replied = false;
            self.say(why);
        }
        actions.extend(self.check());
        actions
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, check, hangs, key, passes, ready, session, verdict};
    use super::super::{Event, Farewell, Session, Signal};
    use super::*;
    use crate::core::editing::Editor;
    use crate::core::record::Place;
    use crate::core::verdict::Verdict;

    fn with(editor: &str) -> Session {
        session().with_editor(Editor::named(None, Some(editor)))
    }

    fn edit() -> Action {
        Action::Edit {
            exercise: 0,
            at: None,
        }
    }

    #[test]
    fn an_editor_in_the_terminal_ends_the_check_and_a_new_one_follows_it() {
        let mut session = with("vim");
        assert_eq!(
            after(&mut session, vec![ready(), key('o')]),
            [Action::Cancel, edit()]
        );
        assert!(!session.is_moving(), "a tick would draw over the editor");
        for event in [
            key('q'),
            Event::Line("q".into()),
            Event::FileChanged(0),
            Event::Signal(Signal::Interrupt),
            Event::Signal(Signal::Resume),
        ] {
            assert_eq!(after(&mut session, vec![event.clone()]), [], "{event:?}");
        }
        assert_eq!(
            after(&mut session, vec![Event::Edited(Ok(()))]),
            [Action::Resume, check(2, 0)]
        );
    }

    #[test]
    fn the_lab_may_get_ready_and_somebody_may_end_it_while_the_editor_is_open() {
        let mut session = with("vim");
        assert_eq!(after(&mut session, vec![key('o')]), [edit()]);
        assert_eq!(after(&mut session, vec![ready()]), []);
        assert_eq!(
            after(&mut session, vec![Event::Signal(Signal::Suspend)]),
            [Action::Suspend]
        );
        assert_eq!(
            after(&mut session, vec![Event::Signal(Signal::Stop)]),
            [Action::Quit(Farewell::Interrupted)]
        );
    }

    #[test]
    fn an_editor_with_a_window_leaves_the_screen_and_the_check_alone() {
        let mut session = with("code --wait");
        assert_eq!(after(&mut session, vec![ready(), key('o')]), [edit()]);
        assert!(session.is_moving());
        assert_eq!(after(&mut session, vec![passes(1), key('q')]).len(), 1);
    }

    #[test]
    fn it_opens_where_the_verdict_points() {
        let mut session = with("code");
        let place = |line| Place {
            file: "exercises/01_first/alpha.rs".into(),
            line,
            column: Some(5),
            what: String::new(),
        };
        let mut checked = verdict(Verdict::Passed).unwrap();
        checked.judged.at = vec![place(7), place(3)];
        let done = Event::CheckDone {
            generation: 1,
            now: 7,
            result: Ok(checked),
        };
        let opened = after(&mut session, vec![ready(), done, key('o')]);
        let at = Some(place(7));
        assert_eq!(opened, [Action::Edit { exercise: 0, at }]);
    }

    #[test]
    fn without_one_and_without_a_file_it_says_what_to_do() {
        let mut none = session();
        after(&mut none, vec![ready(), hangs(1), key('o')]);
        assert!(none.notice.unwrap().contains("export EDITOR=vim"));
        let mut gone = with("vim");
        let events = vec![ready(), hangs(1), Event::FileGone(0), key('o')];
        assert_eq!(after(&mut gone, events), []);
        assert!(gone.notice.unwrap().contains("is gone"));
        let mut broken = with("vim");
        after(&mut broken, vec![ready(), key('o')]);
        let failed = Event::Edited(Err("there is no program `vim`".into()));
        after(&mut broken, vec![failed, passes(2)]);
        assert_eq!(
            broken.notice.as_deref(),
            Some("there is no program `vim`"),
            "a verdict must not take it away"
        );
    }
}
