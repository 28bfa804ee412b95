//! Demangled symbols to names that a learner would type: `Mutex::lock`, `mpsc::Receiver::recv`, `std::fs::read`.

use std::path::Path;

use crate::startup;

/// The subject by the name that the runner gave it; debug information may have put a folder in front.
pub(super) fn file(path: &Path) -> String {
    let subject = &startup::settings().subject;
    let path = if super::is_subject(path) {
        subject.as_path()
    } else {
        path
    };
    path.display().to_string()
}

/// Between a caller and what it called there are adapters that nobody wrote.
const PLUMBING: &[&str] = &[
    "__rust",
    "core::panicking",
    "core::future",
    "core::ops",
    "core::pin",
    "core::ptr",
    "core::panic",
    "core::result",
    "core::option",
    "core::iter",
    "core::task",
    "core::mem",
    "core::str",
    "core::slice",
    "core::fmt",
    "core::cell",
    "core::hint",
    "alloc::alloc",
    "alloc::boxed",
    "alloc::raw_vec",
    "alloc::rc",
    "alloc::slice",
    "alloc::sync",
    "tokio::util",
    "std::panic",
    "std::sys",
    "std::rt",
    "std::io::Read",
    "tokio::task::coop",
    "backtrace",
];

/// Channels are told apart by their module; most other types by their own name.
const KEPT_MODULES: [&str; 5] = ["mpsc", "oneshot", "watch", "broadcast", "duplex"];

/// Whether debug information gave a path rather than the last part of one.
pub(super) fn is_whole(function: &str) -> bool {
    function.is_empty()
        || (!function.starts_with('{') && without_generics(function).contains("::"))
        || function.starts_with('<')
}

pub(super) fn call(function: &str) -> Option<String> {
    let path = plain_path(function);
    if path.is_empty() || is_plumbing(&path) {
        return None;
    }
    let parts: Vec<&str> = path
        .split("::")
        .filter(|part| !part.is_empty() && !part.starts_with('{'))
        .collect();
    // std splits generic functions in two to compile the greater half once.
    let parts = parts.strip_suffix(&["inner"]).unwrap_or(&parts);
    let at_type = parts
        .iter()
        .position(|part| part.starts_with(char::is_uppercase));
    let name = match at_type {
        Some(at) => of_type(parts, at),
        None => of_module(parts),
    };
    let name = if name == "Sleep" {
        "tokio::time::sleep".to_owned()
    } else {
        name
    };
    Some(name).filter(|name| !name.is_empty() && !name.starts_with('_'))
}

fn is_plumbing(path: &str) -> bool {
    PLUMBING.iter().any(|prefix| path.starts_with(prefix))
        || path.starts_with("lab::")
        || path.contains("checks::")
        || (path.starts_with("tokio::runtime::task") && !path.contains("JoinHandle"))
        || path.contains("::trace_leaf")
        || path.contains("::poll_proceed")
        // What `Bytes` does when its last owner goes.
        || path.ends_with("::owned_drop")
        || !path.contains("::")
}

fn of_type(parts: &[&str], at: usize) -> String {
    let last = parts.len() - 1;
    let end = if last > at && parts[last] == "poll" {
        at
    } else {
        (at + 1).min(last)
    };
    let own = parts[at..=end].join("::");
    if parts[0] == "std" && at > 0 {
        return format!(
            "std::{}::{own}",
            parts[1..at]
                .iter()
                .filter(|part| KEPT_STD.contains(part))
                .copied()
                .collect::<Vec<_>>()
                .join("::")
        );
    }
    match parts[..at].iter().find(|part| KEPT_MODULES.contains(part)) {
        Some(module) => format!("{module}::{own}"),
        None => own,
    }
}

const KEPT_STD: [&str; 9] = [
    "sync", "mpsc", "fs", "io", "net", "thread", "process", "time", "path",
];

fn of_module(parts: &[&str]) -> String {
    match parts {
        // `tokio::time::sleep::sleep` is typed `tokio::time::sleep`.
        [
            krate @ ("std" | "tokio" | "futures" | "futures_util"),
            ..,
            name,
        ] => {
            let module = parts[1..parts.len() - 1]
                .first()
                .filter(|module| *module != name);
            match module {
                Some(module) => format!("{krate}::{module}::{name}"),
                None => format!("{krate}::{name}"),
            }
        }
        [krate, .., name] if krate.starts_with("futures_") => {
            format!("futures::{}::{name}", &krate["futures_".len()..])
        }
        [.., name] => (*name).to_owned(),
        [] => String::new(),
    }
}

/// Without generics; `<A as B>::f` becomes `A::f`, or `B::f` where `A` is a fake of the hidden checks.
fn plain_path(function: &str) -> String {
    let Some(inside) = function.strip_prefix('<') else {
        return without_generics(function);
    };
    let Some(end) = closing(inside) else {
        return without_generics(inside);
    };
    let (head, rest) = (&inside[..end], &inside[end + 1..]);
    let owner = match split_as(head) {
        Some((own, contract)) if hidden(own) => contract,
        Some((own, _)) => own,
        None => head,
    };
    let owner = owner
        .trim_start_matches(['&', '*'])
        .trim_start_matches("mut ")
        .trim_start_matches("const ");
    plain_path(owner) + &without_generics(rest)
}

fn hidden(own: &str) -> bool {
    let own = own.trim_start_matches("dyn ");
    own.contains("checks::") || own.starts_with('&') || own.len() == 1
}

/// The index of the `>` that closes an already opened `<`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if index > 0 && bytes[index - 1] == b'-' => {}
            b'>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// At ` as ` outside inner generics.
fn split_as(head: &str) -> Option<(&str, &str)> {
    let mut depth = 0i32;
    for (index, byte) in head.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b' ' if depth == 0 && head[index..].starts_with(" as ") => {
                return Some((&head[..index], &head[index + 4..]));
            }
            _ => {}
        }
    }
    None
}

fn without_generics(path: &str) -> String {
    let mut depth = 0i32;
    let mut plain = String::with_capacity(path.len());
    for (index, char) in path.char_indices() {
        match char {
            '<' => depth += 1,
            '>' if !path[..index].ends_with('-') => depth -= 1,
            _ if depth == 0 => plain.push(char),
            _ => {}
        }
    }
    plain.trim_start_matches("dyn ").replace("::::", "::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_a_learner_types() {
        for (symbol, name) in [
            (
                "tokio::sync::mutex::Mutex<T>::lock::{{closure}}",
                "Mutex::lock",
            ),
            (
                "<tokio::sync::mutex::Mutex<u8>>::lock::{closure#0}",
                "Mutex::lock",
            ),
            (
                "tokio::sync::mpsc::bounded::Receiver<T>::recv::{{closure}}",
                "mpsc::Receiver::recv",
            ),
            ("std::fs::read", "std::fs::read"),
            ("std::fs::read::inner", "std::fs::read"),
            ("std::thread::sleep", "std::thread::sleep"),
            ("std::thread::functions::sleep", "std::thread::sleep"),
            (
                "std::sync::poison::mutex::Mutex<T>::lock",
                "std::sync::Mutex::lock",
            ),
            (
                "std::sync::mpsc::Receiver<T>::recv",
                "std::sync::mpsc::Receiver::recv",
            ),
            ("tokio::time::sleep::sleep", "tokio::time::sleep"),
            (
                "<tokio::time::sleep::Sleep as core::future::future::Future>::poll",
                "tokio::time::sleep",
            ),
            (
                "<check::checks::SlowSdk as check::exercise::KgSdk>::charge",
                "KgSdk::charge",
            ),
            (
                "check::exercise::Bank::balance::{{closure}}",
                "Bank::balance",
            ),
            (
                "<tokio::runtime::task::join::JoinHandle<T> as core::future::future::Future>::poll",
                "JoinHandle",
            ),
        ] {
            assert_eq!(call(symbol).as_deref(), Some(name), "{symbol}");
        }
    }

    #[test]
    fn adapters_have_no_name() {
        for symbol in [
            "<core::pin::Pin<P> as core::future::future::Future>::poll",
            "lab::tools::gate::Gate::wait",
            "read",
            "",
        ] {
            assert_eq!(call(symbol), None, "{symbol}");
        }
    }
}
