//! `Studio` plays the codec: pictures have random sizes, and a call can be made to wait for another one, so
//! that jobs meet where an update can get lost. A wait is given up when nothing moves any more: only a
//! wrong fix gets there.

use std::future::Future;
use std::sync::{Arc, Condvar, Mutex};

use crate::exercise::{Codec, Img, resize_all};

#[test]
fn other_requests_go_on_meanwhile() {
    on_one_thread(|| async {
        for n in [1, 3] {
            let studio = Studio::new(Scene::Gate(lab::Gate::new()));
            let Scene::Gate(gate) = &studio.scene else {
                return;
            };
            let canary = lab::Canary::opens(gate);
            resize_all(pictures(n), studio.clone()).await;
            lab::expect(
                studio.calls() > 0,
                format!(
                    "a batch came back, and the codec never saw a picture of it: there are {n}"
                ),
            );
            canary
                .expect_alive("while a picture is resized, no other request gets an answer")
                .await;
        }
    });
}

#[test]
fn pictures_are_resized_at_the_same_time() {
    on_one_thread(|| async {
        let studio = Studio::new(Scene::Pair { must_meet: true });
        resize_all(pictures(2), studio.clone()).await;
    });
}

#[test]
fn two_pictures_at_once_are_both_billed() {
    on_one_thread(|| async {
        let studio = Studio::new(Scene::Pair { must_meet: false });
        let imgs = pictures(2);
        let sizes = sizes(&imgs);
        let stats = resize_all(imgs, studio.clone()).await;
        let (seen, expected) = (stats.total_out, sizes.iter().sum::<u64>());
        if seen != expected {
            lab::fail(format!(
                "two pictures were resized at the same time, to {} and {} bytes, and the shop is billed \
                 for {seen}",
                sizes[0], sizes[1]
            ))
            .expected(format!("{expected} bytes"))
            .seen(format!("{seen} bytes"))
            .raise();
        }
    });
}

#[test]
fn every_picture_has_its_own_bytes() {
    on_one_thread(|| async {
        for n in [0, 1, 12] {
            let studio = Studio::new(Scene::FirstIsSlow { others: n / 2 });
            let imgs = pictures(n);
            let sizes = sizes(&imgs);
            let stats = resize_all(imgs, studio.clone()).await;
            lab::expect_eq(
                stats.per_image,
                sizes,
                format!("bytes of each of {n} thumbnails, in the order of the pictures"),
            );
        }
    });
}

#[test]
fn every_picture_is_resized_once() {
    on_one_thread(|| async {
        let studio = Studio::new(Scene::Pair { must_meet: false });
        resize_all(pictures(2), studio.clone()).await;
        let calls = studio.calls();
        if calls != 2 {
            lab::fail(format!(
                "2 pictures were resized at the same time, in {calls} calls to the codec: the CPUs of the \
                 service do work that nobody asked for"
            ))
            .expected("2 calls")
            .seen(format!("{calls} calls"))
            .raise();
        }
    });
}

#[test]
fn every_batch_is_billed_alone() {
    on_one_thread(|| async {
        // The first batch is under way while a whole second one starts and ends.
        let (slow, quick) = (
            Studio::new(Scene::Gate(lab::Gate::new())),
            Studio::new(Scene::Plain),
        );
        let Scene::Gate(gate) = &slow.scene else {
            return;
        };
        let (first, second) = (pictures(1), pictures(1));
        let (sizes_of_first, sizes_of_second) = (sizes(&first), sizes(&second));
        let first = tokio::spawn(resize_all(first, slow.clone()));
        gate.entered().await;
        let second = resize_all(second, quick.clone()).await;
        gate.open();
        let first = first.await.expect("a batch does not panic");
        for (stats, sizes) in [(first, sizes_of_first), (second, sizes_of_second)] {
            lab::expect_eq(
                stats.total_out,
                sizes.iter().sum::<u64>(),
                "bytes billed for a batch, while another shop's batch was resized too",
            );
        }
    });
}

enum Scene {
    Plain,
    Gate(lab::Gate),
    /// Two calls go on only together.
    Pair {
        must_meet: bool,
    },
    /// The first picture is done only after so many others.
    FirstIsSlow {
        others: usize,
    },
}

struct Studio {
    scene: Scene,
    at_work: Mutex<AtWork>,
    changed: Condvar,
}

#[derive(Default)]
struct AtWork {
    calls: usize,
    done: usize,
}

/// A picture says what becomes of it: its first byte whether it is the first of its batch, the next two how
/// many bytes its thumbnail has.
fn picture(is_first: bool) -> Img {
    let mut rng = lab::random();
    let size = rng.range(1..2_000_u16).to_le_bytes();
    let mut raw = vec![u8::from(is_first), size[0], size[1]];
    raw.resize(raw.len() + rng.range(1..100_usize), 9);
    Img { raw }
}

fn size_of_thumbnail(img: &Img) -> usize {
    u16::from_le_bytes([img.raw[1], img.raw[2]]).into()
}

fn pictures(n: usize) -> Vec<Img> {
    (0..n).map(|i| picture(i == 0)).collect()
}

fn sizes(imgs: &[Img]) -> Vec<u64> {
    imgs.iter()
        .map(|img| size_of_thumbnail(img) as u64)
        .collect()
}

impl Codec for Studio {
    fn resize(&self, img: &Img) -> Vec<u8> {
        let thumbnail = vec![7; size_of_thumbnail(img)];
        let _ = lab::Trail::here();
        self.at_work.lock().unwrap().calls += 1;
        self.changed.notify_all();
        self.play(img);
        thumbnail
    }
}

impl Studio {
    fn new(scene: Scene) -> Arc<Studio> {
        Arc::new(Studio {
            scene,
            at_work: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    fn calls(&self) -> usize {
        self.at_work.lock().unwrap().calls
    }

    fn play(&self, img: &Img) {
        match &self.scene {
            Scene::Plain => {}
            Scene::Gate(gate) => {
                gate.wait();
            }
            Scene::Pair { must_meet } => {
                let met = self.wait_until(|at_work| at_work.calls >= 2);
                if *must_meet && !met {
                    lab::fail(
                        "the second picture waits until the first one is done: a shop with many pictures \
                         waits for the sum of all of them",
                    )
                    .expected("two resizes at the same time")
                    .seen("one after the other")
                    .at(lab::Trail::here())
                    .raise();
                }
            }
            Scene::FirstIsSlow { others } => {
                let is_first = img.raw[0] == 1;
                if is_first {
                    self.wait_until(|at_work| at_work.done >= *others);
                }
                self.at_work.lock().unwrap().done += 1;
                self.changed.notify_all();
            }
        }
    }

    fn wait_until(&self, done: impl Fn(&AtWork) -> bool) -> bool {
        let (mut at_work, mut patience) = (self.at_work.lock().unwrap(), lab::Patience::new());
        while !done(&at_work) {
            if patience.is_over() {
                return false;
            }
            at_work = self
                .changed
                .wait_timeout(at_work, lab::Patience::LOOK)
                .unwrap()
                .0;
        }
        true
    }
}

/// A pool of threads of one's own is as good as Tokio's, and may live on.
fn on_one_thread<F: Future<Output = ()>>(body: impl FnOnce() -> F) {
    lab::Setup::real_time().may_leave_running().run(body);
}
