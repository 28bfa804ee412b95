use super::{Pair, comparison};
use crate::core::view::{Colour, Look};

const YOURS: &str = "async fn serve(order: u64) -> u64 {
    let guard = lock.lock().unwrap();
    send(order).await;
    drop(guard);
    order
}
";
const OURS: &str = "async fn serve(order: u64) -> u64 {
    let number = {
        let guard = lock.lock().unwrap();
        guard.next(order)
    };
    // Nothing is held while this waits.
    send(number).await;
    number
}
";

fn pair(yours: &str, ours: &str) -> Pair {
    Pair {
        yours: ("exercises/04_locks/x.rs".into(), yours.into()),
        ours: ("solutions/04_locks/x.rs".into(), ours.into()),
    }
}

fn lines(yours: &str, ours: &str, width: usize, colour: Colour) -> Vec<String> {
    let look = Look {
        width,
        colour,
        links: None,
        program: "asynclings",
    };
    comparison(&[pair(yours, ours)], &look)
}

#[test]
fn two_columns_where_there_is_room() {
    let lines = lines(YOURS, OURS, 100, Colour::None);
    insta::assert_snapshot!(lines.join("\n"), @"
    yours: exercises/04_locks/x.rs                   │ ours: solutions/04_locks/x.rs
    - only in yours   + only in ours   ~ another there

      async fn serve(order: u64) -> u64 {            │   async fn serve(order: u64) -> u64 {
                                                     │ +     let number = {
    ~     let guard = lock.lock().unwrap();          │ ~         let guard = lock.lock().unwrap();
                                                     │ +         guard.next(order)
                                                     │ +     };
                                                     │ +     // Nothing is held while this waits.
    ~     send(order).await;                         │ ~     send(number).await;
               ^^^^^                                 │            ^^^^^^
    -     drop(guard);                               │ +     number
    -     order                                      │
      }                                              │   }
    ");
}

#[test]
fn one_column_where_there_is_not() {
    let lines = lines(YOURS, OURS, 99, Colour::None);
    insta::assert_snapshot!(lines.join("\n"), @"
    --- exercises/04_locks/x.rs (yours)
    +++ solutions/04_locks/x.rs (ours)
    @@ -1,6 +1,9 @@
     async fn serve(order: u64) -> u64 {
    -    let guard = lock.lock().unwrap();
    -    send(order).await;
    -    drop(guard);
    -    order
    +    let number = {
    +        let guard = lock.lock().unwrap();
    +        guard.next(order)
    +    };
    +    // Nothing is held while this waits.
    +    send(number).await;
    +    number
     }
    ");
}

#[test]
fn the_same_texts_have_no_difference() {
    assert!(lines(YOURS, YOURS, 100, Colour::None).is_empty());
    assert!(lines(YOURS, YOURS, 60, Colour::None).is_empty());
}

#[test]
fn no_row_is_wider_than_the_terminal() {
    let long = "let a = \"店\"; ".repeat(30);
    for width in [100, 133, 200] {
        for colour in [Colour::None, Colour::Ansi] {
            for line in lines(&long, &long.replace('a', "b"), width, colour) {
                let plain = strip_ansi_escapes::strip_str(&line);
                assert!(unicode_width::UnicodeWidthStr::width(&*plain) <= width);
            }
        }
    }
}

#[test]
fn changed_words_are_marked_with_colour_and_without() {
    let (yours, ours) = ("    send(order).await;\n", "    send(number).await;\n");
    let plain = lines(yours, ours, 100, Colour::None).join("\n");
    assert!(
        plain.contains("~     send(order).await;") && plain.contains("^^^"),
        "{plain}"
    );
    let coloured = lines(yours, ours, 100, Colour::Ansi).join("\n");
    assert!(
        coloured.contains("~ ") && !coloured.contains("^^^"),
        "{coloured}"
    );
}

#[test]
fn every_line_of_both_texts_is_shown() {
    let shown = lines(YOURS, OURS, 200, Colour::None).join("\n");
    for line in YOURS.lines().chain(OURS.lines()) {
        assert!(shown.contains(line), "{line}:\n{shown}");
    }
}
