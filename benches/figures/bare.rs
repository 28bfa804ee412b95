//! Save to verdict, against rustc itself with the same arguments and the binary run once.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support;
use crate::{EXERCISE, ROUNDS, Workbook, edited, median, ms, print, time};

/// A call of rustc, as the runner makes it.
struct Call {
    folder: PathBuf,
    rustc: PathBuf,
    arguments: Vec<String>,
}

pub fn compare(workbook: &Workbook) {
    let call = call(workbook);
    let solution = workbook.solution();
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    // The first rounds fill caches: not counted.
    for round in 0..ROUNDS + 2 {
        fs::write(
            workbook.exercise(EXERCISE),
            edited(&solution, round, "ours"),
        )
        .unwrap();
        let (took, output) = time(|| workbook.run(EXERCISE).output().unwrap());
        assert!(output.status.success(), "{output:?}");
        fs::write(
            call.folder.join("exercise.rs"),
            edited(&solution, round, "bare"),
        )
        .unwrap();
        let direct = call.make();
        if round >= 2 {
            ours.push(took);
            bare.push(direct);
        }
    }
    let (ours, bare) = (median(ours), median(bare));
    let sides = format!(
        "asynclings run {}, rustc and the binary {}",
        ms(ours),
        ms(bare)
    );
    print(
        "save to verdict against bare rustc",
        &sides,
        ours.as_secs_f64() / bare.as_secs_f64(),
        1.15,
        false,
    );
}

impl Call {
    fn make(&self) -> Duration {
        let quiet = |command: &mut Command| {
            let command = command
                .current_dir(&self.folder)
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            assert!(command.status().unwrap().success(), "{command:?}");
        };
        time(|| {
            quiet(Command::new(&self.rustc).args(&self.arguments));
            quiet(&mut Command::new(self.folder.join("check")));
        })
        .0
    }
}

/// Recorded by a toolchain whose rustc writes down what it is told.
fn call(workbook: &Workbook) -> Call {
    let tools = tempfile::tempdir().unwrap();
    let log = tools.path().join("log");
    assert!(workbook.run(EXERCISE).status().unwrap().success());
    let sysroot = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .unwrap();
    let sysroot = PathBuf::from(String::from_utf8(sysroot.stdout).unwrap().trim());
    let rustc = sysroot.join("bin/rustc");
    let recorder = tools.path().join("rustc");
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = root.rs ]; then pwd > '{log}'; printf '%s\\n' \"$@\" >> '{log}'; fi\nexec '{rustc}' \"$@\"\n",
        log = log.display(),
        rustc = rustc.display(),
    );
    fs::write(&recorder, script).unwrap();
    fs::set_permissions(&recorder, fs::Permissions::from_mode(0o755)).unwrap();
    record(workbook, &recorder);
    let text = fs::read_to_string(&log).expect("the runner called rustc");
    let mut lines = text.lines().map(str::to_owned);
    let folder = PathBuf::from(lines.next().unwrap());
    let copy = tools.keep().join("slot");
    copy_folder(&folder, &copy);
    let arguments = lines
        .map(|line| line.replace(&folder.display().to_string(), &copy.display().to_string()))
        .collect();
    Call {
        folder: copy,
        rustc,
        arguments,
    }
}

/// One check, by the library, with this rustc.
fn record(workbook: &Workbook, rustc: &Path) {
    use asynclings::commands::checking::Checker;
    use asynclings::compile::Reuse;
    use asynclings::core::manifest::Subject;
    use asynclings::prepare::{Cache, Options, lab};
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let cache = Cache {
            root: support::cache(),
        };
        let sources = asynclings::embedded::lab_sources();
        let mut lab = lab(&cache, &sources, Options::default(), |_| {})
            .await
            .unwrap();
        lab.rustc = rustc.to_path_buf();
        let workbook = asynclings::workbook::Workbook::find(Some(&workbook.root())).unwrap();
        let exercise = workbook.exercise(EXERCISE).unwrap();
        let checker = Checker {
            workbook: &workbook,
            lab: &lab,
            jobs: 2,
            sandbox: None,
        };
        checker
            .check(exercise, &Subject::Exercise, Reuse::Incremental)
            .await
            .unwrap();
    });
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
