/// What a receipt's own signature has to say after Apple called it malformed to the end.
///
/// Status 21002 is also what a general outage looks like, so it is not believed by itself.
extension Validation {
    /// `rejected` in place of `unverified` for a PKCS#7 whose signature does not fit its own bytes.
    /// Who signed plays no part, and what cannot be decided here stays unverified.
    func afterTieBreak(on receipt: SendableReceipt) -> Validation {
        guard self == .unverified(.malformedAccordingToApple), receipt.isAltered else {
            return self
        }
        return .rejected(.signature)
    }
}

extension SendableReceipt {
    /// Whether the bytes cannot be as somebody signed them. False for what is not PKCS#7.
    var isAltered: Bool {
        guard let signed = try? SignedData(bytes) else { return false }
        do throws(SignatureError) {
            _ = try signed.verifiedSigners()
            return false
        } catch {
            return error.speaksAgainstBytes
        }
    }
}

extension Attempt {
    /// Apple has called the receipt malformed, and it is not as somebody signed it.
    func isOfForgery(_ request: ReceiptRequest) -> Bool {
        status.step == .retry(.malformedAccordingToApple) && request.receipt.isAltered
    }
}
