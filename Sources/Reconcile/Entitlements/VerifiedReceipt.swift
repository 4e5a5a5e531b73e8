/// An answer of Apple's about a stored receipt, or about a customer whom it names. A class, because
/// its purchases refer to it.
final class VerifiedReceipt: Equatable, Sendable {
    /// The receipt that was asked about.
    let id: ReceiptID
    let storedBundle: BundleID
    let receipt: Receipt
    let proof: ReceiptProof
    /// The number of the question that it answers, among those about the user.
    let question: Int?

    init(
        id: ReceiptID, storedBundle: BundleID, receipt: Receipt,
        proof: ReceiptProof = .verifyReceipt, question: Int? = nil
    ) {
        self.id = id
        self.storedBundle = storedBundle
        self.receipt = receipt
        self.proof = proof
        self.question = question
    }

    static func == (left: VerifiedReceipt, right: VerifiedReceipt) -> Bool {
        left === right
            || left.id == right.id && left.storedBundle == right.storedBundle
                && left.proof == right.proof && left.receipt == right.receipt
    }

    var isForOtherApp: Bool { receipt.bundle != storedBundle }

    /// Whether the answer gives rights: it is of production, and for the app it was stored for.
    var isRightGiving: Bool {
        receipt.environment == .production && !isForOtherApp
    }
}
