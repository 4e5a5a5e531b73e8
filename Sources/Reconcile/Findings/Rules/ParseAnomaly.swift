extension FindingKind {
    static let parseAnomaly = FindingKind(
        "parse_anomaly", .low, .none, in: .receipts, action: .investigate, isFoundOffline: true,
        remedy: "Apple's answer can be read whole")
}

extension FactRule {
    static let parseAnomaly = ofReceipts(.parseAnomaly) { receipt, _ in
        // An answer about a customer is told with the receipt that led to it.
        let answers = receipt.answers.filter { $0.id == receipt.id }
        let anomalies = answers.flatMap(\.receipt.anomalies)
        guard !anomalies.isEmpty else { return nil }
        return "\(receipt.namedProof) holds \(anomalies.summary): that was ignored,"
            + " the rest was judged, and no user is accused of what it may have shown."
    }
}

extension ReceiptEvidence {
    /// What shows the receipt's purchases, at the start of a sentence.
    var namedProof: String {
        switch proof {
        case .verifyReceipt, .serverAPI: "Apple's answer to \(named)"
        case .ownSignature: "What Apple signed as \(named)"
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
