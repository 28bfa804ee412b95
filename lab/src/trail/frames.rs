//! Instruction pointers to functions and lines. Reads the debug information of the check's own binary only:
//! that of the dylib is big, and nothing in it is the learner's.

use std::cell::OnceCell;
use std::path::PathBuf;

use super::readable;
use crate::record::Place;

#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pointer: usize,
    /// Not set in a library, until somebody asks: the loader looks through all its names for it.
    function: OnceCell<String>,
    pub(crate) file: Option<PathBuf>,
    pub(crate) line: Option<u32>,
    column: Option<u32>,
}

impl Frame {
    pub(crate) fn place(&self) -> Option<Place> {
        Some(Place {
            file: readable::file(self.file.as_deref()?),
            line: self.line?,
            column: self.column.filter(|column| *column > 0),
            what: String::new(),
        })
    }

    /// Demangled, as debug information has it; empty where it is not known.
    pub(crate) fn function(&self) -> &str {
        self.function
            .get_or_init(|| binary::exported_name(self.pointer))
    }

    /// The name of this function as a caller knows it; `None` for the plumbing between caller and callee.
    pub(crate) fn called(&self) -> Option<String> {
        if readable::is_whole(self.function()) {
            return readable::call(self.function());
        }
        // Line tables name an async body `{async_fn#0}` and no more. The symbol table costs more and tells all.
        readable::call(&binary::own_name(self.pointer)?)
    }
}

/// One pointer may be several frames, where functions were inlined. Innermost first, as the pointers are.
pub(crate) fn resolve(pointers: &[usize]) -> Vec<Frame> {
    pointers
        .iter()
        .flat_map(|pointer| resolve_one(*pointer))
        .collect()
}

fn resolve_one(pointer: usize) -> Vec<Frame> {
    let unknown = Frame {
        pointer,
        function: OnceCell::new(),
        file: None,
        line: None,
        column: None,
    };
    if !binary::holds(pointer) {
        return vec![unknown];
    }
    let mut frames = Vec::new();
    backtrace::resolve(pointer as *mut _, |symbol| {
        frames.push(Frame {
            pointer,
            function: OnceCell::from(
                symbol
                    .name()
                    .map(|name| format!("{name:#}"))
                    .unwrap_or_default(),
            ),
            file: symbol.filename().map(PathBuf::from),
            line: symbol.lineno(),
            column: symbol.colno(),
        });
    });
    if frames.is_empty() {
        vec![Frame {
            function: OnceCell::from(String::new()),
            ..unknown
        }]
    } else {
        frames
    }
}

#[cfg(target_os = "linux")]
#[path = "binary_linux.rs"]
mod binary;

#[cfg(not(target_os = "linux"))]
mod binary {
    /// Elsewhere everything is resolved, which is slower and tells as much.
    pub(super) fn holds(_: usize) -> bool {
        true
    }

    pub(super) fn exported_name(_: usize) -> String {
        String::new()
    }

    pub(super) fn own_name(_: usize) -> Option<String> {
        None
    }
}
