//! The same exercise and dependencies under rustlings 6.5.0: build, test and clippy by cargo.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{EXERCISE, ROUNDS, Workbook, edited, median, ms, print, repository, time};

pub fn compare(workbook: &Workbook) {
    let version = Command::new("rustlings").arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let Ok(version) = version else {
        println!(
            "no rustlings on the path: not compared (`cargo install rustlings --version 6.5.0`)\n"
        );
        return;
    };
    let theirs_dir = tempfile::tempdir().unwrap();
    let dir = theirs_dir.path();
    write(dir, &workbook.solution());
    let run = || {
        let mut command = Command::new("rustlings");
        command
            .current_dir(dir)
            .args(["run", EXERCISE])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().unwrap()
    };
    assert!(
        run().success(),
        "rustlings must pass the solution, or the comparison is not fair"
    );
    let solution = workbook.solution();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        fs::write(
            dir.join("exercises").join(format!("{EXERCISE}.rs")),
            with_tests(&edited(&solution, round, "theirs")),
        )
        .unwrap();
        theirs.push(time(|| assert!(run().success())).0);
        fs::write(
            workbook.exercise(EXERCISE),
            edited(&solution, round, "against"),
        )
        .unwrap();
        ours.push(time(|| assert!(workbook.run(EXERCISE).output().unwrap().status.success())).0);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    let sides = format!("{version} run {}, asynclings run {}", ms(theirs), ms(ours));
    print(
        "save to verdict against rustlings",
        &sides,
        theirs.as_secs_f64() / ours.as_secs_f64(),
        8.0,
        true,
    );
}

/// Exercise and checks in one file, as rustlings has them.
fn with_tests(exercise: &str) -> String {
    let checks = fs::read_to_string(repository("checks")).unwrap();
    let checks: String = checks
        .lines()
        .filter(|line| !line.starts_with("//!"))
        .map(|line| format!("{line}\n"))
        .collect();
    format!(
        "{exercise}\n#[cfg(test)]\nmod checks {{\n{}\n}}\n",
        checks.replace("crate::exercise::", "super::")
    )
}

fn write(dir: &Path, solution: &str) {
    let lab = Path::new(env!("CARGO_MANIFEST_DIR")).join("lab/member");
    let manifest = format!(
        "[package]\nname = \"exercises\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [[bin]]\nname = \"{EXERCISE}\"\npath = \"exercises/{EXERCISE}.rs\"\n\n\
         [[bin]]\nname = \"{EXERCISE}_sol\"\npath = \"solutions/{EXERCISE}.rs\"\n\n\
         [dependencies]\nfutures = \"0.3\"\nlab = {{ package = \"asynclings-lab\", path = {lab:?} }}\n\
         tokio = {{ version = \"1\", features = [\"full\", \"test-util\"] }}\n\n[workspace]\n"
    );
    let info = format!(
        "format_version = 1\nwelcome_message = \"\"\nfinal_message = \"\"\n\n\
         [[exercises]]\nname = \"{EXERCISE}\"\ntest = true\nhint = \"none\"\n"
    );
    for (file, text) in [
        ("Cargo.toml".to_owned(), manifest),
        ("info.toml".to_owned(), info),
        (format!("exercises/{EXERCISE}.rs"), with_tests(solution)),
        (format!("solutions/{EXERCISE}.rs"), solution.to_owned()),
    ] {
        let file = dir.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    // The same versions of everything.
    fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"),
        dir.join("Cargo.lock"),
    )
    .unwrap();
}
