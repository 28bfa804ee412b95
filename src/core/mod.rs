//! Pure: no file system, process, clock or terminal. `tests/whole/core_is_pure.rs` holds that.

pub mod book;
pub mod class;
pub mod drawing;
pub mod editing;
pub mod editor;
pub mod incident;
pub mod lab_manifest;
pub mod list;
pub mod lock_file;
pub mod manifest;
pub mod pacing;
pub mod progress;
pub mod record;
pub mod report;
pub mod session;
pub mod snapshot;
pub mod suspicion;
pub mod update;
pub mod verdict;
pub mod view;
