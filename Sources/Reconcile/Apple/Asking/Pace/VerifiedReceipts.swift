/// The last receipt that each server verified. A probe asks about it: what Apple answers about
/// another receipt may be the receipt's fault.
struct VerifiedReceipts: Sendable {
    /// Bytes. A probe should be small; the largest receipt seen is 0.5 MB.
    private static let largest = 1 << 20

    private var latest = PerServer<Question?> { _ in nil }

    func latest(of server: AppleServer) -> Question? { latest[server] }

    mutating func note(_ question: Question, by server: AppleServer) {
        guard question.receipt.bytes.count <= Self.largest else { return }
        latest[server] = question
    }
}
