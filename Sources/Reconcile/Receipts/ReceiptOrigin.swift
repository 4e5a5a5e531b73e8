/// What a receipt's own signature says about who made it.
///
/// Anyone can hand in bytes, so what Apple answers about them says something about Apple's servers,
/// or about the customer, only with this. It is checked only when an answer makes it matter.
enum ReceiptOrigin: Equatable, Sendable {
    /// Apple signed it, by the checks of `inspect`.
    case apple
    /// The signature does not fit the receipt's own bytes, by the certificate that it carries,
    /// known or not: it was changed after it was signed.
    case altered
    /// It is not signed, its signature cannot be checked, or its signer is not known.
    case unproven
}

extension AppleSignature {
    func origin(of receipt: SendableReceipt) -> ReceiptOrigin {
        guard let signed = SignedReceipt(receipt.bytes) else { return .unproven }
        do throws(SignatureError) {
            _ = try chain(of: signed)
            return .apple
        } catch {
            return error.provesTampering ? .altered : .unproven
        }
    }
}

extension Validation {
    /// `rejected` for an altered receipt that Apple called malformed to the end. Apple's servers
    /// also answer 21002 when they are in trouble, so 21002 alone rejects none.
    func judging(_ origin: @autoclosure () -> ReceiptOrigin) -> Validation {
        guard self == .unverified(.malformedAccordingToApple), origin() == .altered else {
            return self
        }
        return .rejected(.signature)
    }
}
