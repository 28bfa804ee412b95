//! What the runtime tells the lab. Parking is stable Tokio and decides; tasks are unstable and only explain.

use std::sync::Arc;

use tokio::runtime::Builder;

#[cfg(tokio_unstable)]
use crate::incident::observer;
use crate::session::Session;
use crate::{leftovers, memory};

/// `paused`: the clock jumps as soon as the runtime's thread parks.
pub(crate) fn install(builder: &mut Builder, session: &Arc<Session>, paused: bool) {
    let (parking, waking) = (Arc::clone(session), Arc::clone(session));
    builder.on_thread_park(move || {
        if paused {
            memory::uncapped(|| leftovers::let_threads_answer(&parking));
        }
        parking.set_parked(true);
    });
    builder.on_thread_unpark(move || waking.set_parked(false));
    #[cfg(tokio_unstable)]
    tasks(builder, session);
}

#[cfg(tokio_unstable)]
fn tasks(builder: &mut Builder, session: &Arc<Session>) {
    let (spawning, ending) = (Arc::clone(session), Arc::clone(session));
    let observed = observer::hooks::are_wanted();
    builder.on_task_spawn(move |task| {
        spawning.task_spawned(task.id(), task.spawned_at());
        observer::hooks::spawned(task.id(), task.spawned_at());
    });
    builder.on_task_terminate(move |task| {
        ending.task_ended(task.id());
        observer::hooks::ended(task.id());
    });
    if session.polls.is_on() || observed {
        let (before, after) = (Arc::clone(session), Arc::clone(session));
        builder.on_before_task_poll(move |task| {
            before.polls.begins(task.id(), task.spawned_at());
            observer::hooks::poll_begins();
        });
        builder.on_after_task_poll(move |task| {
            after.polls.ends(task.id());
            observer::hooks::poll_ends(task.id());
        });
    }
}
