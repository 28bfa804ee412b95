//! The signals that a shell, a terminal or a supervisor sends.

use tokio::sync::mpsc::Sender;

use crate::core::session::{Event, Signal};
#[cfg(unix)]
use crate::terminal;

#[cfg(unix)]
pub(super) async fn watch(events: Sender<Event>) {
    use futures::future::select_all;
    use tokio::signal::unix::{SignalKind, signal};

    let raw = |signal: rustix::process::Signal| SignalKind::from_raw(signal.as_raw());
    let wanted = [
        (SignalKind::interrupt(), Signal::Interrupt),
        (SignalKind::terminate(), Signal::Stop),
        (SignalKind::hangup(), Signal::Stop),
        (raw(rustix::process::Signal::TSTP), Signal::Suspend),
        (raw(rustix::process::Signal::CONT), Signal::Resume),
    ];
    let mut streams: Vec<_> = wanted
        .into_iter()
        .filter_map(|(kind, meaning)| Some((signal(kind).ok()?, meaning)))
        .collect();
    let Ok(mut resized) = signal(SignalKind::window_change()) else {
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
pub(super) async fn watch(events: Sender<Event>) {
    while tokio::signal::ctrl_c().await.is_ok() {
        if events.send(Event::Signal(Signal::Interrupt)).await.is_err() {
            return;
        }
    }
}
