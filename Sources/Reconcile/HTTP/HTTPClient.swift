internal import CCurl
internal import Dispatch
internal import Glibc

/// Sends requests and awaits their answers, reusing connections. The actor's executor is the only
/// thread that calls libcurl. Releasing the client stops the thread.
actor HTTPClient {
    private let configuration: HTTPConfiguration
    private let loop: CurlLoop
    private var inFlight: [Int: CurlTransfer] = [:]
    private var idle: [CurlTransfer] = []
    private var lastID = 0
    private var isShutDown = false

    /// The client's thread, for tasks that mostly post. They must not block it.
    nonisolated let taskExecutor: any TaskExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Throws: `.certificate` if the certificate file cannot be read; `.shortage` if libcurl or
    ///   the thread cannot be started.
    init(_ configuration: HTTPConfiguration) throws(HTTPError) {
        if let file = configuration.certificateFile, access(file, R_OK) != 0 {
            throw HTTPError(CURLE_SSL_CACERT_BADFILE)
        }
        self.configuration = configuration
        loop = try CurlLoop(maxConnections: configuration.maxConnections)
        taskExecutor = CurlLoopTasks(loop)
        try loop.start { [weak self] cancelled in
            self?.assumeIsolated { $0.perform(cancelling: cancelled) }
        }
    }

    // No post is pending here, because it would hold a reference; only idle handles remain.
    deinit { loop.stop() }

    /// Sends a request once and returns the answer, whatever its status. Does not follow redirects.
    ///
    /// `timeout` covers everything: waiting for a connection, name resolution, handshakes, and the
    /// answer. The caller must have checked that `url` is `https` or that its host is loopback.
    /// - Throws: `HTTPError`; `CancellationError` after `shutdown`, and when the task is cancelled,
    ///   after `drain`.
    func send(_ request: HTTPRequest, timeout: Duration) async throws -> HTTPResponse {
        try Task.checkCancellation()
        guard !isShutDown else { throw CancellationError() }
        let transfer = try idle.popLast() ?? CurlTransfer(configuration)
        lastID += 1
        let id = lastID
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.prepare(request, timeout: timeout, id: id, continuation)
                start(transfer)
            }
        } onCancel: {
            cancelSoon(id)
        }
    }

    /// Posts JSON.
    func post(_ body: [UInt8], to url: String, timeout: Duration) async throws -> HTTPResponse {
        try await send(HTTPRequest(url: url, body: body), timeout: timeout)
    }

    nonisolated private func cancelSoon(_ id: Int) {
        guard configuration.drain > .zero else { return loop.cancel(id) }
        let (seconds, attoseconds) = configuration.drain.components
        let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
        // A post that has ended by then has no id any more, and a stopped loop ignores the call.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            [weak loop] in loop?.cancel(id)
        }
    }

    /// Ends all current and later posts with `CancellationError`.
    func shutdown() {
        isShutDown = true
        for id in inFlight.keys { cancel(id) }
        idle = []
    }

    private func start(_ transfer: CurlTransfer) {
        inFlight[transfer.id] = transfer
        let code = curl_multi_add_handle(loop.multi, transfer.easy)
        guard code != CURLM_OK else { return }
        inFlight[transfer.id] = nil
        transfer.finish(CURLE_FAILED_INIT)
    }

    private func perform(cancelling cancelled: [Int]) {
        for id in cancelled { cancel(id) }
        var stillRunning: Int32 = 0
        curl_multi_perform(loop.multi, &stillRunning)
        var left: Int32 = 0
        while let message = curl_multi_info_read(loop.multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let easy = message.easy_handle else { continue }
            settle(easy, message.data.result)
        }
    }

    private func settle(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        var context: UnsafeMutableRawPointer?
        ccurl_get_pointer(easy, CURLINFO_PRIVATE, &context)
        guard let context, let transfer = inFlight[CurlTransfer.at(context).id] else { return }
        remove(transfer)
        transfer.finish(code)
        if idle.count < configuration.maxConnections { idle.append(transfer) }
    }

    private func cancel(_ id: Int) {
        guard let transfer = inFlight[id] else { return }
        remove(transfer)
        transfer.end(with: .failure(CancellationError()))
    }

    private func remove(_ transfer: CurlTransfer) {
        inFlight[transfer.id] = nil
        curl_multi_remove_handle(loop.multi, transfer.easy)
    }
}
