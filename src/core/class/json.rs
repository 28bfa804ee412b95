//! The file of a class and of a part of it: a header, then one object a line for each cell, in the order of the table:
//! learner by learner, exercise by exercise. So a file that was cut short shows which verdicts it lacks.
//!
//! A judged cell is the object of `run --format json` with `learner`, `untouched` and `notes`. Fields are only ever added.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::complaint::Complaint;
use super::{Cell, Class, Column, Judged, Learner};
use crate::core::report::Line;

const SCHEMA: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    schema: u32,
    class: Table,
}

#[derive(Debug, Serialize, Deserialize)]
struct Table {
    judge: String,
    columns: Vec<Column>,
    learners: Vec<Folder>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Folder {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
struct Verdict<'a> {
    #[serde(flatten)]
    line: &'a Line,
    learner: &'a str,
    untouched: bool,
    notes: &'a [String],
}

/// What is no field of [`Line`].
#[derive(Deserialize)]
struct Beside {
    #[serde(default)]
    untouched: bool,
    #[serde(default)]
    notes: Vec<String>,
}

/// A cell without a verdict.
#[derive(Debug, Serialize, Deserialize)]
struct Gap<'a> {
    schema: u32,
    learner: &'a str,
    exercise: &'a str,
    chapter: &'a str,
    #[serde(flatten)]
    why: Why,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Why {
    Broken { error: String },
    Elsewhere { shard: u32, of: u32 },
}

pub fn to_json(class: &Class) -> String {
    let header = Header {
        schema: SCHEMA,
        class: Table {
            judge: class.judge.clone(),
            columns: class.columns.clone(),
            learners: class.learners.iter().map(folder).collect(),
        },
    };
    let mut text = line(&header);
    for learner in &class.learners {
        for (column, cell) in class.columns.iter().zip(&learner.cells) {
            text.push_str(&row(&learner.name, column, cell));
        }
    }
    text
}

fn folder(learner: &Learner) -> Folder {
    Folder {
        name: learner.name.clone(),
        problem: learner.problem.clone(),
    }
}

fn row(learner: &str, column: &Column, cell: &Cell) -> String {
    let why = match cell {
        Cell::Judged(judged) => {
            return line(&Verdict {
                line: &judged.line,
                learner,
                untouched: judged.untouched,
                notes: &judged.notes,
            });
        }
        Cell::Broken(error) => Why::Broken {
            error: error.clone(),
        },
        Cell::Elsewhere { shard, of } => Why::Elsewhere {
            shard: *shard,
            of: *of,
        },
    };
    line(&Gap {
        schema: SCHEMA,
        learner,
        exercise: &column.exercise,
        chapter: &column.chapter,
        why,
    })
}

fn line(value: &impl Serialize) -> String {
    // Fails for maps with keys that are no strings only, and there are none.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// Reads what [`to_json`] wrote. `file` is its name in complaints.
///
/// A file that was cut short, by a full disk or a lost machine, still gives the whole table: what it lacks is `Broken`, and
/// says so. What follows the cut in another part goes before that when they are joined.
///
/// # Errors
/// Where the header cannot be read, or a line before the last is no cell of this table.
pub fn from_json(text: &str, file: &str) -> Result<Class, Complaint> {
    let mut lines = (1..).zip(text.split_inclusive('\n'));
    let (_, first) = lines.next().unwrap_or((1, ""));
    let Table {
        judge,
        columns,
        learners,
    } = header(first).map_err(|text| Complaint::new(file, 1, text))?;
    let of = learners.len() * columns.len();
    let mut cells = Vec::with_capacity(of);
    let names = learners.iter().flat_map(|learner| {
        let learner = &learner.name;
        columns.iter().map(move |column| (learner, column))
    });
    for ((learner, column), (number, line)) in names.zip(lines.by_ref()) {
        match cell(line, learner, column) {
            Ok(cell) => cells.push(cell),
            // A whole line ends in a line's end.
            Err(_) if !line.ends_with('\n') => break,
            Err(why) => return Err(Complaint::new(file, number, why)),
        }
    }
    let read = cells.len();
    let more = lines.find(|(_, line)| read == of && !line.trim().is_empty());
    if let Some((number, _)) = more {
        let text = format!(
            "stands below the last of {of} cells; merge the parts with `asynclings merge`, not by hand"
        );
        return Err(Complaint::new(file, number, text));
    }
    let lost = format!(
        "{file} is cut short: it ends after {read} of {of} cells; grade its shard again, which goes on from the cache"
    );
    cells.resize(of, Cell::Broken(lost));
    let mut cells = cells.into_iter();
    let learner = |Folder { name, problem }| Learner {
        name,
        problem,
        cells: cells.by_ref().take(columns.len()).collect(),
    };
    Ok(Class {
        learners: learners.into_iter().map(learner).collect(),
        columns,
        judge,
    })
}

fn header(line: &str) -> Result<Table, String> {
    let not_ours = "is no header of a class; name a file that `grade --report FILE.json` wrote";
    let value: Value = serde_json::from_str(line).map_err(|_| not_ours.to_owned())?;
    match value.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema > u64::from(SCHEMA) => Err(format!(
            "is of a newer asynclings: its schema is {schema}, this program reads {SCHEMA}; update this one"
        )),
        _ => match serde_json::from_value::<Header>(value) {
            Ok(header) => Ok(header.class),
            Err(error) => Err(format!("{not_ours} ({error})")),
        },
    }
}

fn cell(line: &str, learner: &str, column: &Column) -> Result<Cell, String> {
    let value: Value = serde_json::from_str(line).map_err(|_| {
        "is no JSON object; the file is damaged, so grade its shard again".to_owned()
    })?;
    let named = |key| value.get(key).and_then(Value::as_str).unwrap_or_default();
    if (named("learner"), named("exercise")) != (learner, &column.exercise) {
        return Err(format!(
            "is about `{}` of `{}`, and `{}` of `{learner}` comes next; the file is damaged, so grade its shard again",
            named("exercise"),
            named("learner"),
            column.exercise
        ));
    }
    let unknown = |error: serde_json::Error| format!("cannot be understood: {error}");
    if value.get("verdict").is_none() {
        return match serde_json::from_value(value).map_err(unknown)? {
            Why::Broken { error } => Ok(Cell::Broken(error)),
            Why::Elsewhere { shard, of } => Ok(Cell::Elsewhere { shard, of }),
        };
    }
    let Beside { untouched, notes } = Beside::deserialize(&value).map_err(unknown)?;
    Ok(Cell::Judged(Box::new(Judged {
        line: serde_json::from_value(value).map_err(unknown)?,
        untouched,
        notes,
    })))
}
