//! `core` decides and touches nothing: no file system, process, clock, terminal or runtime. Its sources say so.

use std::fs;
use std::path::{Path, PathBuf};

/// A clock's type may be named (`Duration`); reading a clock, a file or the environment may not.
const EFFECTS: [&str; 22] = [
    "std::fs",
    "std::process",
    "std::env",
    "std::net",
    "std::thread",
    "std::os",
    "std::io::std",
    "io::stdout",
    "io::stderr",
    "println!",
    "eprintln!",
    "Instant::now",
    "SystemTime",
    "tokio::",
    "crossterm",
    // Its cells are text; its terminal is not.
    "ratatui::Terminal",
    "ratatui::backend",
    "notify::",
    "indicatif",
    "tempfile",
    "crate::embedded",
    "crate::workbook",
];

/// Without `tests.rs`: the texts that tests judge are full of effects.
fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            found.push(path);
        }
    }
}

/// Comments and string literals may name what the code may not use: a verdict says `tokio::spawn`.
fn code(line: &str) -> String {
    let line = line.split("//").next().unwrap_or_default();
    line.split('"').step_by(2).collect()
}

#[test]
fn core_uses_no_effect_and_nothing_outside_itself() {
    let mut files = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core"),
        &mut files,
    );
    assert!(files.len() > 5, "{files:?}");
    let mut found = Vec::new();
    for file in files {
        for (index, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let code = code(line);
            let effect = EFFECTS.iter().find(|effect| code.contains(*effect));
            // Arrows point inward: core knows core.
            let outward = code.contains("crate::") && !code.contains("crate::core");
            if effect.is_some() || outward {
                found.push(format!("{}:{}: {}", file.display(), index + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "effects in core:\n{}", found.join("\n"));
}

#[test]
fn an_effect_would_be_seen() {
    assert!(code("let x = std::fs::read(path);").contains("std::fs"));
    assert!(!code("// std::fs is for others").contains("std::fs"));
    assert!(!code("what: \"tokio::spawn\".into()").contains("tokio::"));
}
