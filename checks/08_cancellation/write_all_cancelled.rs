//! The mobile link is played: it takes as many bytes as it has room for, a few at a time, and a check makes room. So
//! a limit strikes after exactly the byte that the check wants. Time is virtual. Each write takes a trail.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::AsyncWrite;
use tokio::time::{Instant, sleep, timeout};

use crate::exercise::{SendError, Uplink};

#[test]
fn a_sale_is_out_when_send_says_ok() {
    lab::paused(|| async {
        let mut till = Till::new();
        till.mast.make_room(usize::MAX);
        let mut lines = sales(4);
        lines.insert(2, long_line());
        lines.insert(4, Bytes::new());
        for sent in 1..=lines.len() {
            let line = &lines[sent - 1];
            let answer = till.send(line, LIMIT).await;
            if !matches!(answer, Ok(())) {
                let bytes = line.len();
                lab::fail(format!(
                    "the link is quick, and the till hears of a problem at a frame of {bytes} bytes"
                ))
                .expected("Ok(())")
                .seen(format!("{answer:?}"))
                .raise();
            }
            till.expect_at_headquarters(&lines[..sent], "the till heard Ok");
        }
    });
}

#[test]
fn the_limit_is_kept() {
    lab::paused(|| async {
        let mut rng = lab::random();
        let mut till = Till::new();
        till.mast.make_room(rng.range(1..20));
        for line in sales(3) {
            let limit = Duration::from_millis(rng.range(20..900));
            till.expect_timeout(&line, limit, "the link takes nothing more")
                .await;
        }
        till.close().await;

        let mut till = Till::new();
        let trickle = tokio::spawn(till.mast.clone().trickle());
        for line in sales(3) {
            // Two thirds of what a line takes: what is left of the one before counts too.
            let limit = Duration::from_millis(7 * line.len() as u64);
            let when = "the link takes one byte in 10 ms";
            till.expect_timeout(&line, limit, when).await;
        }
        trickle.abort();
        till.close().await;

        let mut till = Till::new();
        let soon = till.mast.clone();
        tokio::spawn(async move {
            sleep(LIMIT / 3).await;
            soon.make_room(usize::MAX);
        });
        let answer = till.send(&sales(1)[0], LIMIT).await;
        lab::expect(
            answer.is_ok(),
            format!(
                "the link was free after a third of the limit, and the till heard of a problem: {answer:?}"
            ),
        );
        till.close().await;
    });
}

#[test]
fn a_limit_in_mid_sale_garbles_no_line() {
    lab::paused(|| async {
        let short = sales(3);
        let mut long = sales(3);
        long[0] = long_line();
        let cuts = [1, long[0].len() / 2, long[0].len() - 1];
        let of_long = cuts.map(|out| (&long, out));
        for (lines, out) in (0..short[0].len()).map(|out| (&short, out)).chain(of_long) {
            let mut till = Till::new();
            till.mast.make_room(out);
            till.expect_timeout(&lines[0], LIMIT, "the link takes nothing more")
                .await;
            till.mast.make_room(usize::MAX);
            for line in &lines[1..] {
                let _ = till.send(line, LIMIT).await;
            }
            let _ = till.flush().await;
            let when = format!(
                "the limit was over after {out} of {} bytes of a sale",
                lines[0].len()
            );
            till.expect_at_headquarters(lines, &when);
        }
    });
}

#[test]
fn flush_waits_until_all_sales_are_out() {
    lab::paused(|| async {
        let lines = sales(2);
        for out in 0..lines.concat().len() {
            let mut till = Till::new();
            till.mast.make_room(out);
            for line in &lines {
                let _ = till.send(line, LIMIT).await;
            }
            let when = "the link takes nothing more, and `flush` is at its end";
            // The last outage is nearly as long as the checks' virtual time is.
            let outage = match out + 1 == lines.concat().len() {
                true => Duration::from_secs(50 * 60),
                false => Duration::from_secs(5),
            };
            let early = timeout(outage, till.uplink.flush()).await;
            if let Ok(answer) = early {
                till.expect_at_headquarters(&lines, &format!("{when}: {answer:?}"));
            }
            till.mast.make_room(usize::MAX);
            let answer = till.flush().await;
            let when = format!("after an outage of {outage:?} `flush` said {answer:?}");
            till.expect_at_headquarters(&lines, &when);
            lab::expect_eq(
                till.mast.state().flushed,
                lines.concat().len(),
                "bytes that the link has passed on; it keeps the rest until it is flushed",
            );
        }
    });
}

#[test]
fn a_day_of_limits_loses_no_sale_and_sends_none_twice() {
    lab::paused(|| async {
        let mut rng = lab::random();
        for outage in [0, 0, 1_100] {
            let mut till = Till::new();
            let mut lines = sales(16 + outage);
            for at in [3, 4, 5, 8, 9, 10, 11, 12, 13, 14] {
                lines.insert(at, long_line());
            }
            // Two customers who have bought the same are two sales.
            lines[1] = lines[0].clone();
            if outage > 0 {
                lines[20] = lines[19].clone();
                lines[30] = lines[19].clone();
            }
            let all = lines.concat().len();
            for (number, line) in lines.iter().enumerate() {
                let room = match rng.range(0..4) {
                    _ if (6..6 + outage).contains(&number) => 0,
                    0 => 0,
                    1 => rng.range(1..line.len()),
                    2 => line.len() + rng.range(0..40),
                    _ => all,
                };
                till.mast.make_room(room);
                let limit = Duration::from_millis(rng.range(1..80));
                let _ = till.send(line, limit).await;
            }
            if outage > 0 {
                // So many lines would take too many writes.
                till.mast.state().at_once = 1_000;
            }
            till.mast.make_room(usize::MAX);
            let _ = till.flush().await;
            let when = match outage {
                0 => "a day with a bad link is over".to_string(),
                _ => format!("a day with an outage of {outage} sales is over"),
            };
            till.expect_at_headquarters(&lines, &when);
        }
    });
}

#[test]
fn two_tills_are_kept_apart() {
    lab::paused(|| async {
        let lines = [sales(2), sales(2)];
        let mut tills = [Till::new(), Till::new()];
        for at in 0..2 {
            for (number, (till, lines)) in tills.iter_mut().zip(&lines).enumerate() {
                till.mast.make_room(1 + at + 2 * number);
                let _ = till.send(&lines[at], LIMIT).await;
            }
        }
        for (till, lines) in tills.iter_mut().zip(&lines) {
            till.mast.make_room(usize::MAX);
            let _ = till.flush().await;
            let when = "two tills were cut off at the same time, each on its own link";
            till.expect_at_headquarters(lines, when);
        }
    });
}

#[test]
fn a_caller_who_gives_up_garbles_no_line() {
    lab::paused(|| async {
        let lines = sales(3);
        let second = lines[0].len();
        for out in 0..second + lines[1].len() {
            let mut till = Till::new();
            till.mast.make_room(out);
            let (with, given_up) = match out < second {
                true => (vec![lines[0].clone(), lines[2].clone()], &lines[0]),
                false => {
                    let _ = till.send(&lines[0], LIMIT).await;
                    (lines.clone(), &lines[1])
                }
            };
            till.give_up_soon(given_up).await;
            till.mast.make_room(usize::MAX);
            let _ = till.send(&lines[2], LIMIT).await;
            let _ = till.flush().await;
            let without: Vec<_> = with
                .iter()
                .filter(|line| *line != given_up)
                .cloned()
                .collect();
            let when = format!("a caller gave up after byte {out}");
            till.expect_either(&with, &without, &when);
        }
    });
}

#[test]
fn a_caller_who_gives_up_costs_no_earlier_sale() {
    lab::paused(|| async {
        let lines = sales(3);
        let out = lab::random().range(0..lines[0].len());
        for more in 0..lines[0].len() - out {
            for flushes in [false, true] {
                let mut till = Till::new();
                till.mast.make_room(out);
                let _ = till.send(&lines[0], LIMIT).await;
                till.mast.make_room(more);
                let who = match flushes {
                    true => {
                        let _ = timeout(SOON, till.uplink.flush()).await;
                        "whoever flushed"
                    }
                    false => {
                        till.give_up_soon(&lines[1]).await;
                        "whoever sent the next one"
                    }
                };
                till.mast.make_room(usize::MAX);
                let _ = till.send(&lines[2], LIMIT).await;
                let _ = till.flush().await;
                let without = [lines[0].clone(), lines[2].clone()];
                let with = if flushes { &without[..] } else { &lines[..] };
                let when = format!(
                    "a sale was kept at the limit after byte {out}, {who} gave up after byte {}",
                    out + more
                );
                till.expect_either(with, &without, &when);
            }
        }
        // Where several are kept, and the oldest of them is whole or is not.
        let lines = sales(5);
        for out in 0..lines[0].len() {
            let mut till = Till::new();
            till.mast.make_room(out);
            for line in &lines[..3] {
                let _ = till.send(line, LIMIT).await;
            }
            let more = lab::random().range(0..lines[0].len() - out);
            till.mast.make_room(more);
            till.give_up_soon(&lines[3]).await;
            till.mast.make_room(usize::MAX);
            let _ = till.send(&lines[4], LIMIT).await;
            let _ = till.flush().await;
            let without: Vec<_> = [&lines[..3], &lines[4..]].concat();
            let when = format!(
                "three sales were kept at the limit after byte {out}, whoever sent the next one gave up after byte {}",
                out + more
            );
            till.expect_either(&lines, &without, &when);
        }
    });
}

#[test]
fn the_till_hears_why_the_link_broke() {
    lab::paused(|| async {
        let mut rng = lab::random();
        let lines = sales(2);
        for kind in [
            ErrorKind::ConnectionReset,
            ErrorKind::BrokenPipe,
            ErrorKind::TimedOut,
        ] {
            let mut till = Till::new();
            till.mast.breaks(kind);
            let answer = till.send(&lines[0], LIMIT).await;
            till.expect_io(answer, kind, "the link was broken when a sale was sent");

            let mut till = Till::new();
            let mast = till.mast.clone();
            mast.make_room(rng.range(0..10));
            tokio::spawn(async move {
                sleep(LIMIT / 3).await;
                mast.breaks(kind);
            });
            let answer = till.send(&lines[0], LIMIT).await;
            till.expect_io(answer, kind, "the link broke in the middle of a sale");

            for flushes in [false, true] {
                let mut till = Till::new();
                till.mast.make_room(rng.range(0..10));
                let _ = till.send(&lines[0], LIMIT).await;
                till.mast.breaks(kind);
                let answer = match flushes {
                    true => till.flush().await.map_err(SendError::Io),
                    false => till.send(&lines[1], LIMIT).await,
                };
                till.expect_io(answer, kind, "the link broke after a limit was over");
            }

            let mut till = Till::new();
            till.mast.state().takes_nothing = true;
            let answer = till.send(&lines[0], LIMIT).await;
            if !matches!(answer, Err(SendError::Io(_))) {
                lab::fail("the link answers `Ok(0)`, it takes no bytes any more, and the till does not hear of it")
                    .expected("Err(Io(..))")
                    .seen(format!("{answer:?}"))
                    .raise();
            }

            let mut till = Till::new();
            till.mast.make_room(usize::MAX);
            let _ = till.send(&lines[0], LIMIT).await;
            till.mast.state().flush_error = Some(kind);
            let answer = till.flush().await.map_err(SendError::Io);
            till.expect_io(answer, kind, "the link broke when it was flushed");
        }
    });
}

const LIMIT: Duration = Duration::from_millis(50);
const SOON: Duration = Duration::from_millis(5);

/// Of different lengths.
fn sales(count: usize) -> Vec<Bytes> {
    let mut rng = lab::random();
    let sales = (0..count).map(|_| {
        let (sale, won) = (rng.range(1..99_999), rng.range(1_000..999_999));
        Bytes::from(format!("{{\"sale\":{sale},\"won\":{won}}}\n"))
    });
    sales.collect()
}

/// More than buffers hold that are made without a thought: `BufWriter::new` makes one of 8 KiB.
fn long_line() -> Bytes {
    let mut rng = lab::random();
    let (first, step) = (rng.range(10_000..50_000), rng.range(1..10));
    let mut line = "{\"basket\":[0".to_string();
    for item in 0..rng.range(2_000..3_000) {
        let _ = write!(line, ",{}", first + step * item);
    }
    line.push_str("]}\n");
    Bytes::from(line)
}

/// The subject, and the link that it writes to.
struct Till {
    uplink: Uplink<Link>,
    mast: Link,
}

impl Till {
    fn new() -> Till {
        let mast = Link {
            state: Arc::new(Mutex::new(State {
                at_once: lab::random().range(3..12),
                ..State::default()
            })),
        };
        Till {
            uplink: Uplink::new(mast.clone()),
            mast,
        }
    }

    /// A call that comes back long after its limit is a till that freezes.
    async fn send(&mut self, line: &Bytes, limit: Duration) -> Result<(), SendError> {
        let patience = limit + Duration::from_secs(5);
        match timeout(patience, self.uplink.send(line.clone(), limit)).await {
            Ok(answer) => answer,
            Err(_) => self.freezes(limit, "no answer 5 s later"),
        }
    }

    async fn give_up_soon(&mut self, line: &Bytes) {
        let call = self.uplink.send(line.clone(), Duration::from_secs(600));
        let _ = timeout(SOON, call).await;
    }

    async fn expect_timeout(&mut self, line: &Bytes, limit: Duration, when: &str) {
        let start = Instant::now();
        let answer = self.send(line, limit).await;
        let took = start.elapsed();
        if !matches!(answer, Err(SendError::Timeout)) {
            lab::fail(format!("{when}, and the till does not hear of it"))
                .expected(format!("Err(Timeout) after {limit:?}"))
                .seen(format!("{answer:?} after {took:?}"))
                .raise();
        }
        // The timer counts in whole milliseconds and rounds up.
        if took.abs_diff(limit) > Duration::from_millis(2) {
            self.freezes(limit, &format!("{answer:?} after {took:?}"));
        }
    }

    fn expect_io(&self, answer: Result<(), SendError>, kind: ErrorKind, when: &str) {
        let hears = match &answer {
            Err(SendError::Io(error)) if error.kind() == kind => return,
            Err(SendError::Io(error)) => format!("another error, {:?}", error.kind()),
            Err(SendError::Timeout) => "only that a limit is over".to_string(),
            Ok(()) if self.mast.state().failed => "Ok, although a write has failed".to_string(),
            Ok(()) => "Ok".to_string(),
        };
        lab::fail(format!("{when}, and the till hears {hears}"))
            .expected(format!("Err(Io({kind:?}))"))
            .seen(format!("{answer:?}"))
            .raise();
    }

    fn freezes(&self, limit: Duration, seen: &str) -> ! {
        lab::fail("the link is slow, and the till does not keep the limit")
            .expected(format!("an answer after {limit:?}"))
            .seen(seen)
            .raise()
    }

    async fn flush(&mut self) -> io::Result<()> {
        match timeout(Duration::from_secs(5), self.uplink.flush()).await {
            Ok(answer) => answer,
            Err(_) => lab::fail("the link takes everything, and `flush` does not come back")
                .expected("Ok(())")
                .seen("no answer after 5 s")
                .raise(),
        }
    }

    /// For checks that have seen enough: whoever still writes comes to an end.
    async fn close(&mut self) {
        self.mast.make_room(usize::MAX);
        let _ = self.uplink.flush().await;
    }

    fn expect_at_headquarters(&self, lines: &[Bytes], when: &str) {
        self.expect_either(lines, lines, when);
    }

    fn expect_either(&self, lines: &[Bytes], or: &[Bytes], when: &str) {
        let state = self.mast.state();
        let taken = &state.taken;
        if *taken != lines.concat() && *taken != or.concat() {
            let wanted = lines.concat();
            let same = [&wanted, &or.concat()].map(|wanted| common(wanted, taken));
            let first_wrong = *same.iter().max().expect("two");
            let write = state.writes.iter().find(|(end, _)| *end > first_wrong);
            lab::fail(format!(
                "{when}, and headquarters reads something else than the till has sold"
            ))
            .expected(from_where_it_differs(&wanted, taken))
            .seen(from_where_it_differs(taken, &wanted))
            .at(write.map(|(_, trail)| trail))
            .raise();
        }
    }
}

/// How many bytes are the same.
fn common(text: &[u8], other: &[u8]) -> usize {
    text.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// The first line that is not the same, and what comes after it.
fn from_where_it_differs(text: &[u8], other: &[u8]) -> String {
    let lines = |text: &[u8]| -> Vec<String> {
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        lines
            .map(|line| String::from_utf8_lossy(line).replace('\n', "\\n"))
            .collect()
    };
    let (lines, other) = (lines(text), lines(other));
    let same = lines.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let mut shown: Vec<String> = lines.iter().skip(same).take(2).cloned().collect();
    for line in &mut shown {
        if line.len() > 120 {
            let end = line.split_off(line.len() - 50);
            line.truncate(50);
            *line += &format!("[..]{end}");
        }
    }
    match shown.is_empty() {
        true => format!("nothing after line {same}"),
        false => format!("line {}: {}", same + 1, shown.join("")),
    }
}

/// What the learner's code is given, and the check's end of it.
#[derive(Clone)]
struct Link {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    room: usize,
    /// The most that one write takes.
    at_once: usize,
    taken: Vec<u8>,
    /// Up to which byte, and by which line.
    writes: Vec<(usize, lab::Trail)>,
    /// Of the last write.
    left_over: usize,
    /// How often there was no room at all.
    asked_in_vain: usize,
    flushed: usize,
    error: Option<ErrorKind>,
    /// As a writer says that nothing can be written to it any more.
    takes_nothing: bool,
    /// A write has been told of the error.
    failed: bool,
    /// As with a socket: a flush does not repeat the error of a write.
    flush_error: Option<ErrorKind>,
    writer: Option<Waker>,
}

impl Link {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn make_room(&self, bytes: usize) {
        let mut state = self.state();
        state.room = bytes;
        state.wake();
    }

    fn breaks(&self, kind: ErrorKind) {
        let mut state = self.state();
        state.error = Some(kind);
        state.wake();
    }

    async fn trickle(self) {
        loop {
            sleep(Duration::from_millis(10)).await;
            let room = self.state().room;
            self.make_room(room + 1);
        }
    }
}

impl State {
    fn wake(&mut self) {
        if let Some(writer) = self.writer.take() {
            writer.wake();
        }
    }
}

impl AsyncWrite for Link {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.state();
        let cut_off = state.room == 0 && state.error.is_none();
        // In a long outage each sale asks in vain, from the same few lines; whoever writes what a write has left over is
        // where it was, and so is who writes a long line byte by byte.
        let asks_again = cut_off && state.asked_in_vain > 100;
        let goes_on = (state.left_over > 0 && state.left_over == bytes.len())
            || (bytes.len() == 1 && state.writes.len() > 2_000);
        state.asked_in_vain += usize::from(cut_off);
        let trail = (!asks_again && !goes_on).then(lab::Trail::here);
        if let Some(kind) = state.error {
            state.failed = true;
            return Poll::Ready(Err(kind.into()));
        }
        if state.takes_nothing {
            return Poll::Ready(Ok(0));
        }
        let most = match bytes.len() {
            // A long line would take too many writes.
            1_000.. => 1_000,
            _ => state.at_once,
        };
        let taken = bytes.len().min(state.room).min(most);
        if taken == 0 && !bytes.is_empty() {
            state.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        state.room -= taken;
        state.taken.extend_from_slice(&bytes[..taken]);
        state.left_over = bytes.len() - taken;
        let end = state.taken.len();
        match (trail, state.writes.last_mut()) {
            (None, Some((before, _))) if goes_on => *before = end,
            (trail, _) => state.writes.extend(trail.map(|trail| (end, trail))),
        }
        Poll::Ready(Ok(taken))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let _ = lab::Trail::here();
        let mut state = self.state();
        if let Some(kind) = state.flush_error {
            return Poll::Ready(Err(kind.into()));
        }
        state.flushed = state.taken.len();
        Poll::Ready(Ok(()))
    }

    /// Nothing can be written afterwards.
    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.breaks(ErrorKind::BrokenPipe);
        self.poll_flush(context)
    }
}
