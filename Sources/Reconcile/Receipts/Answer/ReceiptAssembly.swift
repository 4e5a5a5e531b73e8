/// Makes a `Receipt` of the lines of an answer: merges, checks, and sets aside what is no
/// transaction, without losing any other (SPEC §3).
struct ReceiptAssembly {
    let lines: AnswerLines
    let bytes: UnsafeBufferPointer<UInt8>

    /// Nil without a receipt, or without a bundle id in it.
    func receipt(from environment: StoreEnvironment) -> Receipt? {
        guard let line = lines.receipt, let bundle = line.bundle ?? line.transaction.bundle else {
            return nil
        }
        let isIOS6 = line.bundle == nil && !line.hasInApp
        var receipt = Receipt(
            style: isIOS6 ? .iOS6 : .modern, bundle: BundleID(bundle.string(in: bytes)),
            environment: environment)
        if !isIOS6 {
            receipt.createdAt = instant(line.createdAt)
            receipt.requestedAt = instant(line.requestedAt)
            receipt.originalPurchaseAt = instant(line.originalPurchaseAt)
            receipt.originalApplicationVersion =
                line.originalApplicationVersion?.string(in: bytes)
        }
        receipt.anomalies = lines.oddities.map { ParseAnomaly(key: $0.description) }
        let first = isIOS6 ? [line.transaction] : line.inApp
        for line in merged(first, lines.latest, &receipt.anomalies) {
            switch transaction(line) {
            case .success(let transaction): receipt.transactions.append(transaction)
            case .failure(let anomaly): receipt.anomalies.append(anomaly.value)
            }
        }
        receipt.renewals = renewals(of: receipt, isIOS6: isIOS6)
        return receipt
    }

    private func instant(_ date: DateLine) -> Instant? {
        if case .instant(let instant) = date.reading(in: bytes) { return instant }
        return nil
    }

    /// `first` and `second` by `transaction_id`, key by key, `second` winning.
    private func merged(
        _ first: [TransactionLine], _ second: [TransactionLine],
        _ anomalies: inout [ParseAnomaly]
    ) -> [TransactionLine] {
        var result = LineTable(capacity: max(first.count, second.count))
        result.add(first, in: bytes, &anomalies)
        guard !second.isEmpty else { return result.lines }
        var later = LineTable(capacity: second.count)
        later.add(second, in: bytes, &anomalies)
        for (id, line) in zip(later.ids, later.lines) {
            result.merge(line, of: id) { $0.take($1) }
        }
        return result.lines
    }

    private struct Anomaly: Error { let value: ParseAnomaly }

    private func transaction(_ line: TransactionLine) -> Result<Transaction, Anomaly> {
        let id = line.transactionID.map { TransactionID($0.string(in: bytes)) }
        func anomaly(_ key: String) -> Result<Transaction, Anomaly> {
            .failure(Anomaly(value: ParseAnomaly(key: key, transaction: id)))
        }
        guard let id else { return anomaly("transaction_id") }
        guard let product = line.productID else { return anomaly("product_id") }
        guard case .instant(let purchasedAt) = line.purchaseDate.reading(in: bytes) else {
            return anomaly("purchase_date")
        }
        let expiry = line.expiresDate.reading(in: bytes)
        guard expiry != .unreadable else { return anomaly("expires_date") }
        let cancellation = line.cancellationDate.reading(in: bytes)
        guard cancellation != .unreadable else { return anomaly("cancellation_date") }
        return .success(
            Transaction(
                id: id,
                originalID: line.originalTransactionID.map {
                    TransactionID($0.string(in: bytes))
                } ?? id,
                product: ProductID(product.string(in: bytes)), purchasedAt: purchasedAt,
                expiresAt: expiry.instant, cancelledAt: cancellation.instant,
                cancellationReason: line.cancellationReason?.string(in: bytes),
                isUpgraded: line.isUpgraded ?? false, isTrial: line.isTrial ?? false,
                isIntroductoryOffer: line.isIntroductoryOffer ?? false,
                promotionalOffer: line.promotionalOffer?.string(in: bytes),
                offerCode: line.offerCode?.string(in: bytes),
                ownership: line.ownership.flatMap { Ownership(rawValue: $0.string(in: bytes)) }))
    }

    private func renewals(of receipt: Receipt, isIOS6: Bool) -> [Renewal] {
        var byChain: [TransactionID: Renewal] = [:]
        for line in lines.renewals {
            guard let original = line.originalTransactionID else { continue }
            let id = TransactionID(original.string(in: bytes))
            let renewal = line.renewal(of: id, in: bytes)
            byChain[id] = byChain[id]?.merged(with: renewal) ?? renewal
        }
        for (chain, line) in unnamedRenewals(of: receipt, isIOS6: isIOS6)
        where byChain[chain] == nil {
            byChain[chain] = line.renewal(of: chain, in: bytes)
        }
        return byChain.values.sorted { $0.originalID < $1.originalID }
    }

    /// Renewals that name no chain: those of 2017 name a product, those of iOS 6 nothing, for the
    /// answer has one chain.
    private func unnamedRenewals(
        of receipt: Receipt, isIOS6: Bool
    ) -> [(chain: TransactionID, line: RenewalLine)] {
        if isIOS6, !lines.renewal.isEmpty {
            return Set(receipt.transactions.map(\.originalID)).map { ($0, lines.renewal) }
        }
        return lines.renewals.filter { $0.originalTransactionID == nil }.flatMap { line in
            let product = line.productID.map { ProductID($0.string(in: bytes)) }
            let chains = Set(
                receipt.transactions.filter { $0.product == product }.map(\.originalID))
            return chains.sorted().map { ($0, line) }
        }
    }
}

extension DateLine.Reading {
    var instant: Instant? {
        if case .instant(let instant) = self { return instant }
        return nil
    }
}

/// Lines by `transaction_id`.
private struct LineTable {
    private(set) var lines: [TransactionLine] = []
    private(set) var ids: [TransactionID] = []
    private var places: [TransactionID: Int] = [:]

    init(capacity: Int) {
        lines.reserveCapacity(capacity)
        places.reserveCapacity(capacity)
    }

    /// Adds one list of an answer. Two lines of one transaction become one that does not depend on
    /// their order.
    mutating func add(
        _ list: [TransactionLine], in bytes: UnsafeBufferPointer<UInt8>,
        _ anomalies: inout [ParseAnomaly]
    ) {
        for line in list {
            guard let id = line.transactionID else {
                anomalies.append(ParseAnomaly(key: "transaction_id"))
                continue
            }
            merge(line, of: TransactionID(id.string(in: bytes))) { $0.join($1, in: bytes) }
        }
    }

    mutating func merge(
        _ line: TransactionLine, of id: TransactionID,
        _ combine: (inout TransactionLine, TransactionLine) -> Void
    ) {
        if let place = places[id] {
            combine(&lines[place], line)
        } else {
            places[id] = lines.count
            ids.append(id)
            lines.append(line)
        }
    }
}
