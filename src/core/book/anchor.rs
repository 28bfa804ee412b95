//! The part of a file that a page includes.

/// The lines between `ANCHOR: name` and `ANCHOR_END: name`, without other anchors, shifted to the left; `None` where
/// there is no such anchor or no end to it.
pub(super) fn part(text: &str, name: &str) -> Option<String> {
    let mut lines = text.lines();
    lines.find(|line| named(line, "ANCHOR:") == Some(name))?;
    let mut kept = Vec::new();
    for line in lines {
        if named(line, "ANCHOR_END:") == Some(name) {
            return Some(shifted(&kept));
        }
        if !is_anchor(line) {
            kept.push(line);
        }
    }
    None
}

/// The whole file; anchors are for the book alone.
pub fn without_anchors(text: &str) -> String {
    text.split_inclusive('\n')
        .filter(|line| !is_anchor(line))
        .collect()
}

fn is_anchor(line: &str) -> bool {
    named(line, "ANCHOR:").is_some() || named(line, "ANCHOR_END:").is_some()
}

fn named<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let comment = line
        .trim_start()
        .trim_start_matches(['/', '#'])
        .trim_start();
    comment.strip_prefix(word).map(str::trim)
}

fn shifted(lines: &[&str]) -> String {
    let indents = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = indents
        .map(|line| line.len() - line.trim_start().len())
        .min();
    let shifted = lines
        .iter()
        .map(|line| line.get(indent.unwrap_or(0)..).unwrap_or(""));
    shifted.collect::<Vec<_>>().join("\n")
}
