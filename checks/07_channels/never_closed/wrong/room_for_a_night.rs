// wrong: hung:waiting the_rows_of_a_slow_shop_are_waited_for — joins first, with room in the queue for all rows of a night so far
//! Every night the shops' files are imported. The last row is in by half past two, and then nothing: no
//! summary, no error, no load. At six somebody kills the job by hand and counts the rows in the database.
//! Keep as they are, the checks use them: `CsvFile`, `Row`, `Parse`, `Summary`, `import`.

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

pub struct CsvFile {
    pub name: String,
    pub text: String,
}

pub struct Row(pub u64);

/// How many rows a file has is known only after it was parsed.
pub trait Parse: Send + Sync {
    fn parse<'a>(&'a self, file: &'a CsvFile) -> BoxFuture<'a, Vec<Row>>;
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    pub rows: usize,
    pub won: u64,
    /// Files whose parser panicked. Nothing of them is imported; the other files are.
    pub crashed: usize,
}

/// For the operators: how far the database is behind the parsers.
struct Progress {
    backlog: mpsc::Sender<Row>,
}

impl Progress {
    fn parsed(&self, file: &CsvFile) {
        let waiting = self.backlog.max_capacity() - self.backlog.capacity();
        println!("{} is parsed, {waiting} rows wait", file.name);
    }
}

/// Imports every file once, `workers` files at a time, and returns when all rows are counted.
pub async fn import(files: Vec<CsvFile>, workers: usize, parse: Arc<dyn Parse>) -> Summary {
    let (queue, mut rows) = mpsc::channel(10_000);
    let (backlog, lanes) = (queue.clone(), Arc::new(Semaphore::new(workers)));
    let progress = Arc::new(Progress { backlog });
    let mut tasks = JoinSet::new();
    for file in files {
        let (parse, progress) = (parse.clone(), progress.clone());
        let (queue, lanes) = (queue.clone(), lanes.clone());
        tasks.spawn(async move {
            let _lane = lanes.acquire().await;
            let parsed = parse.parse(&file).await;
            progress.parsed(&file);
            for row in parsed {
                let _ = queue.send(row).await;
            }
        });
    }

    // The loop below ends when nobody can send any more. The tasks go when they are done; these two
    // would live to the end of this function, which is behind that loop. A sender that only looks at the
    // queue keeps it open as well.
    drop(queue);
    drop(progress);
    let mut summary = Summary::default();
    while let Some(ended) = tasks.join_next().await {
        summary.crashed += usize::from(ended.is_err());
    }
    while let Some(row) = rows.recv().await {
        summary.rows += 1;
        summary.won += row.0;
    }
    summary
}

struct Demo;
impl Parse for Demo {
    fn parse<'a>(&'a self, file: &'a CsvFile) -> BoxFuture<'a, Vec<Row>> {
        Box::pin(async {
            sleep(Duration::from_millis(100)).await;
            let won = file.text.split(';').filter_map(|won| won.parse().ok());
            won.map(Row).collect()
        })
    }
}

#[tokio::main]
async fn main() {
    let files = ["gangnam", "mapo", "jongno"].map(|shop| CsvFile {
        name: format!("{shop}.csv"),
        text: "won;12000;9000;4500".to_string(),
    });
    let import = import(files.into(), 2, Arc::new(Demo));
    match timeout(Duration::from_secs(2), import).await {
        Ok(summary) => println!("imported: {summary:?}"),
        Err(_) => println!("six o'clock, and still no summary: the job is killed"),
    }
}
