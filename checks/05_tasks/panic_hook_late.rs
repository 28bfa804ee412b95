//! Each check is a process of its own, so the hook of the process is ours to play with. A job of the start panics
//! at its first poll, and the start goes on when it has: a hook runs before the panic unwinds.

use std::panic::{self, AssertUnwindSafe, Location, PanicHookInfo};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use lab::Trail;
use tokio::sync::oneshot;

use crate::exercise::{Alert, serve};

#[test]
fn a_quiet_day_pages_nobody() {
    lab::plain(|| {
        let office = Office::open();
        office.serve(None);
        office.expect_pages(&[], "nothing panicked");
    });
}

#[test]
fn a_job_that_panics_while_the_service_starts_pages() {
    lab::plain(|| {
        let office = Office::open();
        let panic = office.serve(Some(On::Task));
        office.expect_pages(
            &[panic],
            "a job panicked at its first step, while the service started",
        );
    });
}

#[test]
fn a_panic_on_the_blocking_pool_pages() {
    lab::plain(|| {
        let office = Office::open();
        let panic = office.serve(Some(On::BlockingPool));
        office.expect_pages(
            &[panic],
            "a closure on the blocking pool panicked, while the service started",
        );
    });
}

#[test]
fn a_panic_on_a_thread_without_a_runtime_pages() {
    lab::plain(|| {
        let office = Office::open();
        let panic = office.serve(Some(On::Thread));
        office.expect_pages(
            &[panic],
            "a thread of a library panicked, while the service started",
        );
    });
}

#[test]
fn a_start_that_panics_pages() {
    lab::plain(|| {
        let office = Office::open();
        let panic = office.serve(Some(On::Start));
        office.expect_pages(&[panic], "the start itself panicked");
    });
}

#[test]
fn the_hook_that_was_there_still_runs() {
    lab::plain(|| {
        let office = Office::open();
        office.serve(None);
        let panic = office.serve(Some(On::Task));
        office.expect_noted(&[panic]);
    });
}

#[test]
fn a_restarted_service_pages_once_for_each_panic() {
    lab::plain(|| {
        let office = Office::open();
        let mut panics = vec![office.serve(Some(On::Task))];
        for _ in 0..2 {
            // The fault is still there, so the text is the same.
            let again = panics[0].clone();
            panics.push(office.serve_with(Some((On::Task, again))));
            office.expect_pages(
                &panics,
                "the service was restarted, and its job panicked again",
            );
            office.expect_noted(&panics);
        }
    });
}

#[derive(Debug, Clone, Copy)]
enum On {
    Task,
    BlockingPool,
    Thread,
    Start,
}

/// What a page or a note says of a panic.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    message: String,
    file: String,
    line: u32,
}

#[derive(Default)]
struct Office {
    pages: Mutex<Vec<Told>>,
    /// By the hook that was there before.
    notes: Mutex<Vec<Told>>,
    /// Where the subject threw that hook away.
    hook_dropped: Mutex<Option<Trail>>,
    boots: AtomicUsize,
    /// Where the subject let the service start.
    booted_from: Mutex<Option<Trail>>,
}

impl Office {
    /// Sets the hook of the platform team, which also does what was done before.
    fn open() -> Arc<Office> {
        let office = Arc::new(Office::default());
        let (notes, before) = (office.clone(), panic::take_hook());
        let tells_its_end = TellsItsEnd(office.clone());
        panic::set_hook(Box::new(move |info| {
            let _ = &tells_its_end;
            notes.notes.lock().unwrap().push(Told::by(info));
            before(info);
        }));
        office
    }

    /// Runs the service, with a panic of random text in its start. Returns what should be told of it.
    fn serve(self: &Arc<Self>, panics: Option<On>) -> Told {
        let mut rng = lab::random();
        let message = format!("job {}: no symbols for {:x}", rng.range(2..90), rng.u64());
        let (file, line) = (String::new(), 0);
        let told = Told {
            message,
            file,
            line,
        };
        self.serve_with(panics.map(|on| (on, told)))
    }

    fn serve_with(self: &Arc<Self>, panics: Option<(On, Told)>) -> Told {
        let started_before = self.boots.load(SeqCst);
        let (told, is_told) = std::sync::mpsc::channel();
        let start_panics = matches!(panics, Some((On::Start, _)));
        let office = self.clone();
        let boot: BoxFuture<'static, ()> = Box::pin(async move {
            office.boots.fetch_add(1, SeqCst);
            *office.booted_from.lock().unwrap() = Some(Trail::here());
            if let Some((on, what)) = panics {
                panic_on(on, what.message, told).await;
            }
        });
        match panic::catch_unwind(AssertUnwindSafe(|| serve(boot, self.clone()))) {
            // Whatever becomes of `serve` when its start has panicked.
            _ if start_panics => {}
            Ok(Ok(())) => {}
            Ok(Err(error)) => lab::fail(format!("`serve` answered with an error: {error}"))
                .at(of_serve())
                .raise(),
            Err(panic) => panic::resume_unwind(panic),
        }
        if self.boots.load(SeqCst) != started_before + 1 {
            lab::fail("`serve` came back, and the service had never started")
                .at(of_serve())
                .raise();
        }
        is_told.try_recv().unwrap_or_else(|_| Told::nothing())
    }

    fn expect_pages(&self, panics: &[Told], story: &str) {
        let pages = self.pages.lock().unwrap();
        if *pages != panics {
            let told = match (panics.len(), pages.len()) {
                (_, 0) => "nobody was paged".into(),
                (n, m) if n != m => format!("of panics there were {n}, of pages {m}"),
                _ => "the page does not say what panicked, and where".into(),
            };
            lab::fail(format!("{story}; {told}"))
                .expected(list(panics))
                .seen(list(&pages))
                .at(self.booted_from.lock().unwrap().as_ref())
                .at(of_serve())
                .raise();
        }
    }

    fn expect_noted(&self, panics: &[Told]) {
        let notes = self.notes.lock().unwrap();
        if *notes != panics {
            lab::fail("the platform team's hook was there before, and now it does not see every panic once")
                .expected(list(panics))
                .seen(list(&notes))
                .at(self.hook_dropped.lock().unwrap().as_ref())
                .at(of_serve())
                .raise();
        }
    }
}

/// Panics there, and comes back when it has: the handle is dropped, the sender inside is dropped by unwinding.
async fn panic_on(on: On, message: String, say: Sender<Told>) {
    let (alive, gone) = oneshot::channel::<()>();
    let literal = matches!(on, On::BlockingPool);
    let job = move || {
        let _alive = alive;
        blow(message, literal, &say)
    };
    match on {
        On::Task => drop(tokio::spawn(async move { job() })),
        On::BlockingPool => drop(tokio::task::spawn_blocking(job)),
        On::Thread => drop(std::thread::spawn(job)),
        On::Start => job(),
    }
    let _ = gone.await;
}

/// The panic's place is its caller's. A literal text is a `&str`, a formatted one a `String`.
#[track_caller]
fn blow(message: String, literal: bool, say: &Sender<Told>) {
    let at = Location::caller();
    let _ = say.send(Told {
        message: message.clone(),
        file: at.file().to_owned(),
        line: at.line(),
    });
    match literal {
        true => panic::panic_any(&*message.leak()),
        false => panic!("{message}"),
    }
}

fn of_serve() -> Trail {
    Trail::of_function(serve as *const ())
}

fn list(told: &[Told]) -> String {
    let lines = told
        .iter()
        .map(|told| format!("“{}” at {}:{}", told.message, told.file, told.line));
    match told {
        [] => "nothing".into(),
        _ => lines.collect::<Vec<_>>().join(", "),
    }
}

impl Told {
    fn nothing() -> Told {
        Told {
            message: String::new(),
            file: String::new(),
            line: 0,
        }
    }

    fn by(info: &PanicHookInfo<'_>) -> Told {
        let at = info.location();
        Told {
            message: info.payload_as_str().unwrap_or_default().to_owned(),
            file: at.map(|at| at.file().to_owned()).unwrap_or_default(),
            line: at.map(|at| at.line()).unwrap_or_default(),
        }
    }
}

impl Alert for Office {
    fn page(&self, message: &str, file: &str, line: u32) {
        let (message, file) = (message.to_owned(), file.to_owned());
        self.pages.lock().unwrap().push(Told {
            message,
            file,
            line,
        });
    }
}

struct TellsItsEnd(Arc<Office>);

impl Drop for TellsItsEnd {
    fn drop(&mut self) {
        *self.0.hook_dropped.lock().unwrap() = Some(Trail::here());
    }
}
