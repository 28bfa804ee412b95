//! What the lab tells the runner: one JSON object a line, in the record file of one check.
//! The lab writes them (`lab/src/record.rs`), this module reads them. Touches no disk.

use serde::{Deserialize, Serialize};

/// A line of source, by the path the learner knows: `exercises/04_locks/self_deadlock.rs`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What stands there, in a word or two: `Mutex::lock`, `tokio::spawn`, `std::fs::read`.
    #[serde(default)]
    pub what: String,
}

/// How a hang hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HangKind {
    /// Every task waits for something that never comes.
    Waiting,
    /// A call holds the thread and sleeps in it.
    Blocked,
    /// Code runs without end and never yields, or yields without end.
    Spinning,
}

/// One task that hangs: where it was spawned, and its chain of `.await`s, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StuckTask {
    /// `None`: the future that the check itself awaits.
    #[serde(default)]
    pub spawned: Option<Place>,
    #[serde(default)]
    pub chain: Vec<Place>,
}

/// Who panicked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanicOn {
    /// The check itself, or code that it called directly.
    Check,
    /// A Tokio task, or a closure on the blocking pool.
    Task,
    /// A thread that the subject started.
    Thread,
}

/// What outlived a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leftover {
    Task,
    Thread,
    Child,
}

/// `at` is always places in the subject's file, the most telling first; it may be empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// The process ended in the plain way, and no body was in the middle of anything. The last record; where the system has
    /// no way to write it (Windows), there is none.
    Ended {},
    /// The check's body began.
    Started {},
    /// The check raised a failure: a promise of the contract was broken.
    Failed {
        message: String,
        #[serde(default)]
        expected: Option<String>,
        #[serde(default)]
        seen: Option<String>,
        #[serde(default)]
        at: Vec<Place>,
    },
    /// A panic that the hook saw, whoever caught it.
    Panicked {
        message: String,
        /// The panic's own location, whichever file that is.
        origin: Option<Place>,
        on: PanicOn,
        /// Where the panicking task was spawned, if that is in the subject.
        #[serde(default)]
        spawned: Option<Place>,
        #[serde(default)]
        at: Vec<Place>,
    },
    Hung {
        kind: HangKind,
        #[serde(default)]
        tasks: Vec<StuckTask>,
        #[serde(default)]
        at: Vec<Place>,
    },
    OverMemory {
        /// Bytes.
        peak: u64,
        /// Bytes.
        limit: u64,
        #[serde(default)]
        at: Vec<Place>,
    },
    LeftRunning {
        what: Leftover,
        /// How many of them.
        count: u64,
        /// A name that the learner can recognise: a thread's name, a child's command line.
        #[serde(default)]
        detail: String,
        #[serde(default)]
        at: Vec<Place>,
    },
    /// An incident's figures.
    Measured(Measured),
    /// What was seen of an incident's tasks and threads.
    Timeline(Timeline),
    /// The check's body returned, its runtime is down, nothing was left running.
    Finished {
        /// Peak of live heap bytes over the whole process.
        peak: u64,
    },
}

/// Of a scenario's requests, however the process ended. Times are in microseconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What its requests are, in the plural.
    pub counting: String,
    pub due: u64,
    /// Answered, and the answer was a failure.
    pub failed: u64,
    /// Ended in a panic, without an answer.
    pub panicked: u64,
    /// Of answered requests, each from when it was due.
    pub latencies_us: Vec<u64>,
    /// From when the first request was due to the last answer.
    pub span_us: u64,
    pub lost: Option<Lost>,
    #[serde(default)]
    pub extra: Vec<Extra>,
    /// Live heap bytes.
    pub peak: u64,
}

/// What was handed over and never came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    pub count: u64,
    pub what: String,
}

/// A figure of one scenario's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extra {
    pub name: String,
    pub value: f64,
    pub unit: String,
    pub better: Better,
}

/// Which way a figure gets better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    Less,
    More,
    Neither,
}

/// Times are in microseconds since the scenario began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// When the last of it was seen.
    pub until: u64,
    /// One for each thread: whether it polls tasks. The others do blocking work.
    pub threads_poll: Vec<bool>,
    pub tasks: Vec<SeenTask>,
    /// Task, thread, from, to.
    pub polls: Vec<(usize, usize, u64, u64)>,
    /// What a thread was at, thread, from, to.
    pub marks: Vec<(String, usize, u64, u64)>,
    /// Also those that are not in `polls`.
    pub all_polls: u64,
    pub longest_poll_us: u64,
    pub longest_task: Option<usize>,
    /// Polls and tasks too many to be written down.
    pub left_out: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenTask {
    pub name: Option<String>,
    /// In the subject's file.
    pub spawned: Option<Place>,
    pub born: u64,
    pub ended: Option<u64>,
    /// `panicked`, `cancelled`, or empty.
    #[serde(default)]
    pub how: String,
}
