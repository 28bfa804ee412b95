//! The timeline as lanes: one a thread, one a task. Many tasks of one kind share a lane.

use std::collections::HashMap;
use std::time::Duration;

use crate::core::record::{Place, SeenTask, Timeline};

/// Of one kind; more share a lane.
const MOST_TASKS: usize = 4;
const MOST_BLOCKING: usize = 4;
/// Segments of one lane that stand nearer to each other than the span over this are drawn as one.
const FINEST: u64 = 2000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    pub label: String,
    pub is_thread: bool,
    /// Where the task was spawned.
    pub place: Option<Place>,
    /// In the order of drawing: what lies on top comes last.
    pub segments: Vec<Segment>,
}

/// Times are in microseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub from: u64,
    pub to: u64,
    pub shape: Shape,
    /// What was polled, or what the thread was at.
    pub what: String,
    /// How many polls were joined into this.
    pub polls: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// A task that is there and is not polled.
    Waits,
    Polled,
    /// A thread outside any poll that is at blocking work.
    Work,
    /// A poll that held its thread too long.
    Slow,
    Ended,
    Cancelled,
    Panicked,
}

impl Shape {
    /// As a legend lists them.
    pub const ALL: [Shape; 7] = [
        Shape::Polled,
        Shape::Slow,
        Shape::Work,
        Shape::Waits,
        Shape::Ended,
        Shape::Panicked,
        Shape::Cancelled,
    ];

    pub fn sign(self) -> char {
        match self {
            Shape::Waits => '·',
            Shape::Polled => '█',
            Shape::Work => '▒',
            Shape::Slow => '!',
            Shape::Ended => '|',
            Shape::Cancelled => 'c',
            Shape::Panicked => 'x',
        }
    }

    /// One word each: meaning is never in a colour alone.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Waits => "waits",
            Shape::Polled => "polled",
            Shape::Work => "blocking work",
            Shape::Slow => "slow poll",
            Shape::Ended => "ended",
            Shape::Cancelled => "cancelled",
            Shape::Panicked => "panicked",
        }
    }
}

/// `slow`: a poll that takes as long is called slow.
pub fn lanes(timeline: &Timeline, slow: Duration) -> Vec<Lane> {
    let mut lanes = threads(timeline, slow);
    lanes.extend(tasks(timeline, slow));
    let grain = timeline.until / FINEST;
    for lane in &mut lanes {
        join(&mut lane.segments, grain);
    }
    lanes
}

fn threads(timeline: &Timeline, slow: Duration) -> Vec<Lane> {
    let of_kind = |polls: bool| {
        let threads = timeline.threads_poll.iter().enumerate();
        threads
            .filter(move |(_, does)| **does == polls)
            .map(|(thread, _)| thread)
            .collect::<Vec<_>>()
    };
    let (drivers, blocking) = (of_kind(true), of_kind(false));
    let mut lanes: Vec<Lane> = (1..)
        .zip(&drivers)
        .map(|(n, thread)| {
            let label = match drivers.len() {
                1 => "the runtime's thread".to_owned(),
                _ => format!("worker {n}"),
            };
            thread_lane(timeline, slow, label, &[*thread])
        })
        .collect();
    if blocking.len() > MOST_BLOCKING {
        let label = format!("{} blocking threads", blocking.len());
        lanes.push(thread_lane(timeline, slow, label, &blocking));
    } else {
        lanes.extend((1..).zip(&blocking).map(|(n, thread)| {
            thread_lane(timeline, slow, format!("blocking thread {n}"), &[*thread])
        }));
    }
    lanes
}

fn thread_lane(timeline: &Timeline, slow: Duration, label: String, threads: &[usize]) -> Lane {
    let polls = timeline
        .polls
        .iter()
        .filter(|(_, thread, _, _)| threads.contains(thread))
        .map(|&(task, _, from, to)| poll(from, to, slow, name_of(timeline, task)));
    let marks = timeline
        .marks
        .iter()
        .filter(|(_, thread, _, _)| threads.contains(thread) && !timeline.threads_poll[*thread])
        .map(|(what, _, from, to)| Segment {
            from: *from,
            to: *to,
            shape: Shape::Work,
            what: what.clone(),
            polls: 0,
        });
    Lane {
        label,
        is_thread: true,
        place: None,
        segments: marks.chain(polls).collect(),
    }
}

fn poll(from: u64, to: u64, slow: Duration, what: String) -> Segment {
    let shape = if Duration::from_micros(to - from) >= slow {
        Shape::Slow
    } else {
        Shape::Polled
    };
    Segment {
        from,
        to,
        shape,
        what,
        polls: 1,
    }
}

fn tasks(timeline: &Timeline, slow: Duration) -> Vec<Lane> {
    // In order of birth.
    let mut kinds: Vec<(String, Vec<usize>)> = Vec::new();
    for at in 0..timeline.tasks.len() {
        let name = name_of(timeline, at);
        match kinds.iter_mut().find(|(known, _)| *known == name) {
            Some((_, tasks)) => tasks.push(at),
            None => kinds.push((name, vec![at])),
        }
    }
    let mut polls: HashMap<usize, Vec<(u64, u64)>> = HashMap::new();
    for &(task, _, from, to) in &timeline.polls {
        polls.entry(task).or_default().push((from, to));
    }
    let lane = |label: String, tasks: &[usize]| {
        let segments = tasks
            .iter()
            .flat_map(|task| of_task(timeline, *task, polls.get(task), slow))
            .collect();
        let first = tasks.first().and_then(|task| timeline.tasks.get(*task));
        Lane {
            label,
            is_thread: false,
            place: first.and_then(|task| task.spawned.clone()),
            segments,
        }
    };
    let mut lanes = Vec::new();
    for (name, tasks) in kinds {
        if tasks.len() > MOST_TASKS {
            let name = name.replacen("task ", "tasks ", 1);
            let mut many = lane(format!("{} {name}", tasks.len()), &tasks);
            // So many ends would hide what lies between them.
            many.segments
                .retain(|segment| segment.shape != Shape::Ended);
            lanes.push(many);
        } else if let [one] = tasks[..] {
            lanes.push(lane(name, &[one]));
        } else {
            lanes.extend(
                (1..)
                    .zip(tasks)
                    .map(|(n, task)| lane(format!("{name}, {n}"), &[task])),
            );
        }
    }
    lanes
}

fn of_task(
    timeline: &Timeline,
    task: usize,
    polls: Option<&Vec<(u64, u64)>>,
    slow: Duration,
) -> Vec<Segment> {
    let Some(seen) = timeline.tasks.get(task) else {
        return Vec::new();
    };
    let name = name_of(timeline, task);
    let to = seen.ended.unwrap_or(timeline.until);
    let segment = |from, to, shape| Segment {
        from,
        to,
        shape,
        what: name.clone(),
        polls: 0,
    };
    let mut segments = vec![segment(seen.born, to, Shape::Waits)];
    let polls = polls.into_iter().flatten();
    segments.extend(polls.map(|&(from, to)| poll(from, to, slow, name.clone())));
    if let Some(ended) = seen.ended {
        segments.push(segment(ended, ended, how(seen)));
    }
    segments
}

fn how(task: &SeenTask) -> Shape {
    match task.how.as_str() {
        "panicked" => Shape::Panicked,
        "cancelled" => Shape::Cancelled,
        _ => Shape::Ended,
    }
}

/// What the scenario calls the task, or where it was spawned.
fn name_of(timeline: &Timeline, task: usize) -> String {
    let Some(seen) = timeline.tasks.get(task) else {
        return "a task".to_owned();
    };
    match (&seen.name, &seen.spawned) {
        (Some(name), _) => name.clone(),
        (None, Some(place)) => format!("task of line {}", place.line),
        (None, None) => "task of a library".to_owned(),
    }
}

/// Draws what nobody could tell apart once. The order of shapes is that of drawing.
fn join(segments: &mut Vec<Segment>, grain: u64) {
    segments.sort_by_key(|segment| (segment.shape, segment.from));
    let mut joined: Vec<Segment> = Vec::new();
    for segment in segments.drain(..) {
        match joined.last_mut() {
            Some(last)
                if last.shape == segment.shape
                    && last.what == segment.what
                    && segment.shape <= Shape::Work
                    && segment.from <= last.to.saturating_add(grain) =>
            {
                last.to = last.to.max(segment.to);
                last.polls += segment.polls;
            }
            _ => joined.push(segment),
        }
    }
    *segments = joined;
}
