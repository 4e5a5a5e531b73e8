// Refunds by the sweep of refund notices, in the answers about a user.
extension UserCase {
    /// Those that an answer about the user shows.
    var sweptTransactions: [TransactionID] {
        guard !sweptRefunds.isEmpty else { return [] }
        let shown = verified.flatMap { source in
            source.receipt.transactions.map(\.id)
                + source.receipt.anomalies.compactMap(\.transaction)
        }
        return Set(shown).intersection(sweptRefunds).sorted()
    }

    /// Refunds of the sweep that an answer of verifyReceipt shows uncancelled.
    func unseenRefunds(in answer: VerifiedReceipt) -> [TransactionID] {
        guard !sweptRefunds.isEmpty else { return [] }
        return answer.purchases(seenAsOf: settings.asOf)
            .filter { !$0.isCancelled && sweptRefunds.contains($0.id) }.map(\.id)
    }
}
