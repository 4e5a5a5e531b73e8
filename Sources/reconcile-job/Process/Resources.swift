internal import Glibc
internal import Reconcile

/// What the machine lets this process have, seen before anything is asked.
enum Resources {
    /// Beside the connections to Apple: PostgreSQL's, reports, streams, and what libraries open.
    private static let otherFiles = 64
    /// A request under way may keep a connection to each of the two servers.
    private static let filesPerRequest = 2
    /// With less, threads and libraries fail in the middle of their work.
    private static let leastMiB: UInt64 = 512

    /// `configuration` with as many requests in flight as files may be open. The soft limit is
    /// raised to the hard one.
    /// - Throws: status 71 when there is too little to work at all.
    static func fitting(
        _ configuration: Configuration, _ console: Console
    ) throws(Ending) -> Configuration {
        let memory = limit(RLIMIT_AS).rlim_cur >> 20
        guard memory >= leastMiB else {
            throw Ending(
                .shortage,
                "This process may have \(memory) MiB of address space, and needs \(leastMiB). Raise"
                    + " the limit (ulimit -v).")
        }
        var files = limit(RLIMIT_NOFILE)
        files.rlim_cur = files.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        let allowed = Int(clamping: limit(RLIMIT_NOFILE).rlim_cur)
        let most = (allowed - otherFiles) / filesPerRequest
        guard most > 0 else {
            throw Ending(
                .shortage,
                "This process may have \(allowed) files open, and needs"
                    + " \(otherFiles + filesPerRequest). Raise the limit (ulimit -n, LimitNOFILE).")
        }
        guard configuration.inFlight > most else { return configuration }
        console.observe(
            .warning(
                "--in-flight is \(most), not \(configuration.inFlight): this process may have"
                    + " \(allowed) files open. Raise the limit (ulimit -n, LimitNOFILE) for more."))
        var fitting = configuration
        fitting.inFlight = most
        return fitting
    }

    private static func limit(_ resource: __rlimit_resource) -> rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        return limit
    }
}
