/// Judges stored receipts by their own signature (`--offline`). It sends no requests.
package struct StoredProofs: AppleSource {
    package let live: (any LiveSource)? = nil
    private let reading: OfflineReading
    private let kept: @Sendable (UserID) async throws -> [KeptReceipt]

    /// - Parameters:
    ///   - apple: proves that Apple signed a receipt.
    ///   - catalogued: products whose kind is not read from receipts; nil: read no kinds.
    ///   - now: compared with a receipt's own expiry.
    ///   - kept: the receipts of a user that earlier answers had.
    package init(
        provenBy apple: AppleSignature, catalogued: Set<ProductID>? = nil,
        now: @escaping @Sendable () -> Instant,
        kept: @escaping @Sendable (UserID) async throws -> [KeptReceipt] = { _ in [] }
    ) {
        reading = OfflineReading(apple, catalogued: catalogued, now: now)
        self.kept = kept
    }

    package func inquiry(
        about rows: [StoredReceipt], of user: UserID
    ) async throws -> Inquiry {
        var inquiry = Inquiry(about: rows)
        let kept = try await newest(of: user, among: rows)
        for row in rows.indices {
            var report =
                switch LocalReceipt(rows[row].data) {
                case .unusable(let why): ValidationReport(.unusable(why))
                case .sendable(let receipt):
                    reading.report(on: receipt, or: kept[rows[row].id]?.bytes)
                }
            report.proof = .ownSignature
            inquiry.resolve(row, with: report)
        }
        return inquiry
    }

    /// Receipts from earlier answers, unless the stored receipt is newer.
    private func newest(
        of user: UserID, among rows: [StoredReceipt]
    ) async throws -> [ReceiptID: KeptReceipt] {
        let storedAt = Dictionary(
            rows.map { ($0.id, $0.storedAt) }, uniquingKeysWith: { first, _ in first })
        let kept = try await kept(user).filter { kept in
            storedAt[kept.receipt].map { $0 <= kept.madeAt } ?? false
        }
        return Dictionary(kept.map { ($0.receipt, $0) }) { $0.madeAt < $1.madeAt ? $1 : $0 }
    }
}
