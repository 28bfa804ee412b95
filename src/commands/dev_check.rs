//! `dev check`: proves that exercises fail exactly as they say, that solutions and right variants pass, and that wrong
//! variants fail for their stated reason; any number of times.

mod api;
mod expected;
mod files;
mod text;
mod verdicts;

pub use verdicts::Verdicts;

use std::io::{Write, stdout};
use std::time::Instant;

use anyhow::{Result, bail};
use futures::{StreamExt, stream};

use super::checking::{Checker, Round, cores, seed};
use super::{bar, incident, lab};
use crate::cli::{Format, Shared};
use crate::compile::Reuse;
use crate::confine::Sandbox;
use crate::core::manifest::{Exercise, Subject};
use crate::core::report;
use crate::exit::{Fault, Outcome};
use crate::prepare::Lab;
use crate::workbook::Workbook;

pub struct Request {
    /// Empty: all.
    pub names: Vec<String>,
    /// How often each subject is run; it is compiled once.
    pub repeat: u32,
    /// Subjects at a time.
    pub jobs: Option<usize>,
    /// Of a wrong variant, no check after the one that must refuse it.
    pub brief: bool,
    /// As a class is judged.
    pub sandbox: bool,
    /// What to do with the verdicts that the book quotes.
    pub verdicts: Verdicts,
}

/// Something to mend before the workbook can be trusted: a sentence that names the file.
type Complaint = String;

/// # Errors
/// What was found, all of it: it is the workbook's fault.
pub async fn check(shared: &Shared, request: &Request) -> Result<Outcome> {
    let workbook = Workbook::find(shared.workbook.as_deref())?;
    let exercises = chosen(&workbook, &request.names)?;
    let started = Instant::now();
    refuse(files::missing(&workbook))?;
    let mut complaints = files::strays(&workbook)?;
    complaints.extend(files::editors(&workbook)?);
    let mut subjects = Vec::new();
    for exercise in &exercises {
        complaints.extend(text::complaints(&workbook, exercise));
        subjects.extend(match request.verdicts {
            Verdicts::Compare => subjects_of(&workbook, exercise)?,
            Verdicts::Renew => vec![(*exercise, Subject::Exercise)],
        });
    }
    let lab = lab::ready(shared, &workbook).await?;
    complaints.extend(files::unformatted(&workbook, &lab, &exercises).await?);
    if request.names.is_empty() {
        complaints.extend(api::complaints(&workbook, &lab).await?);
    }
    complaints.extend(prove(shared, request, &workbook, &lab, &subjects).await?);
    refuse(complaints)?;
    let (n, runs) = (exercises.len(), subjects.len() as u32 * request.repeat);
    let seconds = started.elapsed().as_secs();
    let hold = match n {
        1 => "exercise holds",
        _ => "exercises hold",
    };
    eprintln!(
        "{n} {hold}: {} subjects, {runs} runs, {seconds} s",
        subjects.len()
    );
    Ok(Outcome::Passed)
}

fn refuse(complaints: Vec<Complaint>) -> Result<()> {
    if complaints.is_empty() {
        return Ok(());
    }
    bail!(Fault::Workbook(format!(
        "{} to mend\n{}",
        complaints.len(),
        complaints.join("\n")
    )))
}

fn chosen<'w>(workbook: &'w Workbook, names: &[String]) -> Result<Vec<&'w Exercise>> {
    match names {
        [] => Ok(workbook.manifest().exercises.iter().collect()),
        names => names.iter().map(|name| workbook.exercise(name)).collect(),
    }
}

fn subjects_of<'w>(
    workbook: &Workbook,
    exercise: &'w Exercise,
) -> Result<Vec<(&'w Exercise, Subject)>> {
    let variants = workbook.variants(exercise)?;
    let ours = [Subject::Exercise, Subject::Solution];
    Ok(ours
        .into_iter()
        .chain(variants)
        .map(|subject| (exercise, subject))
        .collect())
}

async fn prove(
    shared: &Shared,
    request: &Request,
    workbook: &Workbook,
    lab: &Lab,
    subjects: &[(&Exercise, Subject)],
) -> Result<Vec<Complaint>> {
    let sandbox = request.sandbox.then(|| Sandbox::new(lab)).transpose()?;
    let checker = Checker {
        workbook,
        lab,
        jobs: cores(),
        sandbox: sandbox.as_ref(),
    };
    let bar = bar::of(subjects.len(), "subjects");
    // Wrong fixes mostly sleep until their hang is called one: more subjects than cores.
    let at_once = request.jobs.unwrap_or(2 * cores()).max(1);
    let mut proofs = stream::iter(subjects)
        .map(|(exercise, subject)| {
            bar.set_message(format!("{} {subject}", exercise.name));
            prove_one(shared.format, checker, exercise, subject, request)
        })
        .buffer_unordered(at_once);
    let mut complaints = Vec::new();
    while let Some(proof) = proofs.next().await {
        let proof = proof?;
        bar.suspend(|| {
            proof
                .lines
                .iter()
                .try_for_each(|line| writeln!(stdout(), "{line}"))
        })?;
        complaints.extend(proof.complaint);
        bar.inc(1);
    }
    bar.finish_and_clear();
    complaints.sort();
    Ok(complaints)
}

struct Proof {
    /// Verdicts as JSON, where that was asked for.
    lines: Vec<String>,
    complaint: Option<Complaint>,
}

async fn prove_one(
    format: Format,
    checker: Checker<'_>,
    exercise: &Exercise,
    subject: &Subject,
    request: &Request,
) -> Result<Proof> {
    let repeat = request.repeat;
    let expected = match expected::of(checker.workbook, exercise, subject)? {
        Ok(expected) if request.sandbox => expected.of_a_grader(),
        Ok(expected) => expected,
        Err(complaint) => {
            return Ok(Proof {
                lines: Vec::new(),
                complaint: Some(complaint),
            });
        }
    };
    let compiled = checker.compile(exercise, subject, Reuse::Once).await?;
    let (mut lines, mut complaint) = (Vec::new(), None);
    if *subject == Subject::Solution {
        complaint = incident::broken(checker.workbook, checker.lab, exercise).await?;
    }
    for round in 1..=repeat {
        // The book quotes the first: with the same values it stays the same.
        let quoted = *subject == Subject::Exercise && round == 1;
        let brief = request.brief && matches!(subject, Subject::Variant { .. });
        let asked = Round {
            seed: if quoted { verdicts::SEED } else { seed() },
            until: expected.decided_by().filter(|_| brief),
        };
        let checked = match compiled.run_as(asked).await {
            Ok(checked) => checked,
            // A check that breaks in its own code is what this command is there to find.
            Err(error) => {
                return Ok(Proof {
                    lines,
                    complaint: Some(format!("{subject}: {error:#}")),
                });
            }
        };
        if format == Format::Json {
            lines.push(report::json(&checked.reported(exercise, subject)));
        }
        if let Some(difference) = expected.differs(&checked.judged) {
            let when = if repeat > 1 {
                format!(" (round {round} of {repeat})")
            } else {
                String::new()
            };
            let complaint = format!("{}: {subject}{when}: {difference}", exercise.name);
            return Ok(Proof {
                lines,
                complaint: Some(complaint),
            });
        }
        // What a compiler quotes of other crates it cannot read in a sandbox: the words differ, and the verdict does not.
        if quoted && !request.sandbox {
            complaint = verdicts::proven(request.verdicts, checker.workbook, exercise, &checked)?;
        }
    }
    Ok(Proof { lines, complaint })
}
