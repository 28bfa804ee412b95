//! Workbooks in folders with names that shells and compilers stumble over.

use crate::support::{TINY_SOLUTION, Tiny};

#[test]
fn spaces_quotes_and_letters_of_any_script_are_fine() {
    for folder in [
        "with spaces",
        "it's \"quoted\"",
        "비동기 연습",
        "back\\slash",
        "-dash",
        "semi;colon&and",
        "%41{b}",
    ] {
        let (json, status) = Tiny::named(folder, TINY_SOLUTION).verdict();
        assert_eq!(json["verdict"], "passed", "{folder}: {json:#}");
        assert_eq!(status, Some(0), "{folder}");
    }
}
