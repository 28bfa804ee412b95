//! Whether a verdict still reads as the book quotes it. What differs from run to run (random values, times, addresses,
//! and how their length wraps a line) does not count; lines and columns of the exercise do.

/// Where the texts differ: what the book has, what the run gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub book: String,
    pub run: String,
}

/// Words around a difference that are shown.
const CONTEXT: usize = 6;
/// Of a line that was cut off: how much is left of it depends on the numbers in it.
const CUT_WORDS: usize = 3;

pub fn difference(book: &str, run: &str) -> Option<Difference> {
    let (book, run) = (stable(book), stable(run));
    if joined(&book) == joined(&run) {
        return None;
    }
    let same = book.iter().zip(&run).take_while(|(book, run)| book == run);
    let same = same.count();
    let around = |words: &[String]| {
        let from = same.saturating_sub(CONTEXT);
        let to = words.len().min(same + CONTEXT);
        words.get(from..to).unwrap_or_default().join(" ")
    };
    Some(Difference {
        book: around(&book),
        run: around(&run),
    })
}

/// Without white space: a long value is broken where the line ends. `1.5`, `10,000` and `127.0.0.1:80` are one number.
fn joined(words: &[String]) -> String {
    let mut text = words.concat();
    while let Some(sign) = [".", ",", ":"]
        .iter()
        .find(|sign| text.contains(&format!("#{sign}#")))
    {
        text = text.replace(&format!("#{sign}#"), "#");
    }
    text
}

/// The words of the text, with one sign for each number that a run may choose.
fn stable(text: &str) -> Vec<String> {
    text.lines().flat_map(words).collect()
}

fn words(line: &str) -> Vec<String> {
    let words = line.split_whitespace();
    // A quoted line of the exercise: `34 |     let x = 1;`, and the place above it: `--> exercises/..:34:9`.
    let gutter = line.trim_start().split_once(" |").map(|(number, _)| number);
    let is_source = gutter
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()));
    if is_source || line.trim_start().starts_with("-->") {
        return words.map(str::to_owned).collect();
    }
    let kept = if line.ends_with('…') {
        CUT_WORDS
    } else {
        usize::MAX
    };
    words.take(kept).map(signed).collect()
}

fn signed(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let run = &rest[..end.unwrap_or(rest.len())];
        if run.is_empty() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        out.push_str(if is_number(run) { "#" } else { run });
        rest = &rest[run.len()..];
    }
    out
}

/// Also hexadecimal; `u64` and `E0308` are names.
fn is_number(run: &str) -> bool {
    let hex = run.strip_prefix("0x").unwrap_or(run);
    let unit = ["ms", "s", "us", "ns", "th", "nd", "rd", "st"];
    let digits = unit.iter().find_map(|unit| run.strip_suffix(unit));
    let is_code = run.len() == 5 && run.starts_with('E');
    let all = |text: &str, f: fn(&char) -> bool| !text.is_empty() && text.chars().all(|c| f(&c));
    !is_code
        && run.contains(|c: char| c.is_ascii_digit())
        && (all(hex, |c| c.is_ascii_hexdigit() || *c == '_')
            || digits.is_some_and(|digits| all(digits, char::is_ascii_digit)))
}

#[cfg(test)]
mod tests {
    use super::difference;

    const BOOK: &str = "✗ check failed: order 41 got 0x7fff12 in 12.5 ms\n  --> exercises/01_a/b.rs:34:9\n34 |  let a = 1;\n   |  ^^^ here\nerror[E0308]";

    #[test]
    fn what_a_run_chooses_does_not_count() {
        let run = BOOK.replace(
            "order 41 got 0x7fff12 in 12.5",
            "order 12345\n  got 0xab in 3",
        );
        assert_eq!(difference(BOOK, &run), None);
        assert_eq!(difference("127.0.0.1:80 a3f9", "10.0.0.7:43211 00bc"), None);
        assert_eq!(
            difference("{sale:30,won:5}", "{sale:30027,\n  won:163812}"),
            None
        );
        assert_eq!(
            difference("| charge 1 is out of pa…", "| charge 246647 is out…"),
            None
        );
    }

    #[test]
    fn everything_else_does() {
        for (old, new) in [
            (":34:9", ":35:9"),
            ("34 |", "35 |"),
            ("a = 1", "a = 2"),
            ("E0308", "E0309"),
            ("here", "there"),
        ] {
            let run = BOOK.replacen(old, new, 1);
            let told = difference(BOOK, &run).unwrap_or_else(|| panic!("{old}"));
            assert_ne!(told.book, told.run);
        }
        assert!(difference(BOOK, "").is_some());
    }
}
