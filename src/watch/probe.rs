//! Whether file events can be relied upon here, or files have to be polled.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher};
use tempfile::NamedTempFile;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use super::nudges::Nudges;

/// An event for a file of our own takes a millisecond where events work.
const PROBE: Duration = Duration::from_secs(2);

/// A watcher that delivers to the nudges, or why it cannot be relied upon; both where it hears only some saves.
#[derive(Debug, Default)]
pub(super) struct Eyes {
    /// Watches as long as it lives.
    watcher: Option<RecommendedWatcher>,
    pub(super) poll: Option<String>,
    trial: Option<Trial>,
}

/// A file of our own whose event must arrive.
#[derive(Debug)]
struct Trial {
    heard: mpsc::Receiver<()>,
    until: Instant,
    state_dir: PathBuf,
    _file: NamedTempFile,
}

impl Eyes {
    pub(super) async fn open(nudges: Nudges, state_dir: PathBuf) -> Self {
        if env::var_os("ASYNCLINGS_POLL").is_some_and(|value| value == "1") {
            return Self::closed("ASYNCLINGS_POLL is set".to_owned());
        }
        // Walks the folders, which is slow where the disk is a network.
        match spawn_blocking(move || Self::open_now(&nudges, state_dir)).await {
            Ok(Ok(eyes)) => eyes,
            Ok(Err(error)) => Self::closed(reason(&error)),
            Err(error) => Self::closed(error.to_string()),
        }
    }

    fn closed(why: String) -> Self {
        Self {
            poll: Some(why),
            ..Self::default()
        }
    }

    fn open_now(nudges: &Nudges, state_dir: PathBuf) -> notify::Result<Self> {
        let (hears, heard) = mpsc::channel(1);
        let mut watcher = watcher(nudges.clone(), state_dir.clone(), hears)?;
        watcher.watch(nudges.root(), RecursiveMode::Recursive)?;
        if let Some(kind) = remote(nudges.root()) {
            let why = format!("on {kind} a save from another system brings no event");
            return Ok(Self {
                watcher: Some(watcher),
                poll: Some(why),
                trial: None,
            });
        }
        // Without a state folder nothing can be tried out; that the watcher started has to do.
        let file = trial_file(&mut watcher, &state_dir);
        let trial = file.map(|file| Trial {
            heard,
            until: Instant::now() + PROBE,
            state_dir,
            _file: file,
        });
        Ok(Self {
            watcher: Some(watcher),
            poll: None,
            trial,
        })
    }

    pub(super) fn are_on_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Ends the trial: why files must be polled, if they must. Cancel safe.
    pub(super) async fn tried(&mut self) -> Option<String> {
        let trial = self.trial.as_mut()?;
        let arrived = timeout_at(trial.until, trial.heard.recv()).await.is_ok();
        let trial = self.trial.take()?;
        if let Some(watcher) = &mut self.watcher {
            // It stays watched where that fails, which harms nobody.
            let _ = watcher.unwatch(&trial.state_dir);
        }
        (!arrived).then(|| "no file events arrive here".to_owned())
    }
}

fn watcher(
    nudges: Nudges,
    state_dir: PathBuf,
    heard: mpsc::Sender<()>,
) -> notify::Result<RecommendedWatcher> {
    notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let ours =
            |event: &notify::Event| event.paths.iter().any(|path| path.starts_with(&state_dir));
        if event.as_ref().is_ok_and(ours) {
            // Once is enough, so that a full channel is as good.
            let _ = heard.try_send(());
        } else {
            nudges.on(event);
        }
    })
}

fn trial_file(watcher: &mut RecommendedWatcher, state_dir: &Path) -> Option<NamedTempFile> {
    std::fs::create_dir_all(state_dir).ok()?;
    watcher.watch(state_dir, RecursiveMode::NonRecursive).ok()?;
    tempfile::Builder::new()
        .prefix("probe-")
        .tempfile_in(state_dir)
        .ok()
}

fn reason(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "the system's limit of watched folders is reached".to_owned(),
        ErrorKind::Io(error) if error.raw_os_error() == Some(24) => {
            "the system's limit of file watchers is reached".to_owned()
        }
        _ => error.to_string(),
    }
}

/// File systems whose files others change behind the kernel's back.
#[cfg(target_os = "linux")]
fn remote(path: &Path) -> Option<&'static str> {
    // Numbers from statfs(2) and linux/magic.h.
    let kind = rustix::fs::statfs(path).ok()?.f_type as u64 & 0xffff_ffff;
    Some(match kind {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "a Windows share",
        0x0102_1997 => "a Plan 9 mount (WSL)",
        0x6573_5546 => "a FUSE mount",
        0x786f_4256 | 0xbacb_acbc => "a folder shared with a virtual machine",
        0x00c3_6400 | 0x5346_414f => "a network mount",
        _ => return None,
    })
}

#[cfg(not(target_os = "linux"))]
fn remote(_: &Path) -> Option<&'static str> {
    None
}
