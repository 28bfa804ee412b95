//! The `pub` items of a subject: the contract that checks rely on. Read from its text, line by line: a subject that
//! does not compile has one as well.

/// A `pub` item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) name: String,
    /// Counted from 1.
    pub(super) line: u32,
    /// Its first line without the body: `pub async fn charge(amount: u64) -> Receipt`.
    pub(super) signature: String,
    /// What a check can see of it; white space does not count.
    shape: String,
}

const KINDS: [&str; 8] = [
    "fn", "struct", "enum", "trait", "type", "const", "static", "mod",
];
pub(super) const QUALIFIERS: [&str; 3] = ["async", "unsafe", "const"];

/// In the order of the source.
pub(super) fn items(source: &str) -> Vec<Item> {
    let lines: Vec<&str> = source.lines().collect();
    (0..lines.len()).filter_map(|at| item(&lines, at)).collect()
}

fn item(lines: &[&str], at: usize) -> Option<Item> {
    let rest = lines[at].trim_start().strip_prefix("pub ")?;
    let mut words = rest.split_whitespace().peekable();
    let mut kind = words.next()?;
    while QUALIFIERS.contains(&kind) && words.peek().is_some_and(|next| KINDS.contains(next)) {
        kind = words.next()?;
    }
    if !KINDS.contains(&kind) {
        return None;
    }
    let name: String = words
        .next()?
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    let text = lines[at..].join("\n");
    let head = head(&text, kind);
    // The body of a function is the learner's; the fields of a struct and the methods of a trait are the contract.
    let shape = match kind {
        "struct" => attributes(lines, at) + &visible(&without_comments(body(&text))),
        "enum" | "trait" => attributes(lines, at) + without_comments(body(&text)).as_str(),
        _ => head.to_string(),
    };
    Some(Item {
        name,
        line: at as u32 + 1,
        signature: squeezed(head),
        shape: dense(&shape),
    })
}

/// Up to the body or the end of the item. The `=` of a function stands in its types: `impl Future<Output = u64>`.
fn head<'t>(text: &'t str, kind: &str) -> &'t str {
    let mut depth = 0_i32;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '=' if kind == "fn" => {}
            '{' | ';' | '=' if depth == 0 => return &text[..at],
            _ => {}
        }
    }
    text
}

/// Up to the brace that closes the item.
pub(super) fn body(text: &str) -> &str {
    let mut depth = 0_i32;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            ';' if depth == 0 => return &text[..at],
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return &text[..=at];
                }
            }
            _ => {}
        }
    }
    text
}

/// A struct without its private fields: those are the learner's.
fn visible(text: &str) -> String {
    let Some((head, fields)) = text.split_once('{') else {
        return text.to_string();
    };
    let (mut depth, mut start) = (0_i32, 0);
    let mut kept = head.to_string();
    for (at, c) in fields.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            // Of an arrow.
            '>' if fields[..at].ends_with('-') => {}
            ')' | ']' | '>' => depth -= 1,
            ',' | '}' if depth == 0 => {
                let field = fields[start..at].trim();
                if field.starts_with("pub ") {
                    kept.push_str(field);
                    kept.push(',');
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    kept
}

/// `#[derive(..)]` and the like, right above.
fn attributes(lines: &[&str], at: usize) -> String {
    let above = lines[..at].iter().rev().map(|line| line.trim());
    above
        .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
        .filter(|line| line.starts_with("#["))
        .collect()
}

fn without_comments(text: &str) -> String {
    text.lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code))
        .collect()
}

fn squeezed(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    joined.replace("( ", "(").replace(", )", ")")
}

fn dense(text: &str) -> String {
    let dense: String = text.split_whitespace().collect();
    dense.replace(",)", ")").replace(",}", "}")
}

/// An item that the shipped exercise had and the subject lost or changed.
pub(super) struct Broken {
    pub(super) signature: String,
    /// Where the changed item stands now.
    pub(super) line: Option<u32>,
    pub(super) name: String,
}

pub(super) fn broken(shipped: &str, subject: &str) -> Vec<Broken> {
    let now = items(subject);
    let mut broken = Vec::new();
    for item in items(shipped) {
        // Methods of two types may share a name: any item of the same shape will do.
        let same: Vec<&Item> = now.iter().filter(|other| other.name == item.name).collect();
        if !same.iter().any(|other| other.shape == item.shape) {
            broken.push(Broken {
                signature: item.signature,
                line: same.first().map(|other| other.line),
                name: item.name,
            });
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: &str = "\
use std::sync::Arc;

#[derive(Clone)]
pub struct Ledger {
    pub total: u64, // in cents
    hidden: u64,
}

impl Ledger {
    pub async fn transfer(
        &self,
        amount: u64,
    ) -> Result<(), Full> {
        todo!()
    }
}

pub fn open() -> Arc<Ledger> { todo!() }
pub(crate) fn inner() {}
pub const LIMIT: usize = 8;
";

    #[test]
    fn items_have_their_line_and_signature() {
        let found: Vec<_> = items(SUBJECT)
            .into_iter()
            .map(|item| (item.line, item.signature))
            .collect();
        assert_eq!(
            found,
            [
                (4, "pub struct Ledger".to_string()),
                (
                    10,
                    "pub async fn transfer(&self, amount: u64) -> Result<(), Full>".to_string()
                ),
                (18, "pub fn open() -> Arc<Ledger>".to_string()),
                (20, "pub const LIMIT: usize".to_string()),
            ]
        );
    }

    #[test]
    fn what_a_check_cannot_see_breaks_no_contract() {
        let reformatted = SUBJECT
            .replace(
                "(\n        &self,\n        amount: u64,\n    )",
                "(&self, amount: u64)",
            )
            .replace("todo!()", "Ok(())")
            .replace("// in cents", "// cents")
            .replace(
                "hidden: u64",
                "hidden: Mutex<HashMap<u64, u64>>, more: fn() -> bool",
            );
        assert!(broken(SUBJECT, &reformatted).is_empty());
    }

    #[test]
    fn a_lost_or_changed_item_breaks_it() {
        let table = [
            (
                "pub async fn transfer",
                "pub fn transfer",
                "transfer",
                Some(10),
            ),
            ("amount: u64", "amount: u32", "transfer", Some(10)),
            ("pub fn open", "fn open", "open", None),
            ("#[derive(Clone)]", "", "Ledger", Some(4)),
            ("pub total: u64", "total: u64", "Ledger", Some(4)),
        ];
        for (from, to, name, line) in table {
            let found = broken(SUBJECT, &SUBJECT.replace(from, to));
            let found: Vec<_> = found
                .iter()
                .map(|broken| (broken.name.as_str(), broken.line))
                .collect();
            assert_eq!(found, [(name, line)], "{from}");
        }
    }
}
