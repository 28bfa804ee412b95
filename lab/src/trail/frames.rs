//! Instruction pointers to functions and lines. Reads the debug information of the check's own binary only:
//! that of the dylib is big, and nothing in it is the learner's.

use std::path::PathBuf;

use super::readable;
use crate::record::Place;

#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// Demangled; empty where the symbol is not known.
    pub(crate) function: String,
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

    /// The name of this function as a caller knows it; `None` for the plumbing between caller and callee.
    pub(crate) fn called(&self) -> Option<String> {
        readable::call(&self.function)
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
    if !binary::holds(pointer) {
        return vec![Frame {
            function: binary::exported_name(pointer),
            file: None,
            line: None,
            column: None,
        }];
    }
    let mut frames = Vec::new();
    backtrace::resolve(pointer as *mut _, |symbol| {
        frames.push(Frame {
            function: symbol
                .name()
                .map(|name| format!("{name:#}"))
                .unwrap_or_default(),
            file: symbol.filename().map(PathBuf::from),
            line: symbol.lineno(),
            column: symbol.colno(),
        });
    });
    frames
}

#[cfg(target_os = "linux")]
mod binary {
    use std::ffi::CStr;
    use std::sync::OnceLock;

    /// Whether the pointer is in the program itself rather than in a library.
    pub(super) fn holds(pointer: usize) -> bool {
        static RANGE: OnceLock<(usize, usize)> = OnceLock::new();
        let (from, to) = *RANGE.get_or_init(|| {
            let mut range = (0, 0);
            // SAFETY: `first_object` fits the callback's type and gets back the pointer to `range`, which outlives
            // the call.
            unsafe { libc::dl_iterate_phdr(Some(first_object), (&raw mut range).cast()) };
            range
        });
        from == to || (from..to).contains(&pointer)
    }

    unsafe extern "C" fn first_object(
        info: *mut libc::dl_phdr_info,
        _: libc::size_t,
        range: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the loader gives a valid record with `dlpi_phnum` headers; `range` is the caller's local.
        unsafe {
            let base = (*info).dlpi_addr as usize;
            let headers = std::slice::from_raw_parts((*info).dlpi_phdr, (*info).dlpi_phnum.into());
            let loads = headers
                .iter()
                .filter(|header| header.p_type == libc::PT_LOAD);
            let from = loads
                .clone()
                .map(|load| base + load.p_vaddr as usize)
                .min()
                .unwrap_or(0);
            let to = loads
                .map(|load| base + (load.p_vaddr + load.p_memsz) as usize)
                .max()
                .unwrap_or(0);
            *range.cast::<(usize, usize)>() = (from, to);
        }
        // The program comes first; a non-zero answer ends the walk.
        1
    }

    /// The symbol tables of libraries are enough for a name, and need no debug information.
    pub(super) fn exported_name(pointer: usize) -> String {
        // SAFETY: an all-zero `Dl_info` is valid; `dladdr` only compares the address and fills the record; the name
        // it gives lives as long as the library, and libraries are never unloaded here.
        unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            let found = libc::dladdr(pointer.wrapping_sub(1) as *const _, &mut info);
            if found == 0 || info.dli_sname.is_null() {
                return String::new();
            }
            format!(
                "{:#}",
                rustc_demangle::demangle(&CStr::from_ptr(info.dli_sname).to_string_lossy())
            )
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod binary {
    /// Elsewhere everything is resolved, which is slower and tells as much.
    pub(super) fn holds(_: usize) -> bool {
        true
    }

    pub(super) fn exported_name(_: usize) -> String {
        String::new()
    }
}
