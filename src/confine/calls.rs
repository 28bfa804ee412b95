//! System calls that a confined process may not make. They fail with "operation not permitted".

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};

/// Stands in a filter for the process's own number, which is not known before it is there.
pub(super) const OWN_PROCESS: u32 = 0x7EAD_BEE5;

/// No confined process needs them. Sockets: a pair that is connected to itself (`socketpair`) is allowed, anything that
/// could reach another process or machine is not. Landlock knows nothing of most others.
const NEVER: &[libc::c_long] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    // They would carry out any of these without a call.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    SYS_QUOTACTL_FD,
    libc::SYS_syslog,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // They last longer than the process.
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
];

/// A check needs none of these, and a compiler some. Landlock does not ask before a mode, an owner or a time changes.
const NOT_IN_A_CHECK: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
    libc::SYS_memfd_create,
    libc::SYS_inotify_init1,
    // With an address, or without a look at one: they reach sockets that others have bound.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_sched_setaffinity,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
    libc::SYS_setsid,
    libc::SYS_setpgid,
];

// The same numbers on every architecture.
const SYS_QUOTACTL_FD: libc::c_long = 443;
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_REMOVEXATTRAT: libc::c_long = 466;
const SYS_FILE_SETATTR: libc::c_long = 469;

/// A process's own memory is a file, `/proc/self/task/N/mem`, that is as long as its addresses are high. No other file of a
/// check comes near.
const LONGEST_FILE: u64 = 1 << 40;
/// Many small steps lead there as well; this many would take longer than a check may.
const LONGEST_STEP: u64 = 1 << 16;

#[cfg(target_arch = "x86_64")]
const OLD_AND_NOT_IN_A_CHECK: &[libc::c_long] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_inotify_init,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_AND_NOT_IN_A_CHECK: &[libc::c_long] = &[];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// # Errors
/// An architecture that seccompiler does not know.
pub(super) fn filters(compiles: bool) -> anyhow::Result<Vec<BpfProgram>> {
    let mut denied: Rules = NEVER.iter().map(|call| (*call, Vec::new())).collect();
    let mut filters = Vec::new();
    if !compiles {
        let more = NOT_IN_A_CHECK.iter().chain(OLD_AND_NOT_IN_A_CHECK);
        denied.extend(more.map(|call| (*call, Vec::new())));
        denied.extend(by_argument()?);
        // Its flags are in memory, where no filter can look: told that there is no such call, the C library takes the
        // older one, whose flags are in a register.
        let newer = Rules::from([(libc::SYS_clone3, Vec::new())]);
        filters.push(filter(newer, libc::ENOSYS)?);
    }
    filters.push(filter(denied, libc::EPERM)?);
    Ok(filters)
}

/// Threads but no processes; signals to itself alone; limits may be read and not set; sockets that are connected to each
/// other; and files, but not the memory of the process, where the lab's key is.
fn by_argument() -> anyhow::Result<Rules> {
    let own = u64::from(OWN_PROCESS);
    let not = |argument, value| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
    };
    let threads = libc::CLONE_THREAD as u64;
    let no_thread = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(threads),
        0,
    )?;
    let sets = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    let rule = |conditions| -> anyhow::Result<Vec<SeccompRule>> {
        Ok(vec![SeccompRule::new(conditions)?])
    };
    let mut rules = Rules::from([
        (libc::SYS_clone, rule(vec![no_thread])?),
        // 0 is the group that it leads.
        (libc::SYS_kill, rule(vec![not(0, own)?, not(0, 0)?])?),
        (libc::SYS_tgkill, rule(vec![not(0, own)?])?),
        (libc::SYS_rt_tgsigqueueinfo, rule(vec![not(0, own)?])?),
        (libc::SYS_prlimit64, rule(vec![sets])?),
    ]);
    rules.insert(libc::SYS_setrlimit, Vec::new());
    let is =
        |argument, op, value| SeccompCondition::new(argument, SeccompCmpArgLen::Qword, op, value);
    // A pair of datagram sockets can be told to send elsewhere.
    let kind = |kind| is(1, SeccompCmpOp::MaskedEq(0xf), kind);
    let mut pairs = Vec::new();
    for other in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET] {
        pairs.push(SeccompRule::new(vec![kind(other as u64)?])?);
    }
    rules.insert(libc::SYS_socketpair, pairs);
    rules.insert(libc::SYS_sendto, rule(vec![is(4, SeccompCmpOp::Ne, 0)?])?);
    // A pipe may be made, and a device not.
    let kinds = [libc::S_IFCHR, libc::S_IFBLK, libc::S_IFSOCK];
    let nodes = |argument| -> anyhow::Result<Vec<SeccompRule>> {
        let of = |kind: &u32| {
            let mask = SeccompCmpOp::MaskedEq(u64::from(libc::S_IFMT));
            let mode = SeccompCmpArgLen::Dword;
            Ok(SeccompRule::new(vec![SeccompCondition::new(
                argument,
                mode,
                mask,
                u64::from(*kind),
            )?])?)
        };
        kinds.iter().map(of).collect()
    };
    rules.insert(libc::SYS_mknodat, nodes(2)?);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_mknod, nodes(1)?);
    // Memory that no limit of the data segment counts.
    let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
    rules.insert(
        libc::SYS_mmap,
        rule(vec![is(3, SeccompCmpOp::MaskedEq(shared), shared)?])?,
    );
    let far = |most: u64| -> anyhow::Result<[SeccompCondition; 2]> {
        Ok([
            is(1, SeccompCmpOp::Gt, most)?,
            is(1, SeccompCmpOp::Lt, most.wrapping_neg())?,
        ])
    };
    let from_here = libc::SEEK_CUR as u64;
    let [past, before] = far(LONGEST_STEP)?;
    let step = vec![is(2, SeccompCmpOp::Eq, from_here)?, past, before];
    let [past, before] = far(LONGEST_FILE)?;
    rules.insert(
        libc::SYS_lseek,
        vec![
            SeccompRule::new(step)?,
            SeccompRule::new(vec![past, before])?,
        ],
    );
    for call in [libc::SYS_pread64, libc::SYS_preadv, libc::SYS_preadv2] {
        let here = is(3, SeccompCmpOp::Ne, u64::MAX)?;
        rules.insert(
            call,
            rule(vec![is(3, SeccompCmpOp::Gt, LONGEST_FILE)?, here])?,
        );
    }
    Ok(rules)
}

fn filter(denied: Rules, errno: i32) -> anyhow::Result<BpfProgram> {
    let filter = SeccompFilter::new(
        denied,
        SeccompAction::Allow,
        SeccompAction::Errno(errno as u32),
        std::env::consts::ARCH.try_into()?,
    )?;
    let mut program: BpfProgram = filter.try_into()?;
    if cfg!(target_arch = "x86_64") {
        program.splice(0..0, without_x32());
    }
    Ok(program)
}

/// The same calls under other numbers, on kernels that have them.
fn without_x32() -> [sock_filter; 3] {
    const X32: u32 = 0x4000_0000;
    let instruction = |code: u32, jt, jf, k| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    [
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        instruction(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, X32),
        instruction(
            libc::BPF_RET | libc::BPF_K,
            0,
            0,
            libc::SECCOMP_RET_ERRNO | libc::EPERM as u32,
        ),
    ]
}
