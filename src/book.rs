//! The book's texts from a folder or from this program, and the site that mdBook makes of them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;

use crate::core::book::{Book, Files, Medium, Site};
use crate::embedded;
use crate::exit::Fault;
use crate::workbook::Workbook;

mod warnings;

/// What a book is made of, from the workbook's folder. `book/html` is what is made.
const PARTS: [&str; 8] = [
    "book/book.toml",
    "book/theme",
    "book/src",
    "book/drawings",
    "book/figures",
    "book/verdicts",
    "book/listings",
    "solutions",
];
const TEXTS: [&str; 6] = ["md", "toml", "txt", "rs", "stderr", "css"];

/// The workbook's own book where it has one, else the one that came with this program.
pub fn load(workbook: &Workbook) -> Result<Book> {
    let root = workbook.root();
    if !root.join("book/book.toml").is_file() {
        return Ok(Book::new(embedded::book_files()));
    }
    let mut files = Files::new();
    for part in PARTS {
        read(root, part, &mut files)
            .with_context(|| Fault::Workbook(format!("{part} cannot be read")))?;
    }
    Ok(Book::new(files))
}

/// Whether the book lies in the workbook, to be written and proven.
pub fn is_own(workbook: &Workbook) -> bool {
    workbook.root().join("book/book.toml").is_file()
}

fn read(root: &Path, inner: &str, files: &mut Files) -> std::io::Result<()> {
    let path = root.join(inner);
    if path.is_dir() {
        for entry in fs::read_dir(&path)? {
            let name = entry?.file_name();
            // A name that is no UTF-8 is no part of a book; cargo and editors have theirs.
            if let Some(name) = name
                .to_str()
                .filter(|name| !name.starts_with('.') && *name != "target")
            {
                read(root, &format!("{inner}/{name}"), files)?;
            }
        }
        return Ok(());
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !extension.is_some_and(|extension| TEXTS.contains(&extension)) {
        return Ok(());
    }
    match fs::read_to_string(&path) {
        Ok(text) => drop(files.insert(inner.to_owned(), text)),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// The built site in the cache, built where it is not there yet. Another program version builds another.
pub fn in_cache(book: &Book, cache: &Path, say: impl FnOnce(&str)) -> Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), book.files()).hash(&mut hasher);
    let target = cache.join(format!("book-{:016x}", hasher.finish()));
    let index = target.join("index.html");
    if index.is_file() {
        return Ok(index);
    }
    say("building the book, once");
    let machine = || Fault::Machine(format!("cannot write the book to {}", cache.display()));
    fs::create_dir_all(cache).with_context(machine)?;
    let scratch = tempfile::Builder::new()
        .prefix(".book-")
        .tempdir_in(cache)
        .with_context(machine)?;
    build(book, scratch.path())?;
    match fs::rename(scratch.path(), &target) {
        // Another runner was faster, with the same book.
        Err(_) if index.is_file() => {}
        renamed => renamed.with_context(machine)?,
    }
    Ok(index)
}

/// Builds the site into a folder, in place of what is there. What mdBook warns of comes back.
pub fn build(book: &Book, out: &Path) -> Result<Vec<String>> {
    let machine = || Fault::Machine(format!("cannot build the book in {}", out.display()));
    let scratch = tempfile::tempdir().with_context(machine)?;
    lay_out(book, scratch.path()).with_context(machine)?;
    let out = std::path::absolute(out).with_context(machine)?;
    let (built, said) = warnings::heard(|| mdbook(scratch.path(), out));
    built.with_context(|| Fault::Workbook("mdBook cannot build the book".to_owned()))?;
    Ok(said)
}

fn mdbook(root: &Path, out: PathBuf) -> Result<()> {
    // Not `MDBook::load`, which lets the environment change the book.
    let mut config = Config::from_disk(root.join("book.toml"))?;
    config.build.build_dir = out;
    config.build.create_missing = false;
    // Directives are carried out by then.
    config.build.use_default_preprocessors = false;
    let mut book = MDBook::load_with_config(root, config)?;
    book.with_preprocessor(mdbook_driver::builtin_preprocessors::IndexPreprocessor::new());
    book.build()
}

/// Pages with everything in its place, as mdBook takes them.
fn lay_out(book: &Book, root: &Path) -> std::io::Result<()> {
    for (path, text) in book.files() {
        let Some(inner) = path.strip_prefix("book/") else {
            continue;
        };
        let page = inner.starts_with("src/") && inner != "src/SUMMARY.md";
        let is_part =
            page || ["src/SUMMARY.md", "book.toml"].contains(&inner) || inner.starts_with("theme/");
        if is_part {
            let expanded = page.then(|| book.expanded(path, Medium::Html)).flatten();
            let text = expanded.map_or_else(|| text.clone(), |page| page.text);
            write(&root.join(inner), &text)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::File::create_new(path)?.write_all(text.as_bytes())
}

/// A built site's pages and styles, for its rules.
pub fn site(out: &Path) -> Result<Site> {
    let mut site = Site::new();
    look_into(out, out, &mut site)
        .with_context(|| Fault::Machine(format!("{} cannot be read", out.display())))?;
    Ok(site)
}

fn look_into(root: &Path, dir: &Path, site: &mut Site) -> std::io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            look_into(root, &path, site)?;
            continue;
        }
        let inner = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .to_string_lossy()
            .replace('\\', "/");
        let is_text = inner.ends_with(".html") || inner.ends_with(".css");
        let text = if is_text {
            fs::read_to_string(&path)?
        } else {
            String::new()
        };
        site.insert(inner, text);
    }
    Ok(())
}
