internal import Glibc
internal import Reconcile

/// Limits of this process, checked before the first request.
enum Resources {
    /// Files other than connections to Apple: PostgreSQL, reports, streams, and those that
    /// libraries open.
    private static let otherFiles = 64
    /// A request in flight may keep a connection to each of the two servers.
    private static let filesPerRequest = 2
    /// With less address space, threads and libraries fail at arbitrary points.
    private static let leastMiB: UInt64 = 512

    /// `configuration` with as many requests in flight as the open-files limit allows. Raises the
    /// soft limit to the hard one.
    /// - Throws: an ending with status 71 when the limits are too low to run at all.
    static func fitting(
        _ configuration: Configuration, _ console: Console
    ) throws(Ending) -> Configuration {
        let memory = limit(RLIMIT_AS).rlim_cur >> 20
        guard memory >= leastMiB else {
            throw Ending(
                .shortage,
                "This process may use \(memory) MiB of address space, but needs \(leastMiB). Raise"
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
                "This process may open \(allowed) files, but needs"
                    + " \(otherFiles + filesPerRequest). Raise the limit (ulimit -n, LimitNOFILE).")
        }
        guard configuration.inFlight > most else { return configuration }
        console.observe(
            .warning(
                "--in-flight is \(most), not \(configuration.inFlight): this process may open"
                    + " \(allowed) files. Raise the limit (ulimit -n, LimitNOFILE) for more."))
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
