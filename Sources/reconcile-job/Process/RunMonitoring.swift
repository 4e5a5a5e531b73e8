internal import Glibc
internal import Reconcile

/// Reports a run over everything to monitoring: a metrics file and pings. A failed report is a
/// warning, and never fails the run; a ping may delay it by its time-out.
struct RunMonitoring: Sendable {
    private let metricsFile: String?
    private let ping: MonitorPing?
    private let console: Console

    private static let patience = Duration.seconds(5)
    /// For a ping during a stop, which leaves less time.
    private static let shortPatience = Duration.seconds(2)

    /// - Throws: an ending with status 78 when the metrics folder is not writable or the URL is
    ///   invalid.
    init(_ command: CommandName, _ configuration: Configuration, _ console: Console) throws(Ending)
    {
        self.console = console
        guard command == .run, configuration.isOverEverything else {
            metricsFile = nil
            ping = nil
            return
        }
        if let file = configuration.metricsFile { try Self.requireWritable(file) }
        metricsFile = configuration.isDryRun ? nil : configuration.metricsFile
        guard let url = configuration.pingURL else {
            ping = nil
            return
        }
        do throws(InvalidValue) {
            _ = try EndpointURL(url)
        } catch {
            throw Ending(
                .configuration,
                "--ping-url: the value is not a usable URL. Give an https URL without a"
                    + " user or password; plain http is for 127.0.0.0/8, [::1] and localhost only.")
        }
        guard !configuration.isDryRun else {
            ping = nil
            return
        }
        ping = MonitorPing(
            url: url, userAgent: "reconcile-job/\(Version.release)",
            certificateFile: configuration.caFile)
    }

    func began() async { await report(.start, "") }

    /// - Parameter isStopped: whether a signal stopped the run.
    func ended(_ ending: Ending, isStopped: Bool) async {
        write(ending)
        await report(
            ending.exit == .complete ? .success : .failure, ending.message,
            within: isStopped ? Self.shortPatience : Self.patience)
    }

    private func report(
        _ signal: MonitorPing.Signal, _ message: String, within patience: Duration = patience
    ) async {
        guard let ping else { return }
        guard let failure = await ping.send(signal, message, within: patience) else { return }
        console.observe(
            .warning(
                "Could not ping --ping-url: \(failure)."
                    + (signal == .start ? " The run continues." : " The run is not affected.")))
    }

    // MARK: Metrics

    private func write(_ ending: Ending) {
        guard let path = metricsFile else { return }
        let former = InputFile.beginning(of: path, 1 << 16)
        let report = MetricsReport(
            console.published?.summary, pace: console.published?.pace,
            exitStatus: ending.exit.rawValue, at: .now,
            former: String(decoding: former, as: UTF8.self))
        guard let failure = Self.replace(path, with: Array(report.text.utf8)) else { return }
        console.observe(
            .warning("--metrics-file: cannot write \(path): \(failure). The run is not affected."))
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func requireWritable(_ path: String) throws(Ending) {
        let folder = folder(of: path)
        guard access(folder, W_OK | X_OK) == 0 else {
            throw Ending(
                .configuration,
                "--metrics-file: cannot write in \(folder): \(String(cString: strerror(errno)))."
                    + " Make the folder writable for this user.")
        }
    }

    /// Replaces the file by an atomic rename: the collector may read it at any time. Returns the
    /// error.
    private static func replace(_ path: String, with bytes: [UInt8]) -> String? {
        let staged = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 16)).tmp"
        func failure() -> String {
            let words = String(cString: strerror(errno))
            unlink(staged)
            return words
        }
        let file = open(staged, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
        guard file >= 0 else { return failure() }
        // Readable by the collector's user, whatever the umask.
        fchmod(file, 0o644)
        let isWritten = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        guard close(file) == 0, isWritten == bytes.count, rename(staged, path) == 0 else {
            return failure()
        }
        return nil
    }
}
