//! Which rustc and cargo this machine has.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use tokio::process::Command;

use super::{Cache, Linkage, memo};
use crate::group::Group;

/// `1.95`, from Cargo.toml.
const NEEDED: &str = env!("CARGO_PKG_RUST_VERSION");

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    pub rustc: PathBuf,
    pub cargo: PathBuf,
    pub sysroot: PathBuf,
    pub host: String,
    /// `1.95.0`
    pub release: String,
    /// All of `rustc -vV`.
    pub version: String,
}

impl Toolchain {
    pub(super) fn linkage(&self) -> Linkage {
        if self.host.contains("windows") || self.host.contains("musl") {
            Linkage::Rlib
        } else {
            Linkage::Dylib
        }
    }
}

/// Asked through the path, so that rustup and its overrides have their say.
pub async fn toolchain(cache: &Cache) -> Result<Toolchain> {
    let answer = match memo::recall(cache) {
        Some(answer) => answer,
        None => {
            let answer = ask().await?;
            memo::remember(cache, &answer, &rustc_in(&parse(&answer)?.sysroot));
            answer
        }
    };
    let toolchain = parse(&answer)?;
    if !new_enough(&toolchain.release) {
        bail!(
            "rustc {} is too old, asynclings needs {NEEDED} or newer; run `rustup update stable`",
            toolchain.release
        );
    }
    Ok(toolchain)
}

/// Two processes side by side: rustc answers one question at a time.
async fn ask() -> Result<String> {
    let (version, sysroot) = tokio::try_join!(rustc(&["-vV"]), rustc(&["--print", "sysroot"]))?;
    Ok(format!("{}\n{}\n", version.trim_end(), sysroot.trim_end()))
}

#[expect(clippy::disallowed_methods, reason = "rustc is asked here, once")]
async fn rustc(question: &[&str]) -> Result<String> {
    let mut command = Command::new("rustc");
    command
        .args(question)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let group = match Group::spawn(command) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!(
                "there is no rustc on the path; install Rust from https://rustup.rs and open a new terminal"
            )
        }
        group => group.context(
            "cannot start rustc, which is on the path; `rustc -vV` should work in this terminal",
        )?,
    };
    let output = group
        .output()
        .await
        .context("cannot read what rustc says")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "rustc is on the path but does not work; `rustup default stable` may help. It says:\n{}",
            said.trim()
        );
    }
    String::from_utf8(output.stdout)
        .context("the path of the Rust toolchain is not UTF-8; install it elsewhere")
}

/// `rustc -vV`, and the sysroot as the last line.
fn parse(answer: &str) -> Result<Toolchain> {
    let field = |name: &str| {
        answer
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    };
    let understood =
        || format!("cannot understand what `rustc -vV` and `rustc --print sysroot` say: {answer}");
    let host = field("host").with_context(understood)?;
    let release = field("release").with_context(understood)?;
    let (version, sysroot) = answer
        .trim_end()
        .rsplit_once('\n')
        .with_context(understood)?;
    let sysroot = PathBuf::from(sysroot);
    Ok(Toolchain {
        rustc: rustc_in(&sysroot),
        cargo: existing(&sysroot, "cargo"),
        host: host.to_string(),
        release: release.to_string(),
        version: version.to_string(),
        sysroot,
    })
}

fn rustc_in(sysroot: &Path) -> PathBuf {
    existing(sysroot, "rustc")
}

/// Some distributions keep the programs apart from the sysroot: then the path knows them.
fn existing(sysroot: &Path, program: &str) -> PathBuf {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = sysroot.join("bin").join(&file);
    if path.is_file() {
        path
    } else {
        PathBuf::from(file)
    }
}

fn new_enough(release: &str) -> bool {
    numbers(release) >= numbers(NEEDED)
}

/// `1.95.0-nightly` -> `[1, 95]`
fn numbers(release: &str) -> Vec<u32> {
    release
        .split(['.', '-'])
        .take(2)
        .map_while(|part| part.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "rustc 1.95.0 (59807616e 2026-04-14)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\nLLVM version: 22.1.2\n/opt/my rust\n";

    #[test]
    fn the_answer_of_rustc_is_understood() {
        let toolchain = parse(ANSWER).unwrap();
        assert_eq!(toolchain.sysroot, Path::new("/opt/my rust"));
        assert_eq!(
            (toolchain.host.as_str(), toolchain.release.as_str()),
            ("x86_64-unknown-linux-gnu", "1.95.0")
        );
        assert!(toolchain.version.ends_with("LLVM version: 22.1.2"));
        assert!(parse("rustc 1.0\n").is_err());
    }

    #[test]
    fn an_old_toolchain_is_told_from_a_new_one() {
        for (release, enough) in [
            ("1.94.1", false),
            ("1.95.0", true),
            ("1.100.0-nightly", true),
            ("2.0.0", true),
            ("0.99", false),
        ] {
            assert_eq!(new_enough(release), enough, "{release}");
        }
    }
}
