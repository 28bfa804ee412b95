//! Landlock for files, seccomp for system calls, and limits, on the way from `fork` to `exec`.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope, make_bitflags, path_beneath_rules,
};
use seccompiler::BpfProgram;
use tokio::process::Command;

use super::{Rules, calls};
use crate::exit::Fault;

/// With it a file outside cannot be cut short either. Linux 6.2.
const LEAST: ABI = ABI::V3;

/// In its own folder a process makes files, folders, links and pipes (a check's slow disk is one): no program, no device.
const NOT_EVEN_THERE: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
    Execute | MakeChar | MakeBlock | MakeSock
});

/// The kernel's names for "what is below this path".
const RULE_PATH_BENEATH: libc::c_int = 1;

pub(super) fn supported() -> Result<()> {
    let advice = "grade on a machine that has it, or, where you trust every line of these folders, with --sandbox=off";
    ruleset().map(drop).with_context(|| {
        Fault::Machine(format!(
            "no sandbox: this kernel has no Landlock of Linux 6.2 or newer, or it was not started with it (`lsm=landlock,..`); {advice}"
        ))
    })?;
    calls::filters(false).map(drop).with_context(|| {
        Fault::Machine(format!(
            "no sandbox: system calls cannot be filtered on {}; {advice}",
            std::env::consts::ARCH
        ))
    })
}

fn ruleset() -> Result<RulesetCreated> {
    Ok(Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))?
        // Newer kernels keep more back; what they do not know is in the filter of calls as well.
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?)
}

/// Programs that the kernel starts before a program: without the right to start them nothing starts.
pub(super) fn loaders() -> Vec<PathBuf> {
    let names = |folder: &str| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("ld-"))
            .map(|entry| entry.path())
            .collect::<Vec<_>>()
    };
    ["/lib64", "/lib"].into_iter().flat_map(names).collect()
}

pub(super) fn restrict(command: &mut Command, rules: Rules) -> Result<()> {
    let reading = AccessFs::ReadFile | AccessFs::ReadDir;
    let ruleset = ruleset()?
        .add_rules(path_beneath_rules(&rules.read, reading))?
        .add_rules(path_beneath_rules(&rules.execute, AccessFs::Execute))?
        .add_rules(path_beneath_rules(
            ["/dev/null"],
            AccessFs::ReadFile | AccessFs::WriteFile,
        ))?
        .add_rules(path_beneath_rules(
            [&rules.write],
            AccessFs::from_all(LEAST) & !NOT_EVEN_THERE,
        ))?;
    let ruleset: Option<OwnedFd> = ruleset.into();
    let ruleset = ruleset.ok_or_else(|| anyhow!("the kernel made no Landlock rules"))?;
    let mut filters = calls::filters(rules.compiles)?;
    let limits = [
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_DATA, rules.memory),
        (libc::RLIMIT_FSIZE, rules.file),
        (libc::RLIMIT_CPU, rules.seconds),
        (libc::RLIMIT_NOFILE, rules.files),
    ];
    let reads_own_threads = !rules.compiles;
    // SAFETY: between `fork` and `exec` it makes system calls and writes to memory that it owns; it takes no lock and
    // allocates nothing.
    unsafe {
        command.pre_exec(move || {
            leave_behind()?;
            for (resource, value) in limits {
                lower(resource, value)?;
            }
            if reads_own_threads {
                allow_own_threads(&ruleset)?;
            }
            confine(&ruleset, &mut filters)
        });
    }
    Ok(())
}

/// Files that the grader has open, and what root may do beyond others.
fn leave_behind() -> io::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        process: i32,
    }
    const VERSION_3: u32 = 0x2008_0522;
    // SAFETY: integers, and structures as the kernel lays them out, alive during the call.
    unsafe {
        // Not closed: one of them tells the grader how this ends.
        done(libc::syscall(
            libc::SYS_close_range,
            3,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        ))?;
        let header = Header {
            version: VERSION_3,
            process: 0,
        };
        let none = [0_u32; 6];
        done(libc::syscall(
            libc::SYS_capset,
            &raw const header,
            &raw const none,
        ))
    }
}

fn lower(resource: libc::__rlimit_resource_t, value: u64) -> io::Result<()> {
    let mut limit = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: both pointers are to a live local.
    unsafe {
        done(libc::getrlimit(resource, &raw mut limit).into())?;
        limit.rlim_max = limit.rlim_max.min(value);
        limit.rlim_cur = limit.rlim_cur.min(value);
        done(libc::setrlimit(resource, &raw const limit).into())
    }
}

/// The lab tells a blocked thread from a starved one by what the kernel says of its threads. Of this process alone: the
/// folder of another would show its environment.
fn allow_own_threads(ruleset: &OwnedFd) -> io::Result<()> {
    #[repr(C, packed)]
    struct PathBeneath {
        allowed: u64,
        parent: i32,
    }
    // SAFETY: a path that ends in zero; a structure as the kernel lays it out, alive during the call. The file
    // descriptor stays open on purpose: it keeps the folder, and with it the rule, in the kernel's memory.
    unsafe {
        let threads = libc::open(
            c"/proc/self/task".as_ptr(),
            libc::O_PATH | libc::O_DIRECTORY,
        );
        done(threads.into())?;
        let rule = PathBeneath {
            allowed: AccessFs::ReadFile as u64 | AccessFs::ReadDir as u64,
            parent: threads,
        };
        done(libc::syscall(
            libc::SYS_landlock_add_rule,
            ruleset.as_raw_fd(),
            RULE_PATH_BENEATH,
            &raw const rule,
            0,
        ))
    }
}

fn confine(ruleset: &OwnedFd, filters: &mut [BpfProgram]) -> io::Result<()> {
    // SAFETY: integers, and filters that live during the calls.
    unsafe {
        let own = u32::try_from(libc::getpid()).unwrap_or_default();
        done(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())?;
        done(libc::syscall(
            libc::SYS_landlock_restrict_self,
            ruleset.as_raw_fd(),
            0,
        ))?;
        for filter in filters {
            for instruction in filter.iter_mut() {
                if instruction.k == calls::OWN_PROCESS {
                    instruction.k = own;
                }
            }
            let program = libc::sock_fprog {
                len: u16::try_from(filter.len()).unwrap_or_default(),
                filter: filter.as_mut_ptr().cast(),
            };
            done(libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                0,
                &raw const program,
            ))?;
        }
    }
    Ok(())
}

fn done(result: libc::c_long) -> io::Result<()> {
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
