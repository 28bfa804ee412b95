//! Which of the user's variables reach cargo. Their registries, proxies and credentials do; what would change the lab
//! does not. Pure.

/// `CARGO_*` that say where crates come from, and how.
const KEPT: [&str; 7] = [
    "CARGO_HOME",
    "CARGO_HTTP_",
    "CARGO_NET_",
    "CARGO_REGISTR",
    "CARGO_CREDENTIAL_",
    "CARGO_SOURCE_",
    "CARGO_BUILD_JOBS",
];

/// Flags and wrappers for compilers, and what `cargo run` sets for the program that it runs.
pub(super) fn reaches_cargo(name: &str) -> bool {
    // Windows does not tell cases apart.
    let name = name.to_ascii_uppercase();
    if name.starts_with("CARGO_TARGET_") {
        return name.ends_with("_LINKER");
    }
    if name.starts_with("CARGO") || name.starts_with("__CARGO") {
        return KEPT.iter().any(|kept| name.starts_with(kept));
    }
    !["RUSTFLAGS", "RUSTDOC", "RUSTC", "RUST_LOG", "ASYNCLINGS_"]
        .iter()
        .any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_change_the_lab_does_not_reach_cargo() {
        for name in [
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_BUILD_RUSTFLAGS",
            "CARGO_BUILD_TARGET",
            "CARGO_BUILD_TARGET_DIR",
            "CARGO_TARGET_DIR",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
            "CARGO_PROFILE_DEV_PANIC",
            "CARGO_INCREMENTAL",
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "RUSTC",
            "RUSTC_BOOTSTRAP",
            "CARGO_MANIFEST_DIR",
            "CARGO_UNSTABLE_BUILD_STD",
            "__CARGO_TEST_ROOT",
            "rustflags",
        ] {
            assert!(!reaches_cargo(name), "{name}");
        }
    }

    #[test]
    fn where_crates_come_from_does() {
        for name in [
            "PATH",
            "HOME",
            "HTTPS_PROXY",
            "RUSTUP_TOOLCHAIN",
            "CARGO_HOME",
            "CARGO_HTTP_CAINFO",
            "CARGO_NET_GIT_FETCH_WITH_CLI",
            "CARGO_REGISTRIES_CRATES_IO_PROTOCOL",
            "CARGO_REGISTRY_TOKEN",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER",
        ] {
            assert!(reaches_cargo(name), "{name}");
        }
    }
}
