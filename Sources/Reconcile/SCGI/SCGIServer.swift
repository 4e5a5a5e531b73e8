internal import Dispatch

/// Answers requests that a web server hands on over SCGI (docs/decisions/0088). A client that is
/// slow or sends nonsense costs only itself.
package final class SCGIServer: Sendable {
    private let limits: SCGILimits
    private let socket: SCGISocket
    private let inbox = SCGIInbox()
    private let requests: AsyncStream<(UInt64, SCGIRequest)>
    private let requestsIn: AsyncStream<(UInt64, SCGIRequest)>.Continuation
    private let stopped: AsyncStream<Never>
    private let stoppedIn: AsyncStream<Never>.Continuation

    /// Listens at `path`, mode 0660. A socket that a killed server left there is replaced.
    package init(at path: String, limits: SCGILimits = SCGILimits()) throws(SCGIError) {
        self.limits = limits
        socket = try SCGISocket(at: path)
        (requests, requestsIn) = AsyncStream.makeStream()
        (stopped, stoppedIn) = AsyncStream.makeStream()
    }

    /// Answers until `stop`, and then what is under way, for at most `grace`. To be called once.
    package func run(
        grace: Duration, _ handler: @escaping @Sendable (SCGIRequest) async -> SCGIResponse
    ) async {
        async let loop: Void = runLoop()
        await withTaskGroup { group in
            group.addTask { await self.answer(with: handler) }
            group.addTask {
                for await _ in self.stopped {}
                try? await Task.sleep(for: grace)
            }
            await group.next()
            group.cancelAll()
        }
        inbox.tell { ($0.isStopping, $0.isEnding) = (true, true) }
        await loop
    }

    /// Takes no more requests.
    package func stop() {
        inbox.tell { $0.isStopping = true }
        requestsIn.finish()
        stoppedIn.finish()
    }

    private func answer(
        with handler: @escaping @Sendable (SCGIRequest) async -> SCGIResponse
    ) async {
        await withDiscardingTaskGroup { group in
            for await (connection, request) in requests {
                group.addTask {
                    let response = await handler(request)
                    self.inbox.tell { $0.answers.append((connection, response)) }
                }
            }
        }
    }

    private func runLoop() async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "scgi").async {
                SCGILoop(self.socket, self.inbox, self.limits) { connection, request in
                    self.requestsIn.yield((connection, request))
                }.run()
                continuation.resume()
            }
        }
    }
}
