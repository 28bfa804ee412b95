//! What clippy said of a lint exercise -> `Judged`. The learner's clippy.toml is judged by what it makes clippy refuse:
//! each function of the checks is a check, and clippy must refuse its lines that end in `//~ refused`, and no other.

use std::time::Duration;

use super::judge::of_checks;
use super::{CheckOutcome, Diagnostic, Failure, Judged, OurFault, Verdict};
use crate::core::record::Place;

/// What clippy calls the lint.
const LINT: &str = "clippy::disallowed_methods";
/// Of a `#[expect]` that nothing fulfils.
const UNFULFILLED: &str = "unfulfilled_lint_expectations";
const MARK: &str = "//~ refused";
/// These two are not in the checks' file: they are about the learner's own program.
const CLEAN: &str = "the_service_itself_is_clean";
const STATED: &str = "only_main_has_an_exception_and_it_is_needed";

/// The texts that clippy was given, as they stand in diagnostics.
#[derive(Debug, Clone, Copy)]
pub struct LintSources<'a> {
    /// The learner's clippy.toml: `exercises/01_runtime/lint_block_on.toml`.
    pub config_file: &'a str,
    pub config: &'a str,
    /// The learner's program, beside it.
    pub program_file: &'a str,
    pub program: &'a str,
    pub checks_file: &'a str,
    pub checks: &'a str,
}

/// What clippy said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LintOutcome {
    /// This toolchain has no clippy.
    NoClippy,
    Said {
        /// Of the program and the checks together, as they stand.
        all: Vec<Diagnostic>,
        /// Of the program, with every `allow` and `expect` of the lint overruled.
        forced: Vec<Diagnostic>,
    },
}

/// # Errors
/// Where the checks are broken.
pub fn judge(
    sources: &LintSources<'_>,
    outcome: LintOutcome,
    took: Duration,
) -> Result<Judged, OurFault> {
    let (all, forced) = match outcome {
        LintOutcome::NoClippy => return Ok(skipped()),
        LintOutcome::Said { all, forced } => (all, forced),
    };
    let errors: Vec<Diagnostic> = all.iter().filter(|said| said.is_error()).cloned().collect();
    if let Some(first) = errors.first() {
        let known = |error: &&Diagnostic| in_file(error, sources.checks_file).is_none();
        if errors.iter().find(known).is_none() {
            return Err(OurFault::ChecksDoNotCompile {
                file: sources.checks_file.to_string(),
                message: first.message.clone(),
            });
        }
        return Ok(refused(errors, sources));
    }
    let checks = functions(sources.checks);
    if checks.is_empty() {
        return Err(OurFault::NoChecks {
            file: sources.checks_file.to_string(),
        });
    }
    let mut outcomes: Vec<CheckOutcome> = checks
        .iter()
        .map(|check| outcome_of(check, sources, &all, took))
        .collect();
    // As long as the list refuses nothing, a service that passes it is no news, and an exception that it does not need
    // is no fault of its own.
    if outcomes.iter().all(|check| check.verdict.passed()) {
        outcomes.push(own(CLEAN, clean(sources, &all, &forced), took));
        outcomes.push(own(STATED, stated(sources, &all), took));
    }
    Ok(of_checks(outcomes, Vec::new()))
}

fn skipped() -> Judged {
    let reason = "this toolchain has no clippy; `rustup component add clippy` brings it";
    Judged {
        verdict: Verdict::Skipped {
            reason: reason.to_string(),
        },
        at: Vec::new(),
        message: reason.to_string(),
        checks: Vec::new(),
        warnings: Vec::new(),
        swallowed: Vec::new(),
    }
}

/// A clippy.toml that clippy cannot read, or a program that does not compile.
fn refused(diagnostics: Vec<Diagnostic>, sources: &LintSources<'_>) -> Judged {
    let mut at: Vec<Place> = Vec::new();
    for place in diagnostics.iter().filter_map(|error| error.at.as_ref()) {
        if place.file != sources.checks_file && !at.contains(place) {
            at.push(place.clone());
        }
    }
    let message = diagnostics
        .first()
        .map_or(String::new(), |error| first_line(&error.message));
    Judged {
        verdict: Verdict::DoesNotCompile { diagnostics },
        at,
        message,
        checks: Vec::new(),
        warnings: Vec::new(),
        swallowed: Vec::new(),
    }
}

/// clippy lists every key that it knows behind the one that it does not.
fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_string()
}

/// A function of the checks: lines counted from 1.
struct Function<'a> {
    name: &'a str,
    /// What its documentation says: the message of a failure.
    story: String,
    lines: Vec<(u32, &'a str)>,
}

/// Those at the left margin, as rustfmt leaves them.
fn functions(checks: &str) -> Vec<Function<'_>> {
    let mut found: Vec<Function<'_>> = Vec::new();
    let mut story: Vec<&str> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(checks.lines()) {
        if let Some(text) = line.strip_prefix("///") {
            story.push(text.trim());
        } else if let Some(name) = name_of(line) {
            found.push(Function {
                name,
                story: std::mem::take(&mut story).join(" "),
                lines: Vec::new(),
            });
            open = true;
        } else if line == "}" {
            open = false;
        } else if let (true, Some(function)) = (open, found.last_mut()) {
            function.lines.push((number, line));
        } else if line.is_empty() {
            story.clear();
        }
    }
    // What has no story is scenery.
    found.retain(|function| !function.story.is_empty());
    found
}

fn name_of(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("fn ")?.split(['(', '<']).next()
}

fn outcome_of(
    check: &Function<'_>,
    sources: &LintSources<'_>,
    said: &[Diagnostic],
    took: Duration,
) -> CheckOutcome {
    let hit = |number: u32| {
        let on_line = |place: &Place| place.line == number;
        let mut of_lint = said
            .iter()
            .filter(|said| said.code.as_deref() == Some(LINT));
        of_lint.find(|said| in_file(said, sources.checks_file).is_some_and(on_line))
    };
    for (number, line) in &check.lines {
        let code = line.replace(MARK, "").trim().to_string();
        let failure = match (line.contains(MARK), hit(*number)) {
            (true, None) => Some((
                format!("clippy refuses `{code}`"),
                "clippy has nothing to say about it".to_string(),
                missed(&code, sources, said),
            )),
            (false, Some(surplus)) => Some((
                format!("clippy leaves `{code}` alone"),
                format!("clippy: {}", surplus.message),
                banned_in(&surplus.message, sources),
            )),
            _ => None,
        };
        if let Some((expected, seen, at)) = failure {
            let failure = Failure {
                message: check.story.clone(),
                expected: Some(expected),
                seen: Some(seen),
            };
            return own(check.name, Some((failure, at)), took);
        }
    }
    own(check.name, None, took)
}

fn own(name: &str, failed: Option<(Failure, Vec<Place>)>, took: Duration) -> CheckOutcome {
    let (verdict, at, message) = match failed {
        None => (Verdict::Passed, Vec::new(), String::new()),
        Some((failure, at)) => {
            let message = failure.message.clone();
            (Verdict::CheckFailed { failure }, at, message)
        }
    };
    CheckOutcome {
        name: name.to_string(),
        verdict,
        at,
        message,
        swallowed: Vec::new(),
        output: String::new(),
        took,
    }
}

/// Where the learner meant to refuse a call: the entries that name a function of its name, and what clippy made of them.
/// Where there is none, whatever clippy could make nothing of.
fn missed(code: &str, sources: &LintSources<'_>, said: &[Diagnostic]) -> Vec<Place> {
    let void: Vec<Place> = said
        .iter()
        .filter_map(|said| Some(noted(in_file(said, sources.config_file)?, &said.message)))
        .collect();
    let meant = (1..)
        .zip(sources.config.lines())
        .filter(|(_, line)| names_a_function_of(line, code));
    let meant: Vec<Place> = meant
        .map(|(number, _)| {
            let told = void.iter().find(|place| place.line == number);
            told.cloned().unwrap_or(Place {
                file: sources.config_file.to_string(),
                line: number,
                column: None,
                what: "clippy has no word on this entry, and refuses nothing by it".to_string(),
            })
        })
        .collect();
    match (meant.is_empty(), void.is_empty()) {
        (false, _) => meant,
        (true, false) => void,
        (true, true) => vec![list_of_bans(sources)],
    }
}

/// Whether the quoted path of an entry ends in a word of the code.
fn names_a_function_of(line: &str, code: &str) -> bool {
    let line = line.trim_start();
    let mut quoted = line.split('"').skip(1).step_by(2);
    let path = quoted.find(|quoted| quoted.contains("::"));
    let last = path.and_then(|path| path.rsplit("::").next());
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    !line.starts_with('#') && last.is_some_and(|last| words.any(|word| word == last))
}

fn noted(place: &Place, message: &str) -> Place {
    Place {
        what: format!("clippy: {}", first_line(message)),
        ..place.clone()
    }
}

/// The line of clippy.toml whose path a complaint names.
fn banned_in(message: &str, sources: &LintSources<'_>) -> Vec<Place> {
    let path = message.split('`').nth(1).unwrap_or_default();
    let line = (1..)
        .zip(sources.config.lines())
        .find(|(_, line)| line.contains(&format!("\"{path}\"")));
    let place = line.map(|(number, _)| Place {
        file: sources.config_file.to_string(),
        line: number,
        column: None,
        what: "refuses it".to_string(),
    });
    vec![place.unwrap_or_else(|| list_of_bans(sources))]
}

/// The line a missing ban belongs to.
fn list_of_bans(sources: &LintSources<'_>) -> Place {
    let begins = |line: &str| line.trim_start().starts_with("disallowed-methods");
    let line = sources.config.lines().position(begins);
    Place {
        file: sources.config_file.to_string(),
        line: line.map_or(1, |line| line as u32 + 1),
        column: None,
        what: "what clippy refuses".to_string(),
    }
}

/// Nothing but one call in `main` needs an exception, however the program silences clippy.
fn clean(
    sources: &LintSources<'_>,
    all: &[Diagnostic],
    forced: &[Diagnostic],
) -> Option<(Failure, Vec<Place>)> {
    let main = lines_of_main(sources.program);
    let calls = |said: &[Diagnostic]| -> Vec<Diagnostic> {
        let of_lint = said
            .iter()
            .filter(|said| said.code.as_deref() == Some(LINT));
        let in_program = of_lint.filter(|said| in_file(said, sources.program_file).is_some());
        in_program.cloned().collect()
    };
    let in_main = |said: &Diagnostic| said.at.as_ref().is_some_and(|at| main.contains(&at.line));
    let visible = calls(all).into_iter().find(|said| !in_main(said));
    let (said, message) = match visible {
        Some(said) => (
            said,
            "the lint job is red: the service has a call that it forbids",
        ),
        None => {
            let (within, outside): (Vec<_>, Vec<_>) = calls(forced).into_iter().partition(in_main);
            let hidden = outside.into_iter().next().or(within.into_iter().nth(1))?;
            (
                hidden,
                "the lint job is green because the service tells clippy to look away",
            )
        }
    };
    let failure = Failure {
        message: message.to_string(),
        expected: Some("no forbidden call, but for the one in `main`".to_string()),
        seen: Some(format!("clippy: {}", said.message)),
    };
    Some((failure, said.at.into_iter().collect()))
}

/// The exception in `main` is stated, and clippy would complain without it.
fn stated(sources: &LintSources<'_>, all: &[Diagnostic]) -> Option<(Failure, Vec<Place>)> {
    let main = lines_of_main(sources.program);
    // A call elsewhere is what the check before is about.
    let counts = |said: &&Diagnostic| {
        in_file(said, sources.program_file).is_some_and(|place| {
            said.code.as_deref() == Some(UNFULFILLED) || main.contains(&place.line)
        })
    };
    let mut said = all.iter().filter(counts);
    let said = said.find(
        |said| matches!(said.code.as_deref(), Some(code) if code == LINT || code == UNFULFILLED),
    )?;
    let (message, expected) = if said.code.as_deref() == Some(LINT) {
        (
            "the lint job is red: the one place that may enter the runtime is not excepted",
            "an `#[expect(clippy::disallowed_methods, reason = ..)]` above it",
        )
    } else {
        (
            "an exception is stated that nobody needs: clippy would not complain without it",
            "clippy refuses what stands below it",
        )
    };
    let failure = Failure {
        message: message.to_string(),
        expected: Some(expected.to_string()),
        seen: Some(format!("clippy: {}", said.message)),
    };
    Some((failure, said.at.iter().cloned().collect()))
}

/// As rustfmt leaves it: from the left margin to the brace there. Empty where there is none.
fn lines_of_main(program: &str) -> std::ops::Range<u32> {
    let is_main = |line: &str| line.starts_with("fn main(") || line.starts_with("async fn main(");
    let Some(start) = program.lines().position(is_main) else {
        return 0..0;
    };
    let length = program.lines().skip(start).position(|line| line == "}");
    let start = start as u32 + 1;
    start..length.map_or(u32::MAX, |length| start + length as u32)
}

fn in_file<'d>(said: &'d Diagnostic, file: &str) -> Option<&'d Place> {
    said.at.as_ref().filter(|place| place.file == file)
}

#[cfg(test)]
mod tests;
