/// Reads signed transactions of StoreKit 2, which the service takes in the place of receipts, of
/// apps that have a key of the App Store Server API.
package struct SignedPurchases: Sendable {
    private let apps: APIApps
    private let verifier: JWSVerifier

    /// - Parameter apps: those with a key.
    package init(of apps: APIApps, verifiedBy verifier: JWSVerifier) {
        self.apps = apps
        self.verifier = verifier
    }

    /// Nil for what names no customer, or no app with a key. Does not check who signed it.
    /// - Parameter text: of a JWS, without white space around it.
    func purchase(in text: [UInt8]) -> SignedPurchase? {
        guard let jws = JWS(text), let bundle = jws.payload.bundle, apps.contains(bundle),
            jws.payload.kind == .transaction, jws.payload.customer != nil
        else { return nil }
        return SignedPurchase(
            text: text, bundle: bundle, transaction: jws.payload.id("transactionId"))
    }

    /// What Apple signed in it; nil when Apple did not.
    func content(of purchase: SignedPurchase, now: Instant) -> SignedContent? {
        guard let jws = JWS(purchase.text), !jws.payload.isOfXcode,
            verifier.verification(of: jws, now: now).isGenuine
        else { return nil }
        // A signature can be written in several ways, and is all that is not signed itself.
        return SignedContent(digest: .sha256(jws.signed), isVariant: false)
    }
}

/// A signed transaction of StoreKit 2. Prints as `‹redacted›`: it is as good as a receipt.
struct SignedPurchase: Equatable, Sendable {
    let text: [UInt8]
    /// The app that it names.
    let bundle: BundleID
    let transaction: TransactionID?
}

extension SignedPurchase: CustomStringConvertible, CustomReflectable {
    var description: String { "‹redacted›" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
