/// What a payload is about, found by its members. Raw values are values in JSON.
enum SignedKind: String, Sendable, CaseIterable {
    case transaction
    case renewalInfo = "renewal_info"
    case appTransaction = "app_transaction"
    case notification
    /// Apple signs other things, too, such as requests for a retention message.
    case other

    init(_ payload: SignedPayload) {
        // A transaction and a renewal info can name the app transaction that they belong to.
        self =
            if payload.has("notificationType") {
                .notification
            } else if payload.has("autoRenewStatus") || payload.has("autoRenewProductId") {
                .renewalInfo
            } else if payload.has("transactionId") {
                .transaction
            } else if payload.has("receiptType") || payload.has("originalApplicationVersion") {
                .appTransaction
            } else {
                .other
            }
    }
}

extension SignedPayload {
    var kind: SignedKind { SignedKind(self) }

    /// When its certificates must have been valid: the date of the signature. Absent: now.
    var signedAt: SignedDate {
        let signed = date("signedDate")
        guard kind == .appTransaction else { return signed }
        let created = date("receiptCreationDate")
        return created == .absent ? signed : created
    }

    /// Where it was bought, as Apple writes it. An unknown one is kept.
    var environment: String? {
        switch kind {
        case .transaction, .renewalInfo, .other: text("environment")
        case .appTransaction: text("receiptType")
        case .notification: SignedNotification(self).subject?.text("environment")
        }
    }

    /// Whether Xcode or a test on the developer's machine made it, and not the App Store.
    var isOfXcode: Bool { ["Xcode", "LocalTesting"].contains(environment) }

    /// The app that it names; none in a renewal info.
    var bundle: BundleID? {
        kind == .notification ? SignedNotification(self).subject?.id("bundleId") : id("bundleId")
    }
}
