use super::choice::Wanted;
use super::{ABOVE, Action, Facts, Input, List, Shows, State};
use crate::core::manifest::{Chapter, Exercise, Expectation, Limits, Manifest, Track, VerdictKind};
use crate::core::progress::{Change, Progress};
use crate::core::session::{Key, Mouse};
use crate::core::view::{Colour, Look, draw_list};

/// Name, chapter, title, minutes, level.
const EXERCISES: [(&str, &str, &str, u32, u8); 9] = [
    (
        "lazy_future",
        "01_runtime",
        "The backup that never ran",
        10,
        1,
    ),
    (
        "busy_loop",
        "02_blocking",
        "The loop that never yields",
        15,
        2,
    ),
    ("lost_panic", "05_tasks", "The receipt nobody missed", 15, 1),
    (
        "self_deadlock",
        "04_locks",
        "The transfer that waits for itself",
        15,
        2,
    ),
    (
        "never_closed",
        "05_tasks",
        "The import that waits for one more row",
        20,
        3,
    ),
    (
        "starved_health",
        "02_blocking",
        "The health check that starved",
        20,
        3,
    ),
    (
        "long_guard",
        "04_locks",
        "The guard that is kept too long",
        10,
        2,
    ),
    (
        "leaked_task",
        "05_tasks",
        "The task that outlived its page",
        25,
        4,
    ),
    (
        "nested_block_on",
        "01_runtime",
        "The block inside a block",
        10,
        1,
    ),
];

fn manifest() -> Manifest {
    let chapters = [
        ("01_runtime", "Entering the runtime"),
        ("02_blocking", "Blocking the event loop"),
        ("04_locks", "Locks that wait"),
        ("05_tasks", "Work that vanishes"),
    ];
    Manifest {
        language: "en".into(),
        chapters: chapters
            .map(|(id, title)| Chapter {
                id: id.into(),
                title: title.into(),
            })
            .into(),
        exercises: EXERCISES.map(exercise).into(),
        tracks: vec![Track {
            id: "deadlock-clinic".into(),
            title: "What stands still".into(),
            exercises: ["long_guard", "busy_loop", "self_deadlock"]
                .map(Into::into)
                .into(),
        }],
        gates: Vec::new(),
    }
}

fn exercise((name, chapter, title, minutes, difficulty): (&str, &str, &str, u32, u8)) -> Exercise {
    Exercise {
        name: name.into(),
        chapter: chapter.into(),
        title: title.into(),
        minutes,
        difficulty,
        starts_as: Expectation {
            verdict: VerdictKind::Hung,
            hang: None,
            check: None,
            code: None,
            message: None,
        },
        hints: ["Look there.", "Think of it.", "Do this."].map(Into::into),
        sources: Vec::new(),
        limits: Limits::default(),
        former_names: Vec::new(),
        kind: Default::default(),
    }
}

/// The first is done, the second was tried, the third was left out; they are at the fourth.
struct Book {
    manifest: Manifest,
    progress: Progress,
    size: (usize, usize),
    list: List,
}

impl Book {
    fn new(size: (usize, usize)) -> Self {
        let mut progress = Progress::default();
        for (name, passed) in [("lazy_future", true), ("busy_loop", false)] {
            progress.apply(&Change::Checked {
                name: name.into(),
                passed,
                verdict: None,
                at: 1,
            });
        }
        let mut book = Self {
            manifest: manifest(),
            progress,
            size,
            list: List::default(),
        };
        let mut list = List::default();
        list.open(&book.facts());
        book.list = list;
        book
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            manifest: &self.manifest,
            progress: &self.progress,
            current: 3,
            size: self.size,
            notice: None,
        }
    }

    fn input(&mut self, input: Input) -> Vec<Action> {
        let mut list = std::mem::take(&mut self.list);
        let actions = list.on(input, &self.facts());
        self.list = list;
        actions
    }

    fn key(&mut self, key: Key) -> Vec<Action> {
        self.input(Input::Key(key))
    }

    /// What the last of these keys asked for.
    fn keys(&mut self, keys: &str) -> Vec<Action> {
        let keys = keys.chars();
        keys.map(|c| self.key(Key::Char(c)))
            .last()
            .unwrap_or_default()
    }

    fn click(&mut self, line: usize) -> Vec<Action> {
        let row = ABOVE + line;
        self.input(Input::Mouse(Mouse::Click { column: 5, row }))
    }

    fn names(&self) -> Vec<&str> {
        let rows = self.list.rows(&self.facts());
        let names = rows.iter().map(|row| row.index);
        names.map(|at| EXERCISES[at].0).collect()
    }

    fn selected(&self) -> &str {
        EXERCISES[self.list.selected].0
    }

    fn screen(&self) -> String {
        self.rows(Colour::None).join("\n")
    }

    fn rows(&self, colour: Colour) -> Vec<String> {
        let look = Look {
            width: self.size.0,
            colour,
            links: None,
            program: "asynclings",
        };
        draw_list(&self.list, &self.facts(), &look).rows
    }
}

#[test]
fn each_filter_shows_what_it_names() {
    let cases: [(&str, &[&str]); 9] = [
        ("ff", &["lazy_future"]),
        ("fff", &["busy_loop"]),
        ("ffff", &["lost_panic"]),
        ("cc", &["busy_loop", "starved_health"]),
        ("C", &["lost_panic", "never_closed", "leaked_task"]),
        ("t", &["long_guard", "busy_loop", "self_deadlock"]),
        ("tf", &["long_guard", "busy_loop", "self_deadlock"]),
        ("/LOCK it", &["self_deadlock", "long_guard"]),
        ("/no such thing", &[]),
    ];
    for (keys, names) in cases {
        let mut book = Book::new((80, 24));
        book.keys(keys);
        assert_eq!(book.names(), names, "{keys}");
    }
}

#[test]
fn filters_turn_on_and_back_to_all() {
    for (on, back, turns) in [('f', 'F', 6), ('c', 'C', 5), ('t', 'T', 2)] {
        let mut book = Book::new((80, 24));
        for _ in 0..turns {
            book.key(Key::Char(on));
        }
        assert_eq!(book.names().len(), EXERCISES.len(), "{on}");
        book.key(Key::Char(on));
        assert!(book.names().len() < EXERCISES.len(), "{on}");
        book.key(Key::Char(back));
        assert_eq!(book.names().len(), EXERCISES.len(), "{back}");
    }
}

#[test]
fn each_order_begins_with_its_first() {
    let firsts = [
        "busy_loop",
        "lazy_future",
        "lazy_future",
        "lazy_future",
        "self_deadlock",
        "lazy_future",
    ];
    let mut book = Book::new((80, 24));
    for first in firsts {
        book.keys("s");
        assert_eq!(book.names()[0], first, "{:?}", book.list.choice.sort);
    }
    book.keys("S");
    assert_eq!(book.names()[0], "nested_block_on");
    // By minutes, falling: what takes as long keeps the order of the path.
    book.keys("ssS");
    assert_eq!(
        book.names()[..3],
        ["leaked_task", "never_closed", "starved_health"]
    );
}

#[test]
fn the_selection_stays_on_its_exercise_while_that_is_shown() {
    let mut book = Book::new((80, 24));
    assert_eq!(book.selected(), "self_deadlock");
    book.keys("s");
    assert_eq!(book.selected(), "self_deadlock");
    book.keys("ff");
    assert_eq!(book.selected(), "lazy_future");
    book.keys("a");
    assert_eq!(book.selected(), "lazy_future");
}

#[test]
fn keys_ask_for_what_the_foot_says() {
    let cases = [
        ("q", vec![Action::Leave]),
        ("l", vec![Action::Leave]),
        ("x", vec![]),
        ("xn", vec![]),
        ("xz", vec![]),
        ("xy", vec![Action::Reset(3)]),
        ("u", vec![Action::UndoReset(3)]),
        ("e", vec![Action::Explain(3)]),
        (
            "h",
            vec![Action::Hint {
                exercise: 3,
                level: 1,
            }],
        ),
        (
            "hh",
            vec![Action::Hint {
                exercise: 3,
                level: 2,
            }],
        ),
        ("hhhh", vec![]),
        ("hqq", vec![Action::Leave]),
        ("z", vec![]),
    ];
    for (keys, wanted) in cases {
        let mut book = Book::new((80, 24));
        assert_eq!(book.keys(keys), wanted, "{keys}");
    }
}

#[test]
fn enter_goes_to_the_selected_and_nowhere_where_there_is_none() {
    let mut book = Book::new((80, 24));
    book.key(Key::Down);
    assert_eq!(book.key(Key::Enter), [Action::GoTo(4)]);
    book.keys("/nothing has this");
    book.key(Key::Enter);
    assert_eq!(book.list.shows, Shows::Rows);
    assert_eq!(book.key(Key::Enter), []);
    assert!(book.screen().contains("no exercise is selected"));
}

#[test]
fn a_hint_that_was_taken_before_is_no_news() {
    let mut book = Book::new((80, 24));
    let name = "self_deadlock".into();
    book.progress.apply(&Change::HintTaken { name, level: 2 });
    assert_eq!(book.keys("h"), []);
    let screen = book.screen();
    assert!(screen.contains("Think of it.") && !screen.contains("Do this."));
}

#[test]
fn typing_finds_and_esc_takes_it_back() {
    let mut book = Book::new((80, 24));
    book.keys("/panicq");
    assert_eq!(book.names(), [] as [&str; 0]);
    book.key(Key::Backspace);
    assert_eq!(book.names(), ["lost_panic"]);
    assert!(book.screen().contains("find: panic_"));
    book.key(Key::Escape);
    assert_eq!(book.names().len(), EXERCISES.len());
    assert_eq!(book.list.shows, Shows::Rows);
}

#[test]
fn the_first_click_selects_and_the_second_goes() {
    let mut book = Book::new((80, 24));
    assert_eq!(book.click(1), []);
    assert_eq!(book.selected(), "busy_loop");
    assert_eq!(book.click(1), [Action::GoTo(1)]);
    for beside in [9, 15, 21] {
        assert_eq!(book.click(beside), [], "line {beside}");
    }
    let heading = Mouse::Click { column: 0, row: 0 };
    assert_eq!(book.input(Input::Mouse(heading)), []);
    assert_eq!(book.selected(), "busy_loop");
}

#[test]
fn a_click_counts_from_what_is_scrolled() {
    let mut book = Book::new((60, 10));
    book.key(Key::End);
    assert_eq!(book.selected(), "nested_block_on");
    let room = book.list.room(&book.facts());
    book.click(0);
    assert_eq!(book.selected(), EXERCISES[EXERCISES.len() - room].0);
}

#[test]
fn the_wheel_scrolls_and_takes_the_selection_along_only_at_the_edge() {
    let mut book = Book::new((60, 10));
    let room = book.list.room(&book.facts());
    book.key(Key::Home);
    book.input(Input::Mouse(Mouse::WheelDown));
    assert_eq!((book.list.top, book.list.selected), (3, 3));
    book.input(Input::Mouse(Mouse::WheelDown));
    assert_eq!(book.list.top, EXERCISES.len() - room);
    book.input(Input::Mouse(Mouse::WheelUp));
    book.input(Input::Mouse(Mouse::WheelUp));
    assert_eq!((book.list.top, book.list.selected), (0, room - 1));
}

#[test]
fn a_page_that_comes_too_late_is_not_shown() {
    let mut book = Book::new((80, 24));
    book.keys("e");
    book.list.explained(0, Ok("# Of another\n".into()));
    assert_eq!(book.list.shows, Shows::Page(None));
    book.list.explained(3, Ok("# Its own\n".into()));
    assert!(book.screen().contains("Its own"));
    book.keys("q");
    book.list.explained(3, Ok("# Its own\n".into()));
    assert_eq!(book.list.shows, Shows::Rows);
}

#[test]
fn what_was_done_disappears_from_what_is_pending() {
    let mut book = Book::new((80, 24));
    book.keys("f");
    assert_eq!(book.list.choice.state, Some(Wanted::Pending));
    book.progress.apply(&Change::Checked {
        name: "self_deadlock".into(),
        passed: true,
        verdict: None,
        at: 2,
    });
    book.key(Key::Up);
    assert!(!book.names().contains(&"self_deadlock"));
    assert!(book.names().contains(&book.selected()));
}

#[test]
fn any_two_inputs_leave_a_screen_that_fits() {
    let keys = "fctSa/hexyqz".chars().map(Key::Char);
    let others = [Key::Down, Key::End, Key::Enter, Key::Backspace, Key::Escape];
    let click = Mouse::Click { column: 3, row: 4 };
    let inputs: Vec<Input> = keys
        .chain(others)
        .map(Input::Key)
        .chain([click, Mouse::WheelDown].map(Input::Mouse))
        .collect();
    let mut sizes = [(1, 1), (60, 10), (12, 5), (130, 7), (60, 9)]
        .into_iter()
        .cycle();
    for (first, second) in inputs
        .iter()
        .flat_map(|first| inputs.iter().map(move |second| (first, second)))
    {
        let mut book = Book::new((60, 10));
        book.input(*first);
        book.input(*second);
        // One size after the other: a table is slow to draw without optimization.
        book.size = sizes.next().unwrap_or((60, 10));
        fits(&book);
    }
}

fn fits(book: &Book) {
    let (width, height) = book.size;
    let rows = book.rows(Colour::None);
    assert_eq!(rows.len(), height.max(3), "{:?}", book.list);
    for row in &rows {
        assert!(row.chars().count() <= width, "{row:?} of {width}");
    }
}

#[test]
fn colour_adds_nothing_to_the_words() {
    let book = Book::new((120, 24));
    let coloured = book.rows(Colour::Ansi);
    assert!(coloured.iter().any(|row| row.contains("\x1b[7m")));
    let plain = coloured.iter().map(strip_ansi_escapes::strip_str);
    let plain: Vec<String> = plain.map(|row| row.trim_end().to_owned()).collect();
    assert_eq!(plain, book.rows(Colour::None));
}

#[test]
fn a_workbook_without_exercises_has_an_empty_table() {
    let mut book = Book::new((60, 10));
    book.manifest.exercises.clear();
    for keys in ["j", "h", "e", "x", "q"] {
        book.keys(keys);
        fits(&book);
    }
    assert_eq!(book.keys("q"), [Action::Leave]);
}

#[test]
fn where_somebody_is_and_what_they_left_out_is_said() {
    let book = Book::new((80, 24));
    let facts = book.facts();
    let rows = book.list.rows(&facts);
    let states: Vec<State> = rows.iter().map(|row| row.state).take(4).collect();
    use State::{Done, Open, Skipped, Tried};
    assert_eq!(states, [Done, Tried, Skipped, Open]);
}

#[test]
fn on_eighty_columns() {
    let book = Book::new((80, 16));
    insta::assert_snapshot!(book.screen(), @"
    9 exercises, 1 done
        #   state   name            min title
        1 ✓ done    lazy_future      10 The backup that never ran
        2 ~ tried   busy_loop        15 The loop that never yields
        3 » skipped lost_panic       15 The receipt nobody missed
    >  *4   open    self_deadlock    15 The transfer that waits for itself
        5   open    never_closed     20 The import that waits for one more row
        6   open    starved_health   20 The health check that starved
        7   open    long_guard       10 The guard that is kept too long
        8   open    leaked_task      25 The task that outlived its page
        9   open    nested_block_on  10 The block inside a block


    The transfer that waits for itself · you are here · Locks that wait · level 2 o…
    ↑↓ move  Enter go  / find  f state  c chapter  t track  s sort  a all  h hint
    e page  x reset  q back
    ");
}

#[test]
fn on_ten_rows_of_sixty_columns() {
    let mut book = Book::new((60, 10));
    book.keys("sss");
    book.key(Key::Home);
    insta::assert_snapshot!(book.screen(), @"
    9 exercises, 1 done · by level
        #   state   name            min title
    >   1 ✓ done    lazy_future      10 The backup that never… ▲
        3 » skipped lost_panic       15 The receipt nobody mi… █
        9   open    nested_block_on  10 The block inside a bl… █
        2 ~ tried   busy_loop        15 The loop that never y… ║
       *4   open    self_deadlock    15 The transfer that wai… ▼
    The backup that never ran · Entering the runtime · level 1…
    ↑↓ move  Enter go  / find  f state  c chapter  t track
    s sort  a all  h hint  e page  x reset  q back
    ");
}

#[test]
fn on_two_hundred_columns() {
    let mut book = Book::new((200, 8));
    book.keys("/the");
    insta::assert_snapshot!(book.screen(), @r#"
    9 exercises, 1 done · "the"
        #   state   name            min chapter     level tries hints title
        1 ✓ done    lazy_future      10 01_runtime      1     1     0 The backup that never ran                                                                                                            ▲
        2 ~ tried   busy_loop        15 02_blocking     2     1     0 The loop that never yields                                                                                                           █
        3 » skipped lost_panic       15 05_tasks        1     0     0 The receipt nobody missed                                                                                                            ║
    >  *4   open    self_deadlock    15 04_locks        2     0     0 The transfer that waits for itself                                                                                                   ▼
    find: the_
    Enter keeps it  Esc drops it
    "#);
}

#[test]
fn a_hint_and_the_question_before_a_reset() {
    let mut book = Book::new((60, 10));
    book.keys("hh");
    insta::assert_snapshot!(book.screen(), @"
    self_deadlock · The transfer that waits for itself

    hint 1 of 3: look
      Look there.

    hint 2 of 3: think
      Think of it.


    h next hint  ↑↓ scroll  Esc back
    ");
    book.keys("qx");
    insta::assert_snapshot!(book.screen(), @"
    9 exercises, 1 done
        #   state   name            min title
        1 ✓ done    lazy_future      10 The backup that never… ▲
        2 ~ tried   busy_loop        15 The loop that never y… █
        3 » skipped lost_panic       15 The receipt nobody mi… █
    >  *4   open    self_deadlock    15 The transfer that wai… ║
        5   open    never_closed     20 The import that waits… ▼
    ? reset self_deadlock to how it was shipped? Your text is
      kept aside.
    y yes  n no
    ");
}
