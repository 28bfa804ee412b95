//! Flags -> request. Knows every command's words, does nothing.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// A workbook for async Rust: small Tokio programs with one production fault each.
///
/// Without a command: watch mode. Save the exercise and the verdict names the line at fault.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_STATUS)]
pub struct Request {
    #[command(flatten)]
    pub shared: Shared,
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXIT_STATUS: &str = "Exit status: 0 passed, 1 not passed yet, 2 usage, 3 this machine, \
                           4 this workbook, 130 interrupted.";

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub struct Shared {
    /// The workbook's folder; by default the nearest one upwards with an info.toml
    #[arg(long, global = true, value_name = "DIR")]
    pub workbook: Option<PathBuf>,
    /// Download nothing: build the lab from what cargo already has, or from the workbook's vendor/ (doctor: say whether
    /// that can be done)
    #[arg(long, global = true)]
    pub offline: bool,
    /// Only the exercises of this track of info.toml, in its order (watch mode, run, check-all, list, hint)
    #[arg(long, global = true, value_name = "TRACK")]
    pub track: Option<String>,
    /// Only the chapters up to this one, that one with it, by id or number (watch mode, run, check-all, list, hint)
    #[arg(long, global = true, value_name = "CHAPTER")]
    pub until: Option<String>,
    /// Lines of text instead of a screen: for screen readers. By itself where TERM is `dumb` (watch mode)
    #[arg(long, global = true)]
    pub plain: bool,
    /// How data is written
    #[arg(long, global = true, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Sentences, for a person
    Human,
    /// One JSON object a line
    Json,
    /// JUnit XML, for a CI service
    Junit,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a workbook
    Init {
        #[arg(default_value = "asynclings")]
        dir: PathBuf,
        /// With all crates and this program in it, for machines without a network; copy the folder there
        #[arg(long)]
        vendor: bool,
    },
    /// Check one exercise once; by default the current one
    Run {
        name: Option<String>,
        /// Check the solution instead
        #[arg(long)]
        solution: bool,
        /// Check nothing: run its own `main` under the same limits, as the key m does in watch mode
        #[arg(long)]
        main: bool,
    },
    /// Check every exercise, in parallel
    CheckAll {
        /// How many at a time; by default one a core
        #[arg(long, value_name = "N")]
        jobs: Option<usize>,
        /// Check the solutions instead
        #[arg(long)]
        solutions: bool,
    },
    /// Chapters, exercises and what is done
    List,
    /// Your progress in short, to hand in: no path, name, code or message is in it
    Report {
        /// Write it there instead of to standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// The next hint; by default for the current exercise
    Hint {
        name: Option<String>,
        /// This level instead of the next: 1 look, 2 think, 3 do
        #[arg(long, value_parser = clap::value_parser!(u8).range(1..=3))]
        level: Option<u8>,
    },
    /// The book's page of an exercise; by default of the current one
    Explain {
        name: Option<String>,
        /// With the fix, whether or not you have found one
        #[arg(long)]
        all: bool,
    },
    /// The measured scenario of an exercise: as shipped, yours and the solution, with a timeline of the tasks
    Incident {
        name: Option<String>,
        /// Write the figures and the timeline as one page, to be looked at in a browser
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// A poll that holds its thread so long is called slow
        #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
        slow: u64,
    },
    /// The book, in a browser
    Book {
        /// Only say where it is
        #[arg(long)]
        no_open: bool,
    },
    /// Restore an exercise as it was shipped; your text is kept aside
    Reset {
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        name: Option<String>,
        /// Every exercise that was changed
        #[arg(long)]
        all: bool,
        /// Bring back what the last reset replaced
        #[arg(long, conflicts_with = "all")]
        undo: bool,
    },
    /// Your fix beside ours, once yours has passed; by default of the current exercise
    #[command(visible_alias = "diff")]
    Solution { name: Option<String> },
    /// Open exercises that wait for a word of your instructor's
    Open {
        /// One or more, as they were said; capitals do not count
        #[arg(required = true)]
        word: Vec<String>,
    },
    /// Bring a workbook that an older version wrote to this one; your files and progress stay
    Update,
    /// What is wrong with this machine or workbook, and what to do
    Doctor,
    /// Judge the folders of a class, in a sandbox: a table, CSV, JSON, JUnit, HTML
    Grade(Grade),
    /// Join the reports of shards into the one that a single machine would have written
    Merge {
        /// What `grade --shard I/N --report FILE.json` wrote
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        #[command(flatten)]
        reports: Reports,
    },
    /// Write and prove exercises
    #[command(subcommand)]
    Dev(Dev),
    /// Shell completions on standard output
    Completions { shell: Shell },
}

/// What `grade` takes.
#[derive(Debug, Clone, Args)]
pub struct Grade {
    /// One a learner, each with at least `exercises/`
    #[arg(required_unless_present = "list")]
    pub dirs: Vec<PathBuf>,
    /// A file with a folder a line, as seen from the file
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,
    /// A CSV with `folder,name` for learners who are not called as their folders
    #[arg(long, value_name = "CSV")]
    pub names: Option<PathBuf>,
    /// What an exercise is worth and when it is due
    #[arg(long, value_name = "TOML")]
    pub points: Option<PathBuf>,
    /// Only this share of the verdicts, the first of eight say: `merge` joins the reports
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Off: run whatever is in the folders with all that you may do
    #[arg(long, value_enum, value_name = "ON|OFF", default_value_t = Sandboxed::On,
        num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub sandbox: Sandboxed,
    /// How many subjects at a time; by default two a core, as most that fail sleep
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub reports: Reports,
}

/// Where the table of a class goes, beside the terminal.
#[derive(Debug, Clone, Default, Args)]
pub struct Reports {
    /// Also to this file, of the kind that its ending says: .csv .json .xml (JUnit) .html; may be given several times
    #[arg(long = "report", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A results.json of Exercism's for each learner and exercise, below this folder
    #[arg(long, value_name = "DIR")]
    pub exercism: Option<PathBuf>,
    /// A result of GitHub Classroom's for each learner, in this folder
    #[arg(long, value_name = "DIR")]
    pub classroom: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sandboxed {
    On,
    Off,
}

/// `2/8`: the second of eight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: u32,
    pub count: u32,
}

impl Shard {
    /// Whose share a stable hash is.
    pub fn of(self, hash: u64) -> u32 {
        (hash % u64::from(self.count)) as u32 + 1
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, count)| {
            Some(Self {
                index: index.trim().parse().ok()?,
                count: count.trim().parse().ok()?,
            })
        });
        parsed
            .filter(|shard| (1..=shard.count).contains(&shard.index))
            .ok_or_else(|| {
                "a share is I/N with I from 1 to N: `2/8` is the second of eight".to_string()
            })
    }
}

#[derive(Debug, Subcommand)]
pub enum Dev {
    /// Prove that exercises fail as they say, and that solutions and right variants pass
    Check {
        /// By default every exercise
        names: Vec<String>,
        /// Run every check of every subject so often; no verdict may differ
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        repeat: u32,
        /// How many subjects at a time; by default one a core
        #[arg(long, value_name = "N")]
        jobs: Option<usize>,
        /// Of a wrong variant, run no check after the one that must refuse it
        #[arg(long)]
        brief: bool,
        /// Judge as `grade` does: in its sandbox, the subject compiled apart from its checks
        #[arg(long)]
        sandbox: bool,
        /// Write the verdicts that the book quotes, instead of comparing them
        #[arg(long)]
        renew: bool,
    },
    /// Build the book, and say what is wrong with it
    Book {
        /// By default book/html
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Run incidents, and write their tables for the book
    Figures {
        /// By default every exercise with a scenario
        names: Vec<String>,
    },
    /// Write a new exercise from the model; with --pack, a workbook of your own around it
    New {
        /// Lower-case letters, digits and `_`: learners' progress hangs on it
        #[arg(required_unless_present = "pack")]
        name: Option<String>,
        /// The chapter's id, as in info.toml
        #[arg(long, required_unless_present = "pack")]
        chapter: Option<String>,
        /// A pack in this folder, new or empty: for exercises from your own incidents
        #[arg(long, value_name = "DIR")]
        pack: Option<PathBuf>,
    },
    /// Bring generated files (lock files, editor files) in step with their sources, info.toml and lab.toml
    Update {
        /// Bring all crates into the pack, for machines without a network
        #[arg(long)]
        vendor: bool,
    },
    /// What to write into info.toml so that exercises open with a word
    Gate {
        /// One or more, as you will say them; capitals do not count
        #[arg(required = true)]
        word: Vec<String>,
    },
}

pub fn parse() -> Request {
    Request::parse()
}
