//! The line that names the keys.

/// `q quit  n next`, in as many rows as it takes; a key and its word stay together.
pub(in crate::core) fn key_rows(keys: &[(&str, &str)], width: usize) -> Vec<String> {
    // textwrap breaks no no-break space.
    let words: Vec<String> = keys
        .iter()
        .map(|(key, word)| format!("{key}\u{a0}{}", word.replace(' ', "\u{a0}")))
        .collect();
    textwrap::wrap(&words.join("  "), width.max(20))
        .iter()
        .map(|row| row.replace('\u{a0}', " "))
        .collect()
}
