internal import Dispatch

/// Answers requests that a web server passes on over SCGI (docs/decisions/0088). A slow or
/// malformed client affects only its own connection.
package final class SCGIServer: Sendable {
    private let limits: SCGILimits
    private let socket: SCGISocket
    private let inbox = SCGIInbox()
    private let requests: AsyncStream<(UInt64, SCGIRequest)>
    private let requestsIn: AsyncStream<(UInt64, SCGIRequest)>.Continuation
    private let stopped: AsyncStream<Never>
    private let stoppedIn: AsyncStream<Never>.Continuation

    /// Listens at `path` with mode 0660. Replaces the socket of a killed server.
    package init(at path: String, limits: SCGILimits = SCGILimits()) throws(SCGIError) {
        self.limits = limits
        socket = try SCGISocket(at: path)
        (requests, requestsIn) = AsyncStream.makeStream()
        (stopped, stoppedIn) = AsyncStream.makeStream()
    }

    /// How a server ended.
    package enum End: Equatable, Sendable { case allAnswered, someUnanswered }

    /// Answers requests until `stop`, then those in progress for at most `grace`. Call it once.
    @discardableResult
    package func run(
        grace: Duration, _ handler: @escaping @Sendable (SCGIRequest) async -> SCGIResponse
    ) async -> End {
        async let loop: Void = runLoop()
        let end = await withTaskGroup(of: End.self) { group in
            group.addTask {
                await self.answer(with: handler)
                return .allAnswered
            }
            group.addTask {
                for await _ in self.stopped {}
                try? await Task.sleep(for: grace)
                return .someUnanswered
            }
            defer { group.cancelAll() }
            return await group.next() ?? .allAnswered
        }
        inbox.changeContents { ($0.isStopping, $0.isEnding) = (true, true) }
        await loop
        return end
    }

    package func stop() {
        inbox.changeContents { $0.isStopping = true }
        requestsIn.finish()
        stoppedIn.finish()
    }

    private func answer(
        with handler: @escaping @Sendable (SCGIRequest) async -> SCGIResponse
    ) async {
        await withDiscardingTaskGroup { group in
            for await (connection, request) in requests {
                var request = request
                request.releaseBody = { [inbox] in
                    inbox.changeContents { $0.waiting.append(connection) }
                }
                group.addTask { [request] in
                    let response = await handler(request)
                    self.inbox.changeContents { $0.answers.append((connection, response)) }
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
