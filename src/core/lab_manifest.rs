//! What a pack adds to the lab: the text of its `lab.toml` -> the lab's manifest with more crates. Text only.

use std::fmt;
use std::ops::Range;

use toml_edit::{Array, Document, DocumentMut, InlineTable, Item, TableLike, Value};

#[cfg(test)]
mod tests;

/// The lab's manifest, with the pack's crates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub manifest: String,
    /// Packages that the lab did not have, by their names in the registry.
    pub added: Vec<String>,
}

/// One thing that is wrong with lab.toml.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Counted from 1.
    line: Option<usize>,
    text: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "lab.toml:{line}: {}", self.text),
            None => write!(f, "lab.toml: {}", self.text),
        }
    }
}

/// `None`: the pack adds nothing.
///
/// # Errors
/// Everything that a pack cannot ask for, in the order of the file.
pub fn merge(lab_manifest: &str, pack: &str) -> Result<Option<Merged>, Vec<Complaint>> {
    let complain = |span: Option<Range<usize>>, what: String| Complaint {
        line: span.map(|span| 1 + pack[..span.start].matches('\n').count()),
        text: what,
    };
    let document = Document::parse(pack)
        .map_err(|error| vec![complain(error.span(), error.message().to_string())])?;
    let mut manifest: DocumentMut = lab_manifest
        .parse()
        .map_err(|error| vec![complain(None, format!("the lab's own manifest: {error}"))])?;
    let mut found = Vec::new();
    for (key, item) in document.iter().filter(|(key, _)| *key != "dependencies") {
        let span = document.key(key).and_then(|key| key.span()).or(item.span());
        let text = format!("`{key}` has no place here; a pack adds `[dependencies]` alone");
        found.push(complain(span, text));
    }
    let dependencies = document.get("dependencies");
    let tables = dependencies.and_then(Item::as_table_like);
    if let (Some(other), None) = (dependencies, tables) {
        found.push(complain(
            other.span(),
            "`dependencies` must be a table".to_string(),
        ));
    }
    let mut added = Vec::new();
    for (name, item) in tables.into_iter().flat_map(TableLike::iter) {
        match dependency(&mut manifest, name, item) {
            Ok(package) => added.extend(package),
            Err(text) => found.push(complain(item.span(), text)),
        }
    }
    if !found.is_empty() {
        return Err(found);
    }
    let same = manifest.to_string() == lab_manifest;
    Ok((!same).then(|| Merged {
        manifest: manifest.to_string(),
        added,
    }))
}

/// Puts one dependency into the manifest; its package, where the lab did not have it.
fn dependency(
    manifest: &mut DocumentMut,
    name: &str,
    item: &Item,
) -> Result<Option<String>, String> {
    let field = |key: &str| item.as_table_like().and_then(|table| table.get(key));
    for (key, reason) in [
        (
            "path",
            "the lab is built in a cache folder, which has no other folder beside it; name a version or a `git` repository",
        ),
        ("workspace", "the lab is in no workspace; name a version"),
        ("optional", "nothing could ask for it; leave that word out"),
    ] {
        if field(key).is_some() {
            return Err(format!("`{name}` has `{key}`: {reason}"));
        }
    }
    if ["lab", "asynclings-lab", "exercise", "checks"].contains(&name) {
        return Err(format!(
            "`{name}` is a name of the lab's own; rename the crate with `package`"
        ));
    }
    let own = manifest
        .get_mut("dependencies")
        .and_then(|own| own.as_table_like_mut()?.get_mut(name));
    if let Some(own) = own {
        return more_features(own, name, item).map(|()| None);
    }
    if item.as_str().is_none() && field("version").is_none() && field("git").is_none() {
        return Err(format!(
            "`{name}` has no `version`; write `{name} = \"1\"`, or as it is"
        ));
    }
    manifest["dependencies"][name] = Item::Value(inline(item));
    let package = field("package").and_then(Item::as_str).unwrap_or(name);
    Ok(Some(package.to_string()))
}

/// Versions are the lab's; features add up.
fn more_features(own: &mut Item, name: &str, item: &Item) -> Result<(), String> {
    let version = |item: &Item| {
        let inner = item.as_table_like().and_then(|table| table.get("version"));
        inner.unwrap_or(item).as_str().map(str::to_string)
    };
    let keys: Vec<&str> = item
        .as_table_like()
        .into_iter()
        .flat_map(TableLike::iter)
        .map(|(key, _)| key)
        .collect();
    let more = item
        .as_table_like()
        .and_then(|table| table.get("features")?.as_array());
    let (Some(more), ["features"]) = (more, keys.as_slice()) else {
        let has = version(own).unwrap_or_default();
        return Err(format!(
            "`{name}` is in the lab already, at version {has}, and exercises can use it; leave it out here, or write \
             `{name} = {{ features = [..] }}` for more of its features"
        ));
    };
    let mut table = match own.as_inline_table() {
        Some(table) => table.clone(),
        None => {
            let mut table = InlineTable::new();
            table.insert("version", version(own).unwrap_or_default().into());
            table
        }
    };
    let features = table
        .entry("features")
        .or_insert_with(|| Value::Array(Array::new()));
    if let Some(features) = features.as_array_mut() {
        for feature in more.iter().filter_map(Value::as_str) {
            if !features.iter().any(|own| own.as_str() == Some(feature)) {
                features.push(feature);
            }
        }
    }
    *own = Item::Value(table.into());
    Ok(())
}

/// `[dependencies.slab]` and `slab = { .. }` say the same.
fn inline(item: &Item) -> Value {
    let mut value = match item.as_table_like() {
        Some(table) => {
            let of = |(key, item): (&str, &Item)| Some((key.to_string(), item.as_value()?.clone()));
            table.iter().filter_map(of).collect::<InlineTable>().into()
        }
        None => item.as_value().cloned().unwrap_or_else(|| "*".into()),
    };
    value.decor_mut().clear();
    value
}
