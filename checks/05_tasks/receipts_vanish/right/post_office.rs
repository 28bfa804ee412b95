// right: a task with a queue sends one mail after the other; `shutdown` asks it whether it is done
//! We moved the mails out of the way of the checkout, and it answers at once now. Since then no customer has
//! got a receipt, and the warehouse no order. The log has no error. `shutdown` is called before each deploy.
//! Keep as they are, the checks use them: `Order`, `Confirmation`, `Mail`, `Mailer`, `Shop::{new, checkout, shutdown}`.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Notify, mpsc};
use tokio::time::sleep;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    pub order: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mail {
    /// To the customer.
    Receipt { order: u64 },
    /// To the warehouse.
    Packing { order: u64 },
}

pub trait Mailer: Send + Sync {
    /// Done when the mail is out. May take minutes, and panics over some addresses.
    fn send(&self, mail: Mail) -> BoxFuture<'static, ()>;
}

pub struct Shop {
    mailer: Arc<dyn Mailer>,
    post: mpsc::UnboundedSender<Mail>,
    open: Arc<AtomicUsize>,
    sent: Arc<Notify>,
}

impl Shop {
    pub fn new(mailer: Arc<dyn Mailer>) -> Shop {
        let (post, mut queue) = mpsc::unbounded_channel();
        let (open, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let shop = Shop {
            mailer: mailer.clone(),
            post,
            open: open.clone(),
            sent: sent.clone(),
        };
        tokio::spawn(async move {
            while let Some(mail) = queue.recv().await {
                // In a task of its own, so that a panic does not end the post office.
                let _ = tokio::spawn(mailer.send(mail)).await;
                open.fetch_sub(1, Ordering::SeqCst);
                sent.notify_waiters();
            }
        });
        shop
    }

    /// Sends both mails of the order, and does not wait for them. Customers order also while `shutdown` waits.
    pub async fn checkout(&self, order: Order) -> Confirmation {
        let _ = &self.mailer;
        for mail in [
            Mail::Receipt { order: order.id },
            Mail::Packing { order: order.id },
        ] {
            self.open.fetch_add(1, Ordering::SeqCst);
            let _ = self.post.send(mail);
        }
        Confirmation { order: order.id }
    }

    /// The process ends when this returns: at that moment the mails of every confirmed order are out. Takes as
    /// long as they do, no longer.
    pub async fn shutdown(&self) {
        loop {
            let sent = self.sent.notified();
            if self.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            sent.await;
        }
    }
}

struct Smtp;

impl Mailer for Smtp {
    fn send(&self, mail: Mail) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            sleep(Duration::from_millis(300)).await;
            println!("out: {mail:?}");
        })
    }
}

#[tokio::main]
async fn main() {
    let shop = Shop::new(Arc::new(Smtp));
    for id in 1..=5 {
        println!("{:?}", shop.checkout(Order { id }).await);
    }
    println!("shutting down");
    shop.shutdown().await;
    println!("down");
}
