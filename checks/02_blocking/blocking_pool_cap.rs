//! The checks build containers of random size, ask for three times as many jobs as there is room for, and
//! hold them all. Tokio starts a thread with the call that needs one, so the threads can be counted at once:
//! nobody waits for a thread that must not come.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::task::{JoinHandle, spawn_blocking};

use crate::exercise::{Limits, build_runtime};

#[test]
fn every_job_is_done() {
    lab::plain(|| {
        for container in [Container::short_of_memory(), Container::short_of_cpus()] {
            let runtime = container.runtime();
            runtime.block_on(async {
                let salt = lab::random().u64();
                let jobs: Vec<_> = (0..3 * container.room as u64)
                    .map(|n| spawn_blocking(move || n ^ salt))
                    .collect();
                for (n, job) in jobs.into_iter().enumerate() {
                    let made = job.await.ok();
                    lab::expect_eq(made, Some(n as u64 ^ salt), format!("what job {n} made"));
                }
            });
        }
    });
}

#[test]
fn no_more_jobs_at_once_than_the_memory_holds() {
    lab::plain(|| {
        for container in [Container::short_of_memory(), Container::short_of_a_byte()] {
            hold_three_times_as_many(&container, |started| {
                format!(
                    "{started} jobs of {} bytes began at once in a container of {}: the kernel kills it",
                    container.limits.per_job_bytes, container.limits.mem_bytes,
                )
            });
        }
    });
}

#[test]
fn no_more_jobs_at_once_than_4_for_each_cpu() {
    lab::plain(|| {
        let container = Container::short_of_cpus();
        hold_three_times_as_many(&container, |started| {
            format!(
                "{started} jobs began at once on {} CPUs: each takes so much longer that its customer \
                 gives up",
                container.limits.cpus
            )
        });
    });
}

#[test]
fn as_many_jobs_at_once_as_there_is_room_for() {
    lab::plain(|| {
        for container in [
            Container::short_of_memory(),
            Container::short_of_cpus(),
            Container::without_a_rest(),
        ] {
            let (runtime, hold) = (container.runtime(), Hold::new());
            let jobs: Vec<_> = (0..container.room).map(|_| hold.job(&runtime)).collect();
            let busy = hold.until_busy(container.room);
            if busy < container.room {
                container
                    .fail(format!(
                        "there is room for {} jobs at once, that many customers wait, and only {busy} \
                         jobs run",
                        container.room
                    ))
                    .expected(format!("{} at once", container.room))
                    .seen(format!("{busy} at once"))
                    .raise();
            }
            hold.let_go();
            runtime.block_on(async {
                for job in jobs {
                    job.await.expect("a held job does not panic");
                }
            });
        }
    });
}

#[test]
fn a_container_smaller_than_one_job_makes_them_one_by_one() {
    lab::plain(|| {
        let container = Container::smaller_than_a_job();
        hold_three_times_as_many(&container, |started| {
            format!("{started} jobs began at once in a container with room for not even one")
        });
    });
}

#[test]
fn requests_are_answered_while_every_job_is_busy() {
    lab::plain(|| {
        let container = Container::short_of_memory();
        let (runtime, hold) = (container.runtime(), Hold::new());
        let workers = runtime.metrics().num_workers();
        if workers != container.limits.cpus {
            container
                .fail(format!(
                    "the container has {} CPUs, and its runtime {workers} workers for requests",
                    container.limits.cpus
                ))
                .expected(format!("{} workers", container.limits.cpus))
                .seen(format!("{workers}"))
                .raise();
        }
        let jobs: Vec<_> = (0..2 * container.room)
            .map(|_| hold.job(&runtime))
            .collect();
        hold.until_busy(container.room);
        runtime.block_on(async {
            let request = tokio::spawn(async {
                tokio::time::sleep(Duration::from_millis(1)).await;
                tokio::net::TcpListener::bind("127.0.0.1:0").await.is_ok()
            });
            if let Err(end) = request.await {
                container
                    .fail(format!(
                        "a request with a timer and a socket in it ended in an error: {end}"
                    ))
                    .raise();
            }
            hold.let_go();
            for job in jobs {
                job.await.expect("a held job does not panic");
            }
        });
    });
}

/// Asks for three times as many jobs as there is room for; none ends before the threads are counted. Where
/// the system does not count threads, it waits a while for one job too many.
fn hold_three_times_as_many(container: &Container, too_many: impl Fn(usize) -> String) {
    let (runtime, hold) = (container.runtime(), Hold::new());
    let before = threads();
    let jobs: Vec<_> = (0..3 * container.room)
        .map(|_| hold.job(&runtime))
        .collect();
    let started = threads()
        .zip(before)
        .map_or(0, |(now, before)| now.saturating_sub(before));
    let began = started.max(hold.busy());
    if began > container.room {
        container
            .fail(too_many(began))
            .expected(format!("at most {} at once", container.room))
            .seen(format!("{began} at once"))
            .raise();
    }
    if before.is_none() {
        hold.until_busy(container.room + 1);
    }
    hold.let_go();
    runtime.block_on(async {
        for job in jobs {
            job.await.expect("a held job does not panic");
        }
    });
    let peak = hold.gauge.peak();
    if peak > container.room {
        container
            .fail(too_many(peak))
            .expected(format!("at most {} at once", container.room))
            .seen(format!("{peak} at once"))
            .raise();
    }
}

/// Threads of this process, where the system says.
fn threads() -> Option<usize> {
    Some(std::fs::read_dir("/proc/self/task").ok()?.count())
}

struct Container {
    limits: Limits,
    room: usize,
}

impl Container {
    /// Room for 5 to 7 jobs by memory, a rest that is no job, and CPUs for more.
    fn short_of_memory() -> Container {
        let mut rng = lab::random();
        let room = rng.range(5..8_usize);
        let per_job = rng.range(32..128) << 20;
        let rest = rng.range(1..per_job);
        Container {
            limits: Limits {
                mem_bytes: room as u64 * per_job + rest,
                per_job_bytes: per_job,
                cpus: rng.range(3..5),
            },
            room,
        }
    }

    /// One job more would fit but for one byte.
    fn short_of_a_byte() -> Container {
        Container::short_of_memory().with_a_rest(|per_job| per_job - 1)
    }

    /// The last job fills the memory to the last byte.
    fn without_a_rest() -> Container {
        Container::short_of_memory().with_a_rest(|_| 0)
    }

    fn with_a_rest(mut self, rest: impl Fn(u64) -> u64) -> Container {
        let per_job = self.limits.per_job_bytes;
        self.limits.mem_bytes = self.room as u64 * per_job + rest(per_job);
        self
    }

    /// CPUs for 8 to 24 jobs, and memory for more.
    fn short_of_cpus() -> Container {
        let mut rng = lab::random();
        let cpus = rng.range(2..7_usize);
        let per_job = rng.range(32..128) << 20;
        Container {
            limits: Limits {
                mem_bytes: per_job * rng.range(30..100),
                per_job_bytes: per_job,
                cpus,
            },
            room: 4 * cpus,
        }
    }

    fn smaller_than_a_job() -> Container {
        let mut rng = lab::random();
        let per_job = rng.range(32..128) << 20;
        Container {
            limits: Limits {
                mem_bytes: rng.range(1..per_job),
                per_job_bytes: per_job,
                cpus: rng.range(2..5),
            },
            room: 1,
        }
    }

    fn runtime(&self) -> Runtime {
        build_runtime(&self.limits).unwrap_or_else(|error| {
            self.fail(format!(
                "a container of {} MiB for jobs of {} MiB got no runtime at all: {error}",
                self.limits.mem_bytes >> 20,
                self.limits.per_job_bytes >> 20,
            ))
            .raise()
        })
    }

    /// No fake of ours is called while a runtime is built: the function itself is the place.
    fn fail(&self, message: String) -> lab::Failure {
        let place = lab::Trail::of_function(build_runtime as *const ());
        lab::fail(message).at(place)
    }
}

/// Jobs that run until they are let go.
#[derive(Clone)]
struct Hold {
    gauge: lab::Gauge,
    let_go: Arc<AtomicBool>,
    changed: Arc<(Mutex<()>, Condvar)>,
}

impl Hold {
    fn new() -> Hold {
        Hold {
            gauge: lab::Gauge::new(),
            let_go: Arc::default(),
            changed: Arc::default(),
        }
    }

    fn job(&self, runtime: &Runtime) -> JoinHandle<()> {
        let hold = self.clone();
        runtime.spawn_blocking(move || {
            let _busy = hold.gauge.enter();
            hold.tell();
            hold.wait_until_let_go();
        })
    }

    fn busy(&self) -> usize {
        self.gauge.now()
    }

    /// How many jobs run, once `n` do or nothing moves any more.
    fn until_busy(&self, n: usize) -> usize {
        let mut patience = lab::Patience::new();
        while self.busy() < n && !patience.is_over() {
            self.wait_a_little();
        }
        self.busy()
    }

    fn let_go(&self) {
        self.let_go.store(true, SeqCst);
        self.tell();
    }

    fn tell(&self) {
        let _inside = self.changed.0.lock().unwrap();
        self.changed.1.notify_all();
    }

    fn wait_until_let_go(&self) {
        let (lock, changed) = &*self.changed;
        let inside = lock.lock().unwrap();
        let held = |_: &mut ()| !self.let_go.load(SeqCst);
        drop(changed.wait_while(inside, held).unwrap());
    }

    fn wait_a_little(&self) {
        let (lock, changed) = &*self.changed;
        let inside = lock.lock().unwrap();
        let _ = changed.wait_timeout(inside, lab::Patience::LOOK);
    }
}
