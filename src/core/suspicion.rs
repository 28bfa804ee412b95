//! What a person should look at in a text that was judged by running it. A program that writes into its own memory can
//! deceive whatever runs in the same process, so such lines are named; they change no verdict. Pure.

/// Words of code, and why they are worth a look.
const WORDS: [(&str, &str); 14] = [
    ("unsafe", "unsafe code can change what the checks see"),
    ("link_section", "runs before the checks do"),
    (
        "no_mangle",
        "can take the place of a function of the checks",
    ),
    (
        "export_name",
        "can take the place of a function of the checks",
    ),
    ("asm", "machine code"),
    ("global_asm", "machine code"),
    ("transmute", "unsafe code can change what the checks see"),
    ("exit", "ends the process that the checks run in"),
    ("catch_unwind", "can hide a failed check"),
    ("PartialEq", "what is equal is what the checks compare by"),
    ("fs", "opens files"),
    ("File", "opens files"),
    ("symlink", "opens files"),
    ("set_hook", "can hide a failed check"),
];
/// In strings as well.
const PATHS: [(&str, &str); 2] = [
    ("/proc", "looks at processes, its own among them"),
    ("ASYNCLINGS_", "looks for what the checks are told"),
];

/// ``line 7 has `unsafe`: ..``, one for each word, at its first line; none for words that were handed out.
pub fn notes(text: &str, shipped: &str) -> Vec<String> {
    fn code(text: &str) -> Vec<&str> {
        text.lines().map(without_comment).collect()
    }
    let (lines, before) = (code(text), code(shipped));
    let word = |wanted: &str, line: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| word == wanted)
    };
    let words = WORDS.iter().filter_map(|(wanted, why)| {
        if before.iter().any(|line| word(wanted, line)) {
            return None;
        }
        let at = lines.iter().position(|line| word(wanted, line))?;
        Some((at + 1, *wanted, *why))
    });
    let paths = PATHS.iter().filter_map(|(wanted, why)| {
        let at = text.lines().position(|line| line.contains(wanted))?;
        Some((at + 1, *wanted, *why))
    });
    let mut found: Vec<(usize, &str, &str)> = words.chain(paths).collect();
    found.sort_unstable();
    found
        .into_iter()
        .map(|(number, wanted, why)| format!("line {number} has `{wanted}`: {why}"))
        .collect()
}

/// Two slashes in a string are none. Where a string goes over lines this may be wrong, and keeps too much.
fn without_comment(line: &str) -> &str {
    let (mut in_string, mut escaped) = (false, false);
    let bytes = line.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            // A quote as a character: '"'.
            b'"' if at > 0 && bytes[at - 1] == b'\'' && bytes.get(at + 1) == Some(&b'\'') => {}
            b'"' => in_string = !in_string,
            b'/' if !in_string && bytes.get(at + 1) == Some(&b'/') => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_named_once_with_their_line() {
        let text = "// unsafe is not needed\nfn a() {}\nunsafe fn b() {}\nunsafe fn c() {}\nfn existing() {}\n";
        assert_eq!(
            notes(text, ""),
            ["line 3 has `unsafe`: unsafe code can change what the checks see"]
        );
    }

    #[test]
    fn paths_are_found_in_strings() {
        let found = notes(
            "fn a() { std::fs::read(\"/proc/self/mem\"); }\n",
            "use std::fs;",
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("line 1 has `/proc`"), "{found:?}");
        assert_eq!(notes("fn a() {}", ""), Vec::<String>::new());
        let hidden = notes("let _ = \"//\"; std::process::exit(0); // unsafe", "");
        assert_eq!(hidden.len(), 1, "{hidden:?}");
        assert!(hidden[0].contains("`exit`"), "{hidden:?}");
    }
}
