//! What rustc answered last time, for as long as nothing that could change the answer has changed. Asking takes 30 ms,
//! a fifth of the time from a save to its verdict.

use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Cache;

pub(super) fn recall(cache: &Cache) -> Option<String> {
    let text = fs::read_to_string(file(cache)?).ok()?;
    let mut parts = text.splitn(3, '\n');
    let (rustc, stamp, answer) = (parts.next()?, parts.next()?, parts.next()?);
    // The answer ends with a line: a torn file does not.
    (stamp == stamp_of(Path::new(rustc))? && answer.ends_with('\n')).then(|| answer.to_string())
}

/// A memo that cannot be written only costs time.
#[expect(
    clippy::disallowed_methods,
    reason = "a memo; a torn one is not believed"
)]
pub(super) fn remember(cache: &Cache, answer: &str, rustc: &Path) {
    if let (Some(file), Some(stamp)) = (file(cache), stamp_of(rustc)) {
        let _ = fs::create_dir_all(&cache.root);
        let _ = fs::write(file, format!("{}\n{stamp}\n{answer}", rustc.display()));
    }
}

/// Named after all that decides which rustc answers. `None`: not sure, ask again.
fn file(cache: &Cache) -> Option<PathBuf> {
    let found = on_path("rustc")?;
    let mut hasher = DefaultHasher::new();
    (
        &found,
        stamp_of(&found)?,
        std::env::var_os("RUSTUP_TOOLCHAIN"),
    )
        .hash(&mut hasher);
    stamp_of(&rustup_home()?.join("settings.toml")).hash(&mut hasher);
    // Directory overrides are in the settings, by path; an override file may be in any folder above.
    let folder = std::env::current_dir().ok()?;
    folder.hash(&mut hasher);
    for folder in folder.ancestors() {
        for name in ["rust-toolchain", "rust-toolchain.toml"] {
            stamp_of(&folder.join(name)).hash(&mut hasher);
        }
    }
    Some(
        cache
            .root
            .join(format!("rustc-{:016x}.memo", hasher.finish())),
    )
}

fn rustup_home() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    set("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".rustup")))
}

fn on_path(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(&file))
        .find(|file| file.is_file())
}

fn stamp_of(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    let modified = metadata
        .modified()
        .ok()?
        .duration_since(SystemTime::UNIX_EPOCH)
        .ok()?;
    Some(format!("{} {}", metadata.len(), modified.as_nanos()))
}
