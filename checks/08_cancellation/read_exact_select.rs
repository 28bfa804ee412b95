//! A terminal is played byte by byte over a duplex pipe. After each part everything settles before the next one, or a
//! beat, is sent; where both are sent at once, either order is right. Each read takes a trail, so that a failure names
//! its line.

use std::future::poll_fn;
use std::io::{Error, ErrorKind, Result};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::io::{AsyncRead, AsyncWriteExt, DuplexStream, ReadBuf, Repeat, duplex, repeat};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::oneshot;
use tokio::task::{unconstrained, yield_now};
use tokio::time::{Instant, sleep, timeout};

use crate::exercise::{MAX_FRAME, Pong, read_frames};

#[test]
fn every_frame_is_booked_once_and_in_order() {
    lab::paused(|| async {
        let mut rng = lab::random();
        let mut long = receipts();
        long.push(vec![b'.'; MAX_FRAME]);
        rng.shuffle(&mut long);
        for frames in [receipts(), long] {
            let mut at_once = Link::open();
            at_once.send(&wire(&frames)).await;
            at_once.wait_a_second().await;
            at_once.expect_booked(&frames, "the terminal sent all its frames in one go");
        }

        let (mut in_parts, frames) = (Link::open(), receipts());
        for part in wire(&frames).chunks(rng.range(1..4)) {
            in_parts.send(part).await;
        }
        in_parts.expect_booked(&frames, "the frames came in small parts");
    });
}

#[test]
fn a_heartbeat_in_mid_frame_costs_no_byte() {
    lab::paused(|| async {
        let frames = receipts();
        let bytes = wire(&frames);
        for split in 0..=bytes.len() {
            let mut link = Link::open();
            link.send(&bytes[..split]).await;
            let _ = link.beat().await;
            link.send(&bytes[split..]).await;
            link.hang_up().await;
            let when = format!("a beat came after {split} of {} bytes", bytes.len());
            link.expect_booked(&frames, &when);
        }
        for split in (0..=bytes.len()).step_by(5) {
            let mut link = Link::open();
            let _first = link.beat_without_waiting();
            link.send(&bytes[..split]).await;
            let _second = link.beat_without_waiting();
            link.send(&bytes[split..]).await;
            link.hang_up().await;
            let when = format!(
                "beats came together with the first {split} of {} bytes and with the rest",
                bytes.len()
            );
            link.expect_booked(&frames, &when);
        }
        let mut link = Link::open();
        for byte in &bytes {
            link.send(&[*byte]).await;
            let _ = link.beat().await;
            let _ = link.beat().await;
        }
        link.hang_up().await;
        link.expect_booked(&frames, "two beats came after each byte");

        let mut rng = lab::random();
        for length in [300, 2_000, 20_000, MAX_FRAME] {
            let frames = [vec![b'='; length], receipts().concat()];
            let bytes = wire(&frames);
            let split = rng.range(5..length);
            let mut link = Link::open();
            link.send(&bytes[..split]).await;
            let _ = link.beat().await;
            link.send(&bytes[split..]).await;
            link.hang_up().await;
            let when = format!("a beat came after {split} of {} bytes", bytes.len());
            link.expect_booked(&frames, &when);
        }
    });
}

#[test]
fn a_heartbeat_in_mid_frame_is_answered() {
    lab::paused(|| async {
        let frames = receipts();
        let bytes = wire(&frames);
        let mut link = Link::open();
        for sent in 1..=bytes.len() {
            link.send(&bytes[sent - 1..sent]).await;
            let answer = link.beat().await;
            let when = format!(
                "the supervisor asked after {sent} of {} bytes, and the terminal sent no more for a second",
                bytes.len()
            );
            expect_answer(answer, whole(&frames, sent), &when);
        }
    });
}

#[test]
fn a_terminal_that_rests_costs_no_byte() {
    lab::paused(|| async {
        let frames = receipts();
        let bytes = wire(&frames);
        let mut rests = [
            ("in a length", 2),
            ("in a body", 7),
            ("between two frames", wire(&frames[..1]).len()),
        ];
        lab::random().shuffle(&mut rests);
        for (place, sent) in rests {
            let mut link = Link::open();
            link.send(&bytes[..sent]).await;
            link.run_until(sleep(TEN_MINUTES)).await;
            link.send(&bytes[sent..]).await;
            link.hang_up().await;
            let when = format!("the terminal rested for ten minutes {place}");
            link.expect_booked(&frames, &when);
        }
    });
}

#[test]
fn a_heartbeat_is_answered_while_frame_after_frame_comes() {
    lab::paused(|| async {
        let mut link = Link::open();
        let _ = link.beat().await;
        let asked = Instant::now();
        link.flood.store(MUCH, Relaxed);
        let radio = link.radio.as_mut().expect("not hung up yet");
        let _ = radio.write_all(&[0; 4]).await;
        let answer = link.beat_without_waiting();
        let answer = async { answer?.await.ok() };
        let answer = link.run_until(timeout(A_SECOND, answer)).await;
        let in_time = link.flood.load(Relaxed) > 0 && asked.elapsed().is_zero();
        if !in_time || answer.ok().flatten().is_none() {
            let booked = link.booked.lock().unwrap().len();
            lab::fail(
                "the terminal sent frame after frame without a rest, and the supervisor asked",
            )
            .expected("an answer between two frames")
            .seen(format!(
                "no answer for {booked} frames; the reader is restarted"
            ))
            .raise();
        }
    });
}

#[test]
fn two_terminals_are_kept_apart() {
    lab::paused(|| async {
        let frames = [receipts(), receipts().split_off(2)];
        let bytes = frames.each_ref().map(|frames| wire(frames));
        let mut links = [Link::open(), Link::open()];
        for at in 0..bytes[0].len() {
            for (link, bytes) in links.iter_mut().zip(&bytes) {
                link.send(bytes.get(at..=at).unwrap_or_default()).await;
            }
        }
        for (link, frames) in links.iter_mut().zip(&frames) {
            let answer = link.beat().await;
            let when = "two terminals sent at the same time, and the supervisor asked a reader";
            expect_answer(answer, frames.len(), when);
            link.hang_up().await;
            link.expect_booked(frames, "two terminals sent at the same time");
        }
    });
}

#[test]
fn a_terminal_that_hangs_up_between_frames_is_no_error() {
    lab::paused(|| async {
        let frames = receipts();
        for sent in 0..=frames.len() {
            let mut link = Link::open();
            link.send(&wire(&frames[..sent])).await;
            let _ = link.beat().await;
            link.hang_up().await;
            let when = format!("the terminal hung up after {sent} whole frames");
            link.expect_booked(&frames[..sent], &when);
            link.expect_end(Ok(()), &when);
        }
    });
}

#[test]
fn a_link_that_breaks_is_told() {
    lab::paused(|| async {
        let frames = receipts();
        let bytes = wire(&frames);
        let errors = [
            ErrorKind::ConnectionReset,
            ErrorKind::TimedOut,
            ErrorKind::NetworkDown,
        ];
        for cut in 0..=bytes.len() {
            let whole = whole(&frames, cut);
            let in_mid_frame = wire(&frames[..whole]).len() < cut;
            let error = errors[cut % errors.len()];
            let broken = Some((error, Some(error)));
            let ended = in_mid_frame.then_some((ErrorKind::UnexpectedEof, None));
            for (kind, error) in broken.into_iter().chain(ended) {
                let mut link = Link::open();
                link.send(&bytes[..cut / 2]).await;
                let _ = link.beat().await;
                link.send(&bytes[cut / 2..cut]).await;
                *link.error.lock().unwrap() = error;
                link.hang_up().await;
                let how = error.map_or("ended".to_string(), |error| format!("broke ({error})"));
                let when = format!("the link {how} after {cut} of {} bytes", bytes.len());
                link.expect_booked(&frames[..whole], &when);
                link.expect_end(Err(kind), &when);
            }
        }
    });
}

#[test]
fn a_frame_that_is_too_long_is_refused() {
    lab::paused(|| async {
        let most = MAX_FRAME as u32;
        let too_long = most + lab::random().range(2..1000);
        for (length, split) in [(most + 1, 4), (too_long, 4), (u32::MAX - 3, 2)] {
            let mut link = Link::open();
            link.send(&length.to_be_bytes()[..split]).await;
            let _ = link.beat().await;
            link.send(&length.to_be_bytes()[split..]).await;
            let when = format!("a frame of {length} bytes was announced");
            link.expect_end(Err(ErrorKind::InvalidData), &when);
        }
    });
}

#[test]
fn a_supervisor_that_leaves_does_not_end_the_reading() {
    lab::paused(|| async {
        let frames = receipts();
        let bytes = wire(&frames);
        for between in [0, 4, wire(&frames[..1]).len()] {
            let gone = between + lab::random().range(0..4);
            let mut link = Link::open();
            link.send(&bytes[..gone]).await;
            link.beat_without_waiting();
            link.settle().await;
            link.supervisor = None;
            link.wait_a_second().await;
            link.send(&bytes[gone..]).await;
            link.hang_up().await;
            let when = format!("the supervisor left after {gone} of {} bytes", bytes.len());
            link.expect_booked(&frames, &when);
            link.expect_end(Ok(()), &when);
        }
    });
}

#[test]
fn nobody_answers_for_a_link_that_is_gone() {
    lab::paused(|| async {
        let bytes = wire(&receipts());
        let cut = bytes.len() - lab::random().range(1..5);
        for (sent, dropped, when) in [
            (bytes.len(), false, "the terminal has hung up"),
            (cut, false, "the link has ended in the middle of a frame"),
            (cut, true, "the caller has dropped the reading"),
        ] {
            let mut link = Link::open();
            link.send(&bytes[..sent]).await;
            let _ = link.beat().await;
            match dropped {
                true => link.reading.clear(),
                false => link.hang_up().await,
            }
            link.settle().await;
            if let Some((frames, _)) = link.beat().await {
                lab::fail(format!(
                    "{when}, and the supervisor still hears that all is well"
                ))
                .expected("no answer")
                .seen(format!("frames so far: {frames}"))
                .raise();
            }
        }
    });
}

const A_SECOND: Duration = Duration::from_secs(1);
const TEN_MINUTES: Duration = Duration::from_mins(10);

/// So many small reads, or hundreds of large ones: who looks for a beat between two of them has seen it long before.
const MUCH: usize = 20_000;

/// Between the shortest frames there are empty ones.
fn receipts() -> Vec<Vec<u8>> {
    let mut rng = lab::random();
    let latte = format!("latte {} won", rng.range(1_000..9_999));
    let bagel = format!("bagel {:x}", rng.u64());
    [latte.as_str(), "", &bagel, "?"].map(Vec::from).to_vec()
}

fn wire(frames: &[Vec<u8>]) -> Vec<u8> {
    let framed = frames
        .iter()
        .map(|frame| [&(frame.len() as u32).to_be_bytes(), frame.as_slice()].concat());
    framed.collect::<Vec<_>>().concat()
}

/// How many frames are whole after so many bytes.
fn whole(frames: &[Vec<u8>], sent: usize) -> usize {
    (1..=frames.len())
        .take_while(|&n| wire(&frames[..n]).len() <= sent)
        .count()
}

/// At once is: before the clock moves.
fn expect_answer(answer: Option<(usize, Duration)>, frames: usize, when: &str) {
    if answer != Some((frames, Duration::ZERO)) {
        let told = |(frames, later): (usize, Duration)| match later {
            Duration::ZERO => format!("frames so far: {frames}, at once"),
            _ => format!("frames so far: {frames}, after {later:?}"),
        };
        lab::fail(when)
            .expected(told((frames, Duration::ZERO)))
            .seen(answer.map_or("no answer; the reader is restarted".to_string(), told))
            .raise();
    }
}

fn in_words(frames: &[Vec<u8>]) -> String {
    let words = frames.iter().map(|frame| match frame.len() {
        0..60 => format!("\"{}\"", frame.escape_ascii()),
        length => format!("{length} bytes"),
    });
    let words: Vec<_> = words.collect();
    match words.is_empty() {
        true => "nothing booked".to_string(),
        false => format!("{} booked: {}", words.len(), words.join(", ")),
    }
}

/// One link, and the future that reads it.
struct Link {
    radio: Option<DuplexStream>,
    error: Arc<Mutex<Option<ErrorKind>>>,
    flood: Arc<AtomicUsize>,
    supervisor: Option<mpsc::Sender<Pong>>,
    booked: Arc<Mutex<Vec<Vec<u8>>>>,
    /// Only this one; polled when it is woken and not for anything else.
    reading: FuturesUnordered<Pin<Box<dyn Future<Output = Result<()>>>>>,
    polls: Arc<AtomicUsize>,
    ended: Option<Result<()>>,
}

impl Link {
    fn open() -> Link {
        // Room for all that a check sends.
        let (radio, pipe) = duplex(4 * MAX_FRAME);
        let (supervisor, beats) = mpsc::channel(4);
        let (error, flood) = (Arc::default(), Arc::default());
        let terminal = Terminal {
            pipe,
            error: Arc::clone(&error),
            empty_frames: repeat(0),
            flood: Arc::clone(&flood),
        };
        let booked = Arc::new(Mutex::new(Vec::new()));
        let book = booked.clone();
        let on_frame = move |frame| book.lock().unwrap().push(frame);
        let polls = Arc::new(AtomicUsize::new(0));
        let reading = counted(read_frames(terminal, beats, on_frame), polls.clone());
        Link {
            radio: Some(radio),
            error,
            flood,
            supervisor: Some(supervisor),
            booked,
            reading: FuturesUnordered::from_iter([reading]),
            polls,
            ended: None,
        }
    }

    async fn send(&mut self, bytes: &[u8]) {
        // Fails if the reader has let go of the link.
        let radio = self.radio.as_mut().expect("not hung up yet");
        let _ = radio.write_all(bytes).await;
        self.settle().await;
    }

    /// What the supervisor hears within a second, and how long after it has asked.
    async fn beat(&mut self) -> Option<(usize, Duration)> {
        let answer = self.beat_without_waiting()?;
        let asked = Instant::now();
        let answer = self.run_until(timeout(A_SECOND, answer)).await;
        let later = asked.elapsed();
        self.settle().await;
        Some((answer.ok()?.ok()?, later))
    }

    fn beat_without_waiting(&mut self) -> Option<oneshot::Receiver<usize>> {
        let (pong, answer) = oneshot::channel();
        let supervisor = self.supervisor.as_ref().expect("has not left yet");
        match supervisor.try_send(pong) {
            Ok(()) => Some(answer),
            Err(TrySendError::Full(_) | TrySendError::Closed(_)) => None,
        }
    }

    async fn hang_up(&mut self) {
        self.radio = None;
        self.settle().await;
        if self.ended.is_none() {
            self.wait_a_second().await;
        }
    }

    /// Some turns for the reader and all that it has started. Time stands still.
    async fn settle(&mut self) {
        let turns = async {
            for _ in 0..16 {
                yield_now().await;
            }
        };
        self.run_until(turns).await;
    }

    /// The clock moves only when nothing else does.
    async fn wait_a_second(&mut self) {
        self.run_until(sleep(A_SECOND)).await;
    }

    async fn run_until<T>(&mut self, time: impl Future<Output = T>) -> T {
        self.polls.store(0, Relaxed);
        // The reader runs in this task too, and may have used up the task's budget.
        let mut time = pin!(unconstrained(time));
        loop {
            tokio::select! {
                biased;
                Some(ended) = self.reading.next() => self.ended = Some(ended),
                over = &mut time => return over,
            }
        }
    }

    fn expect_end(&self, expected: std::result::Result<(), ErrorKind>, when: &str) {
        let (how, seen) = match &self.ended {
            Some(ended) if ended.as_ref().map_err(Error::kind).copied() == expected => return,
            Some(Ok(())) => (
                "ended as if all were well".to_string(),
                "Ok(())".to_string(),
            ),
            Some(Err(error)) => (
                format!("ended with {:?}", error.kind()),
                format!("Err({error:?})"),
            ),
            None => (
                "has not ended".to_string(),
                "it still waits, a second later".to_string(),
            ),
        };
        lab::fail(format!("{when}, and the reading {how}"))
            .expected(format!("{expected:?}"))
            .seen(seen)
            .raise();
    }

    fn expect_booked(&self, frames: &[Vec<u8>], when: &str) {
        let booked = self.booked.lock().unwrap();
        if *booked != frames {
            let ended = match &self.ended {
                Some(Err(error)) => format!("; then the reading ended: {error}"),
                _ => String::new(),
            };
            lab::fail(format!("{when}, and the shop's books are wrong"))
                .expected(in_words(frames))
                .seen(in_words(&booked) + &ended)
                .raise();
        }
    }
}

fn counted(
    reading: impl Future<Output = Result<()>> + 'static,
    polls: Arc<AtomicUsize>,
) -> Pin<Box<dyn Future<Output = Result<()>>>> {
    let mut reading = Box::pin(reading);
    Box::pin(poll_fn(move |context| {
        // Reading the longest frame byte by byte takes some hundred polls.
        lab::expect(
            polls.fetch_add(1, Relaxed) < 2_000,
            "nothing comes over the link, and its reader keeps a processor core busy",
        );
        reading.as_mut().poll(context)
    }))
}

/// What the learner's code is given.
struct Terminal {
    pipe: DuplexStream,
    /// What the link says instead of ending.
    error: Arc<Mutex<Option<ErrorKind>>>,
    /// Four zeros are a frame without a body.
    empty_frames: Repeat,
    /// How many more reads find something at once, if they are small.
    flood: Arc<AtomicUsize>,
}

impl AsyncRead for Terminal {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        // Reads come from the same few lines: the first hundreds have shown them all.
        static TRAILS: AtomicUsize = AtomicUsize::new(0);
        if TRAILS.fetch_add(1, Relaxed) < 300 {
            let _ = lab::Trail::here();
        }
        let left = self.flood.load(Relaxed);
        if left > 0 {
            let read = Pin::new(&mut self.empty_frames).poll_read(context, buffer);
            if read.is_ready() {
                // A large read is many frames, and yet only one chance to turn to a beat.
                let cost = 1 + (buffer.filled().len() / 200).min(100);
                self.flood.store(left.saturating_sub(cost), Relaxed);
            }
            return read;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.pipe).poll_read(context, buffer);
        let error = *self.error.lock().unwrap();
        match (&read, error) {
            (Poll::Ready(Ok(())), Some(kind)) if buffer.filled().len() == before => {
                Poll::Ready(Err(kind.into()))
            }
            _ => read,
        }
    }
}
