//! What an exercise's text must have, whatever it does.

use super::Complaint;
use crate::book;
use crate::core::book::figures_path;
use crate::core::manifest::{Exercise, ExerciseKind, Subject};
use crate::workbook::{SubjectFile, Workbook};

pub(super) fn complaints(workbook: &Workbook, exercise: &Exercise) -> Vec<Complaint> {
    let mut found = match exercise.kind {
        ExerciseKind::Program => of_exercise(&workbook.exercise_file(exercise)),
        ExerciseKind::Lint => of_lint(workbook, exercise),
    };
    found.extend(globs(workbook, exercise));
    found.extend(hints(exercise));
    found.extend(variety(workbook, exercise));
    found.extend(page(workbook, exercise));
    found.extend(figures(workbook, exercise));
    found
}

fn of_exercise(file: &SubjectFile) -> Vec<Complaint> {
    let text = match file.read() {
        Ok(text) => text,
        Err(error) => return vec![format!("{error:#}")],
    };
    let todos = text.matches("// TODO").count();
    let mut found = Vec::new();
    if !text.starts_with("//!") {
        found.push(format!(
            "{}:1: must begin with `//!` and the symptom as it was reported",
            file.display
        ));
    }
    if todos != 1 {
        found.push(format!(
            "{}: has {todos} `// TODO`; it needs one, which asks a question",
            file.display
        ));
    }
    if !text.contains("fn main()") {
        found.push(format!(
            "{}: has no `main` that shows the incident",
            file.display
        ));
    }
    found
}

/// The question is asked in the clippy.toml; the program beside it has the `main`.
fn of_lint(workbook: &Workbook, exercise: &Exercise) -> Vec<Complaint> {
    let mut found = Vec::new();
    for file in workbook.exercise_files(exercise) {
        let text = match file.read() {
            Ok(text) => text,
            Err(error) => {
                found.push(format!("{error:#}"));
                continue;
            }
        };
        let is_program = file.display.ends_with(".rs");
        let begins = if is_program { "//!" } else { "# " };
        if !text.starts_with(begins) {
            found.push(format!(
                "{}:1: must begin with `{begins}` and what it is about",
                file.display
            ));
        }
        let todos = text.matches("# TODO").count();
        if !is_program && todos != 1 {
            found.push(format!(
                "{}: has {todos} `# TODO`; it needs one, which asks a question",
                file.display
            ));
        }
        if is_program && !text.contains("fn main()") {
            found.push(format!(
                "{}: has no `main` that shows the incident",
                file.display
            ));
        }
    }
    found
}

/// A glob would bring all that a learner defines: his `mod lab` would stand in for the lab, his `mod tokio` for Tokio.
fn globs(workbook: &Workbook, exercise: &Exercise) -> Vec<Complaint> {
    let checks = match workbook.checks(exercise) {
        Ok(checks) => checks,
        // `files::missing` says so.
        Err(_) => return Vec::new(),
    };
    let text = match checks.read() {
        Ok(text) => text,
        Err(error) => return vec![format!("{error:#}")],
    };
    line_of_glob(&text)
        .map(|line| {
            format!(
                "{}:{line}: a glob brings all that a learner defines, a `mod lab` too; import by name what the checks use",
                checks.display
            )
        })
        .into_iter()
        .collect()
}

/// The first `use` that brings all of the exercise, or of a module of it.
fn line_of_glob(checks: &str) -> Option<usize> {
    let code: Vec<&str> = checks
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    (1..=code.len()).find(|line| {
        let begins = code[line - 1].trim_start();
        let import = begins.strip_prefix("pub ").unwrap_or(begins);
        if !import.starts_with("use ") {
            return false;
        }
        let import: String = code[line - 1..].join(" ");
        let import = import.split(';').next().unwrap_or_default();
        let brings = |name: &str| {
            let mut words = import.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| word == name)
        };
        import.contains('*') && brings("exercise")
    })
}

/// Code in the first two would give away what to do.
fn hints(exercise: &Exercise) -> Vec<Complaint> {
    let early = exercise.hints.iter().take(2).zip(["first", "second"]);
    early
        .filter(|(hint, _)| hint.contains("```"))
        .map(|(_, which)| {
            format!(
                "{}: the {which} hint shows code; only the third may",
                exercise.name
            )
        })
        .collect()
}

/// A check that was tried on our solution alone is a check of our solution.
fn variety(workbook: &Workbook, exercise: &Exercise) -> Vec<Complaint> {
    let variants = match workbook.variants(exercise) {
        Ok(variants) => variants,
        Err(error) => return vec![format!("{error:#}")],
    };
    [true, false]
        .into_iter()
        .filter(|side| {
            !variants
                .iter()
                .any(|variant| matches!(variant, Subject::Variant { right, .. } if right == side))
        })
        .map(|side| {
            let side = if side { "right" } else { "wrong" };
            format!(
                "checks/{}/{}/{side}/ has no variant; a check is proven by several",
                exercise.chapter, exercise.name
            )
        })
        .collect()
}

/// Only where the workbook has a book.
fn page(workbook: &Workbook, exercise: &Exercise) -> Option<Complaint> {
    let pages = workbook.root().join("book/src");
    let page = pages
        .join(&exercise.chapter)
        .join(format!("{}.md", exercise.name));
    let missing = pages.is_dir() && !page.is_file();
    missing.then(|| {
        format!(
            "book/src/{}/{}.md is missing: each exercise has a page",
            exercise.chapter, exercise.name
        )
    })
}

/// A scenario that was never run for the book.
fn figures(workbook: &Workbook, exercise: &Exercise) -> Option<Complaint> {
    let file = figures_path(exercise);
    let missing = book::is_own(workbook)
        && workbook.has_incident(exercise)
        && !workbook.root().join(&file).is_file();
    missing.then(|| {
        format!(
            "{file} is missing: `asynclings dev figures {}` measures it",
            exercise.name
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_of_the_exercise_is_found() {
        for glob in [
            "use crate::exercise::*;",
            "use crate::{exercise::*};",
            "use crate::exercise::{\n    Counter,\n    vendor::*,\n};",
            "mod deep {\n    use crate::exercise::vendor::*;\n}",
        ] {
            let before = "//! Not `use crate::exercise::*;`\n\nuse std::*;\n";
            let line = 3 + usize::from(glob.starts_with("mod")) + 1;
            assert_eq!(line_of_glob(&format!("{before}{glob}\n")), Some(line));
        }
        let named =
            "use crate::exercise::{Counter, take};\nuse exercises::*;\nlet six = 2 * exercise;\n";
        assert_eq!(line_of_glob(named), None);
    }
}
