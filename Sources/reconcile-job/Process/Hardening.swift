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
        endCrashesPlainly()
        keepStandardStreams()
    }

    /// The runtime's own report of a crash shows registers and the memory about them, which may be
    /// a secret; and it hangs where the threads cannot be looked into.
    private static func endCrashesPlainly() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGABRT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] {
            signal(number, SIG_DFL)
            sigaddset(&signals, number)
        }
        // What started us may have blocked them.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// A stream that was closed would become the first file or socket that is opened: what is
    /// printed would go there. These can be neither read from nor written to in the wrong way.
    private static func keepStandardStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
