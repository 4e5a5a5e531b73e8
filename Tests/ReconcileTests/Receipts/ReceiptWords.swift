@testable import Reconcile

extension Receipt {
    /// All but the lists.
    var head: String {
        ["\(style) \(bundle) \(environment.rawValue)"]
            .adding("created", createdAt).adding("requested", requestedAt)
            .adding("version", originalApplicationVersion).adding("first", originalPurchaseAt)
            .joined(separator: " ")
    }

    /// The lists, each sorted. Instants are milliseconds.
    var words: [String] {
        transactions.sorted { $0.id < $1.id }.map(\.words)
            + renewals.sorted { $0.originalID < $1.originalID }.map(\.words)
            + anomalies.map { ["malformed \($0.key)"].adding("of", $0.transaction) }
            .map { $0.joined(separator: " ") }.sorted()
    }
}

extension Transaction {
    fileprivate var words: String {
        let end = expiresAt.map { "-\($0.milliseconds)" } ?? ""
        return ["\(id) of \(originalID): \(product) \(purchasedAt.milliseconds)\(end)"]
            .adding("cancelled", cancelledAt).adding("for", cancellationReason)
            .adding("upgraded", if: isUpgraded).adding("trial", if: isTrial)
            .adding("intro", if: isIntroductoryOffer).adding("offer", promotionalOffer)
            .adding("code", offerCode).adding(ownership?.rawValue ?? "", if: ownership != nil)
            .adding("line", lineItem).adding("quantity \(quantity)", if: quantity != 1)
            .adding("latest", if: isInLatest).joined(separator: " ")
    }
}

extension Renewal {
    fileprivate var words: String {
        let why = [String]().adding(expirationIntent?.rawValue ?? "", if: expirationIntent != nil)
            .adding("retry", if: isInBillingRetry).adding("grace", gracePeriodExpiresAt)
        return ["renewal of \(originalID):"].adding("\(willRenew ?? false)", if: willRenew != nil)
            .adding("as", renewsAs).joined(separator: " ")
            + (why.isEmpty ? "" : ", " + why.joined(separator: " "))
    }
}

extension [String] {
    fileprivate func adding(_ word: String, if isTrue: Bool) -> [String] {
        isTrue ? self + [word] : self
    }

    fileprivate func adding(_ word: String, _ value: (some Any)?) -> [String] {
        guard let value else { return self }
        return self + ["\(word) \((value as? Instant).map { "\($0.milliseconds)" } ?? "\(value)")"]
    }
}
