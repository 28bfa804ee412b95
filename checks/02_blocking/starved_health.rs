//! While a photo is read and resized, the liveness probe gets its turn on the same thread.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use lab::{Canary, Gate, Setup, Trail};

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

#[cfg(unix)]
#[test]
fn a_slow_disk_does_not_silence_the_liveness_probe() {
    on_one_thread(|| async {
        slow_disk::begin(Path::new(UPLOAD), photo());
        // That it comes back is all: who asks for the size first is told 0 by a pipe.
        let _ = make_thumbnail(UPLOAD.into(), Fake::quick()).await;
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
    let mut random = lab::random();
    let pattern: Vec<u8> = (0..512).flat_map(|_| random.u64().to_le_bytes()).collect();
    pattern.repeat(768)
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

    /// Turns after which whatever was ready to run has run.
    const TURNS: usize = 100;

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
