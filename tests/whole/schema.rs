//! What editors are told about info.toml is what the parser holds: the same keys, the same mistakes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use asynclings::core::lab_manifest::merge;
use asynclings::core::manifest::parse;
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

const GOOD: &str = r#"format_version = 1
language = "ko"

[[chapters]]
id = "01_incidents"
title = "Incidents"

[[exercises]]
name = "wrong_customer"
chapter = "01_incidents"
title = "Somebody else's balance"
minutes = 20
difficulty = 3
kind = "program"
starts_as = { verdict = "hung", kind = "waiting", check = "a_reply_comes" }
hints = ["Look.", "Think.", "Do."]
sources = ["post-mortem 12"]
limits = { memory_mib = 64, seconds = 5 }
former_names = ["balance"]

[[tracks]]
id = "day-1"
title = "The first day"
exercises = ["wrong_customer"]

[[gates]]
chapters = ["01_incidents"]
opens = 2026-10-02
word = "0123456789abcdef$0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
"#;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema() -> Value {
    let text = fs::read_to_string(repository().join("schema/info.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

struct Validator(Schemas, SchemaIndex);

impl Validator {
    fn new() -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("info.json", schema()).unwrap();
        let index = compiler.compile("info.json", &mut schemas).unwrap();
        Self(schemas, index)
    }

    /// What is wrong by the schema; no TOML is no value at all.
    fn complaint(&self, text: &str) -> Option<String> {
        let value: Value = toml::from_str(text).unwrap();
        let invalid = self.0.validate(&value, self.1).err()?;
        Some(invalid.to_string())
    }
}

/// Ours, and those of packs in `tests/packs`.
fn manifests() -> Vec<PathBuf> {
    let packs = fs::read_dir(repository().join("tests/packs")).into_iter();
    let packs = packs.flatten().map(|pack| pack.unwrap().path());
    [repository().to_path_buf()]
        .into_iter()
        .chain(packs)
        .map(|root| root.join("info.toml"))
        .collect()
}

#[test]
fn manifests_that_are_read_are_valid_by_the_schema_that_they_name() {
    let validator = Validator::new();
    assert_eq!(validator.complaint(GOOD), None);
    parse(GOOD).unwrap();
    for path in manifests() {
        let text = fs::read_to_string(&path).unwrap();
        parse(&text).unwrap();
        let complaint = validator.complaint(&text);
        assert_eq!(complaint, None, "{}", path.display());
        let named = text.lines().next().unwrap().strip_prefix("#:schema ");
        let named = path.with_file_name("").join(named.unwrap());
        assert_eq!(
            fs::read_to_string(&named).unwrap(),
            fs::read_to_string(repository().join("schema/info.schema.json")).unwrap(),
            "{}",
            named.display()
        );
    }
}

/// The page that authors follow.
#[test]
fn the_book_says_what_the_parsers_take() {
    let page = fs::read_to_string(repository().join("book/src/packs.md")).unwrap();
    let mut blocks = page.split("```toml\n").skip(1);
    let mut block = || blocks.next().unwrap().split("```").next().unwrap();
    let info = block();
    assert_eq!(parse(info).map(|manifest| manifest.language).unwrap(), "ko");
    assert_eq!(Validator::new().complaint(info), None);
    let lab = fs::read_to_string(repository().join("lab/lab.toml")).unwrap();
    let merged = merge(&lab, block()).unwrap().unwrap();
    assert_eq!(merged.added, ["slab"]);
    assert_eq!(blocks.next(), None);
}

/// The keys of each table, as the parser lists them when it is given one that it does not know.
#[test]
fn parser_and_schema_know_the_same_keys() {
    let schema = schema();
    for (before, table) in [
        ("[[chapters]]\nid", "/properties/chapters/items"),
        ("minutes", "/definitions/exercise"),
        ("memory_mib", "/definitions/exercise/properties/limits"),
        ("kind = \"waiting\"", "/definitions/expectation"),
        ("id = \"day-1\"", "/properties/tracks/items"),
        (
            "chapters = [\"01_incidents\"]\nopens",
            "/properties/gates/items",
        ),
        ("language", ""),
    ] {
        let inline = ["memory_mib", "kind = \"waiting\""].contains(&before);
        let key = if inline {
            "zzzzzz = 1, "
        } else {
            "zzzzzz = 1\n"
        };
        let at = GOOD.find(before).unwrap() + before.rfind('\n').map_or(0, |at| at + 1);
        let text = format!("{}{key}{}", &GOOD[..at], &GOOD[at..]);
        let complaints = parse(&text).unwrap_err();
        let unknown = complaints.iter().map(ToString::to_string);
        let unknown: Vec<String> = unknown.filter(|text| text.contains("`zzzzzz`")).collect();
        let (_, known) = unknown[0].split_once("known are ").unwrap();
        let known: BTreeSet<&str> = known.split('`').skip(1).step_by(2).collect();
        let table = schema.pointer(table).unwrap();
        let listed = table["properties"].as_object().unwrap().keys();
        assert_eq!(known, listed.map(String::as_str).collect(), "{before}");
        assert_eq!(table["additionalProperties"], false, "{before}");
    }
}

/// What replaces what in a good manifest.
#[test]
fn a_mistake_is_one_for_both() {
    let sixty_one = format!("\"{}\"", "word ".repeat(61));
    let table: &[(&str, &str)] = &[
        ("format_version = 1\n", ""),
        ("format_version = 1", "format_version = 2"),
        ("format_version = 1", "format_version = \"1\""),
        ("\"ko\"", "\"Korean\""),
        ("\"ko\"", "\"KO\""),
        ("\"ko\"", "\"ko-kr\""),
        ("\"ko\"", "\"ko_KR\""),
        ("\"ko\"", "\"\""),
        ("\"ko\"", "82"),
        (
            "\"01_incidents\"\ntitle = \"Incidents\"",
            "\"01_incidents\"",
        ),
        ("title = \"Incidents\"", "title = \" \""),
        ("title = \"Incidents\"", "title = 1"),
        ("name = \"wrong_customer\"", "name = \"Wrong-Customer\""),
        ("name = \"wrong_customer\"", "name = \"\""),
        ("minutes = 20\n", ""),
        ("minutes = 20", "minutes = 0"),
        ("minutes = 20", "minutes = 601"),
        ("minutes = 20", "minutes = \"20\""),
        ("minutes = 20", "minuets = 20"),
        ("difficulty = 3", "difficulty = 6"),
        ("\"program\"", "\"game\""),
        ("\"hung\"", "\"hang\""),
        ("\"hung\"", "\"passed\""),
        ("\"hung\"", "\"panicked\""),
        ("\"waiting\"", "\"sleeping\""),
        (", check = \"a_reply_comes\"", ""),
        ("check = \"a", "code = \"E0277\", check = \"a"),
        (
            "verdict = \"hung\", kind = \"waiting\"",
            "verdict = \"does_not_compile\"",
        ),
        ("verdict = \"hung\", ", ""),
        ("\"Think.\", ", ""),
        ("\"Think.\"", "\"\""),
        ("\"Think.\"", "7"),
        ("\"Think.\"", &sixty_one),
        ("sources = [\"post-mortem 12\"]\n", ""),
        ("[\"post-mortem 12\"]", "\"post-mortem 12\""),
        ("memory_mib = 64", "memory = 64"),
        ("memory_mib = 64", "memory_mib = 0"),
        ("seconds = 5", "seconds = 301"),
        ("[\"balance\"]", "\"balance\""),
        ("exercises = [\"wrong_customer\"]\n", ""),
        (
            "exercises = [\"wrong",
            "chapters = [\"01_incidents\"]\nexercises = [\"wrong",
        ),
        ("exercises = [\"wrong_customer\"]", "exercises = []"),
        (
            "[\"wrong_customer\"]",
            "[\"wrong_customer\", \"wrong_customer\"]",
        ),
        ("[[tracks]]", "[tracks]"),
        ("[[gates]]", "[gates]"),
        ("opens = 2026-10-02", "opens = 7"),
        ("word = \"0123", "word = \"brown fox 0123"),
        ("chapters = [\"01_incidents\"]\nopens", "opens"),
        (
            "opens = 2026",
            "exercises = [\"wrong_customer\"]\nopens = 2026",
        ),
    ];
    let validator = Validator::new();
    for (from, to) in table {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        assert!(
            parse(&text).is_err(),
            "the parser takes {to:?} for {from:?}"
        );
        assert!(
            validator.complaint(&text).is_some(),
            "the schema takes {to:?} for {from:?}"
        );
    }
}

/// What may stand there instead.
#[test]
fn what_one_takes_the_other_takes() {
    let validator = Validator::new();
    for (from, to) in [
        ("language = \"ko\"\n", ""),
        ("\"ko\"", "\"zh-Hant-TW\""),
        ("\"ko\"", "\"es-419\""),
        ("kind = \"program\"\n", ""),
        ("kind = \"waiting\", ", ""),
        (
            "verdict = \"hung\", kind = \"waiting\", check = \"a_reply_comes\"",
            "verdict = \"does_not_compile\", message = \"cannot be sent\"",
        ),
        ("memory_mib = 64, ", ""),
        ("limits = { memory_mib = 64, seconds = 5 }\n", ""),
        ("former_names = [\"balance\"]\n", ""),
        (
            "exercises = [\"wrong_customer\"]",
            "chapters = [\"01_incidents\"]",
        ),
        ("opens = 2026-10-02\n", ""),
        ("opens = 2026-10-02", "opens = 2026-10-02T09:00:00+02:00"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        assert!(
            parse(&text).is_ok(),
            "the parser refuses {to:?}: {:?}",
            parse(&text)
        );
        assert_eq!(validator.complaint(&text), None, "{to:?}");
    }
}
