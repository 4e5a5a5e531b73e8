/// The last receipt that each server verified. A probe asks about it: what Apple answers about
/// another receipt may be the receipt's fault.
struct VerifiedReceipts: Sendable {
    /// Bytes. A probe should be small; the largest receipt seen is 0.5 MB.
    private static let largest = 1 << 20

    private var ofProduction: Question?
    private var ofSandbox: Question?

    func latest(of server: StoreEnvironment) -> Question? {
        switch server {
        case .production: ofProduction
        case .sandbox: ofSandbox
        }
    }

    mutating func note(_ question: Question, by server: StoreEnvironment) {
        guard question.receipt.bytes.count <= Self.largest else { return }
        switch server {
        case .production: ofProduction = question
        case .sandbox: ofSandbox = question
        }
    }
}
