//! The learner's editor, as VISUAL and EDITOR name it, and how it is told a line. Starts nothing.

use std::ffi::OsString;
use std::path::Path;

/// A program with arguments of the learner's own: `code --wait`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    /// Never empty.
    words: Vec<String>,
}

/// Where an editor shows itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// In the terminal, which is its own until it ends. So is every editor that we do not know.
    InTheTerminal,
    /// In a window of its own.
    InAWindow,
}

/// How an editor is told a line.
enum Line {
    /// `vim +12 x.rs`
    Plus,
    /// `hx x.rs:12`
    Colon,
    /// `code -g x.rs:12`
    Goto,
    /// `kate --line 12 x.rs`
    Flag,
    Unknown,
}

impl Editor {
    /// VISUAL goes before EDITOR, as everywhere.
    pub fn named(visual: Option<&str>, editor: Option<&str>) -> Option<Self> {
        let named = [visual, editor].into_iter().flatten().map(words);
        let words = named.into_iter().find(|words| !words.is_empty())?;
        Some(Self { words })
    }

    pub fn program(&self) -> &str {
        &self.words[0]
    }

    /// `vim`, also of `/usr/bin/vim` and `vim.exe`.
    pub fn name(&self) -> &str {
        let file = self
            .program()
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default();
        file.strip_suffix(".exe").unwrap_or(file)
    }

    pub fn shows(&self) -> Shows {
        match self.name() {
            "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" | "zed"
            | "zeditor" | "subl" | "sublime_text" | "gvim" | "mvim" | "gedit"
            | "gnome-text-editor" | "kate" | "idea" | "rustrover" | "clion" | "mate"
            | "notepad" | "notepad++" => Shows::InAWindow,
            _ => Shows::InTheTerminal,
        }
    }

    /// The learner's own arguments, then the file, at the line where the editor can be told one.
    pub fn arguments(&self, file: &Path, line: Option<u32>) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = self.words[1..].iter().map(OsString::from).collect();
        let mut at_line = file.as_os_str().to_owned();
        if let Some(line) = line {
            at_line.push(format!(":{line}"));
        }
        match (line, self.takes()) {
            (Some(line), Line::Plus) => {
                arguments.extend([format!("+{line}").into(), file.into()]);
            }
            (Some(_), Line::Colon) => arguments.push(at_line),
            (Some(_), Line::Goto) => arguments.extend(["-g".into(), at_line]),
            (Some(line), Line::Flag) => {
                arguments.extend(["--line".into(), line.to_string().into(), file.into()]);
            }
            (None, _) | (_, Line::Unknown) => arguments.push(file.into()),
        }
        arguments
    }

    fn takes(&self) -> Line {
        match self.name() {
            "vi" | "vim" | "nvim" | "gvim" | "mvim" | "nano" | "pico" | "emacs" | "emacsclient"
            | "mg" | "kak" | "micro" | "joe" | "jed" | "ne" | "mcedit" | "gedit" => Line::Plus,
            "hx" | "helix" | "subl" | "sublime_text" | "zed" | "zeditor" => Line::Colon,
            "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => Line::Goto,
            "kate" | "idea" | "rustrover" | "clion" => Line::Flag,
            _ => Line::Unknown,
        }
    }
}

/// As a shell would split it; on Windows a backslash is part of a path and quotes nothing.
fn words(named: &str) -> Vec<String> {
    let plain = || named.split_whitespace().map(str::to_owned).collect();
    if cfg!(windows) {
        return plain();
    }
    shlex::split(named).unwrap_or_else(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_editor_is_told_the_line_in_its_own_way() {
        let table = [
            ("vi", "+12 a/x.rs"),
            ("/usr/bin/vim -u NONE", "-u NONE +12 a/x.rs"),
            ("nvim", "+12 a/x.rs"),
            ("nano", "+12 a/x.rs"),
            ("emacs -nw", "-nw +12 a/x.rs"),
            ("kak", "+12 a/x.rs"),
            ("hx", "a/x.rs:12"),
            ("code --wait", "--wait -g a/x.rs:12"),
            ("kate", "--line 12 a/x.rs"),
            ("my-editor", "a/x.rs"),
        ];
        for (named, wanted) in table {
            let editor = Editor::named(None, Some(named)).unwrap();
            let arguments = editor.arguments(Path::new("a/x.rs"), Some(12));
            let arguments: Vec<_> = arguments
                .iter()
                .map(|word| word.to_string_lossy())
                .collect();
            assert_eq!(arguments.join(" "), wanted, "{named}");
            assert_eq!(
                editor.arguments(Path::new("x.rs"), None).last(),
                Some(&"x.rs".into()),
                "{named}"
            );
        }
    }

    #[test]
    fn visual_goes_before_editor_and_an_empty_one_counts_for_nothing() {
        let program = |visual, editor| {
            Editor::named(visual, editor).map(|editor| editor.program().to_owned())
        };
        assert_eq!(program(Some("code"), Some("vi")), Some("code".into()));
        assert_eq!(program(Some(" "), Some("vi")), Some("vi".into()));
        assert_eq!(program(None, None), None);
    }

    #[cfg(not(windows))]
    #[test]
    fn a_path_with_a_space_is_quoted_as_in_a_shell() {
        let editor = Editor::named(None, Some("'/opt/my editor/vim' -n")).unwrap();
        assert_eq!(
            (editor.program(), editor.name()),
            ("/opt/my editor/vim", "vim")
        );
        assert_eq!(editor.shows(), Shows::InTheTerminal);
    }
}
