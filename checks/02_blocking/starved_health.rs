//! While a photo is read and resized, the liveness probe gets its turn on the same thread.

use std::future::poll_fn;
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use futures::future::join_all;
use lab::{Canary, Gate, Setup, Trail};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::yield_now;

use crate::exercise::{Codec, make_thumbnail};

/// Each check runs in an empty folder of its own.
const UPLOAD: &str = "upload.jpg";

/// One thread, as in the service. A pool of the learner's own may live on: it serves the next upload.
fn on_one_thread<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    Setup::real_time().may_leave_running().run(body);
}

#[test]
fn an_upload_gets_its_thumbnail() {
    on_one_thread(|| async {
        let (photo, codec) = (photo(), Fake::quick());
        std::fs::write(UPLOAD, &photo).unwrap();
        let seen = make_thumbnail(UPLOAD.into(), codec.clone()).await;
        expect_thumbnail(seen, &codec, &photo);
    });
}

#[test]
fn a_large_photo_does_not_silence_the_liveness_probe() {
    on_one_thread(|| async {
        let gate = Gate::new();
        let (photo, codec) = (photo(), Fake::waits_at(&gate));
        std::fs::write(UPLOAD, &photo).unwrap();
        let probe = Canary::opens(&gate);
        let seen = make_thumbnail(UPLOAD.into(), codec.clone()).await;
        let message =
            "while a photo was resized, the liveness probe got no answer: the pod is restarted";
        probe.expect_alive(message).await;
        expect_thumbnail(seen, &codec, &photo);
    });
}

#[test]
fn the_thread_rests_while_a_photo_is_resized() {
    /// Polls in a row, without a rest, that no waiting needs.
    const RESTLESS: usize = 10_000;
    on_one_thread(|| async {
        let gate = Gate::new();
        let (photo, codec) = (photo_of(10_000), Fake::waits_at(&gate));
        std::fs::write(UPLOAD, &photo).unwrap();
        let rests = || Handle::current().metrics().worker_park_count(0);
        let probe = async {
            gate.entered().await;
            let (gate, service, before) = (gate.clone(), Handle::current().metrics(), rests());
            thread::spawn(move || {
                while service.worker_park_count(0) == before {
                    thread::park_timeout(Duration::from_micros(100));
                }
                gate.open();
            });
        };
        let mut request = pin!(make_thumbnail(UPLOAD.into(), codec.clone()));
        let (mut polls, mut at_rest) = (0, rests());
        let request = poll_fn(|context| {
            polls += 1;
            if at_rest != rests() {
                (polls, at_rest) = (0, rests());
            }
            if polls > RESTLESS {
                lab::fail(
                    "while a photo was resized elsewhere, the thread of the service had nothing to do, and \
                     never rested: one upload keeps the CPU busy all the time",
                )
                .expected("the request is polled when there is news")
                .seen(format!("polled {polls} times without a rest"))
                .raise();
            }
            request.as_mut().poll(context)
        });
        let (seen, ()) = tokio::join!(request, probe);
        expect_thumbnail(seen, &codec, &photo);
    });
}

#[test]
fn every_upload_gets_its_own_thumbnail() {
    on_one_thread(|| async {
        let mut random = lab::random();
        let mut sizes: Vec<usize> = (0..12).map(|_| random.range(1..100_000)).collect();
        // More than a buffer that was once large enough.
        sizes[0] = random.range(5_000_000..6_000_000);
        random.shuffle(&mut sizes);
        let uploads: Vec<_> = (sizes.into_iter().enumerate())
            .map(|(n, size)| {
                let (path, photo) = (format!("upload_{n}.jpg"), photo_of(size));
                std::fs::write(&path, &photo).unwrap();
                (path, photo, Fake::quick())
            })
            .collect();
        let calls = uploads
            .iter()
            .map(|(path, _, codec)| make_thumbnail(path.into(), codec.clone()));
        for (seen, (_, photo, codec)) in join_all(calls).await.into_iter().zip(&uploads) {
            expect_thumbnail(seen, codec, photo);
        }
    });
}

#[test]
fn a_rush_of_uploads_does_not_silence_the_liveness_probe() {
    const RUSH: usize = 200;
    on_one_thread(|| async {
        // A gate lets go after a time, and two hundred threads may need it on a busy machine. Who blocks the
        // thread of the probe waits here for ever.
        let (probed, begun) = (
            Arc::new((Mutex::new(false), Condvar::new())),
            Arc::new(Notify::new()),
        );
        let codec = {
            let (probed, begun) = (probed.clone(), begun.clone());
            Fake::after(move || {
                begun.notify_one();
                let (probed, news) = &*probed;
                drop(news.wait_while(probed.lock().unwrap(), |probed| !*probed));
            })
        };
        let photo = photo_of(10_000);
        std::fs::write(UPLOAD, &photo).unwrap();
        let rush = (0..RUSH).map(|_| make_thumbnail(UPLOAD.into(), codec.clone()));
        let probe = async {
            begun.notified().await;
            for _ in 0..TURNS {
                yield_now().await;
            }
            *probed.0.lock().unwrap() = true;
            probed.1.notify_all();
        };
        let (all, ()) = tokio::join!(join_all(rush), probe);
        for seen in all {
            expect_thumbnail(seen, &codec, &photo);
        }
    });
}

#[cfg(unix)]
#[test]
fn a_slow_disk_does_not_silence_the_liveness_probe() {
    on_one_thread(|| async {
        slow_disk::begin(Path::new(UPLOAD), photo());
        // That it comes back is all: who asks for the size first is told 0 by a pipe.
        let _ = make_thumbnail(UPLOAD.into(), Fake::quick()).await;
    });
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#[test]
fn looking_for_an_upload_does_not_silence_the_liveness_probe() {
    on_one_thread(|| async {
        let (photo, codec) = (photo_of(10_000), Fake::quick());
        std::fs::write(UPLOAD, &photo).unwrap();
        questions::watch_this_thread(true);
        let seen = make_thumbnail(UPLOAD.into(), codec.clone()).await;
        questions::watch_this_thread(false);
        if let Some(asked) = questions::asked() {
            lab::fail(
                "the disk was asked about an upload on the thread of the liveness probe: when the disk \
                 hangs, the probe gets no answer",
            )
            .at(asked)
            .raise();
        }
        expect_thumbnail(seen, &codec, &photo);
    });
}

#[test]
fn a_missing_upload_is_reported_as_missing() {
    on_one_thread(|| async {
        let seen = make_thumbnail("no_such_upload.jpg".into(), Fake::quick()).await;
        let seen = seen
            .map(|thumbnail| thumbnail.len())
            .map_err(|error| error.kind());
        lab::expect_eq(
            seen,
            Err(io::ErrorKind::NotFound),
            "a customer named an upload that is not there, and the answer was not that it is missing",
        );
    });
}

#[test]
fn an_upload_that_cannot_be_read_gives_the_reason() {
    on_one_thread(|| async {
        std::fs::write(UPLOAD, photo_of(10)).unwrap();
        std::fs::create_dir("album").unwrap();
        for path in ["album", "upload.jpg/page_1"] {
            let expected = std::fs::read(path).unwrap_err().kind();
            let seen = make_thumbnail(path.into(), Fake::quick()).await;
            let seen = seen.map(|thumbnail| thumbnail.len());
            lab::expect_eq(
                seen.map_err(|error| error.kind()),
                Err(expected),
                format!(
                    "a customer named `{path}`, which the disk cannot read, and was told another reason"
                ),
            );
        }
    });
}

#[test]
fn a_photo_that_crashes_the_codec_harms_nobody_else() {
    on_one_thread(|| async {
        let photo = photo();
        std::fs::write(UPLOAD, &photo).unwrap();
        let seen = make_thumbnail(UPLOAD.into(), Fake::crashes()).await;
        if let Ok(thumbnail) = seen {
            lab::fail("the codec crashed on a photo, and the customer was told that the thumbnail is ready")
                .expected("an error")
                .seen(format!("Ok, {} bytes", thumbnail.len()))
                .raise();
        }
        let codec = Fake::quick();
        let seen = make_thumbnail(UPLOAD.into(), codec.clone()).await;
        expect_thumbnail(seen, &codec, &photo);
    });
}

#[test]
fn crash_after_crash_leaves_the_service_whole() {
    on_one_thread(|| async {
        let photo = photo_of(10_000);
        std::fs::write(UPLOAD, &photo).unwrap();
        // Without the hook: fifty stacks tell no more than one.
        let crash = || resume_unwind(Box::new("the vendor's library found a broken photo"));
        for n in 1..=50 {
            let seen = make_thumbnail(UPLOAD.into(), Fake::after(crash)).await;
            if let Ok(thumbnail) = seen {
                lab::fail(format!(
                    "the codec crashed on photo no. {n}, and the customer was told that the thumbnail is ready"
                ))
                .expected("an error")
                .seen(format!("Ok, {} bytes", thumbnail.len()))
                .raise();
            }
        }
        let codec = Fake::quick();
        let seen = make_thumbnail(UPLOAD.into(), codec.clone()).await;
        expect_thumbnail(seen, &codec, &photo);
    });
}

/// Turns after which whatever was ready to run has run.
const TURNS: usize = 100;

fn expect_thumbnail(seen: io::Result<Vec<u8>>, codec: &Fake, photo: &[u8]) {
    let expected = codec.shrink(photo);
    let seen = match seen {
        Ok(thumbnail) if thumbnail == expected => return,
        Ok(thumbnail) => format!(
            "Ok, {} bytes, not what the codec made of the upload",
            thumbnail.len()
        ),
        Err(error) => format!("Err, {error}"),
    };
    let called = codec.called.lock().unwrap().clone();
    lab::fail("a customer uploaded a good photo and did not get its thumbnail")
        .expected(format!("Ok, the codec's {} bytes", expected.len()))
        .seen(seen)
        .at(called.unwrap_or_else(|| Trail::of_function(make_thumbnail as *const ())))
        .raise();
}

/// 3 MiB with a random pattern: half of it is more than any system's pipe holds (64 KiB, seldom 1 MiB).
fn photo() -> Vec<u8> {
    photo_of(3 << 20)
}

fn photo_of(size: usize) -> Vec<u8> {
    let mut random = lab::random();
    let pattern: Vec<u8> = (0..512).flat_map(|_| random.u64().to_le_bytes()).collect();
    let mut photo = pattern.repeat(size.div_ceil(pattern.len()));
    photo.truncate(size);
    photo
}

/// Takes every thousandth byte, scrambled by a random key, after whatever it is made to do first.
struct Fake {
    key: u8,
    first: Box<dyn Fn() + Send + Sync>,
    called: Mutex<Option<Trail>>,
}

impl Fake {
    fn quick() -> Arc<Self> {
        Self::after(|| {})
    }

    fn crashes() -> Arc<Self> {
        Self::after(|| panic!("the vendor's library found a broken photo"))
    }

    fn waits_at(gate: &Gate) -> Arc<Self> {
        let gate = gate.clone();
        Self::after(move || {
            gate.wait();
        })
    }

    fn after(first: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            key: lab::random().u64() as u8,
            first: Box::new(first),
            called: Mutex::default(),
        })
    }

    fn shrink(&self, raw: &[u8]) -> Vec<u8> {
        raw.iter()
            .step_by(1_000)
            .map(|byte| byte ^ self.key)
            .collect()
    }
}

impl Codec for Fake {
    fn resize(&self, raw: &[u8]) -> Vec<u8> {
        *self.called.lock().unwrap() = Some(Trail::here());
        (self.first)();
        self.shrink(raw)
    }
}

/// A named pipe in place of the upload. The other end opens, and later goes on, only when a task on the
/// learner's runtime has had its turn: who blocks the thread in `open` or in `read` waits for ever.
#[cfg(unix)]
mod slow_disk {
    use std::ffi::{CString, c_char};
    use std::fs::File;
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::sync::mpsc;
    use std::thread;

    use tokio::sync::oneshot;
    use tokio::task::yield_now;

    use super::TURNS;

    unsafe extern "C" {
        fn mkfifo(path: *const c_char, mode: u32) -> i32;
    }

    pub fn begin(path: &Path, bytes: Vec<u8>) {
        let name = CString::new(path.as_os_str().as_bytes()).unwrap();
        // SAFETY: a string that ends in NUL and outlives the call.
        assert_eq!(
            unsafe { mkfifo(name.as_ptr(), 0o600) },
            0,
            "{}",
            std::io::Error::last_os_error()
        );
        let (turn, turns) = mpsc::channel();
        let (half_read, reading) = oneshot::channel();
        tokio::spawn(async move {
            for _ in 0..TURNS {
                yield_now().await;
            }
            let _ = turn.send(());
            if reading.await.is_ok() {
                let _ = turn.send(());
            }
        });
        let path = path.to_owned();
        thread::spawn(move || {
            let _ = turns.recv();
            let Ok(mut disk) = File::options().write(true).open(path) else {
                return;
            };
            // More than the pipe holds: once it is written, the reader is in the middle of its read.
            let (first, rest) = bytes.split_at(bytes.len() / 2);
            let _ = disk.write_all(first);
            let _ = half_read.send(());
            let _ = turns.recv();
            let _ = disk.write_all(rest);
        });
    }
}

/// A disk that hangs does so for every question, and a test has no such disk. So the system's own function is put
/// in front, and writes down who asks about the upload on a thread that is watched.
#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
mod questions {
    use std::cell::Cell;
    use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};
    use std::sync::Mutex;

    use lab::Trail;

    thread_local! {
        static WATCHED: Cell<bool> = const { Cell::new(false) };
    }

    static ASKED: Mutex<Option<Trail>> = Mutex::new(None);

    pub fn watch_this_thread(watch: bool) {
        WATCHED.set(watch);
    }

    pub fn asked() -> Option<Trail> {
        ASKED.lock().unwrap().take()
    }

    #[cfg(target_arch = "x86_64")]
    const STATX: c_long = 332;
    #[cfg(not(target_arch = "x86_64"))]
    const STATX: c_long = 291;

    unsafe extern "C" {
        fn syscall(number: c_long, ...) -> c_long;
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn statx(
        folder: c_int,
        path: *const c_char,
        flags: c_int,
        mask: c_uint,
        answer: *mut c_void,
    ) -> c_int {
        // SAFETY: whoever asks gives a string that ends in NUL, or none.
        let about_the_upload = !path.is_null()
            && unsafe { CStr::from_ptr(path) }
                .to_bytes()
                .ends_with(super::UPLOAD.as_bytes());
        if about_the_upload && WATCHED.get() {
            *ASKED.lock().unwrap() = Some(Trail::here());
        }
        // SAFETY: the caller's arguments, passed on as they are.
        unsafe { syscall(STATX, folder, path, flags, mask, answer) as c_int }
    }
}
