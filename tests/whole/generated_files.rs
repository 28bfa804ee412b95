//! Files that are generated from others are in step with them, and all that `init` needs is in the package.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::asynclings;

const GENERATED: [&str; 6] = [
    "lab/member/Cargo.toml",
    "lab/Cargo.lock",
    "editor/Cargo.toml",
    "editor/Cargo.lock",
    "editor/rust-analyzer.toml",
    ".vscode/settings.json",
];

#[test]
fn generated_files_are_in_step_with_their_sources() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = tempfile::tempdir().unwrap();
    let bring = |path: &str| {
        let to = copy.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(repository.join(path), to).unwrap_or_else(|error| panic!("{path}: {error}"));
    };
    ["info.toml", "Cargo.lock", "lab/lab.toml"]
        .into_iter()
        .chain(GENERATED)
        .for_each(bring);
    let output = asynclings()
        .args(["dev", "update", "--workbook"])
        .arg(copy.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for path in GENERATED {
        let (now, generated) = (
            fs::read_to_string(repository.join(path)),
            fs::read_to_string(copy.path().join(path)),
        );
        assert_eq!(
            now.unwrap(),
            generated.unwrap(),
            "{path}: run `asynclings dev update`"
        );
    }
}

#[test]
fn every_exercise_is_a_program_for_the_editor() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: toml::Table = fs::read_to_string(repository.join("editor/Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    for bin in manifest["bin"].as_array().unwrap() {
        assert!(
            repository
                .join("editor")
                .join(bin["path"].as_str().unwrap())
                .is_file(),
            "{bin}"
        );
    }
}

/// Cargo leaves out every folder below the package that has a `Cargo.toml` of its own.
#[test]
fn the_package_holds_all_that_init_needs() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let output = Command::new(cargo)
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "--package",
            "asynclings",
        ])
        .current_dir(repository)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let listed = String::from_utf8(output.stdout).unwrap();
    let listed: Vec<&str> = listed.lines().collect();
    let info: toml::Table = fs::read_to_string(repository.join("info.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let mut needed: Vec<String> = [
        "info.toml",
        "build.rs",
        "lab/lab.toml",
        "lab/Cargo.lock",
        "lab/src/lib.rs",
        "lab/src/writing_checks.md",
        "schema/info.schema.json",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ]
    .map(str::to_string)
    .into();
    for exercise in info["exercises"].as_array().unwrap() {
        let inner = format!(
            "{}/{}.rs",
            exercise["chapter"].as_str().unwrap(),
            exercise["name"].as_str().unwrap()
        );
        needed
            .extend(["exercises", "solutions", "checks"].map(|folder| format!("{folder}/{inner}")));
    }
    let missing: Vec<&String> = needed
        .iter()
        .filter(|path| !listed.contains(&path.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in the package: {missing:?}");
}
