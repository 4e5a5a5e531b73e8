internal import Synchronization

/// The receipts about which requests wait for Apple, each held once, however many requests wait
/// for its answer.
final class WaitingReceipts: Sendable {
    /// Of one request that waits.
    struct Place: Sendable {
        let digest: Digest
        let trust: ReceiptTrust
        let content: SignedContent?
    }

    private struct Waiting {
        let receipt: SendableReceipt
        /// As it entered, so that it leaves as the same.
        let visitor: ApplePlaces.Visitor
        var requests = 1
    }

    private struct State {
        var places = ApplePlaces()
        var receipts: [Digest: Waiting] = [:]
    }

    private let state = Mutex(State())

    /// Most requests with one receipt. They need no place but that of the first, and no bytes.
    private static let mostOfOne = 1_000

    /// Takes the receipt out of the request's hands. Nil if there is no place.
    func enter(
        _ held: HeldReceipt, _ trust: ReceiptTrust, _ content: SignedContent? = nil
    ) -> Place? {
        state.withLock { state in
            let place = Place(digest: held.digest, trust: trust, content: content)
            if let others = state.receipts[held.digest]?.requests {
                guard others < Self.mostOfOne else { return nil }
                _ = held.take()
                state.receipts[held.digest]?.requests = others + 1
                return place
            }
            let visitor = ApplePlaces.Visitor(bytes: held.bytes, isApples: trust == .written)
            guard let receipt = held.take(), state.places.enter(visitor) else { return nil }
            state.receipts[held.digest] = Waiting(receipt: receipt, visitor: visitor)
            return place
        }
    }

    /// The last request that leaves takes the receipt with it.
    func leave(_ place: Place) {
        state.withLock { state in
            guard var waiting = state.receipts[place.digest] else { return }
            waiting.requests -= 1
            state.receipts[place.digest] = waiting.requests == 0 ? nil : waiting
            guard waiting.requests == 0 else { return }
            state.places.leave(waiting.visitor)
        }
    }

    /// Nil after the last request with it has left.
    func receipt(of place: Place) -> SendableReceipt? {
        state.withLock { $0.receipts[place.digest]?.receipt }
    }
}
