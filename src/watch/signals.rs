//! The signals that a shell, a terminal or a supervisor sends.

use tokio::sync::mpsc::Sender;

use crate::core::session::{Event, Signal};
#[cfg(unix)]
use crate::terminal;

#[cfg(unix)]
pub(super) struct Signals {
    streams: Vec<(tokio::signal::unix::Signal, Signal)>,
    resized: Option<tokio::signal::unix::Signal>,
}

/// Whatever is sent from now on is heard, also before anybody waits for it: a task that registered only once it ran
/// would miss what comes just after the first frame.
#[cfg(unix)]
pub(super) fn register() -> Signals {
    use tokio::signal::unix::{SignalKind, signal};

    let raw = |signal: rustix::process::Signal| SignalKind::from_raw(signal.as_raw());
    let wanted = [
        (SignalKind::interrupt(), Signal::Interrupt),
        (SignalKind::terminate(), Signal::Stop),
        (SignalKind::hangup(), Signal::Stop),
        (raw(rustix::process::Signal::TSTP), Signal::Suspend),
        (raw(rustix::process::Signal::CONT), Signal::Resume),
    ];
    Signals {
        streams: wanted
            .into_iter()
            .filter_map(|(kind, meaning)| Some((signal(kind).ok()?, meaning)))
            .collect(),
        resized: signal(SignalKind::window_change()).ok(),
    }
}

#[cfg(unix)]
pub(super) async fn watch(signals: Signals, events: Sender<Event>) {
    use futures::future::select_all;

    let Signals {
        mut streams,
        resized,
    } = signals;
    let Some(mut resized) = resized else {
        return;
    };
    loop {
        // `recv` is cancel safe: a signal that is not taken now is taken in the next round.
        let received = select_all(streams.iter_mut().map(|(stream, meaning)| {
            Box::pin(async move {
                stream.recv().await;
                *meaning
            })
        }));
        let event = tokio::select! {
            (meaning, ..) = received => Event::Signal(meaning),
            _ = resized.recv() => {
                let (width, height) = terminal::dimensions();
                Event::Resize { width, height }
            }
        };
        if events.send(event).await.is_err() {
            return;
        }
    }
}

#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
pub(super) fn register() -> Signals {
    Signals
}

#[cfg(not(unix))]
pub(super) async fn watch(_: Signals, events: Sender<Event>) {
    while tokio::signal::ctrl_c().await.is_ok() {
        if events.send(Event::Signal(Signal::Interrupt)).await.is_err() {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_signal_before_the_task_first_runs_is_heard() {
        let (sender, mut events) = tokio::sync::mpsc::channel(1);
        let signals = register();
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::CONT)
            .unwrap();
        // One worker: it has not run before we wait.
        let task = tokio::spawn(watch(signals, sender));
        assert_eq!(events.recv().await, Some(Event::Signal(Signal::Resume)));
        task.abort();
    }
}
