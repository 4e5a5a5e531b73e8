/// Finds the customers whom a stored row names. Nothing else of a row is judged.
package struct StoredCustomers: Sendable {
    let apps: APIApps
    let apple: AppleSignature
    let verifier: JWSVerifier
    /// The wall clock, for a JWS without a date.
    let now: @Sendable () -> Instant

    enum Finding: Sendable {
        /// Nobody, or the app has no key: another source's matter.
        case none
        case resolved(ValidationReport)
        /// By these transactions, in an app that has a key; of a receipt, with what Apple signed.
        case named([TransactionID], BundleID, signed: ReceiptPayload?)
    }

    func customers(in row: StoredReceipt) -> Finding {
        switch LocalReceipt(row.data) {
        case .unusable: .none
        case .sendable(let receipt): customers(in: receipt, storedFor: row.bundle)
        case .signed(let text): customers(in: text, storedFor: row.bundle)
        case .transaction(let id):
            apps.contains(row.bundle) ? .named([id], row.bundle, signed: nil) : .none
        }
    }

    /// None in an iOS 6 receipt, and in one that Apple did not sign: anybody could name others.
    private func customers(in receipt: SendableReceipt, storedFor stored: BundleID) -> Finding {
        let bundle = receipt.bundle ?? stored
        guard apps.contains(bundle), let signed = SignedReceipt(receipt.bytes),
            case .app(_, let payload?) = signed
        else { return .none }
        let ids = payload.customers
        guard !ids.isEmpty, apple.isOn(signed) else { return .none }
        return .named(ids, bundle, signed: payload)
    }

    private func customers(in text: [UInt8], storedFor stored: BundleID) -> Finding {
        let jws = JWS(text)
        let bundle = jws?.payload.bundle ?? stored
        guard apps.contains(bundle) else { return .none }
        guard let jws else { return .resolved(.ofStoredJWS(.rejected(.signature))) }
        if jws.payload.isOfXcode { return .resolved(.ofStoredJWS(.unusable(.xcode))) }
        guard verifier.verification(of: jws, now: now()).isGenuine else {
            return .resolved(.ofStoredJWS(.rejected(.signature)))
        }
        guard jws.payload.kind != .notification, let id = jws.payload.customer else {
            return .resolved(.ofStoredJWS(.unusable(.jws)))
        }
        return .named([id], bundle, signed: nil)
    }
}

extension StoredCustomers {
    /// The transactions that a stored row names, whoever signed it, and whether or not Apple was
    /// asked about them.
    package static func named(in row: StoredReceipt) -> [TransactionID] {
        switch LocalReceipt(row.data) {
        case .unusable: []
        case .sendable(let receipt):
            if case .app(_, let payload?)? = SignedReceipt(receipt.bytes) {
                payload.customers
            } else {
                []
            }
        case .signed(let text): JWS(text)?.payload.customer.map { [$0] } ?? []
        case .transaction(let id): [id]
        }
    }
}

extension ReceiptPayload {
    /// The transactions by which Apple finds the customers.
    fileprivate var customers: [TransactionID] {
        purchases.compactMap { purchase -> TransactionID? in
            [purchase.originalTransaction, purchase.transaction].lazy.compactMap(\.self)
                .first { $0.namesCustomer }
        }
    }
}

extension ValidationReport {
    /// Apple was not asked.
    fileprivate static func ofStoredJWS(_ validation: Validation) -> ValidationReport {
        var report = ValidationReport(validation)
        report.proof = .ownSignature
        return report
    }
}

extension SignedPayload {
    /// The transaction by which Apple finds the customer; nil for an app transaction.
    var customer: TransactionID? {
        let original: TransactionID? = id("originalTransactionId")
        return original ?? id("transactionId")
    }
}

extension TransactionID {
    /// Whether Apple can be asked about it: digits, and not `0`, which Xcode writes.
    var namesCustomer: Bool {
        withUTF8 { bytes in
            (1...20).contains(bytes.count) && bytes.allSatisfy(\.isDigit)
                && !(bytes.count == 1 && bytes[0] == 0x30)
        }
    }
}
