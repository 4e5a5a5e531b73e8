/// What a stored receipt is judged by. A source decides it, receipt by receipt.
enum ReceiptProof: Sendable {
    /// Apple's answer about the receipt.
    case answer
    /// The receipt's own signature.
    case ownSignature

    /// Whether it shows offer codes, which may explain a long period.
    var showsOfferCodes: Bool { self == .answer }

    /// Whether it distinguishes a refund from the end of family sharing, and gives a reason.
    var showsWhyCancelled: Bool { self == .answer }

    /// What shows the purchases, in a sentence.
    var noun: String {
        switch self {
        case .answer: "answer"
        case .ownSignature: "receipt"
        }
    }
}
