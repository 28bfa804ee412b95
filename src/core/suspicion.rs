//! What a person should look at in a text that was judged by running it. A program that writes into its own memory can
//! deceive whatever runs in the same process, so such lines are named; they change no verdict. Pure.

/// Words of code, and why they are worth a look.
const WORDS: [(&str, &str); 9] = [
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
];
/// In strings as well.
const PATHS: [(&str, &str); 2] = [
    ("/proc", "looks at processes, its own among them"),
    ("ASYNCLINGS_", "looks for what the checks are told"),
];

/// `line 7 has `unsafe`: ..`, one for each word, at its first line.
pub fn notes(text: &str) -> Vec<String> {
    let lines = || {
        (1..).zip(
            text.lines()
                .map(|line| line.split_once("//").map_or(line, |(code, _)| code)),
        )
    };
    let word = |wanted: &str, line: &str| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| word == wanted)
    };
    let words = WORDS.iter().filter_map(|(wanted, why)| {
        let (number, _) = lines().find(|(_, line)| word(wanted, line))?;
        Some((number, *wanted, *why))
    });
    let paths = PATHS.iter().filter_map(|(wanted, why)| {
        let (number, _) = (1..)
            .zip(text.lines())
            .find(|(_, line)| line.contains(wanted))?;
        Some((number, *wanted, *why))
    });
    let mut found: Vec<(u32, &str, &str)> = words.chain(paths).collect();
    found.sort_unstable();
    found
        .into_iter()
        .map(|(number, wanted, why)| format!("line {number} has `{wanted}`: {why}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_named_once_with_their_line() {
        let text = "// unsafe is not needed\nfn a() {}\nunsafe fn b() {}\nunsafe fn c() {}\nfn existing() {}\n";
        assert_eq!(
            notes(text),
            ["line 3 has `unsafe`: unsafe code can change what the checks see"]
        );
    }

    #[test]
    fn paths_are_found_in_strings() {
        let found = notes("fn a() { std::fs::read(\"/proc/self/mem\"); }\n");
        assert!(found[0].starts_with("line 1 has `/proc`"), "{found:?}");
        assert_eq!(notes("fn a() {}"), Vec::<String>::new());
    }
}
