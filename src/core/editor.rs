//! What an editor needs to see each exercise as a program of its own: manifest, lock file, settings. Text only.
//! The runner itself never builds from these.

use toml_edit::{DocumentMut, TomlError};

use super::manifest::Manifest;

/// Next to `asynclings-lab` in the order of a lock file, so that one lock file serves both but for the name.
const PACKAGE: &str = "asynclings-workbook";
const LAB_PACKAGE: &str = "asynclings-lab";

const HEAD: &str = "\
# Written by asynclings, so that an editor shows errors, types and completions in every exercise.
# `cargo run --bin NAME` runs an exercise's own `main`. Checking goes through `asynclings`.
[package]
name = \"asynclings-workbook\"
version = \"0.1.0\"
edition = \"2024\"
publish = false
autobins = false

# Not part of a workspace that it happens to lie in.
[workspace]

# What only the checks call is no dead code.
[lints.rust]
dead_code = \"allow\"
";

/// A `Cargo.toml` with a `[[bin]]` for each exercise and the lab's dependencies. `to_root`: from its folder to the
/// workbook's, as in `../`; empty where they are the same.
pub fn cargo_toml(
    manifest: &Manifest,
    lab_manifest: &str,
    to_root: &str,
) -> Result<String, TomlError> {
    let mut text = HEAD.to_string();
    text += &dependencies(lab_manifest)?;
    for exercise in &manifest.exercises {
        let path = format!(
            "{to_root}exercises/{}/{}.rs",
            exercise.chapter, exercise.name
        );
        // Without `test`, an editor that checks all targets would report each error twice.
        text += &format!(
            "\n[[bin]]\nname = \"{}\"\npath = \"{path}\"\ntest = false\nbench = false\n",
            exercise.name
        );
    }
    Ok(text)
}

/// `[dependencies]` and those of single systems, as they stand in the lab's manifest.
fn dependencies(lab_manifest: &str) -> Result<String, TomlError> {
    let mut document: DocumentMut = lab_manifest.parse()?;
    document.retain(|key, _| key == "dependencies" || key == "target");
    document.set_trailing("");
    let text = document.to_string();
    Ok(format!("\n{}\n", text.trim()))
}

/// A manifest with its dependencies replaced by the lab's.
pub fn with_dependencies_of(manifest: &str, lab_manifest: &str) -> Result<String, TomlError> {
    let mut document: DocumentMut = manifest.parse()?;
    let lab: DocumentMut = lab_manifest.parse()?;
    for key in ["dependencies", "target"] {
        match lab.get(key) {
            Some(item) => document[key] = item.clone(),
            None => {
                document.remove(key);
            }
        }
    }
    Ok(document.to_string())
}

/// The lab's lock file, for the same dependencies under the workbook's name.
pub fn cargo_lock(lab_lock: &str) -> String {
    lab_lock.replace(
        &format!("name = \"{LAB_PACKAGE}\""),
        &format!("name = \"{PACKAGE}\""),
    )
}

/// `rust-analyzer.toml`, beside the `Cargo.toml`. rust-analyzer gives cargo `--keep-going` by itself: an exercise that
/// does not compile hides no other's errors.
pub const RUST_ANALYZER_TOML: &str = "\
# A binary's tests are the same file again: its errors would show twice.
check.allTargets = false
# The runner's own builds never wait for the editor's.
cargo.targetDir = true
";

/// `.vscode/settings.json`. `manifests`: where each `Cargo.toml` lies, from the opened folder.
pub fn vscode_settings(manifests: &[&str]) -> String {
    let manifests = manifests
        .iter()
        .map(|path| format!("\"{path}\""))
        .collect::<Vec<_>>()
        .join(", ");
    format!(
        "{{\n  \"rust-analyzer.linkedProjects\": [{manifests}],\n  \"rust-analyzer.check.allTargets\": false,\n  \
         \"rust-analyzer.cargo.targetDir\": true\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::manifest::parse;

    const LAB: &str = "[package]\nname = \"asynclings-lab\"\n\n[dependencies]\ntokio = { version = \"1\", features = [\"full\"] }\n\n\
        [target.'cfg(target_os = \"linux\")'.dependencies]\ntokio = { version = \"1\", features = [\"taskdump\"] }\n\n[profile.dev]\ndebug = 1\n";

    #[test]
    fn each_exercise_is_a_program_with_the_labs_dependencies() {
        let info = "format_version = 1\n[[chapters]]\nid = \"01_a\"\ntitle = \"A\"\n[[exercises]]\nname = \"one\"\nchapter = \"01_a\"\ntitle = \"T\"\n\
            minutes = 1\ndifficulty = 1\nstarts_as = { verdict = \"hung\", check = \"c\" }\nhints = [\"a\", \"b\", \"c\"]\nsources = []\n";
        let text = cargo_toml(&parse(info).unwrap(), LAB, "../").unwrap();
        let table: toml::Table = text.parse().unwrap();
        assert_eq!(
            table["bin"][0]["path"].as_str(),
            Some("../exercises/01_a/one.rs")
        );
        assert_eq!(table["package"]["name"].as_str(), Some(PACKAGE));
        assert_eq!(
            table["dependencies"]["tokio"]["features"][0].as_str(),
            Some("full")
        );
        assert_eq!(
            table["target"]["cfg(target_os = \"linux\")"]["dependencies"]["tokio"]["features"][0]
                .as_str(),
            Some("taskdump")
        );
        assert!(!table.contains_key("profile"));
    }

    #[test]
    fn settings_are_json() {
        let settings: serde_json::Value =
            serde_json::from_str(&vscode_settings(&["Cargo.toml"])).unwrap();
        assert_eq!(settings["rust-analyzer.linkedProjects"][0], "Cargo.toml");
        let _: toml::Table = RUST_ANALYZER_TOML.parse().unwrap();
    }
}
