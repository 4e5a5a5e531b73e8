internal import CLinux
internal import Glibc

/// What the process gives up before it touches a secret.
enum Hardening {
    static func apply() {
        // A core file would hold shared secrets and receipts. The limit 1, not 0, since it is
        // also kept where cores are piped into a program (kernel, fs/coredump.c), and is too
        // small for a file.
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        // Nor may another process of the same user read memory or environment, or attach (prctl(2),
        // PR_SET_DUMPABLE). Root still may.
        _ = clinux_set_dumpable(0)
        // A reader that went away and a file over the size limit are errors of one write, and
        // not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }
}
