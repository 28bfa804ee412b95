//! What a subject prints, kept small: its first and its last words. Pure.

use std::collections::VecDeque;

/// Kept of each end.
const END: usize = 32 << 10;
/// Passed on of a `main` that prints without end: more than anybody reads, less than floods a terminal.
const LIVE: usize = 256 << 10;

#[derive(Debug, Default)]
pub(super) struct Capped {
    first: Vec<u8>,
    last: VecDeque<u8>,
    left_out: u64,
}

impl Capped {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(END - self.first.len()));
        self.first.extend_from_slice(first);
        self.last.extend(rest);
        let excess = self.last.len().saturating_sub(END);
        self.last.drain(..excess);
        self.left_out += excess as u64;
    }

    pub(super) fn into_text(mut self) -> String {
        if self.left_out == 0 {
            self.first.extend(self.last);
            return String::from_utf8_lossy(&self.first).into_owned();
        }
        let last: Vec<u8> = self.last.into();
        let whole = last
            .iter()
            .take_while(|byte| is_continuation(**byte))
            .count();
        let dangling = self.first.len() - complete(&self.first);
        let left_out = self.left_out + (whole + dangling) as u64;
        format!(
            "{}\n[… {left_out} bytes left out …]\n{}",
            String::from_utf8_lossy(&self.first[..self.first.len() - dangling]),
            String::from_utf8_lossy(&last[whole..])
        )
    }
}

/// Output passed on as it comes, whole characters at a time.
#[derive(Debug, Default)]
pub(super) struct Live {
    pending: Vec<u8>,
    passed: usize,
}

impl Live {
    pub(super) fn push(&mut self, bytes: &[u8], pass: &mut impl FnMut(&str)) {
        if self.passed >= LIVE {
            return;
        }
        self.pending.extend_from_slice(bytes);
        let whole = complete(&self.pending);
        pass(&String::from_utf8_lossy(&self.pending[..whole]));
        self.pending.drain(..whole);
        self.passed += bytes.len();
        if self.passed >= LIVE {
            pass(&format!(
                "\n[… the rest is left out, after {} KiB …]\n",
                self.passed >> 10
            ));
        }
    }

    pub(super) fn finish(self, pass: &mut impl FnMut(&str)) {
        if !self.pending.is_empty() && self.passed < LIVE {
            pass(&String::from_utf8_lossy(&self.pending));
        }
    }
}

/// How much of it ends with a whole character. What is no UTF-8 at all counts as whole.
fn complete(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    let start = bytes[tail..]
        .iter()
        .rposition(|byte| *byte >= 0xC0)
        .map(|at| tail + at);
    match start.map(|start| std::str::from_utf8(&bytes[start..]).map_err(|error| (start, error))) {
        Some(Err((start, error))) if error.error_len().is_none() => start,
        _ => bytes.len(),
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Without the lines of the test harness (`--quiet`, one test): the learner did not print them.
pub(super) fn without_harness(text: &str, test: &str) -> String {
    let text = text.strip_prefix("\nrunning 1 test\n").unwrap_or(text);
    let Some(end) = text.rfind("\ntest result: ") else {
        return text.to_string();
    };
    let text = &text[..end];
    match text.rfind(&format!("{test} --- FAILED\n")) {
        Some(end) => text[..end].to_string(),
        None => text.strip_suffix('.').unwrap_or(text).to_string(),
    }
}

/// Without the kernel's number of a thread that panicked: it is another in each run, and helps nobody.
pub(super) fn without_thread_numbers(text: &str) -> String {
    let line = |line: &str| {
        let number = line.strip_prefix("thread '").and_then(|rest| {
            let (name, rest) = rest.split_once("' (")?;
            let (digits, rest) = rest.split_once(") panicked at ")?;
            let number = digits.bytes().all(|byte| byte.is_ascii_digit());
            number.then(|| format!("thread '{name}' panicked at {rest}"))
        });
        number.unwrap_or_else(|| line.to_string())
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capped(chunks: &[&[u8]]) -> String {
        let mut output = Capped::default();
        chunks.iter().for_each(|chunk| output.push(chunk));
        output.into_text()
    }

    #[test]
    fn a_panic_has_no_number_of_its_thread() {
        assert_eq!(
            without_thread_numbers(
                "a\nthread 'x y' (4711) panicked at a.rs:1:2:\nthread 'z' (b) panicked at"
            ),
            "a\nthread 'x y' panicked at a.rs:1:2:\nthread 'z' (b) panicked at"
        );
    }

    #[test]
    fn short_output_is_kept_whole() {
        assert_eq!(capped(&[b"one\n", b"two\n"]), "one\ntwo\n");
        let two_ends = vec![b'x'; 2 * END];
        assert_eq!(capped(&[&two_ends]).len(), 2 * END);
    }

    #[test]
    fn of_long_output_both_ends_are_kept_and_the_rest_is_counted() {
        let flood = vec![b'x'; 1 << 20];
        let mut output = Capped::default();
        output.push(b"first ");
        (0..1024).for_each(|_| output.push(&flood));
        output.push(b" last");
        assert!(output.first.capacity() + output.last.capacity() <= 2 << 20);
        let text = output.into_text();
        assert!(text.starts_with("first xx") && text.ends_with("xx last"));
        let left_out = 1024 * (1 << 20) + "first ".len() + " last".len() - 2 * END;
        assert!(
            text.contains(&format!("[… {left_out} bytes left out …]")),
            "{}",
            &text[END..END + 60]
        );
    }

    #[test]
    fn a_cut_leaves_no_half_characters() {
        let euros = "€".repeat(END);
        let text = capped(&[b"x", euros.as_bytes()]);
        assert!(!text.contains('\u{fffd}'));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_shown_as_such() {
        assert_eq!(capped(&[b"a\xff\xfeb"]), "a\u{fffd}\u{fffd}b");
    }

    #[test]
    fn a_character_in_two_chunks_is_passed_on_whole() {
        let mut seen = String::new();
        let mut live = Live::default();
        let mut pass = |text: &str| seen.push_str(text);
        for chunk in [
            &b"caf\xc3"[..],
            b"\xa9 \xf0\x9f",
            b"\xa6\x80",
            b"\xff\xe2\x82",
        ] {
            live.push(chunk, &mut pass);
        }
        live.finish(&mut pass);
        assert_eq!(seen, "café 🦀\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_main_that_prints_without_end_is_cut_with_a_word() {
        let mut seen = String::new();
        let mut live = Live::default();
        (0..1000).for_each(|_| live.push(&[b'x'; 1024], &mut |text| seen.push_str(text)));
        live.finish(&mut |text| seen.push_str(text));
        assert!(seen.len() < LIVE + 100);
        assert!(seen.ends_with("left out, after 256 KiB …]\n"));
    }

    #[test]
    fn the_harness_is_not_the_learner() {
        let passed = "\nrunning 1 test\nhello.\ntest result: ok. 1 passed; 0 failed\n\n";
        let failed = "\nrunning 1 test\nhello\nchecks::a --- FAILED\n\nfailures:\n\nfailures:\n    checks::a\n\ntest result: FAILED. 0\n\n";
        let table = [
            (passed, "hello"),
            (failed, "hello\n"),
            ("\nrunning 1 test\nhello\n", "hello\n"),
            ("hello\n", "hello\n"),
        ];
        for (text, learners) in table {
            assert_eq!(without_harness(text, "checks::a"), learners, "{text}");
        }
    }
}
