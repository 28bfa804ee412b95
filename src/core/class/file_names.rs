//! Names of learners as names of files and folders, on every system.

use std::collections::HashSet;

use super::Class;

/// Bytes; most systems take 255, and a path has other parts.
const MOST: usize = 80;

/// One a learner, in their order: letters, digits, `-`, `_` and `.`; never empty, hidden, `..` or a device of Windows; no two
/// alike, also where the system does not tell upper from lower case.
pub(super) fn file_names(class: &Class) -> Vec<String> {
    let mut taken = HashSet::new();
    let names = class.learners.iter().map(|l| cleaned(&l.name));
    names.map(|name| claim(name, &mut taken)).collect()
}

fn claim(name: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{name}-{n}"));
    let mut candidates = [name.clone()].into_iter().chain(numbered);
    // Among one more numbers than there are learners one is free.
    let free = candidates.find(|name| taken.insert(name.to_lowercase()));
    free.unwrap_or(name)
}

/// A name of a file for one name; two may come to the same.
pub(super) fn cleaned(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut clean = String::new();
    for c in name.chars().map(|c| if fits(c) { c } else { '-' }) {
        if clean.len() + c.len_utf8() > MOST {
            break;
        }
        // One hyphen says as much as three.
        if !(c == '-' && clean.ends_with('-')) {
            clean.push(c);
        }
    }
    let clean = clean.trim_matches(['-', '.']);
    match clean {
        "" => "learner".to_owned(),
        // In front: what stands behind a dot is no part of a device.
        clean if is_device(clean) => format!("learner-{clean}"),
        clean => clean.to_owned(),
    }
}

/// Windows opens these whatever their ending is.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_lowercase();
    let numbered = |port: &str| {
        let number = stem.strip_prefix(port);
        number.is_some_and(|n| n.len() == 1 && n.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}
