//! Watch mode: to the first screen, from a save to its verdict on the screen, and doing nothing.

use std::fs;
use std::time::Duration;

use crate::watching::{Book, RIGHT, Watching};
use crate::{ROUNDS, edited, median, ms, print, time};

const IDLE: Duration = Duration::from_secs(10);

pub fn measure() {
    let book = Book::new(RIGHT);
    let mut watching = Watching::start(&book);
    watching.sees("passed, press n for");
    let saves = (0..ROUNDS)
        .map(|round| save(&book, &mut watching, round))
        .collect();
    println!(
        "save to verdict on the screen of watch mode, an exercise of three lines\n    {}\n",
        ms(median(saves))
    );

    let before = cpu_ticks(watching.pid());
    // What is measured here is the passing of time.
    std::thread::sleep(IDLE);
    let ticks = cpu_ticks(watching.pid()) - before;
    let sides = format!("{ticks} ticks of 10 ms in {IDLE:?}");
    print(
        "watch mode idle, CPU ticks",
        &sides,
        ticks as f64,
        0.0,
        false,
    );
    let resident = resident_kib(watching.pid()) as f64 / 1024.0;
    print(
        "watch mode idle, MiB resident",
        &format!("{resident:.1} MiB"),
        resident,
        25.0,
        false,
    );
    watching.press("q");
    watching.ends();

    let starts = (0..ROUNDS).map(|_| first_screen(&book)).collect();
    let start = median(starts);
    print(
        "start to first screen, ms",
        &ms(start),
        start.as_secs_f64() * 1000.0,
        50.0,
        false,
    );
}

fn save(book: &Book, watching: &mut Watching, round: usize) -> Duration {
    watching.look_from_now();
    let text = edited(RIGHT, round, "watching");
    time(|| {
        book.save("first", &text);
        watching.sees("hecking");
        watching.sees("passed, press n for");
    })
    .0
}

fn first_screen(book: &Book) -> Duration {
    let (took, mut watching) = time(|| {
        let mut watching = Watching::start(book);
        watching.sees("of 2 done");
        watching
    });
    watching.press("q");
    watching.ends();
    took
}

fn cpu_ticks(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    // After the name, which may have spaces: state is the first field, utime and stime the 12th and 13th.
    let fields: Vec<&str> = text
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn resident_kib(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
