//! Whole-program tests, by the real binary. One program of them all: the runner is linked once, and while one test waits
//! for cargo another has the processor.
#![allow(
    clippy::disallowed_methods,
    reason = "tests start processes, write fixtures and wait"
)]

#[path = "../support/class.rs"]
mod class;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/watching.rs"]
mod watching;

mod book;
mod cold_cache;
mod core_is_pure;
mod generated_files;
mod grade;
mod hostile_exercises;
mod hostile_machine;
mod hostile_paths;
mod hostile_workbook;
mod incident;
mod installed;
mod list_table;
mod no_network;
mod nothing_survives;
mod pacing;
mod pack;
mod sandbox;
mod schema;
mod two_runners;
mod update;
mod watch_keys;
mod watch_plain;
mod watch_saving;
mod watch_solving;
mod watch_terminal;
mod workbook_commands;
