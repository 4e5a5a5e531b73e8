extension FindingKind {
    static let parseAnomaly = FindingKind(
        "parse_anomaly", .low, .none, in: .receipts, action: .investigate, isFoundOffline: true,
        remedy: "Apple's answer can be read whole")
}

extension FactRule {
    static let parseAnomaly = ofReceipts(.parseAnomaly) { receipt, user in
        let anomalies = receipt.verified?.receipt.anomalies ?? []
        guard !anomalies.isEmpty else { return nil }
        return "\(user.named(receipt)) holds \(anomalies.summary): that was ignored,"
            + " the rest was judged, and no user is accused of what it may have shown."
    }
}

extension UserCase {
    /// The witness about a receipt, at the start of a sentence.
    func named(_ receipt: ReceiptEvidence) -> String {
        switch settings.witness {
        case .answers: "Apple's answer to \(receipt.named)"
        case .receipts: "What Apple signed as \(receipt.named)"
        }
    }
}

extension [ParseAnomaly] {
    /// The number of entries, and the problems of the first three in a fixed order.
    fileprivate var summary: String {
        let named = Set(
            map { anomaly in
                "\"\(anomaly.key)\"" + (anomaly.transaction.map { " of transaction \($0)" } ?? "")
            })
        let first = named.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(3)
        return "\(count) \(count == 1 ? "line that is" : "lines that are") no transaction, for"
            + " what is missing, unreadable or contradictory in \(first.joined(separator: ", "))"
            + (named.count > 3 ? " and more" : "")
    }
}
