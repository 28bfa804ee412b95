//! `folder,name`: which learner a folder is of, as CSV.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::complaint::Complaint;

/// From a folder's name to the learner's. A first row `folder,name` is a heading. `file` is the table's own name in
/// complaints.
///
/// # Errors
/// Every row that is wrong.
pub fn names(text: &str, file: &str) -> Result<BTreeMap<String, String>, Vec<Complaint>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let mut names = Names::default();
    let mut complaints = Vec::new();
    for (at, row) in reader.records().enumerate() {
        let wrong = match row {
            Ok(row) if at == 0 && is_heading(&row) => Ok(()),
            Ok(row) => names.take(&row),
            Err(error) => Err((
                error.position().map(csv::Position::line),
                format!("is no CSV: {error}"),
            )),
        };
        if let Err((line, text)) = wrong {
            complaints.push(Complaint::new(file, line, text));
        }
    }
    if complaints.is_empty() {
        Ok(names.by_folder)
    } else {
        Err(complaints)
    }
}

fn is_heading(row: &StringRecord) -> bool {
    let is = |at, word| {
        row.get(at)
            .is_some_and(|s: &str| s.eq_ignore_ascii_case(word))
    };
    row.len() == 2 && is(0, "folder") && is(1, "name")
}

#[derive(Default)]
struct Names {
    by_folder: BTreeMap<String, String>,
    /// Where each folder and name was first given.
    folders: BTreeMap<String, u64>,
    names: BTreeMap<String, u64>,
}

impl Names {
    fn take(&mut self, row: &StringRecord) -> Result<(), (Option<u64>, String)> {
        let line = row.position().map(csv::Position::line);
        let wrong = |text: String| Err((line, text));
        let (Some(folder), Some(name), 2) = (row.get(0), row.get(1), row.len()) else {
            return wrong(format!(
                "has {} fields; it needs two, `folder,name`, and quotes around one with a comma",
                row.len()
            ));
        };
        // `grade submissions/ada/` and a table with `ada/` mean the same folder.
        let folder = folder.trim_end_matches(['/', '\\']);
        if folder.is_empty() || name.is_empty() {
            let which = if folder.is_empty() { "folder" } else { "name" };
            return wrong(format!("has no {which}; write both, or leave the row out"));
        }
        let here = line.unwrap_or(0);
        if let Some(first) = self.folders.insert(folder.to_owned(), here) {
            return wrong(format!(
                "gives the folder `{folder}` a second name; line {first} has the first, so remove one"
            ));
        }
        if let Some(first) = self.names.insert(name.to_owned(), here) {
            return wrong(format!(
                "gives the name `{name}` to a second folder; line {first} has the first, so tell them apart"
            ));
        }
        self.by_folder.insert(folder.to_owned(), name.to_owned());
        Ok(())
    }
}
