/// Builds a `Receipt`. Malformed entries become anomalies, and the others are kept.
struct ReceiptAssembly {
    let lines: AnswerLines
    let bytes: UnsafeBufferPointer<UInt8>

    func receipt(from environment: StoreEnvironment) -> Receipt? {
        guard let line = lines.receipt, let bundle = line.bundle ?? line.transaction[.bid].text
        else { return nil }
        let isIOS6 = line.bundle == nil && !line.hasInApp
        var receipt = Receipt(
            tellsPurchaseOfApp: !isIOS6, bundle: bundle.id(in: bytes),
            environment: environment)
        if !isIOS6 {
            receipt.createdAt = line.createdAt(in: bytes)
            receipt.requestedAt = line.requestedAt(in: bytes)
            receipt.originalPurchaseAt = line.originalPurchaseAt(in: bytes)
            receipt.originalApplicationVersion =
                line.originalApplicationVersion?.string(in: bytes)
        }
        let first = isIOS6 ? [line.transaction] : line.inApp
        let merged = MergedLines(first, latest: lines.latest, in: bytes)
        var texts = AnswerTexts(bytes)
        receipt.anomalies = anomalies(merged)
        receipt.transactions.reserveCapacity(merged.count)
        for index in 0..<merged.count {
            guard let merged = merged.line(at: index) else { continue }
            do {
                receipt.transactions.append(try transaction(merged, &texts))
            } catch {
                receipt.anomalies.append(
                    ParseAnomaly(
                        key: error.key.description,
                        transaction: merged.line[.transactionID].id(in: bytes)))
            }
        }
        receipt.renewals = renewals(of: receipt, isIOS6: isIOS6)
        return receipt
    }

    private func anomalies(_ merged: MergedLines) -> [ParseAnomaly] {
        let missingTransactionID = ParseAnomaly(key: "transaction_id")
        return lines.malformedEntries.map { ParseAnomaly(key: $0.description) }
            + Array(repeating: missingTransactionID, count: merged.namelessCount)
            + merged.contradictoryIDs.map { id in
                ParseAnomaly(
                    key: ParseAnomaly.duplicateKey,
                    transaction: id.id(in: bytes))
            }
    }

    private struct NoTransaction: Error { let key: StaticString }

    private func transaction(
        _ merged: MergedLine, _ texts: inout AnswerTexts
    ) throws(NoTransaction) -> Transaction {
        let line = merged.line
        guard let product = line[.productID].text else {
            throw NoTransaction(key: "product_id")
        }
        guard let purchasedAt = line.date(.purchase, in: bytes).instant else {
            throw NoTransaction(key: "purchase_date")
        }
        let expiry = line.date(.expires, in: bytes)
        guard expiry != .unreadable else { throw NoTransaction(key: "expires_date") }
        let cancellation = line.date(.cancellation, in: bytes)
        guard cancellation != .unreadable else { throw NoTransaction(key: "cancellation_date") }
        let original = line[.originalTransactionID].text ?? line[.transactionID]
        let ownership = line[.ownership].text.map { Ownership($0, in: bytes) }
        // In one expression: setting properties afterwards would copy the transaction each time.
        return Transaction(
            id: line[.transactionID].id(in: bytes),
            originalID: original.id(in: bytes),
            product: ProductID(texts.repeated(product)), purchasedAt: purchasedAt,
            originallyPurchasedAt: expiry == .absent
                ? line.date(.originalPurchase, in: bytes).instant : nil,
            expiresAt: expiry.instant, cancelledAt: cancellation.instant,
            cancellationReason: texts.single(line[.cancellationReason].text),
            isUpgraded: line[.isUpgraded].kind == .true, isTrial: line[.isTrial].kind == .true,
            isIntroductoryOffer: line[.isIntroductoryOffer].kind == .true,
            promotionalOffer: texts.single(line[.promotionalOffer].text),
            offerCode: texts.single(line[.offerCode].text),
            ownership: ownership ?? nil,
            isOwnershipUnknown: ownership == .some(nil),
            lineItem: line[.webOrderLineItem].text.map { $0.id(in: bytes) },
            quantity: line[.quantity].integer(in: bytes).map { max(1, $0) } ?? 1,
            isInLatest: merged.isInLatest)
    }

    private func renewals(of receipt: Receipt, isIOS6: Bool) -> [Renewal] {
        var named: [TransactionID: Renewal] = [:]
        for line in lines.renewals {
            guard let original = line.originalTransactionID else { continue }
            add(line, of: original.id(in: bytes), to: &named)
        }
        var unnamed: [TransactionID: Renewal] = [:]
        for (chain, line) in unnamedRenewals(of: receipt, isIOS6: isIOS6) {
            add(line, of: chain, to: &unnamed)
        }
        named.merge(unnamed) { named, _ in named }
        return named.values.sorted { $0.originalID < $1.originalID }
    }

    /// Adds an entry. Several entries of one chain are merged, because their order means nothing.
    private func add(
        _ line: RenewalLine, of chain: TransactionID, to renewals: inout [TransactionID: Renewal]
    ) {
        let renewal = line.renewal(of: chain, in: bytes)
        renewals[chain] = renewals[chain]?.merged(with: renewal) ?? renewal
    }

    /// Renewals without an original id, each of the last chain of its product: answers of 2017
    /// name only the product. What an iOS 6 answer says is of its last chain, if of none of those.
    private func unnamedRenewals(
        of receipt: Receipt, isIOS6: Bool
    ) -> [(chain: TransactionID, line: RenewalLine)] {
        if isIOS6, !lines.renewal.isEmpty {
            let chain =
                lastChain(ofProductIn: lines.renewal, receipt)
                ?? receipt.transactions.lastChain { _ in true }
            return chain.map { [($0, lines.renewal)] } ?? []
        }
        return lines.renewals.filter { $0.originalTransactionID == nil }.compactMap { line in
            lastChain(ofProductIn: line, receipt).map { ($0, line) }
        }
    }

    private func lastChain(ofProductIn line: RenewalLine, _ receipt: Receipt) -> TransactionID? {
        guard let product: ProductID = line.product?.id(in: bytes) else { return nil }
        return receipt.transactions.lastChain { $0.product == product }
    }
}

extension [Transaction] {
    /// The chain of the period that ends last; of several the greatest id.
    fileprivate func lastChain(where isWanted: (Transaction) -> Bool) -> TransactionID? {
        var last: (end: Instant, chain: TransactionID)?
        for transaction in self where isWanted(transaction) {
            guard let end = transaction.expiresAt else { continue }
            if let last {
                guard last.end <= end else { continue }
                let isGreater = last.chain.isNumericallyLess(than: transaction.originalID)
                guard last.end < end || isGreater else { continue }
            }
            last = (end, transaction.originalID)
        }
        return last?.chain
    }
}

extension Ownership {
    fileprivate init?(_ value: JSONValue, in bytes: UnsafeBufferPointer<UInt8>) {
        if value.equals("PURCHASED", in: bytes) {
            self = .purchased
        } else if value.equals("FAMILY_SHARED", in: bytes) {
            self = .familyShared
        } else {
            return nil
        }
    }
}

extension JSONValue {
    func id<Tag>(in bytes: UnsafeBufferPointer<UInt8>) -> Identifier<Tag> {
        kind == .escapedString ? Identifier(string(in: bytes)) : Identifier(raw(in: bytes))
    }
}
