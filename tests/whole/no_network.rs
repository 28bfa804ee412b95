//! A room without network: one machine writes a workbook with everything in it, the others copy the folder.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::support::{asynclings, ends};

/// A machine on which nobody has built anything, and whose network leads nowhere.
struct Offline {
    home: TempDir,
}

impl Offline {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        Self { home }
    }

    fn start(
        &self,
        program: impl AsRef<std::ffi::OsStr>,
        folder: &Path,
        arguments: &[&str],
    ) -> Output {
        let mut command = Command::new(program);
        command
            .current_dir(folder)
            .args(arguments)
            .env("NO_COLOR", "1")
            .env("ASYNCLINGS_CACHE", self.home.path().join("cache"))
            .env("CARGO_HOME", self.home.path().join("cargo"))
            .env("CARGO_NET_OFFLINE", "true");
        for proxy in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy"] {
            command.env(proxy, "http://127.0.0.1:9");
        }
        command.output().unwrap()
    }
}

/// A copy of the folder, whose original is gone.
fn carried(written: &Path, home: &Path) -> PathBuf {
    let copy = home.join("another place/room 7");
    fs::create_dir_all(copy.parent().unwrap()).unwrap();
    let copied = Command::new("cp").arg("-R").args([written, &copy]).status();
    assert!(copied.unwrap().success());
    fs::remove_dir_all(written).unwrap();
    copy
}

#[test]
fn a_workbook_with_its_crates_is_solved_where_there_is_no_network() {
    let home = tempfile::tempdir().unwrap();
    let init = asynclings()
        .current_dir(home.path())
        .args(["init", "class", "--vendor"])
        .output()
        .unwrap();
    ends(
        &init,
        0,
        &["a workbook is in class", "vendor/", "no network is needed"],
    );
    let readme = fs::read_to_string(home.path().join("class/README.md")).unwrap();
    assert!(readme.contains("## Without a network"), "{readme}");

    let room = carried(&home.path().join("class"), home.path());
    let machine = Offline::new();
    let program = room.join("bin/asynclings");
    let run = |arguments: &[&str]| machine.start(&program, &room, arguments);

    let doctor = ["doctor", "--offline"];
    ends(
        &run(&doctor),
        0,
        &[
            "all are in vendor/",
            "the first run builds the lab from vendor/",
        ],
    );

    // What is not whole is named before cargo stumbles over it.
    let bytes = fs::read_dir(room.join("vendor")).unwrap().flatten();
    let bytes = bytes
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().contains("/bytes-"));
    let (bytes, aside) = (bytes.unwrap(), room.join("aside"));
    fs::rename(&bytes, &aside).unwrap();
    ends(
        &run(&["run", "lazy_future"]),
        4,
        &["vendor/ lacks bytes-", "copy the folder again"],
    );
    ends(&run(&doctor), 3, &["WRONG  crates", "vendor/ lacks bytes-"]);
    fs::rename(&aside, &bytes).unwrap();
    let library = bytes.join("src/lib.rs");
    let text = fs::read(&library).unwrap();
    fs::write(&library, "half a fil").unwrap();
    ends(&run(&doctor), 3, &["/src/lib.rs is not as it was brought"]);
    // Back on the machine with a network, a command brings what is not whole.
    let mended = asynclings().current_dir(&room).arg("update").output();
    ends(
        &mended.unwrap(),
        0,
        &[
            "vendor/ has the crates of this version",
            "bin/asynclings is this version",
        ],
    );
    assert_eq!(fs::read(&library).unwrap(), text);
    let (config, kept) = (room.join(".cargo/config.toml"), room.join("config"));
    fs::rename(&config, &kept).unwrap();
    ends(
        &run(&["run", "lazy_future"]),
        4,
        &[".cargo/config.toml", "is gone"],
    );
    fs::rename(&kept, &config).unwrap();

    ends(
        &run(&["run", "lazy_future"]),
        1,
        &["exercises/01_runtime/lazy_future.rs"],
    );
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let inner = "01_runtime/lazy_future.rs";
    fs::copy(
        repository.join("solutions").join(inner),
        room.join("exercises").join(inner),
    )
    .unwrap();
    // From elsewhere as well.
    let room_text = room.to_str().unwrap();
    let elsewhere = ["run", "lazy_future", "--workbook", room_text];
    ends(
        &machine.start(&program, home.path(), &elsewhere),
        0,
        &["passed"],
    );
    ends(
        &run(&doctor),
        0,
        &["the lab is built, and nothing else is ever downloaded"],
    );
    ends(&run(&["update"]), 0, &["nothing to do"]);

    // An editor asks cargo, in this folder.
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let metadata = ["metadata", "--format-version", "1", "--locked"];
    let metadata = machine.start(&cargo, &room, &metadata);
    ends(&metadata, 0, &["/another place/room 7/vendor/tokio-"]);
}

#[test]
fn a_workbook_with_crates_is_not_written_where_there_are_none() {
    let home = tempfile::tempdir().unwrap();
    let machine = Offline::new();
    let program = env!("CARGO_BIN_EXE_asynclings");
    let init = |arguments: &[&str]| machine.start(program, home.path(), arguments);
    let words = ["cannot bring the crates", "not on this machine"];
    ends(
        &init(&["init", "a/b/class", "--vendor", "--offline"]),
        3,
        &words,
    );
    assert_eq!(
        fs::read_dir(home.path()).unwrap().count(),
        0,
        "something is left"
    );
    fs::create_dir(home.path().join("empty")).unwrap();
    ends(&init(&["init", "empty", "--vendor"]), 3, &words[..1]);
    let left = fs::read_dir(home.path().join("empty")).unwrap().count();
    assert_eq!(left, 0, "something is left");

    // Without crates it is written, and says what it lacks.
    ends(&init(&["init", "class"]), 0, &[]);
    let doctor = machine.start(
        program,
        &home.path().join("class"),
        &["doctor", "--offline"],
    );
    ends(
        &doctor,
        3,
        &[
            "WRONG  offline",
            "its crates are not on this machine",
            "init DIR --vendor",
        ],
    );
}
