//! Who owns a task, and for how long.

use std::mem;
use std::sync::Mutex;

use tokio::task::JoinSet;

async fn send_mail(order: u64) {
    tokio::task::yield_now().await;
    println!("mail for order {order}");
}

// ANCHOR: fault
pub async fn checkout(order: u64) -> String {
    let mut mails = JoinSet::new();
    mails.spawn(send_mail(order));
    format!("order {order} is confirmed")
}
// ANCHOR_END: fault

#[derive(Default)]
pub struct Shop {
    mails: Mutex<JoinSet<()>>,
}

impl Shop {
    // ANCHOR: drained_set
    pub async fn checkout(&self, order: u64) -> String {
        let mut mails = self.mails.lock().unwrap();
        mails.spawn(send_mail(order));
        // Whoever has ended need not be kept.
        while mails.try_join_next().is_some() {}
        format!("order {order} is confirmed")
    }

    pub async fn shutdown(&self) {
        loop {
            // Out of the lock, so that nobody who orders has to wait for a mail.
            let mut mails = mem::take(&mut *self.mails.lock().unwrap());
            if mails.is_empty() {
                return;
            }
            while mails.join_next().await.is_some() {}
        }
    }
    // ANCHOR_END: drained_set
}
