//! The check's own binary and the libraries around it, as the loader and their symbol tables describe them.

use std::ffi::CStr;
use std::sync::OnceLock;

use object::{Object, ObjectSymbol};

/// The addresses of the program itself; its first is also the offset of its symbols.
fn program() -> (usize, usize) {
    static RANGE: OnceLock<(usize, usize)> = OnceLock::new();
    *RANGE.get_or_init(|| {
        let mut range = (0, 0);
        // SAFETY: `first_object` fits the callback's type and gets back the pointer to `range`, which outlives
        // the call.
        unsafe { libc::dl_iterate_phdr(Some(first_object), (&raw mut range).cast()) };
        range
    })
}

/// Whether the pointer is in the program itself rather than in a library.
pub(super) fn holds(pointer: usize) -> bool {
    let (from, to) = program();
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
        let to = loads
            .map(|load| base + (load.p_vaddr + load.p_memsz) as usize)
            .max();
        *range.cast::<(usize, usize)>() = (base, to.unwrap_or(base));
    }
    // The program comes first; a non-zero answer ends the walk.
    1
}

/// The tables that libraries are linked by are enough for a name, and need no debug information.
pub(super) fn exported_name(pointer: usize) -> String {
    // SAFETY: an all-zero `Dl_info` is valid; `dladdr` only compares the address and fills the record; the name
    // it gives lives as long as the library, and libraries are never unloaded here.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        let found = libc::dladdr(pointer.wrapping_sub(1) as *const _, &mut info);
        if found == 0 || info.dli_sname.is_null() {
            return String::new();
        }
        demangled(&CStr::from_ptr(info.dli_sname).to_string_lossy())
    }
}

/// From the program's full symbol table, which is only in its file.
pub(super) fn own_name(pointer: usize) -> Option<String> {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = FILE.get_or_init(|| std::fs::read("/proc/self/exe").unwrap_or_default());
    let address = pointer.checked_sub(program().0 + 1)? as u64;
    let file = object::File::parse(bytes.as_slice()).ok()?;
    let holds = |symbol: &object::Symbol<'_, '_>| {
        (symbol.address()..symbol.address() + symbol.size()).contains(&address)
    };
    let symbol = file.symbols().find(holds)?;
    symbol.name().ok().map(demangled)
}

fn demangled(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}
