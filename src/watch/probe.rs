//! Whether file events can be relied upon here, or files have to be polled.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::nudges::Nudges;

/// An event for a file of our own takes a millisecond where events work.
const PROBE: Duration = Duration::from_secs(2);

/// A watcher that delivers to the nudges, or why it cannot be relied upon; both where it hears only some saves.
#[derive(Debug)]
pub(super) struct Eyes {
    /// Watches as long as it lives.
    pub(super) watcher: Option<RecommendedWatcher>,
    pub(super) poll: Option<String>,
}

pub(super) async fn open(nudges: Nudges, state_dir: PathBuf) -> Eyes {
    if env::var_os("ASYNCLINGS_POLL").is_some_and(|value| value == "1") {
        return Eyes {
            watcher: None,
            poll: Some("ASYNCLINGS_POLL is set".to_owned()),
        };
    }
    let (heard, probe) = mpsc::channel(1);
    // Walks the folders, which is slow where the disk is a network.
    let opened = spawn_blocking(move || {
        let mut watcher = watcher(nudges.clone(), state_dir.clone(), heard)?;
        watcher.watch(nudges.root(), RecursiveMode::Recursive)?;
        let remote = remote(nudges.root());
        // Without a state folder nothing can be tried out; the kind of file system has to do.
        let trial = tempfile_in(&mut watcher, &state_dir);
        Ok((watcher, remote, trial, state_dir))
    });
    match opened.await {
        Ok(Ok((watcher, remote, trial, state_dir))) => {
            tried(watcher, remote, trial, &state_dir, probe).await
        }
        Ok(Err(error)) => Eyes {
            watcher: None,
            poll: Some(reason(&error)),
        },
        Err(error) => Eyes {
            watcher: None,
            poll: Some(error.to_string()),
        },
    }
}

async fn tried(
    mut watcher: RecommendedWatcher,
    remote: Option<&'static str>,
    trial: Option<tempfile::NamedTempFile>,
    state_dir: &Path,
    mut probe: mpsc::Receiver<()>,
) -> Eyes {
    if let Some(kind) = remote {
        let why = format!("on {kind} a save from another system brings no event");
        return Eyes {
            watcher: Some(watcher),
            poll: Some(why),
        };
    }
    if trial.is_none() {
        return Eyes {
            watcher: Some(watcher),
            poll: None,
        };
    }
    let arrived = timeout(PROBE, probe.recv()).await.is_ok();
    // It stays watched where that fails, which harms nobody.
    let _ = watcher.unwatch(state_dir);
    let poll = (!arrived).then(|| "no file events arrive here".to_owned());
    Eyes {
        watcher: Some(watcher),
        poll,
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

/// A file of our own whose event must arrive.
fn tempfile_in(
    watcher: &mut RecommendedWatcher,
    state_dir: &Path,
) -> Option<tempfile::NamedTempFile> {
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
