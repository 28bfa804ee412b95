use super::super::paint::{Colour, Look, columns, plain};
use super::{Reveal, explanation, page_text};

const PAGE: &str = r#"# A lock that waits for itself

`self_deadlock` · Locks · 15 minutes · ★★

## The incident

The transfer **hangs**: see [Tokio's page](https://docs.rs/tokio) and [the glossary](../appendix/glossary.md) for `Mutex::lock`,
which is not reentrant.

> **Drawing: Two guards.** First the one waits. Then the other.

1. take the lock
2. take it again, which is a sentence that goes on and on until it has to be wrapped
   - a point below

```rust,ignore
let from = bank.lock().await; // first
```

| way | milliseconds at the median | what a customer sees |
| --- | --- | --- |
| before | 1200 | an error page after a long time of waiting |
| after | 3 | the receipt |

<details class="fix">
<summary>The fix (this gives the exercise away)</summary>

## The fix, line by line

Drop the guard.

</details>
"#;

fn look(width: usize, colour: Colour) -> Look {
    Look {
        width,
        colour,
        links: None,
        program: "asynclings",
    }
}

fn text(width: usize) -> String {
    explanation(
        "self_deadlock",
        PAGE,
        Reveal::UpToTheFix,
        &look(width, Colour::None),
    )
    .join("\n")
}

#[test]
fn a_page_reads_in_a_terminal() {
    insta::assert_snapshot!(text(80), @"
    A lock that waits for itself

    `self_deadlock` · Locks · 15 minutes · ★★

    The incident

    The transfer hangs: see Tokio's page (https://docs.rs/tokio) and the glossary
    for `Mutex::lock`, which is not reentrant.

    │ Drawing: Two guards. First the one waits. Then the other.

    1. take the lock
    2. take it again, which is a sentence that goes on and on until it has to be
       wrapped
       - a point below

        let from = bank.lock().await; // first

    way     milliseconds at the median  what a customer sees
    ──────────────────────────────────────────────────────────────────────────────
    before  1200                        an error page after a long time of waiting
    after   3                           the receipt

    The fix follows here, line by line, with other right fixes and
    tempting wrong ones. It is shown once the exercise has passed;
    `asynclings explain self_deadlock --all` shows it now.
    ");
}

#[test]
fn a_table_that_is_too_wide_goes_row_after_row_and_no_line_is_longer_than_the_width() {
    let narrow = text(36);
    assert!(
        narrow.contains("way: before\nmilliseconds at the median: 1200\n"),
        "{narrow}"
    );
    for width in [44, 60, 80, 120] {
        let wide = text(width).lines().map(columns).max();
        assert!(wide <= Some(width), "{width}: {}", text(width));
    }
}

#[test]
fn the_fix_is_not_shown_before_it_is_wanted() {
    assert!(!text(80).contains("Drop the guard"));
    assert!(text(80).contains("asynclings explain self_deadlock --all"));
    let all = explanation("self_deadlock", PAGE, Reveal::All, &look(80, Colour::None)).join("\n");
    assert!(
        all.contains("── The fix (this gives the exercise away) ──"),
        "{all}"
    );
    assert!(
        all.contains("Drop the guard.") && !all.contains("--all"),
        "{all}"
    );
}

#[test]
fn colour_adds_nothing_that_the_words_do_not_say() {
    let painted = page_text(PAGE, &look(72, Colour::Ansi));
    assert!(painted.iter().any(|line| line.contains('\x1b')));
    let plain: Vec<String> = painted.iter().map(|line| plain(line)).collect();
    assert_eq!(plain, page_text(PAGE, &look(72, Colour::None)));
    assert!(
        painted
            .iter()
            .all(|line| !line.contains("\x1b[") || line.contains("\x1b[0m"))
    );
}
