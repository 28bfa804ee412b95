//! One TOML table, taken apart key by key; whatever does not fit becomes a complaint with its line.

use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Complaint, nearest};

/// Complaints so far, and the text that gives them lines.
pub(in crate::core) struct Complaints<'t> {
    text: &'t str,
    found: Vec<Complaint>,
}

impl<'t> Complaints<'t> {
    pub(in crate::core) fn new(text: &'t str) -> Self {
        Self {
            text,
            found: Vec::new(),
        }
    }

    pub(in crate::core) fn add(&mut self, at: Option<Range<usize>>, text: impl Into<String>) {
        let line = at.map(|span| {
            let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
            1 + before.iter().filter(|&&byte| byte == b'\n').count() as u32
        });
        self.found.push(Complaint {
            line,
            text: text.into(),
        });
    }

    /// In the order of the file.
    pub(in crate::core) fn into_sorted(mut self) -> Vec<Complaint> {
        self.found.sort_by_key(|complaint| complaint.line);
        self.found
    }

    pub(in crate::core) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

/// A table, and how sentences call it: ``exercise `lost_panic` ``.
pub(in crate::core) struct Fields<'a, 'i> {
    pub(in crate::core) label: String,
    pub(in crate::core) span: Range<usize>,
    table: &'a DeTable<'i>,
}

impl<'a, 'i> Fields<'a, 'i> {
    pub(in crate::core) fn new(
        label: impl Into<String>,
        span: Range<usize>,
        table: &'a DeTable<'i>,
    ) -> Self {
        Self {
            label: label.into(),
            span,
            table,
        }
    }

    pub(in crate::core) fn value(&self, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
        self.table.get(key)
    }

    /// In the order of their names.
    pub(in crate::core) fn keys(&self) -> Vec<String> {
        self.table
            .keys()
            .map(|key| key.get_ref().to_string())
            .collect()
    }

    pub(in crate::core) fn span_of(&self, key: &str) -> Range<usize> {
        self.value(key)
            .map_or(self.span.clone(), |value| value.span())
    }

    pub(in crate::core) fn refuse_unknown(&self, known: &[&str], complaints: &mut Complaints) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let advice = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", quoted(known)),
            };
            complaints.add(
                Some(key.span()),
                format!("{} has an unknown key `{name}`; {advice}", self.label),
            );
        }
    }

    pub(in crate::core) fn require(
        &self,
        key: &str,
        complaints: &mut Complaints,
    ) -> Option<&'a Spanned<DeValue<'i>>> {
        let value = self.value(key);
        if value.is_none() {
            complaints.add(
                Some(self.span.clone()),
                format!("{} has no `{key}`", self.label),
            );
        }
        value
    }

    /// A string that is not empty; `None` where it is absent, or was complained about.
    pub(in crate::core) fn text(&self, key: &str, complaints: &mut Complaints) -> Option<String> {
        let value = self.value(key)?;
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Some(text.to_string()),
            Some(_) => self.wrong(key, "is empty", complaints),
            None => self.wrong(key, "must be a string", complaints),
        }
    }

    pub(in crate::core) fn texts(
        &self,
        key: &str,
        complaints: &mut Complaints,
    ) -> Option<Vec<String>> {
        let value = self.value(key)?;
        let Some(items) = value.get_ref().as_array() else {
            return self.wrong(key, "must be a list of strings", complaints);
        };
        let texts: Option<Vec<String>> = items
            .iter()
            .map(|item| item.get_ref().as_str().map(str::to_string))
            .collect();
        texts.or_else(|| self.wrong(key, "must hold strings only", complaints))
    }

    pub(in crate::core) fn number(
        &self,
        key: &str,
        range: RangeInclusive<u64>,
        complaints: &mut Complaints,
    ) -> Option<u64> {
        let value = self.value(key)?;
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|integer| u64::from_str_radix(integer.as_str(), integer.radix()).ok());
        match number {
            Some(number) if range.contains(&number) => Some(number),
            _ => {
                let what = format!(
                    "must be a whole number from {} to {}",
                    range.start(),
                    range.end()
                );
                self.wrong(key, &what, complaints)
            }
        }
    }

    pub(in crate::core) fn table(
        &self,
        key: &str,
        complaints: &mut Complaints,
    ) -> Option<Fields<'a, 'i>> {
        let value = self.value(key)?;
        match value.get_ref().as_table() {
            Some(table) => Some(Fields::new(
                format!("`{key}` of {}", self.label),
                value.span(),
                table,
            )),
            None => self.wrong(key, "must be a table", complaints),
        }
    }

    /// The tables under `[[key]]`, each labelled by its own name or its number. None where the key is absent.
    pub(in crate::core) fn tables(
        &self,
        key: &str,
        noun: &str,
        id: &str,
        complaints: &mut Complaints,
    ) -> Vec<Fields<'a, 'i>> {
        let Some(value) = self.value(key) else {
            return Vec::new();
        };
        let Some(items) = value.get_ref().as_array() else {
            self.wrong::<()>(key, &format!("must be written as `[[{key}]]`"), complaints);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let Some(table) = item.get_ref().as_table() else {
                complaints.add(
                    Some(item.span()),
                    format!("{noun} {} must be a table", index + 1),
                );
                continue;
            };
            let label = match table
                .get(id)
                .and_then(|value| DeValue::as_str(value.get_ref()))
            {
                Some(name) => format!("{noun} `{name}`"),
                None => format!("{noun} {}", index + 1),
            };
            tables.push(Fields::new(label, item.span(), table));
        }
        tables
    }

    pub(in crate::core) fn wrong<T>(
        &self,
        key: &str,
        what: &str,
        complaints: &mut Complaints,
    ) -> Option<T> {
        complaints.add(
            Some(self.span_of(key)),
            format!("`{key}` of {} {what}", self.label),
        );
        None
    }
}

pub(in crate::core) fn quoted(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
