//! The key o: the learner's editor, at the line that the verdict names.

use std::io::ErrorKind;
use std::path::PathBuf;

use tokio::sync::mpsc::Sender;

use crate::core::editing::{Editor, Shows};
use crate::core::manifest::Exercise;
use crate::core::record::Place;
use crate::core::session::Event;
use crate::editor;
use crate::workbook::Workbook;

/// What is to be opened, and where in it.
pub(super) struct Edit {
    editor: Editor,
    file: PathBuf,
    line: Option<u32>,
}

impl Edit {
    /// A lint exercise has two files; the verdict says which is meant.
    pub(super) fn new(
        editor: Editor,
        workbook: &Workbook,
        exercise: &Exercise,
        at: Option<Place>,
    ) -> Self {
        let files = workbook.exercise_files(exercise);
        let found = at.and_then(|at| {
            let file = files.iter().find(|file| file.display == at.file)?;
            Some((file.path.clone(), Some(at.line)))
        });
        let (file, line) = found.unwrap_or_else(|| (workbook.exercise_file(exercise).path, None));
        Self { editor, file, line }
    }

    pub(super) fn takes_the_terminal(&self) -> bool {
        self.editor.shows() == Shows::InTheTerminal
    }

    /// What is read where the editor is slow to draw, or has a window of its own that we do not know of.
    pub(super) fn words(&self) -> String {
        format!(
            "{} is open; asynclings goes on when it ends",
            self.editor.name()
        )
    }

    pub(super) async fn run(self, events: Sender<Event>) {
        let result = match editor::open(&self.editor, &self.file, self.line).await {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{} ended with {status}", self.editor.name())),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(format!(
                "there is no program `{}`, which VISUAL or EDITOR names",
                self.editor.program()
            )),
            Err(error) => Err(format!("cannot start {}: {error}", self.editor.name())),
        };
        let event = match (self.editor.shows(), result) {
            (Shows::InTheTerminal, result) => Event::Edited(result),
            (Shows::InAWindow, Err(why)) => Event::Warning(why),
            (Shows::InAWindow, Ok(())) => return,
        };
        // A Ctrl-C that ended the editor reached us as well: whoever hears signals tells of it first, while it is still
        // the editor's.
        for _ in 0..2 {
            tokio::task::yield_now().await;
        }
        // The loop ends only by leaving: nobody is to be told then.
        let _ = events.send(event).await;
    }
}
