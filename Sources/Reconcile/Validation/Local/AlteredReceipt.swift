/// An outage of Apple's can also look like 21002, so 21002 alone does not reject a receipt.
extension Validation {
    /// `rejected` instead of `unverified` for a PKCS#7 whose signature does not fit its own bytes,
    /// regardless of the signer.
    func rejectingAltered(on receipt: SendableReceipt) -> Validation {
        guard self == .unverified(.malformedAccordingToApple), receipt.isAltered else {
            return self
        }
        return .rejected(.signature)
    }
}

extension SendableReceipt {
    /// Whether the bytes were changed after signing. False for a receipt that is not PKCS#7.
    var isAltered: Bool {
        guard let signed = try? SignedData(bytes) else { return false }
        do throws(SignatureError) {
            _ = try signed.verifiedSigners()
            return false
        } catch {
            return error.provesTampering
        }
    }
}

extension Attempt {
    /// Whether Apple called the receipt malformed and it was changed after signing.
    func isOfForgery(_ request: ReceiptRequest) -> Bool {
        status.step == .retry(.malformedAccordingToApple) && request.receipt.isAltered
    }
}
