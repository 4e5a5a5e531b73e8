/// Who speaks for Apple in a run: the answers that it got, or stored receipts that Apple signed.
package enum Witness: Hashable, Sendable {
    case answers
    /// Of `--offline`. A receipt shows nothing that came after it was made.
    case receipts

    /// Whether it shows renewals, refunds and expiries after the receipt was made.
    var knowsLaterFacts: Bool { self == .answers }

    /// Whether it shows offer codes, which may explain a long period.
    var knowsOfferCodes: Bool { self == .answers }

    /// Whether it tells a refund from the end of family sharing, and gives a reason.
    var knowsWhyCancelled: Bool { self == .answers }

    /// One of them, in a sentence.
    var noun: String {
        switch self {
        case .answers: "answer"
        case .receipts: "receipt"
        }
    }
}
