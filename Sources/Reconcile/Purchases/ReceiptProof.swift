/// What a stored receipt is judged by. A source decides it, receipt by receipt.
enum ReceiptProof: Sendable {
    /// Apple's answer about the receipt.
    case verifyReceipt
    /// Apple's answer about the customer whom the receipt names.
    case serverAPI
    /// The receipt's own signature.
    case ownSignature

    /// Whether it shows offer codes, which may explain a long period.
    var showsOfferCodes: Bool { self != .ownSignature }

    /// Whether it distinguishes a refund from the end of family sharing, and gives a reason.
    var showsWhyCancelled: Bool { self != .ownSignature }

    /// Whose answer it is; nil without one.
    var source: AnswerSource? {
        switch self {
        case .verifyReceipt: .verifyReceipt
        case .serverAPI: .serverAPI
        case .ownSignature: nil
        }
    }

    /// What shows the purchases, in a sentence.
    var noun: String {
        switch self {
        case .verifyReceipt, .serverAPI: "answer"
        case .ownSignature: "receipt"
        }
    }
}
