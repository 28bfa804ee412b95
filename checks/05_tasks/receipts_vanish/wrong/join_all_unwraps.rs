// wrong: panicked a_mail_that_panics_takes_no_other_mail_along — `join_all` panics when a task has
//! We moved the mails out of the way of the checkout, and it answers at once now. Since then no customer has
//! got a receipt, and the warehouse no order. The log has no error. `shutdown` is called before each deploy.
//! Keep as they are, the checks use them: `Order`, `Confirmation`, `Mail`, `Mailer`, `Shop::{new, checkout, shutdown}`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::task::JoinSet;
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
    mails: Mutex<JoinSet<()>>,
}

impl Shop {
    pub fn new(mailer: Arc<dyn Mailer>) -> Shop {
        Shop {
            mailer,
            mails: Mutex::default(),
        }
    }

    /// Sends both mails of the order, and does not wait for them. Customers order also while `shutdown` waits.
    pub async fn checkout(&self, order: Order) -> Confirmation {
        let mut mails = self.mails.lock().unwrap();
        mails.spawn(self.mailer.send(Mail::Receipt { order: order.id }));
        mails.spawn(self.mailer.send(Mail::Packing { order: order.id }));
        Confirmation { order: order.id }
    }

    /// The process ends when this returns: at that moment the mails of every confirmed order are out. Takes as
    /// long as they do, no longer.
    pub async fn shutdown(&self) {
        loop {
            let mails = std::mem::take(&mut *self.mails.lock().unwrap());
            if mails.is_empty() {
                return;
            }
            mails.join_all().await;
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
