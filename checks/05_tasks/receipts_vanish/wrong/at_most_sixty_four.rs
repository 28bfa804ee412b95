// wrong: check_failed a_checkout_does_not_wait_for_its_mails — a limit for the mails on their way: on a good evening the customer waits for one of them
//! We moved the mails out of the way of the checkout, and it answers at once now. Since then no customer has
//! got a receipt, and the warehouse no order. The log has no error. `shutdown` is called before each deploy.
//! Keep as they are, the checks use them: `Order`, `Confirmation`, `Mail`, `Mailer`, `Shop::{new, checkout, shutdown}`.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::task::TaskTracker;

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
    /// Knows how many mails are on their way, and forgets each one that has ended, also by a panic.
    mails: TaskTracker,
    lanes: Arc<Semaphore>,
}

impl Shop {
    pub fn new(mailer: Arc<dyn Mailer>) -> Shop {
        let mails = TaskTracker::new();
        let lanes = Arc::new(Semaphore::new(64));
        Shop {
            mailer,
            mails,
            lanes,
        }
    }

    /// Sends both mails of the order, and does not wait for them. Customers order also while `shutdown` waits.
    pub async fn checkout(&self, order: Order) -> Confirmation {
        // The tracker belongs to the shop: a `JoinSet` of this call would abort its mails at the end of the call.
        let [receipt, packing] = [
            Mail::Receipt { order: order.id },
            Mail::Packing { order: order.id },
        ];
        for mail in [receipt, packing] {
            let lane = self.lanes.clone().acquire_owned().await;
            let mail = self.mailer.send(mail);
            self.mails.spawn(async move {
                let _lane = lane;
                mail.await
            });
        }
        Confirmation { order: order.id }
    }

    /// The process ends when this returns: at that moment the mails of every confirmed order are out. Takes as
    /// long as they do, no longer.
    pub async fn shutdown(&self) {
        // Without `close`, `wait` would wait for ever: an open tracker expects more tasks. Closed, it still takes
        // those of late orders, and waits for them too.
        self.mails.close();
        self.mails.wait().await;
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
