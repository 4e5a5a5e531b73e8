internal import CLinux
internal import Glibc

/// Restrictions that the process sets before it reads a secret.
enum Hardening {
    static func apply() {
        // A core file would contain shared secrets and receipts. The limit is 1 and not 0, because
        // it then also applies where cores are piped into a program (kernel, fs/coredump.c), and it
        // is too small for a file.
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        // Other processes of the same user must not read memory or environment, or attach
        // (prctl(2), PR_SET_DUMPABLE). Root still can.
        _ = clinux_set_dumpable(0)
        // A closed pipe and a file over the size limit fail one write instead of ending the
        // process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        endCrashesPlainly()
        keepStandardStreams()
    }

    /// Disables the Swift runtime's crash report. It prints registers and nearby memory, which may
    /// contain a secret, and it hangs where threads cannot be inspected.
    private static func endCrashesPlainly() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGABRT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] {
            signal(number, SIG_DFL)
            sigaddset(&signals, number)
        }
        // The parent process may have blocked them.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Opens /dev/null for closed standard streams. Otherwise the first file or socket opened would
    /// get the number of a closed stream and receive what is printed. The modes are reversed, so
    /// that every read and write on them fails.
    private static func keepStandardStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
