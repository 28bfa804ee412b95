//! The text of a file of checks: which checks there are, and which of the subject's items each calls.

use super::contract::{Item, QUALIFIERS, body, items};

/// One check in the text of its file.
pub(super) struct Check<'a> {
    pub(super) name: &'a str,
    /// `#[cfg]` or `#[ignore]`: it may be absent from the binary.
    pub(super) optional: bool,
}

/// The `#[test]` functions, in the order of the source.
pub(super) fn checks(source: &str) -> Vec<Check<'_>> {
    let mut checks = Vec::new();
    let (mut is_test, mut optional) = (false, false);
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[") {
            is_test |= line.starts_with("#[test]");
            optional |= line.starts_with("#[cfg") || line.starts_with("#[ignore");
        } else if let Some(name) = function_name(line) {
            if is_test {
                checks.push(Check { name, optional });
            }
            (is_test, optional) = (false, false);
        } else if !line.starts_with("//") && !line.is_empty() {
            (is_test, optional) = (false, false);
        }
    }
    checks
}

/// The names of the checks up to this one, which is the last; all where it is not among them.
pub fn checks_until<'s>(source: &'s str, last: &str) -> Vec<&'s str> {
    let names: Vec<&str> = checks(source).iter().map(|check| check.name).collect();
    let end = names.iter().position(|name| *name == last);
    names[..end.map_or(names.len(), |end| end + 1)].to_vec()
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_head = before
        .split_whitespace()
        .all(|word| word.starts_with("pub") || QUALIFIERS.contains(&word));
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (is_head && end > 0).then(|| &after[..end])
}

/// The subject's item that a check calls first, itself or through functions of its file.
pub(super) fn called_by(check: &str, checks_source: &str, subject: &str) -> Option<Item> {
    let items = items(subject);
    let functions = functions(checks_source);
    let mut queue = vec![check.to_string()];
    let mut seen = Vec::new();
    while let Some(name) = queue.pop() {
        if seen.contains(&name) {
            continue;
        }
        let words = functions
            .iter()
            .find(|(function, _)| *function == name)
            .map_or("", |(_, text)| text);
        let words = words.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut called = Vec::new();
        for word in words {
            let is_call =
                |item: &&Item| item.name == word && !item.signature.starts_with("pub mod");
            if let Some(item) = items.iter().find(is_call) {
                return Some(item.clone());
            }
            if functions.iter().any(|(function, _)| *function == word) {
                called.push(word.to_string());
            }
        }
        seen.push(name);
        queue.extend(called.into_iter().rev());
    }
    None
}

/// Name and text of each function, methods included.
fn functions(source: &str) -> Vec<(&str, &str)> {
    let mut functions = Vec::new();
    let mut offset = 0;
    for line in source.split_inclusive('\n') {
        if let Some(name) = function_name(line.trim()) {
            let text = body(&source[offset..]);
            // Without its own name: a recursion is no news, and a name may be the subject's as well.
            let text = text.split_once(name).map_or(text, |(_, rest)| rest);
            functions.push((name, text));
        }
        offset += line.len();
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: &str = "pub fn open() {}\npub const LIMIT: usize = 8;\n";

    const CHECKS: &str = "\
fn setup() -> u64 { 1 }

async fn pay(n: u64) {
    open().await;
}

#[test]
fn first() {
    lab::paused(|| async { pay(setup()).await });
}

#[cfg(unix)]
#[test]
fn second() {}

#[test]
// why
fn third() { LIMIT; }
";

    #[test]
    fn checks_are_listed_in_their_order() {
        let found: Vec<_> = checks(CHECKS)
            .iter()
            .map(|check| (check.name, check.optional))
            .collect();
        assert_eq!(
            found,
            [("first", false), ("second", true), ("third", false)]
        );
    }

    #[test]
    fn the_called_item_is_found_through_the_functions_of_the_checks() {
        let called = |check| called_by(check, CHECKS, SUBJECT).map(|item| item.name);
        assert_eq!(called("first").as_deref(), Some("open"));
        assert_eq!(called("second"), None);
        assert_eq!(called("third").as_deref(), Some("LIMIT"));
        assert_eq!(called("absent"), None);
    }
}
