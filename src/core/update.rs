//! What becomes of a file when a workbook is brought to a newer version. Texts only.

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value, value};

use super::manifest;

/// What a file was, is, and shall be.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// As it lies in the workbook. `None`: it is not there.
    pub now: Option<&'a [u8]>,
    /// As the version shipped it that wrote it. `None`: not known.
    pub shipped: Option<&'a [u8]>,
    /// As this version ships it.
    pub new: &'a [u8],
    /// Whether the learner is to write in it.
    pub learners: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is as it shall be.
    Same,
    New,
    /// Nobody had touched it.
    Renewed,
    /// It is not the learner's, and was edited all the same: a copy is kept.
    Replaced,
    /// The learner's text stays, and the exercise has changed.
    Kept,
    /// The learner's text stays, and the exercise has not changed.
    KeptInSilence,
}

pub fn fate(texts: Texts<'_>) -> Fate {
    let Texts {
        now,
        shipped,
        new,
        learners,
    } = texts;
    match now {
        None => Fate::New,
        Some(now) if now == new => Fate::Same,
        Some(now) if shipped == Some(now) => Fate::Renewed,
        Some(_) if !learners => Fate::Replaced,
        Some(_) if shipped == Some(new) => Fate::KeptInSilence,
        Some(_) => Fate::Kept,
    }
}

/// The new manifest with the gates of the old one: whoever teaches wrote them, and they hold on. What the new one does not
/// have is left out; an exercise that has another name goes by it.
pub fn with_gates(new: &str, old: &str) -> String {
    let (Ok(old), Ok(known)) = (old.parse::<DocumentMut>(), manifest::parse(new)) else {
        return new.to_owned();
    };
    let gates = old.get("gates").and_then(Item::as_array_of_tables);
    let exercise = |name: &str| Some(known.find(name).ok()?.name.clone());
    let chapter = |id: &str| Some(known.chapter(id)?.id.clone());
    let mut kept = ArrayOfTables::new();
    for gate in gates.into_iter().flatten() {
        let mut gate = gate.clone();
        let some =
            renamed(&mut gate, "exercises", exercise) | renamed(&mut gate, "chapters", chapter);
        if some {
            kept.push(gate);
        }
    }
    if kept.is_empty() {
        return new.to_owned();
    }
    let mut document = DocumentMut::new();
    document["gates"] = Item::ArrayOfTables(kept);
    let text = format!("{}\n\n{}\n", new.trim_end(), document.to_string().trim());
    // A manifest that cannot be read is worse than one without gates.
    match manifest::parse(&text) {
        Ok(_) => text,
        Err(_) => new.to_owned(),
    }
}

/// Whether any of its names is left.
fn renamed(gate: &mut Table, key: &str, name: impl Fn(&str) -> Option<String>) -> bool {
    let Some(names) = gate.get(key).and_then(Item::as_array) else {
        return false;
    };
    let left = names.iter().filter_map(Value::as_str).filter_map(name);
    let left: Array = left.collect();
    let some = !left.is_empty();
    gate[key] = value(left);
    some
}

/// Whether one version (`0.2.0`) is later than another. What is no version is none.
pub fn is_newer(one: &str, other: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        version.split('.').map(|part| part.parse().ok()).collect()
    };
    match (numbers(one), numbers(other)) {
        (Some(one), Some(other)) => one > other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_learner_wrote_stays_and_what_nobody_touched_is_renewed() {
        let (old, mine, new) = (Some(&b"old"[..]), Some(&b"mine"[..]), &b"new"[..]);
        for (now, shipped, learners, expected) in [
            (None, old, true, Fate::New),
            (Some(new), old, true, Fate::Same),
            (old, old, true, Fate::Renewed),
            (mine, old, true, Fate::Kept),
            (mine, None, true, Fate::Kept),
            (mine, Some(new), true, Fate::KeptInSilence),
            (mine, old, false, Fate::Replaced),
            (mine, None, false, Fate::Replaced),
        ] {
            let texts = Texts {
                now,
                shipped,
                new,
                learners,
            };
            assert_eq!(fate(texts), expected, "{texts:?}");
        }
    }

    const NEW: &str = "format_version = 1\n[[chapters]]\nid = \"01_a\"\ntitle = \"A\"\n[[exercises]]\nname = \"one\"\n\
        chapter = \"01_a\"\ntitle = \"T\"\nminutes = 1\ndifficulty = 1\nstarts_as = { verdict = \"hung\", check = \"c\" }\n\
        hints = [\"a\", \"b\", \"c\"]\nsources = []\nformer_names = [\"uno\"]\n";

    #[test]
    fn gates_hold_on_over_an_update_as_far_as_what_they_hold_is_there() {
        let gate = |rest: &str| format!("# mine\n[[gates]]\nopens = 2026-10-01\n{rest}\n");
        let old = format!(
            "{}{}{}",
            gate("exercises = [\"uno\", \"gone\"]"),
            gate("chapters = [\"01_a\"]"),
            gate("chapters = [\"02_gone\"]")
        );
        let text = with_gates(NEW, &(NEW.replace("one", "uno") + &old));
        assert!(text.starts_with(NEW.trim_end()));
        let gates = manifest::parse(&text).unwrap().gates;
        let held: Vec<_> = gates.iter().map(|gate| gate.exercises.clone()).collect();
        assert_eq!(held, [["one"], ["one"]]);
        assert_eq!(with_gates(NEW, &text), text, "and once more");
        for old in [
            NEW,
            "",
            "[[[",
            &gate("exercises = [\"gone\"]"),
            "gates = 3",
            &gate("chapters = [\"01_a\"]\nday = 1"),
        ] {
            assert_eq!(with_gates(NEW, old), NEW, "{old}");
        }
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(is_newer("0.10.0", "0.9.1"));
        assert!(!is_newer("0.1.0", "0.1.0"));
        assert!(!is_newer("", "0.1.0"));
        assert!(!is_newer("garbage", "0.1.0"));
    }
}
