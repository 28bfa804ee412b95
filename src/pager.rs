//! Long text through the learner's pager, where somebody sits before a terminal.

use std::io::{self, ErrorKind, Write};
use std::process::{Command, Stdio};

/// # Errors
/// Where the text can be shown in no way.
pub fn show(lines: &[String], paged: bool) -> io::Result<()> {
    let text = lines.join("\n") + "\n";
    if paged && through_pager(&text)? {
        return Ok(());
    }
    io::stdout().write_all(text.as_bytes())
}

/// `false`: there is no pager.
#[expect(
    clippy::disallowed_methods,
    reason = "the pager is the learner's own, has the terminal, and ends when they say so"
)]
fn through_pager(text: &str) -> io::Result<bool> {
    let named = std::env::var("PAGER")
        .ok()
        .filter(|pager| !pager.trim().is_empty());
    // -F: a text that fits is only printed; -X: and stays.
    let pager = named.unwrap_or_else(|| "less -RFX".to_owned());
    let mut words = pager.split_whitespace();
    let program = words.next().unwrap_or("less");
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // A bare `less` in PAGER would show colours as escape codes.
        command.env("LESS", "RFX");
    }
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    // Quitting before the end is no error.
    let _ = child
        .stdin
        .take()
        .map(|mut stdin| stdin.write_all(text.as_bytes()));
    child.wait()?;
    Ok(true)
}
