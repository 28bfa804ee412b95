//! The API that pages name: full paths between back quotes.

use pulldown_cmark::{Event, Options, Parser};

use super::rules::line;
use super::{Book, Complaint};

const CRATES: [&str; 6] = [
    "tokio",
    "futures",
    "tokio_util",
    "tokio_stream",
    "tracing",
    "std",
];

/// Each full path of these crates, with where it stands (as a complaint to be filled in).
pub fn api_paths(book: &Book) -> Vec<(String, Complaint)> {
    let mut found = Vec::new();
    for file in book.pages() {
        let text = book.files().get(file).map_or("", String::as_str);
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            if let Event::Code(code) = event
                && let Some(path) = api_path(&code)
            {
                let place = Complaint {
                    file: file.to_owned(),
                    line: line(text, range.start),
                    what: String::new(),
                };
                found.push((path, place));
            }
        }
    }
    found
}

/// `tokio::time::timeout` of `tokio::time::timeout(..)`; nothing of `tokio::select! { .. }` but its name.
fn api_path(code: &str) -> Option<String> {
    let end = code.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let path = code[..end.unwrap_or(code.len())].trim_end_matches(':');
    let (krate, rest) = path.split_once("::")?;
    let known = CRATES.contains(&krate) && !rest.is_empty();
    known.then(|| path.to_owned())
}
