internal import Reconcile

/// `reconcile-job serve`: the receipt validation service over SCGI, until a signal comes.
struct ServeCommand: Sendable {
    private let configuration: Configuration
    private let console: Console

    init(_ configuration: Configuration, _ console: Console) {
        self.configuration = configuration
        self.console = console
    }

    /// To PostgreSQL, beside the one for the receipts' locks.
    private static let connections = 8
    /// How long a stop waits for what is under way.
    private static let grace = Duration.seconds(9)

    func run() async throws -> Ending {
        let path = configuration.service.socket
        guard !path.isEmpty else {
            throw Ending(
                .usage,
                "--socket PATH is missing: where nginx is to find the service. Try"
                    + " `reconcile-job serve --help`.")
        }
        let fitting = try Resources.fitting(configuration, console)
        let wiring = try ServiceWiring(fitting, console)
        return try await wiring.lend(connections: Self.connections) { service, database in
            let server: SCGIServer
            do throws(SCGIError) {
                server = try SCGIServer(at: path)
            } catch {
                throw Ending(
                    error.reason == .occupied ? .locked : .configuration,
                    "--socket: \(error.description)")
            }
            let desk = KeyDesk(keys: wiring.ring, database: database, now: { .now })
            let door = ServiceDoor(service, desk, warn: wiring.warn)
            console.observe(.serving(socket: path))
            await withoutCancelling {
                await server.run(grace: Self.grace) { request in
                    await door.response(to: request)
                }
            } onStop: {
                server.stop()
            }
            return Ending(.complete, "The service has stopped; what was under way was answered.")
        }
    }

    /// Does `work` in a task of its own: a stop cancels this one, and what is under way must not
    /// notice.
    private func withoutCancelling(
        _ work: @escaping @Sendable () async -> Void, onStop: @escaping @Sendable () -> Void
    ) async {
        let task = Task { await work() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            onStop()
        }
    }
}
