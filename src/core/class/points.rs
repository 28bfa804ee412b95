//! What exercises are worth, and until when they are to be handed in: a small TOML for `--points`.
//!
//! ```toml
//! default = 1                         # for a pass; 1 where it is not said
//!
//! [points]                            # of single exercises
//! lost_panic = 3
//!
//! [[parts]]                           # of the course
//! title = "First week"
//! due = 2026-10-09T18:00:00+02:00     # or 2026-10-09, the end of that day; without an offset: UTC
//! chapters = ["01_runtime"]           # or track = "day-1", or exercises = ["lost_panic"]
//! ```
//!
//! An exercise whose part is not due yet is graded and shown, and does not count. One of no part, or of a part without a
//! date, always counts.

use std::collections::BTreeMap;

use chrono::{DateTime, FixedOffset, Utc};
use toml::de::DeTable;

use super::Column;
use super::complaint::Complaint;
use crate::core::manifest::fields::{Complaints, Fields};
use crate::core::manifest::moment::{OfItsDay, moment};
use crate::core::manifest::{Exercise, Manifest, nearest};

/// For a pass, of one exercise.
const MOST: u64 = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    pub default: u32,
    /// By the exercise's name.
    pub of: BTreeMap<String, u32>,
    pub parts: Vec<Part>,
}

/// Of the course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub title: String,
    pub due: Option<DateTime<FixedOffset>>,
    /// Names; each is in one part at most.
    pub exercises: Vec<String>,
}

impl Default for Points {
    /// A point each, and everything counts.
    fn default() -> Self {
        Self {
            default: 1,
            of: BTreeMap::new(),
            parts: Vec::new(),
        }
    }
}

/// The columns of a class: the manifest's exercises, in its order.
pub fn columns(manifest: &Manifest, points: &Points, now: DateTime<Utc>) -> Vec<Column> {
    let column = |exercise: &Exercise| {
        let mut parts = points.parts.iter();
        let part = parts.find(|part| part.exercises.contains(&exercise.name));
        let due = part.and_then(|part| part.due);
        Column {
            exercise: exercise.name.clone(),
            chapter: exercise.chapter.clone(),
            title: exercise.title.clone(),
            points: points
                .of
                .get(&exercise.name)
                .copied()
                .unwrap_or(points.default),
            part: part.map(|part| part.title.clone()),
            due: due.map(|due| due.to_rfc3339()),
            counts: due.is_none_or(|due| due <= now),
        }
    };
    manifest.exercises.iter().map(column).collect()
}

/// `file` is the table's own name in complaints.
///
/// # Errors
/// Everything that is wrong, in the order of the file.
pub fn points(text: &str, file: &str, manifest: &Manifest) -> Result<Points, Vec<Complaint>> {
    let mut complaints = Complaints::new(text);
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        complaints.add(error.span(), error.message());
    }
    // What follows a syntax error is guesswork.
    let mut points = Points::default();
    if errors.is_empty() {
        let root = Fields::new(file, 0..0, root.get_ref());
        root.refuse_unknown(&["default", "points", "parts"], &mut complaints);
        if let Some(default) = root.number("default", 0..=MOST, &mut complaints) {
            points.default = default as u32;
        }
        points.of = single(&root, manifest, &mut complaints);
        points.parts = parts(&root, manifest, &mut complaints);
    }
    if complaints.is_empty() {
        return Ok(points);
    }
    let complaint =
        |c: crate::core::manifest::Complaint| Complaint::new(file, c.line.map(u64::from), c.text);
    Err(complaints
        .into_sorted()
        .into_iter()
        .map(complaint)
        .collect())
}

fn single(
    root: &Fields,
    manifest: &Manifest,
    complaints: &mut Complaints,
) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let Some(fields) = root.table("points", complaints) else {
        return found;
    };
    for key in fields.keys() {
        if let Some(name) = known(&fields, &key, &key, manifest, complaints)
            && let Some(points) = fields.number(&key, 0..=MOST, complaints)
        {
            found.insert(name, points as u32);
        }
    }
    found
}

fn parts(root: &Fields, manifest: &Manifest, complaints: &mut Complaints) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for fields in root.tables("parts", "part", "title", complaints) {
        fields.refuse_unknown(
            &["title", "due", "track", "chapters", "exercises"],
            complaints,
        );
        fields.require("title", complaints);
        let title = fields.text("title", complaints);
        let due = moment(&fields, "due", OfItsDay::Last, complaints);
        let Some(exercises) = exercises(&fields, manifest, complaints) else {
            continue;
        };
        let twice = parts.iter().find_map(|part| {
            let name = exercises
                .iter()
                .find(|name| part.exercises.contains(name))?;
            Some((name, &part.title))
        });
        if let Some((name, other)) = twice {
            let text = format!(
                "{} has `{name}`, which is in the part `{other}` already; leave it in one of them",
                fields.label
            );
            complaints.add(Some(fields.span.clone()), text);
        }
        if let Some(title) = title {
            parts.push(Part {
                title,
                due,
                exercises,
            });
        }
    }
    parts
}

/// `None` only after a complaint.
fn exercises(
    fields: &Fields,
    manifest: &Manifest,
    complaints: &mut Complaints,
) -> Option<Vec<String>> {
    let given = ["track", "chapters", "exercises"]
        .into_iter()
        .filter(|key| fields.value(key).is_some());
    let given: Vec<&str> = given.collect();
    let [key] = given[..] else {
        let text = format!(
            "{} needs one of `track`, `chapters` and `exercises`",
            fields.label
        );
        complaints.add(Some(fields.span.clone()), text);
        return None;
    };
    if key == "track" {
        let id = fields.text("track", complaints)?;
        return match manifest.on_track(&id) {
            Ok(track) => Some(track.exercises.into_iter().map(|e| e.name).collect()),
            Err(unknown) => fields.wrong("track", &format!("is unknown: {unknown}"), complaints),
        };
    }
    let named = fields.texts(key, complaints)?;
    if named.is_empty() {
        return fields.wrong(key, "is empty", complaints);
    }
    if key == "exercises" {
        let names: Vec<Option<String>> = named
            .iter()
            .map(|name| known(fields, key, name, manifest, complaints))
            .collect();
        return names.into_iter().collect();
    }
    for id in &named {
        if manifest.chapter(id).is_none() {
            let ids = manifest.chapters.iter().map(|chapter| chapter.id.as_str());
            let what = format!("has the unknown `{id}`{}", advice(nearest(id, ids)));
            return fields.wrong(key, &what, complaints);
        }
    }
    let of_these = manifest
        .exercises
        .iter()
        .filter(|exercise| named.contains(&exercise.chapter));
    Some(of_these.map(|exercise| exercise.name.clone()).collect())
}

/// The present name of an exercise.
fn known(
    fields: &Fields,
    key: &str,
    name: &str,
    manifest: &Manifest,
    complaints: &mut Complaints,
) -> Option<String> {
    match manifest.find(name) {
        Ok(exercise) => Some(exercise.name.clone()),
        Err(unknown) => {
            let text = format!("no exercise is called `{name}`{}", advice(unknown.nearest));
            complaints.add(Some(fields.span_of(key)), text);
            None
        }
    }
}

fn advice(nearest: Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => "; `asynclings list` shows what there is".to_owned(),
    }
}
