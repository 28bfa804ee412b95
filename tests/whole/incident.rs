//! `incident` through the real binary. What is asserted does not depend on how fast the machine is.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::asynclings;

fn workbook() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let output = asynclings()
        .args(["init", "workbook"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    dir
}

fn run(dir: &Path, args: &[&str]) -> Output {
    asynclings()
        .current_dir(dir.join("workbook"))
        .arg("incident")
        .args(args)
        .output()
        .unwrap()
}

#[track_caller]
fn json(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

fn turn<'v>(incident: &'v Value, subject: &str) -> &'v Value {
    let turns = incident["turns"].as_array().unwrap();
    let found = turns.iter().find(|turn| turn["subject"] == subject);
    found.unwrap_or_else(|| panic!("no turn `{subject}` in {incident:#}"))
}

#[test]
fn what_is_refused_is_a_result_with_its_reason_and_its_line() {
    let dir = workbook();
    let page = dir.path().join("incident.html");
    let args = ["nested_block_on", "--format", "json", "--html"];
    let output = run(dir.path(), &[&args[..], &[page.to_str().unwrap()]].concat());
    let incident = json(&output);
    // Untouched, so not run twice.
    assert_eq!(incident["turns"].as_array().unwrap().len(), 2);
    let shipped = turn(&incident, "shipped");
    assert_eq!(shipped["figures"]["errors"], shipped["figures"]["due"]);
    let panic = &shipped["panics"][0];
    let said = panic["message"].as_str().unwrap();
    assert!(said.contains("Cannot start a runtime"), "{said}");
    let exercise = "exercises/01_runtime/nested_block_on.rs";
    assert_eq!(panic["at"]["file"], exercise);
    let solution = turn(&incident, "solution");
    assert_eq!(solution["verdict"], "passed");
    assert_eq!(solution["figures"]["errors"], 0);
    assert_eq!(solution["figures"]["answered"], solution["figures"]["due"]);
    assert!(solution["observed"]["polls"].as_u64().unwrap() > 200);
    let page = fs::read_to_string(page).unwrap();
    let page = page.replace("http://www.w3.org/2000/svg", "the name of SVG");
    assert!(page.contains("<svg class=\"lane\""));
    // It needs nothing from elsewhere.
    for from_elsewhere in ["http://", "https://", "src=", "@import"] {
        assert!(!page.contains(from_elsewhere), "{from_elsewhere}");
    }
}

#[test]
fn a_hang_of_yours_is_a_result_beside_the_others() {
    let dir = workbook();
    let exercise = "exercises/06_fanout/sequential_awaits.rs";
    let file = dir.path().join("workbook").join(exercise);
    let text = fs::read_to_string(&file).unwrap();
    let hangs = text.replacen(
        "let user = users.user(id).await?;",
        "std::future::pending::<()>().await;\n    let user = users.user(id).await?;",
        1,
    );
    assert_ne!(text, hangs);
    fs::write(&file, &hangs).unwrap();
    let output = run(dir.path(), &["sequential_awaits", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let incident = json(&output);
    let yours = turn(&incident, "exercise");
    assert_eq!(yours["verdict"], "hung");
    assert_eq!(yours["kind"], "waiting");
    assert_eq!(yours["at"][0]["file"], exercise);
    // What was known when it hung.
    assert_eq!(yours["figures"]["due"], 200);
    assert_eq!(yours["figures"]["answered"], 0);
    for subject in ["shipped", "solution"] {
        assert_eq!(turn(&incident, subject)["figures"]["answered"], 200);
    }
}

#[test]
fn an_exercise_without_a_scenario_says_which_have_one() {
    let dir = workbook();
    let output = run(dir.path(), &["lazy_future"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("`lazy_future` has no measured scenario"),
        "{said}"
    );
    assert!(said.contains("starved_health"), "{said}");
}
