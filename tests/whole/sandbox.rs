//! Attacks on a grader, each by a learner's folder and through the real binary. An attack that runs asserts for itself that
//! it was refused, and passes; with the sandbox off the same text must get through, or the test would show nothing.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use serde_json::Value;

use crate::class;
use crate::class::{Class, Graded};
use crate::support::{asynclings, until};

const SECRET: &str = "the-exam-of-next-week";

/// A solved exercise that does this on the way, once.
fn on_the_way(body: &str) -> String {
    format!(
        "pub async fn serve(order: u64) -> u64 {{\n{body}\n    order + 1\n}}\n\nfn main() {{}}\n"
    )
}

/// A solved exercise with this item beside it.
fn beside(item: &str) -> String {
    format!("{item}\n{}", on_the_way(""))
}

struct Attacks {
    class: Class,
    /// Of which the sandbox must make `passed`, and `--sandbox=off` something else.
    refused_at_run_time: Vec<&'static str>,
    /// Of which the sandbox must make `does_not_compile`, and `--sandbox=off` must not.
    refused_by_the_compiler: Vec<&'static str>,
}

impl Attacks {
    fn new() -> Self {
        Self {
            class: Class::new(),
            refused_at_run_time: Vec::new(),
            refused_by_the_compiler: Vec::new(),
        }
    }

    fn runs(&mut self, name: &'static str, body: &str) {
        self.class.learner(name, &on_the_way(body));
        self.refused_at_run_time.push(name);
    }

    fn compiles(&mut self, name: &'static str, item: &str) {
        self.class.learner(name, &beside(item));
        self.refused_by_the_compiler.push(name);
    }
}

fn grade(class: &Class, sandbox: &str) -> Graded {
    use std::os::fd::AsRawFd;
    use std::os::unix::process::CommandExt;
    let report = class.tiny.dir.path().join("class.json");
    let secret = class.tiny.dir.path().join("open-in-the-grader.txt");
    fs::write(&secret, SECRET).unwrap();
    let secret = fs::File::open(secret).unwrap();
    let mut command = class.command(&[sandbox]);
    // SAFETY: one system call, on a file that is open until the command has ended.
    unsafe {
        command.pre_exec({
            let secret = secret.as_raw_fd();
            move || match libc::dup2(secret, 33) {
                -1 => Err(std::io::Error::last_os_error()),
                _ => Ok(()),
            }
        });
    }
    let output = command
        .env("GRADERS_SECRET", SECRET)
        .arg("--report")
        .arg(&report)
        .args(class.folders())
        .output()
        .unwrap();
    let report = class::read(&report);
    Graded { output, report }
}

#[track_caller]
fn verdict<'r>(rows: &'r std::collections::BTreeMap<String, Value>, name: &str) -> &'r str {
    let row = rows.get(name).unwrap_or_else(|| panic!("no row of {name}"));
    row["verdict"]
        .as_str()
        .unwrap_or_else(|| panic!("{name} has no verdict: {row:#}"))
}

#[test]
fn what_is_outside_can_be_neither_read_nor_written_nor_reached() {
    let mut attacks = Attacks::new();
    let root = attacks.class.tiny.dir.path().to_owned();
    let secret = root.join("secret.txt");
    fs::write(&secret, format!("\"{SECRET}\"")).unwrap();
    let open = root.join("open.txt");
    fs::write(&open, "as it was").unwrap();
    let neighbour = attacks
        .class
        .learner("a neighbour", &on_the_way("    // mine alone"));
    let neighbour = neighbour.join("exercises/01_test/tiny.rs");
    let checks = attacks.class.workbook().join("checks/01_test/tiny.rs");
    let solution = attacks.class.workbook().join("solutions/01_test/tiny.rs");

    // Reads, while it is compiled.
    attacks.compiles(
        "includes a secret",
        &format!("pub const S: &str = include_str!({secret:?});"),
    );
    attacks.compiles(
        "includes a secret as code",
        &format!("pub const S: &str = include!({secret:?});"),
    );
    attacks.compiles(
        "has a module in a neighbour",
        &format!("#[path = {neighbour:?}]\nmod theirs;"),
    );
    attacks.compiles(
        "includes the solution",
        &format!("pub const S: &str = include_str!({solution:?});"),
    );
    attacks.compiles(
        "includes the checks",
        &format!("pub const S: &str = include_str!({checks:?});"),
    );
    attacks.compiles(
        "includes the copy of the checks",
        "pub const S: &str = include_str!(\"checks.rs\");",
    );
    attacks.compiles(
        "has the checks as a module",
        "#[path = \"checks.rs\"]\npub mod theirs;",
    );
    attacks.compiles(
        "includes the environment",
        "pub const S: &[u8] = include_bytes!(\"/proc/self/environ\");",
    );
    attacks.compiles(
        "has the environment in it",
        "pub const S: &str = env!(\"GRADERS_SECRET\");",
    );
    attacks.compiles(
        "calls the lab",
        "pub fn forge() { lab::paused(|| async {}); }",
    );

    // Reads, while it runs.
    let read = |path: &std::path::Path| format!("    assert!(std::fs::read({path:?}).is_err());");
    attacks.runs("reads a secret", &read(&secret));
    attacks.runs("reads a neighbour", &read(&neighbour));
    attacks.runs("reads the checks", &read(&checks));
    attacks.runs("reads the solution", &read(&solution));
    attacks.runs(
        "reads around the corner",
        &format!(
            "    let mut root = std::path::PathBuf::from(\"/proc/self/root\");
    root.push({secret:?}.trim_start_matches('/'));
    assert!(std::fs::read(root).is_err());"
        ),
    );
    attacks.runs(
        "reads by a link of its own",
        &format!(
            "    std::os::unix::fs::symlink({secret:?}, \"link\").unwrap();
    assert!(std::fs::read(\"link\").is_err());"
        ),
    );
    attacks.runs(
        "looks for the checks near its binary",
        "    let program = std::env::current_exe().unwrap();
    for file in [\"checks.rs\", \"root.rs\", \"exercise.rs\"] {
        assert!(std::fs::read(program.with_file_name(file)).is_err());
    }",
    );
    attacks.runs(
        "asks for the environment",
        "    assert!(std::env::var(\"GRADERS_SECRET\").is_err());",
    );
    attacks.runs(
        "asks the kernel for the grader's environment",
        "    let grader = std::os::unix::process::parent_id();
    assert!(std::fs::read(format!(\"/proc/{grader}/environ\")).is_err());",
    );

    // Writes.
    let new = root.join("new.txt");
    attacks.runs(
        "writes outside",
        &format!("    assert!(std::fs::write({new:?}, \"x\").is_err());"),
    );
    attacks.runs(
        "cuts a file short",
        &format!("    assert!(std::fs::OpenOptions::new().write(true).truncate(true).open({open:?}).is_err());"),
    );
    attacks.runs(
        "opens a file to everybody",
        &format!(
            "    use std::os::unix::fs::PermissionsExt;
    assert!(std::fs::set_permissions({open:?}, std::fs::Permissions::from_mode(0o777)).is_err());"
        ),
    );
    attacks.runs(
        "moves a file away",
        &format!("    assert!(std::fs::rename({open:?}, \"mine\").is_err());\n    assert!(std::fs::hard_link({open:?}, \"mine\").is_err());"),
    );
    attacks.runs(
        "deletes a neighbour's work",
        &format!("    let file = {neighbour:?};\n    assert!(std::fs::OpenOptions::new().append(true).open(file).is_err());"),
    );

    // Reaches out.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    attacks.runs(
        "connects to a server",
        &format!("    assert!(std::net::TcpStream::connect({address:?}).is_err());"),
    );
    attacks.runs(
        "is a server",
        "    assert!(std::net::TcpListener::bind(\"127.0.0.1:0\").is_err());\n    assert!(std::net::UdpSocket::bind(\"127.0.0.1:0\").is_err());",
    );
    let socket = root.join("socket");
    let local = UnixListener::bind(&socket).unwrap();
    local.set_nonblocking(true).unwrap();
    attacks.runs(
        "connects to a socket in the file system",
        &format!("    assert!(std::os::unix::net::UnixStream::connect({socket:?}).is_err());"),
    );

    let letters = root.join("letters");
    let letter_box = std::os::unix::net::UnixDatagram::bind(&letters).unwrap();
    letter_box.set_nonblocking(true).unwrap();
    attacks.runs(
        "sends a letter from a pair of its own",
        &format!(
            "    if let Ok((one, _other)) = std::os::unix::net::UnixDatagram::pair() {{
        assert!(one.send_to(b\"x\", {letters:?}).is_err());
    }}"
        ),
    );

    // The lab's own memory, where the key is that seals records.
    attacks.runs(
        "reads its own memory",
        "    use std::io::{Read, Seek, SeekFrom};
    use std::os::unix::fs::FileExt;
    let maps = std::fs::read_to_string(\"/proc/thread-self/maps\").unwrap();
    let start = maps.lines().find(|line| line.contains(\"liblab\") && line.contains(\"rw-p\")).unwrap();
    let start = u64::from_str_radix(start.split('-').next().unwrap(), 16).unwrap();
    let mut memory = std::fs::File::open(\"/proc/thread-self/mem\").unwrap();
    let mut key = [0; 16];
    assert!(memory.read_exact_at(&mut key, start).is_err());
    assert!(memory.seek(SeekFrom::Start(start)).is_err() || memory.read_exact(&mut key).is_err());
    let far = SeekFrom::Current(start as i64);
    assert!(memory.seek(far).is_err() || memory.read_exact(&mut key).is_err());",
    );
    attacks.runs(
        "makes a device",
        "    let made = unsafe { libc::mknod(c\"full\".as_ptr(), libc::S_IFCHR | 0o600, libc::makedev(1, 7)) };
    assert_eq!(made, -1);",
    );
    attacks.runs(
        "reads what the grader has open",
        "    use std::io::Read;
    use std::os::fd::FromRawFd;
    let mut secret = String::new();
    let inherited = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(33) });
    assert!((&*inherited).read_to_string(&mut secret).is_err());",
    );

    // Other processes.
    attacks.runs(
        "starts a program",
        "    assert!(std::process::Command::new(\"/bin/true\").status().is_err());",
    );
    attacks.runs(
        "is a fork bomb of fifty",
        "    let forks: Vec<i32> = (0..50).map(|_| match unsafe { libc::fork() } {
        0 => unsafe { libc::_exit(0) },
        child => child,
    }).collect();
    assert!(forks.iter().all(|child| *child == -1), \"{forks:?}\");",
    );
    // Signal 0 asks whether a signal would be allowed, and sends none.
    attacks.runs(
        "signals the grader",
        "    let grader = std::os::unix::process::parent_id() as i32;
    assert_eq!(unsafe { libc::kill(grader, 0) }, -1);",
    );
    attacks.runs(
        "signals everybody",
        "    assert_eq!(unsafe { libc::kill(-1, 0) }, -1);\n    assert_eq!(unsafe { libc::kill(1, 0) }, -1);",
    );
    attacks.runs(
        "traces the grader",
        "    let grader = std::os::unix::process::parent_id() as i32;
    let seized = unsafe { libc::ptrace(libc::PTRACE_SEIZE, grader, 0, 0) };
    assert_eq!(seized, -1);",
    );
    attacks.runs(
        "leaves a daemon",
        "    if unsafe { libc::fork() } == 0 {
        unsafe { libc::setsid() };
        std::thread::sleep(std::time::Duration::from_secs(1));
        unsafe { libc::_exit(0) };
    }
    assert_eq!(unsafe { libc::setsid() }, -1);
    assert!(std::thread::available_parallelism().is_ok());
    assert_eq!(unsafe { libc::fork() }, -1);",
    );

    let graded = grade(&attacks.class, "--sandbox");
    assert_eq!(graded.output.status.code(), Some(0), "{}", graded.errors());
    let rows = graded.rows();
    assert_eq!(verdict(&rows, "a neighbour"), "passed");
    assert_eq!(
        letter_box.recv(&mut [0; 8]).unwrap_err().kind(),
        ErrorKind::WouldBlock
    );
    for name in &attacks.refused_by_the_compiler {
        assert_eq!(
            verdict(&rows, name),
            "does_not_compile",
            "{name}: {:#}",
            rows[*name]
        );
    }
    for name in &attacks.refused_at_run_time {
        assert_eq!(verdict(&rows, name), "passed", "{name}: {:#}", rows[*name]);
    }
    assert!(!graded.report.contains(SECRET), "a secret is in the report");
    assert!(
        !graded.report.contains("mine alone"),
        "so is a neighbour's text"
    );
    assert!(!new.exists());
    assert_eq!(fs::read_to_string(&open).unwrap(), "as it was");
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(local.accept().unwrap_err().kind(), ErrorKind::WouldBlock);

    // What would do harm without a sandbox is not tried without one.
    for name in ["moves a file away", "traces the grader", "leaves a daemon"] {
        fs::remove_dir_all(attacks.class.folder().join(name)).unwrap();
    }
    let open_to_all = grade(&attacks.class, "--sandbox=off").rows();
    let tried = |name: &&&str| open_to_all.contains_key(**name);
    for name in attacks.refused_by_the_compiler.iter().filter(tried) {
        assert_ne!(
            verdict(&open_to_all, name),
            "does_not_compile",
            "{name}: {:#}",
            open_to_all[*name]
        );
    }
    for name in attacks.refused_at_run_time.iter().filter(tried) {
        assert_ne!(
            verdict(&open_to_all, name),
            "passed",
            "{name}: {:#}",
            open_to_all[*name]
        );
    }
}

#[test]
fn what_goes_on_without_end_is_ended_and_forged_records_are_none() {
    let class = Class::new();
    let mark = format!("asynclings-flood-{}", std::process::id());
    class.learner("honest", &on_the_way("    // an honest solution"));
    class.learner(
        "fills the disk with files",
        &on_the_way(
            "    let block = vec![7; 1 << 20];
    for file in 0..64 {
        let mut path = std::fs::File::create(format!(\"{file}\")).unwrap();
        for _ in 0..32 {
            std::io::Write::write_all(&mut path, &block).unwrap();
        }
    }",
        ),
    );
    class.learner(
        "fills the disk with one file",
        &on_the_way(
            "    let block = vec![7; 1 << 20];
    let mut file = std::fs::File::create(\"one\").unwrap();
    for _ in 0..2048 {
        std::io::Write::write_all(&mut file, &block).unwrap();
    }",
        ),
    );
    class.learner(
        "makes ten thousand files",
        &on_the_way("    for file in 0..10_000 { std::fs::File::create(format!(\"{file}\")).unwrap(); }\n    std::thread::sleep(std::time::Duration::from_secs(60));"),
    );
    class.learner(
        "compiles for ever",
        &beside(
            "const fn collatz(mut n: u64) -> u64 { let mut all = [0u64; 4096]; let mut at = 0; while at < 4096 { all[at] = n; n = n.wrapping_mul(3); at += 1; } n }
pub const BOMB: [[[u64; 4096]; 4096]; 4096] = [[[collatz(7); 4096]; 4096]; 4096];",
        ),
    );
    class.learner(
        "includes what never ends",
        &beside("pub const S: &[u8] = include_bytes!(\"/dev/urandom\");"),
    );
    class.learner(
        "includes what never comes",
        &beside("pub const S: &str = include_str!(\"/dev/stderr\");"),
    );
    class.learner(
        "writes a record and leaves",
        &on_the_way(
            r#"    for file in std::fs::read_dir(".").unwrap() {
        let path = file.unwrap().path();
        let genuine = std::fs::read_to_string(&path).unwrap();
        let again = genuine.replace("started", "finished");
        let forged = "{\"record\":\"finished\",\"peak\":1}\n";
        std::fs::write(&path, [&genuine, &again, forged].concat()).unwrap();
    }
    println!("test checks::an_order_gets_the_next_number ... ok");
    std::process::exit(0);"#,
        ),
    );
    for (name, instead) in [
        (
            "links the record to its input",
            "std::os::unix::fs::symlink(\"/dev/stdin\", \"record.jsonl\").unwrap()",
        ),
        (
            "makes the record a pipe",
            "assert_eq!(unsafe { libc::mkfifo(c\"record.jsonl\".as_ptr(), 0o600) }, 0)",
        ),
        (
            "makes the record a folder",
            "std::fs::create_dir(\"record.jsonl\").unwrap()",
        ),
    ] {
        class.learner(
            name,
            &on_the_way(&format!(
                "    std::fs::remove_file(\"record.jsonl\").unwrap();\n    {instead};\n    std::process::exit(0);"
            )),
        );
    }
    class.learner(
        "makes a test of everything",
        "pub use tracing::instrument as test;\npub async fn serve(order: u64) -> u64 { order }\n\nfn main() {}\n",
    );
    class.learner(
        "prints a record and leaves",
        &on_the_way("    println!(\"{{\\\"record\\\":\\\"finished\\\",\\\"peak\\\":1}}\"); std::process::exit(0);"),
    );
    class.learner("leaves early", &on_the_way("    std::process::exit(0);"));
    class.learner(
        "leaves a thread",
        &on_the_way(&format!("    std::thread::Builder::new().name({mark:?}.into()).spawn(|| loop {{ std::thread::park(); }}).unwrap();")),
    );

    let graded = grade(&class, "--sandbox");
    assert_eq!(graded.output.status.code(), Some(0), "{}", graded.errors());
    let rows = graded.rows();
    assert_eq!(verdict(&rows, "honest"), "passed");
    for (name, expected) in [
        ("fills the disk with files", "ended_early"),
        ("fills the disk with one file", "ended_early"),
        ("makes ten thousand files", "ended_early"),
        ("compiles for ever", "does_not_compile"),
        ("includes what never ends", "does_not_compile"),
        ("includes what never comes", "does_not_compile"),
        ("writes a record and leaves", "ended_early"),
        ("links the record to its input", "ended_early"),
        ("makes the record a pipe", "ended_early"),
        ("makes the record a folder", "ended_early"),
        ("prints a record and leaves", "ended_early"),
        ("leaves early", "ended_early"),
        ("leaves a thread", "left_running"),
    ] {
        assert_eq!(verdict(&rows, name), expected, "{name}: {:#}", rows[name]);
    }
    // What only its own text does to the checks is a row, and does not end the run with an error.
    assert_ne!(rows["makes a test of everything"]["verdict"], "passed");
    let notes = rows["leaves early"]["notes"].to_string();
    assert!(notes.contains("line 2 has `exit`"), "{notes}");
}

/// It ends by itself after a minute, should the test fail.
#[test]
fn a_grader_that_is_killed_takes_its_processes_along() {
    let class = Class::new();
    let mark = format!("asynclings-orphan-{}", std::process::id());
    let folder = class.learner(
        "sleeper",
        &on_the_way(&format!(
            "    std::fs::write({mark:?}, \"\").unwrap();\n    std::thread::sleep(std::time::Duration::from_secs(60));"
        )),
    );
    let mut grader = class.command(&[]).arg(folder).spawn().unwrap();
    until("the check runs", || !writers(&mark).is_empty());
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&grader),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    grader.wait().unwrap();
    until("nothing of it runs", || writers(&mark).is_empty());
}

/// Processes whose working folder has this file.
fn writers(mark: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|process| process.path().join("cwd").join(mark).exists())
        .map(|process| process.file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn where_there_is_no_sandbox_grading_is_refused_and_says_what_is_missing() {
    // Landlock cannot be taken from a kernel, but a process that may stack no further rules has none.
    let class = Class::new();
    let folder = class.learner("ann", &on_the_way(""));
    let mut command = asynclings();
    command
        .current_dir(class.workbook())
        .arg("grade")
        .arg(folder);
    let denied = without_landlock(&mut command).output().unwrap();
    let said = String::from_utf8_lossy(&denied.stderr);
    assert_eq!(denied.status.code(), Some(3), "{said}");
    for words in ["no sandbox", "Landlock", "--sandbox=off"] {
        assert!(said.contains(words), "{said}");
    }
}

/// As on a kernel that does not know the call.
fn without_landlock(command: &mut std::process::Command) -> &mut std::process::Command {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    use std::os::unix::process::CommandExt;
    let rules = [(libc::SYS_landlock_create_ruleset, Vec::new())];
    let filter = SeccompFilter::new(
        rules.into_iter().collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS as u32),
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let filter: BpfProgram = filter.unwrap().try_into().unwrap();
    // SAFETY: between `fork` and `exec` it makes two system calls on memory that was made before.
    unsafe {
        command.pre_exec(move || {
            seccompiler::apply_filter(&filter).map_err(|_| std::io::Error::last_os_error())
        })
    }
}
