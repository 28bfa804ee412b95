//! info.toml text -> `Manifest`, or everything that is wrong with it at once.

use std::collections::HashMap;
use std::time::Duration;

use toml::de::DeTable;

use super::expectation::expectation;
use super::fields::{Complaints, Fields, quoted};
use super::moment::{OfItsDay, moment};
use super::{Bytes, Chapter, Complaint, Exercise, ExerciseKind, Limits, Manifest, Track, nearest};
use crate::core::pacing::{Gate, Seal};

/// The version of info.toml that this program reads.
const FORMAT_VERSION: u64 = 1;
const DEFAULT_LANGUAGE: &str = "en";
const WORDS_IN_A_HINT: usize = 60;

/// # Errors
/// Every complaint, in the order of the file.
pub fn parse(text: &str) -> Result<Manifest, Vec<Complaint>> {
    let mut complaints = Complaints::new(text);
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        complaints.add(error.span(), error.message());
    }
    // What follows a syntax error is guesswork: complaints about it would hide the cause.
    if !errors.is_empty() {
        return Err(complaints.into_sorted());
    }
    let root = Fields::new("info.toml", 0..0, root.get_ref());
    if !is_known_version(&root, &mut complaints) {
        return Err(complaints.into_sorted());
    }
    root.refuse_unknown(
        &[
            "format_version",
            "language",
            "chapters",
            "exercises",
            "tracks",
            "gates",
        ],
        &mut complaints,
    );
    let language = match root.value("language") {
        Some(_) => language(&root, &mut complaints),
        None => Some(DEFAULT_LANGUAGE.to_string()),
    };
    let chapters = chapters(&root, &mut complaints);
    let exercises = exercises(&root, &chapters, &mut complaints);
    let tracks = match root.value("tracks") {
        Some(_) => tracks(&root, &chapters, &exercises, &mut complaints),
        None => Vec::new(),
    };
    let gates = gates(&root, &chapters, &exercises, &mut complaints);
    match language {
        Some(language) if complaints.is_empty() => Ok(Manifest {
            language,
            chapters,
            exercises,
            tracks,
            gates,
        }),
        _ => Err(complaints.into_sorted()),
    }
}

/// Of a BCP 47 tag the parts that tell texts apart: the language, its script, its region.
fn language(root: &Fields, complaints: &mut Complaints) -> Option<String> {
    let tag = root.text("language", complaints)?;
    let all = |part: &str, is: fn(char) -> bool| part.chars().all(is);
    let lower = |part: &str| all(part, |c| c.is_ascii_lowercase());
    let upper = |part: &str| all(part, |c| c.is_ascii_uppercase());
    let mut parts = tag.split('-').peekable();
    let known = parts
        .next()
        .is_some_and(|part| (2..=3).contains(&part.len()) && lower(part));
    let is_script =
        |part: &&str| part.len() == 4 && part.is_ascii() && upper(&part[..1]) && lower(&part[1..]);
    parts.next_if(is_script);
    let is_region = |part: &&str| {
        (part.len() == 2 && upper(part)) || (part.len() == 3 && all(part, |c| c.is_ascii_digit()))
    };
    parts.next_if(is_region);
    if known && parts.next().is_none() {
        return Some(tag);
    }
    let what = format!("is `{tag}`; use a language tag such as `ko`, `pt-BR` or `zh-Hant`");
    root.wrong("language", &what, complaints)
}

fn is_known_version(root: &Fields, complaints: &mut Complaints) -> bool {
    if root.require("format_version", complaints).is_none() {
        return false;
    }
    match root.number("format_version", 1..=u64::from(u32::MAX), complaints) {
        Some(version) if version > FORMAT_VERSION => {
            let text = format!(
                "this workbook needs a newer asynclings: its format_version is {version}, this program reads {FORMAT_VERSION}"
            );
            complaints.add(Some(root.span_of("format_version")), text);
            false
        }
        version => version.is_some(),
    }
}

fn chapters(root: &Fields, complaints: &mut Complaints) -> Vec<Chapter> {
    let mut seen = Names::default();
    let mut chapters = Vec::new();
    for fields in required(root, "chapters", "chapter", "id", complaints) {
        fields.refuse_unknown(&["id", "title"], complaints);
        fields.require("id", complaints);
        fields.require("title", complaints);
        let id = name(&fields, "id", complaints);
        let title = fields.text("title", complaints);
        if let Some(id) = &id {
            seen.claim(id, "chapter", &fields, complaints);
        }
        chapters.extend(id.zip(title).map(|(id, title)| Chapter { id, title }));
    }
    chapters
}

const KEYS: [&str; 11] = [
    "name",
    "chapter",
    "title",
    "minutes",
    "difficulty",
    "starts_as",
    "hints",
    "sources",
    "limits",
    "former_names",
    "kind",
];

fn exercises(root: &Fields, chapters: &[Chapter], complaints: &mut Complaints) -> Vec<Exercise> {
    let mut seen = Names::default();
    let mut exercises = Vec::new();
    for fields in required(root, "exercises", "exercise", "name", complaints) {
        fields.refuse_unknown(&KEYS, complaints);
        for key in &KEYS[..8] {
            fields.require(key, complaints);
        }
        let exercise = exercise(&fields, chapters, complaints);
        if let Some(name) = name(&fields, "name", &mut Complaints::new("")) {
            seen.claim(&name, "exercise", &fields, complaints);
        }
        for former in exercise.iter().flat_map(|exercise| &exercise.former_names) {
            seen.claim(former, "exercise", &fields, complaints);
        }
        exercises.extend(exercise);
    }
    exercises
}

/// `None` only after a complaint.
fn exercise(
    fields: &Fields,
    chapters: &[Chapter],
    complaints: &mut Complaints,
) -> Option<Exercise> {
    let name = name(fields, "name", complaints);
    let chapter = known_chapter(fields, chapters, complaints);
    let title = fields.text("title", complaints);
    let minutes = fields.number("minutes", 1..=600, complaints);
    let difficulty = fields.number("difficulty", 1..=5, complaints);
    let starts_as = fields
        .table("starts_as", complaints)
        .and_then(|table| expectation(&table, complaints));
    let hints = hints(fields, complaints);
    let sources = fields.texts("sources", complaints);
    let limits = match fields.value("limits") {
        Some(_) => fields
            .table("limits", complaints)
            .and_then(|table| limits(&table, complaints)),
        None => Some(Limits::default()),
    };
    let former_names = match fields.value("former_names") {
        Some(_) => fields.texts("former_names", complaints),
        None => Some(Vec::new()),
    };
    let kind = match fields.value("kind") {
        Some(_) => kind(fields, complaints),
        None => Some(ExerciseKind::Program),
    };
    Some(Exercise {
        name: name?,
        chapter: chapter?,
        title: title?,
        minutes: minutes? as u32,
        difficulty: difficulty? as u8,
        starts_as: starts_as?,
        hints: hints?,
        sources: sources?,
        limits: limits?,
        former_names: former_names?,
        kind: kind?,
    })
}

fn tracks(
    root: &Fields,
    chapters: &[Chapter],
    exercises: &[Exercise],
    complaints: &mut Complaints,
) -> Vec<Track> {
    let mut seen = Names::default();
    let mut tracks = Vec::new();
    for fields in required(root, "tracks", "track", "id", complaints) {
        fields.refuse_unknown(&["id", "title", "chapters", "exercises"], complaints);
        fields.require("id", complaints);
        fields.require("title", complaints);
        let id = fields.text("id", complaints);
        let title = fields.text("title", complaints);
        if let Some(id) = &id {
            seen.claim(id, "track", &fields, complaints);
        }
        let names = names_in(&fields, chapters, exercises, complaints);
        if let (Some(id), Some(title), Some(exercises)) = (id, title, names) {
            tracks.push(Track {
                id,
                title,
                exercises,
            });
        }
    }
    tracks
}

fn gates(
    root: &Fields,
    chapters: &[Chapter],
    exercises: &[Exercise],
    complaints: &mut Complaints,
) -> Vec<Gate> {
    let mut gates = Vec::new();
    for fields in root.tables("gates", "gate", "opens", complaints) {
        fields.refuse_unknown(&["opens", "word", "chapters", "exercises"], complaints);
        let opens = moment(&fields, "opens", OfItsDay::First, complaints);
        let word = seal(&fields, complaints);
        if fields.value("opens").is_none() && fields.value("word").is_none() {
            let text = format!("{} needs `opens`, a date, or `word`", fields.label);
            complaints.add(Some(fields.span.clone()), text);
        }
        if let Some(exercises) = names_in(&fields, chapters, exercises, complaints) {
            gates.push(Gate {
                exercises,
                opens,
                word,
            });
        }
    }
    gates
}

fn seal(fields: &Fields, complaints: &mut Complaints) -> Option<Seal> {
    let text = fields.text("word", complaints)?;
    Seal::parse(&text).or_else(|| {
        let what = "must not be the word itself, which learners could read; `asynclings dev gate WORD` prints what to write";
        fields.wrong("word", what, complaints)
    })
}

/// Either whole chapters, in the order of the path, or exercises by name, in the track's own.
fn names_in(
    fields: &Fields,
    chapters: &[Chapter],
    exercises: &[Exercise],
    complaints: &mut Complaints,
) -> Option<Vec<String>> {
    let (key, known): (&str, Vec<&str>) =
        match (fields.value("chapters"), fields.value("exercises")) {
            (Some(_), None) => ("chapters", chapters.iter().map(|c| c.id.as_str()).collect()),
            (None, Some(_)) => (
                "exercises",
                exercises.iter().map(|e| e.name.as_str()).collect(),
            ),
            _ => {
                let text = format!("{} needs either `chapters` or `exercises`", fields.label);
                complaints.add(Some(fields.span.clone()), text);
                return None;
            }
        };
    let named = fields.texts(key, complaints)?;
    if named.is_empty() {
        return fields.wrong(key, "is empty", complaints);
    }
    for (at, name) in named.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            let advice = match nearest(name, known.iter().copied()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            return fields.wrong(
                key,
                &format!("has the unknown `{name}`{advice}"),
                complaints,
            );
        }
        if named[..at].contains(name) {
            return fields.wrong(key, &format!("has `{name}` twice"), complaints);
        }
    }
    if key == "exercises" {
        return Some(named);
    }
    let names: Vec<String> = exercises
        .iter()
        .filter(|exercise| named.contains(&exercise.chapter))
        .map(|exercise| exercise.name.clone())
        .collect();
    if names.is_empty() {
        return fields.wrong(key, "names chapters without exercises", complaints);
    }
    Some(names)
}

fn kind(fields: &Fields, complaints: &mut Complaints) -> Option<ExerciseKind> {
    match fields.text("kind", complaints)?.as_str() {
        "program" => Some(ExerciseKind::Program),
        "lint" => Some(ExerciseKind::Lint),
        other => fields.wrong(
            "kind",
            &format!("is the unknown `{other}`; use `program` or `lint`"),
            complaints,
        ),
    }
}

/// Names become file names and module paths, so they are identifiers.
fn name(fields: &Fields, key: &str, complaints: &mut Complaints) -> Option<String> {
    let name = fields.text(key, complaints)?;
    let fits = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if fits {
        return Some(name);
    }
    let what = format!("is `{name}`; use lower-case letters, digits and `_`");
    fields.wrong(key, &what, complaints)
}

fn known_chapter(
    fields: &Fields,
    chapters: &[Chapter],
    complaints: &mut Complaints,
) -> Option<String> {
    let id = fields.text("chapter", complaints)?;
    let known: Vec<&str> = chapters.iter().map(|chapter| chapter.id.as_str()).collect();
    if known.contains(&id.as_str()) {
        return Some(id);
    }
    let advice = match nearest(&id, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the chapters are {}", quoted(&known)),
    };
    fields.wrong(
        "chapter",
        &format!("is the unknown `{id}`; {advice}"),
        complaints,
    )
}

fn hints(fields: &Fields, complaints: &mut Complaints) -> Option<[String; 3]> {
    let hints = fields.texts("hints", complaints)?;
    let count = hints.len();
    let span = Some(fields.span_of("hints"));
    for (hint, place) in hints.iter().zip(["first", "second", "third"]) {
        let words = hint.split_whitespace().count();
        if words == 0 || words > WORDS_IN_A_HINT {
            let text = format!(
                "the {place} hint of {} has {words} words; use 1 to {WORDS_IN_A_HINT}",
                fields.label
            );
            complaints.add(span.clone(), text);
        }
    }
    hints.try_into().ok().or_else(|| {
        let count = match count {
            1 => "one hint".to_string(),
            count => format!("{count} hints"),
        };
        complaints.add(
            span,
            format!(
                "{} has {count}; it needs three, under `hints`",
                fields.label
            ),
        );
        None
    })
}

fn limits(fields: &Fields, complaints: &mut Complaints) -> Option<Limits> {
    fields.refuse_unknown(&["memory_mib", "seconds"], complaints);
    let Limits {
        mut wall,
        mut memory,
    } = Limits::default();
    if fields.value("seconds").is_some() {
        wall = Duration::from_secs(fields.number("seconds", 1..=300, complaints)?);
    }
    if fields.value("memory_mib").is_some() {
        memory = Bytes(fields.number("memory_mib", 1..=16 << 10, complaints)? << 20);
    }
    Some(Limits { wall, memory })
}

/// The tables under `[[key]]`, of which there must be some.
fn required<'a, 'i>(
    root: &Fields<'a, 'i>,
    key: &str,
    noun: &str,
    id: &str,
    complaints: &mut Complaints,
) -> Vec<Fields<'a, 'i>> {
    root.require(key, complaints);
    root.tables(key, noun, id, complaints)
}

/// Which names are taken, and by which table.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn claim(&mut self, name: &str, noun: &str, fields: &Fields, complaints: &mut Complaints) {
        if self.0.insert(name.to_string(), fields.span.start).is_some() {
            complaints.add(
                Some(fields.span.clone()),
                format!("two {noun}s are called `{name}`; give one another name"),
            );
        }
    }
}
