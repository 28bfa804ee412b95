//! What must not compile does not, in rustc's words that the book quotes; and no listing is left out of the crate.
#![allow(
    clippy::disallowed_methods,
    reason = "`clippy.toml` beside it is the book's, for services"
)]

use std::fs;
use std::path::{Path, PathBuf};

fn listings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// `TRYBUILD=overwrite cargo test -p asynclings-listings` writes the words anew.
#[test]
fn what_must_not_compile_is_refused_in_the_words_that_the_book_quotes() {
    trybuild::TestCases::new().compile_fail("../ui/*.rs");
}

#[test]
fn each_listing_is_compiled() {
    let lib = fs::read_to_string(listings().join("src/lib.rs")).unwrap();
    let mut listed = 0;
    for chapter in fs::read_dir(listings().join("src")).unwrap() {
        let chapter = chapter.unwrap();
        if !chapter.file_type().unwrap().is_dir() {
            continue;
        }
        for file in fs::read_dir(chapter.path()).unwrap() {
            let file = file.unwrap().file_name().into_string().unwrap();
            let path = format!("{}/{file}", chapter.file_name().into_string().unwrap());
            assert!(
                lib.contains(&format!("#[path = \"{path}\"]")),
                "add `#[path = \"{path}\"]` to book/listings/src/lib.rs"
            );
            listed += 1;
        }
    }
    assert!(listed > 0);
}
