internal import Synchronization

/// How many bytes of answers may stay in memory until their batches are judged, in all batches
/// together. Of those that may not, a digest is made at once: few answers are evidence of anything,
/// so that most digests are never made (docs/performance.md).
final class BodyAllowance: Sendable {
    private let left: Atomic<Int>

    init(bytes: Int) { left = Atomic(bytes) }

    /// False, and nothing is taken, when there is not so much left.
    func take(_ bytes: Int) -> Bool {
        let before = left.subtract(bytes, ordering: .relaxed).oldValue
        guard before < bytes else { return true }
        giveBack(bytes)
        return false
    }

    func giveBack(_ bytes: Int) { left.add(bytes, ordering: .relaxed) }
}
