//! One file a command; wiring only.

mod bar;
mod book;
mod check_all;
pub mod checking;
mod class_files;
mod completions;
mod dev_check;
mod dev_figures;
mod dev_new;
mod dev_update;
mod doctor;
mod explain;
mod grade;
mod hint;
mod incident;
mod init;
pub mod lab;
mod list;
mod main_run;
mod merge;
mod new_folder;
mod open;
mod output;
mod report;
mod reset;
mod run;
mod solution;
mod stop;
mod update;
mod vendored;
mod watch;

use anyhow::{Context, Result, bail};

use crate::cli::{Command, Dev, Format, Request, Shared};
use crate::core::manifest::Subject;
use crate::exit::{Fault, Outcome};
use crate::terminal;

/// Carries out a request.
///
/// # Errors
/// What is wrong, where, and what to do; `exit::code` prints it.
pub fn dispatch(request: Request) -> Result<Outcome> {
    // One thread: parent-death signals follow the thread that started a process, and an idle watcher stays small.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context(Fault::Machine("cannot start an async runtime".to_string()))?;
    let outcome = runtime.block_on(carry_out(request));
    // A thread that reads the keyboard has no end of its own.
    runtime.shutdown_background();
    outcome
}

async fn carry_out(Request { shared, command }: Request) -> Result<Outcome> {
    let Some(command) = command else {
        return without_command(&shared).await;
    };
    refuse_junit(&shared, &command)?;
    refuse_track(&shared, &command)?;
    stop::or_stopped(async {
        match command {
            Command::Run {
                name,
                solution,
                main,
            } => {
                let subject = if solution {
                    Subject::Solution
                } else {
                    Subject::Exercise
                };
                if main {
                    run::own_main(&shared, name.as_deref(), &subject).await
                } else {
                    run::run(&shared, name.as_deref(), &subject).await
                }
            }
            Command::CheckAll { jobs, solutions } => {
                check_all::check_all(&shared, jobs, solutions).await
            }
            Command::List => list::run(&shared).await,
            Command::Report { out } => report::run(&shared, out.as_deref()),
            Command::Hint { name, level } => hint::run(&shared, name.as_deref(), level),
            Command::Explain { name, all } => explain::run(&shared, name.as_deref(), all),
            Command::Incident { name, html, slow } => {
                let slow = std::time::Duration::from_millis(slow);
                incident::run(&shared, &incident::Request { name, html, slow }).await
            }
            Command::Book { no_open } => {
                let show = if no_open {
                    book::Show::Path
                } else {
                    book::Show::Browser
                };
                book::run(&shared, show)
            }
            Command::Reset {
                name: Some(name),
                undo: true,
                ..
            } => reset::run_undo(&shared, &name),
            Command::Reset { name, all, .. } => reset::run(&shared, name.as_deref(), all),
            Command::Solution { name } => solution::run(&shared, name.as_deref()),
            Command::Completions { shell } => completions::run(shell),
            Command::Grade(request) => grade::run(&shared, &request).await,
            Command::Merge { parts, reports } => merge::run(&shared, &parts, &reports),
            Command::Dev(dev) => develop(&shared, dev).await,
            Command::Init { dir, vendor } => {
                let crates = if vendor {
                    init::Crates::Vendored
                } else {
                    init::Crates::Registry
                };
                init::run(&shared, &dir, crates).await
            }
            Command::Update => update::run(&shared).await,
            Command::Open { word } => open::run(&shared, &word.join(" ")),
            Command::Doctor => doctor::run(&shared).await,
        }
    })
    .await
}

async fn develop(shared: &Shared, dev: Dev) -> Result<Outcome> {
    match dev {
        Dev::Check {
            names,
            repeat,
            jobs,
            brief,
            sandbox,
            renew,
        } => {
            dev_check::check(
                shared,
                &dev_check::Request {
                    names,
                    repeat,
                    jobs,
                    brief,
                    sandbox,
                    verdicts: if renew {
                        dev_check::Verdicts::Renew
                    } else {
                        dev_check::Verdicts::Compare
                    },
                },
            )
            .await
        }
        Dev::New {
            name,
            chapter,
            pack: Some(dir),
        } => dev_new::pack(&dir, name.as_deref(), chapter.as_deref()),
        Dev::New { name, chapter, .. } => dev_new::run(
            shared,
            name.as_deref().unwrap_or_default(),
            chapter.as_deref().unwrap_or_default(),
        ),
        Dev::Book { out } => book::build(shared, out),
        Dev::Figures { names } => dev_figures::run(shared, &names).await,
        Dev::Gate { word } => open::seal(&word.join(" ")),
        Dev::Update { vendor } => dev_update::run(shared, vendor).await,
    }
}

/// Watch mode, or where nobody can press a key: the current exercise, once.
async fn without_command(shared: &Shared) -> Result<Outcome> {
    // Lines go through a pipe as well, where somebody asks for them.
    if shared.format == Format::Human && (shared.plain || terminal::is_usable()) {
        return watch::watch(shared).await;
    }
    eprintln!("no terminal to watch in: the current exercise is checked once");
    stop::or_stopped(run::run(shared, None, &Subject::Exercise)).await
}

fn refuse_track(shared: &Shared, command: &Command) -> Result<()> {
    let follows_one = matches!(
        command,
        Command::Run { .. }
            | Command::CheckAll { .. }
            | Command::List
            | Command::Hint { .. }
            | Command::Grade { .. }
    );
    let given = [("--track", &shared.track), ("--until", &shared.until)];
    let given = given.into_iter().find(|(_, value)| value.is_some());
    if let Some((flag, _)) = given
        && !follows_one
    {
        bail!(Fault::Usage(format!(
            "`{flag}` goes with watch mode, `run`, `check-all`, `list`, `hint` and `grade`"
        )));
    }
    Ok(())
}

fn refuse_junit(shared: &Shared, command: &Command) -> Result<()> {
    let has_checks = matches!(
        command,
        Command::Run { .. }
            | Command::CheckAll { .. }
            | Command::Grade { .. }
            | Command::Merge { .. }
    );
    if shared.format == Format::Junit && !has_checks {
        bail!(Fault::Usage(
            "`--format junit` goes with `run`, `check-all`, `grade` and `merge`, which have checks to report"
                .to_string()
        ));
    }
    Ok(())
}
