//! Starts the learner's own editor. Which one, and how it is told a line, `core::editing` knows.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};

use tokio::process::{Child, Command};

use crate::core::editing::{Editor, Shows};
use crate::group;

/// Until the editor ends. One in the terminal has that to itself meanwhile; dropping the future asks it to end.
///
/// # Errors
/// Where there is no such program.
pub async fn open(editor: &Editor, file: &Path, line: Option<u32>) -> io::Result<ExitStatus> {
    let mut command = command(editor, file, line);
    match editor.shows() {
        // In our own process group: that is the one which the terminal listens to.
        Shows::InTheTerminal => {
            let mut open = Open(command.spawn()?);
            open.0.wait().await
        }
        Shows::InAWindow => {
            // Its words would go across the screen, and Ctrl-Z here is not meant for it.
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            #[cfg(unix)]
            command.process_group(0);
            command.spawn()?.wait().await
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the editor is the learner's own, and ends when they say so"
)]
fn command(editor: &Editor, file: &Path, line: Option<u32>) -> Command {
    let mut command = Command::new(editor.program());
    let (name, value) = group::spared();
    command.args(editor.arguments(file, line)).env(name, value);
    command
}

/// An editor that has the terminal.
struct Open(Child);

impl Drop for Open {
    fn drop(&mut self) {
        // Asked, not killed: it has unsaved text to rescue, and a terminal to give back.
        #[cfg(unix)]
        if let Some(pid) = self
            .0
            .id()
            .and_then(|id| rustix::process::Pid::from_raw(id as i32))
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
    }
}
