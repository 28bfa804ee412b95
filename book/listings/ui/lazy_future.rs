//! Without `let _ =` the compiler says what is wrong. Here its warning is made an error.
#![deny(unused_must_use)]
#![allow(dead_code)]

trait Log {
    fn note(&self, till: u64) -> impl Future<Output = ()>;
}

async fn close_till(till: u64, log: &impl Log) {
    log.note(till);
}

fn main() {}
