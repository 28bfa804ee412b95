//! asynclings: a workbook for async Rust, and the runner that judges it.
//!
//! A command (`commands/`) wires effects (everything below `core`) around a pure core. `workbook` says where files
//! are, `prepare` builds the lab once, `compile` turns one subject into a check binary, `execute` runs its checks in
//! processes of their own, and `core::verdict` decides. Watch mode is a loop around the same line: `watch` brings
//! events, `core::session` decides, `terminal` draws. The table of `list` goes the same way, by `core::list`.
//!
//! In reading order:

pub mod book;
pub mod cli;
pub mod commands;
pub mod compile;
pub mod confine;
pub mod core;
pub mod editor;
pub mod embedded;
pub mod execute;
pub mod exit;
pub mod group;
pub mod learners;
pub mod pager;
pub mod prepare;
pub mod program;
pub mod rustfmt;
pub mod store;
pub mod terminal;
pub mod verdicts;
pub mod watch;
pub mod workbook;
