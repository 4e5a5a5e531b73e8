/// What the service keeps of its customers.
package enum StoredForm: String, Sendable, CaseIterable {
    case receipt
    /// StoreKit 2: the newest transaction, signed.
    case jws
    /// The newest transaction's id, or its chain's.
    case id
    /// One of the others for each row.
    case mixed

    func form(of file: ReceiptFile, _ customer: Customer) -> StoredForm {
        guard self == .mixed else { return self }
        return [.receipt, .jws, .id][(customer.number + file.number) % 3]
    }
}

extension ReceiptFile {
    /// A signed transaction, or an app transaction when nothing was bought. An app for iOS 6 has
    /// neither, so it gets nil.
    func signedText(of customer: Customer) -> String? {
        let known = known(of: customer)
        guard known.account.style == .modern else { return nil }
        guard let purchase = newest(known), !isOfDownload(customer) else {
            return padded(JWSMint.text(.object(AppTransactionPayload(account: known).fields())))
        }
        var fields = TransactionPayload(purchase: purchase, account: known).fields()
        if form == .xcode {
            fields.remove("environment")
            fields.add("environment", "Xcode")
            return padded(JWSMint.ofXcode(.object(fields)))
        }
        let isForged = known.account.recognition == .notAuthentic || isInvented(customer)
        return padded(isForged ? JWSMint.forgery(fields) : JWSMint.text(.object(fields)))
    }

    /// Nil when nothing was bought, and for Xcode's test environment, where ids mean nothing.
    func transactionID(of customer: Customer) -> String? {
        guard form != .xcode, let purchase = newest(known(of: customer)) else { return nil }
        return padded(String(customer.number % 2 == 0 ? purchase.id : purchase.originalID))
    }

    /// Some apps store the app transaction of their StoreKit 2 customers, which has no purchases.
    private func isOfDownload(_ customer: Customer) -> Bool {
        form == .signedTransaction && customer.number % 3 == 0 && !isInvented(customer)
    }

    /// Some customers of whom only StoreKit 2 data is stored have altered it.
    private func isInvented(_ customer: Customer) -> Bool {
        form == .signedTransaction && customer.card.flaw == .neverBought
    }

    /// When it was stored.
    private func known(of customer: Customer) -> KnownAccount {
        KnownAccount(customer: customer, index: account, now: storedAt, signedAt: storedAt)
    }

    private func newest(_ known: KnownAccount) -> Purchase? {
        known.account.seen(at: storedAt).max { $0.purchasedAt < $1.purchasedAt }
    }

    /// White space around it is the damage that a JWS or an id survives.
    private func padded(_ text: String) -> String { damage == .none ? text : " \(text)\r\n" }
}
