internal import Reconcile

/// `reconcile-job serve`: the receipt validation service over SCGI; runs until a signal stops it.
struct ServeCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        self.configuration = configuration
        self.console = console
    }

    /// PostgreSQL connections, without the one that holds the receipts' locks.
    private static let connections = 8
    /// How long a stop waits for requests in progress.
    private static let grace = Duration.seconds(9)

    func run() async throws -> Ending {
        let path = configuration.service.socket
        guard !path.isEmpty else {
            throw Ending(
                .usage,
                "--socket PATH is missing: the path on which nginx reaches the service. Try"
                    + " `reconcile-job serve --help`.")
        }
        let fitting = try Resources.fitting(configuration, console)
        let wiring = try ServiceWiring(fitting, console)
        let retry = DatabaseRetry(observe: console.observe)
        return try await wiring.lend(
            connections: Self.connections, retry: retry,
            trustingUserIDs: configuration.service.trustsUserID
        ) { service, database in
            let server: SCGIServer
            do throws(SCGIError) {
                server = try SCGIServer(at: path)
            } catch {
                throw Ending(ExitCode(error.reason), "--socket: \(error.description)")
            }
            let opener = KeyOpener(keys: wiring.ring, database: database, now: { .now })
            let router = ServiceRouter(service, opener, wiring.notices)
            console.observe(.serving(socket: path))
            let end = await withoutCancelling {
                await server.run(grace: Self.grace) { request in
                    await router.response(to: request)
                }
            } onStop: {
                server.stop()
            }
            return Ending(.complete, end.sentence)
        }
    }

    /// Runs `work` in a task of its own, because a stop cancels this one and must not cancel
    /// requests in progress.
    private func withoutCancelling<T: Sendable>(
        _ work: @escaping @Sendable () async -> T, onStop: @escaping @Sendable () -> Void
    ) async -> T {
        let task = Task { await work() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            onStop()
        }
    }
}

extension SCGIServer.End {
    fileprivate var sentence: String {
        switch self {
        case .allAnswered: "The service has stopped; requests in progress were answered."
        case .someUnanswered:
            "The service has stopped; requests that took over 9 s more got 503 or no answer."
                + " Their clients can send them again."
        }
    }
}

extension ExitCode {
    fileprivate init(_ reason: SCGIError.Reason) {
        self =
            switch reason {
            case .occupied: .locked
            case .notPermitted: .notPermitted
            case .failed: .configuration
            }
    }
}
