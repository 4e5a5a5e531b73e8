internal import Synchronization

/// The receipts about which requests wait for Apple, each held once, however many requests wait
/// for its answer.
final class WaitingReceipts: Sendable {
    /// One request that waits.
    struct Request: Sendable {
        let digest: Digest
        let trust: ReceiptTrust
        let content: SignedContent?
    }

    private struct Waiting {
        let receipt: HandedReceipt
        /// As it entered, so that it leaves as the same.
        let entry: WaitingLimit.Entry
        var requests = 1
    }

    private struct State {
        var limit = WaitingLimit()
        var receipts: [Digest: Waiting] = [:]
    }

    private let state = Mutex(State())

    /// Most requests with one receipt. Only the first counts in the limit.
    private static let mostOfOne = 1_000

    /// Takes the receipt out of the request's hands. Nil if a limit is reached.
    func enter(
        _ held: HeldReceipt, _ trust: ReceiptTrust, _ content: SignedContent? = nil
    ) -> Request? {
        state.withLock { state in
            let request = Request(digest: held.digest, trust: trust, content: content)
            if let others = state.receipts[held.digest]?.requests {
                guard others < Self.mostOfOne else { return nil }
                _ = held.take()
                state.receipts[held.digest]?.requests = others + 1
                return request
            }
            let entry = WaitingLimit.Entry(bytes: held.bytes, isApples: trust == .written)
            guard let receipt = held.take(), state.limit.enter(entry) else { return nil }
            state.receipts[held.digest] = Waiting(receipt: receipt, entry: entry)
            return request
        }
    }

    /// The last request that leaves takes the receipt with it.
    func leave(_ request: Request) {
        state.withLock { state in
            guard var waiting = state.receipts[request.digest] else { return }
            waiting.requests -= 1
            state.receipts[request.digest] = waiting.requests == 0 ? nil : waiting
            guard waiting.requests == 0 else { return }
            state.limit.leave(waiting.entry)
        }
    }

    /// Nil after the last request with it has left.
    func receipt(of request: Request) -> HandedReceipt? {
        state.withLock { $0.receipts[request.digest]?.receipt }
    }
}
