// wrong: panicked a_file_that_crashes_its_parser_costs_that_file_only — without tasks the panic of one file is the panic of the import

use std::{sync::Arc, time::Duration};

use futures::future::BoxFuture;
use futures::stream::{self, StreamExt};
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

pub async fn import(files: Vec<CsvFile>, workers: usize, parse: Arc<dyn Parse>) -> Summary {
    let parsed: Vec<Vec<Row>> = stream::iter(&files)
        .map(|file| parse.parse(file))
        .buffer_unordered(workers)
        .collect()
        .await;
    let rows = parsed.into_iter().flatten();
    rows.fold(Summary::default(), |summary, row| Summary {
        rows: summary.rows + 1,
        won: summary.won + row.0,
        ..summary
    })
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
