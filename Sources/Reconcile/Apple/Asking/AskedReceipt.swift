/// A question that is asked. The signature of its receipt is checked for few receipts ever.
struct AskedReceipt {
    let question: Question
    private let apple: AppleSignature
    private(set) lazy var origin = question.receipt.map { apple.origin(of: $0) } ?? .unproven
    /// Nil unless the question is about a receipt that Apple signed.
    private(set) lazy var content = question.receipt.flatMap { apple.content(of: $0) }

    init(_ question: Question, by apple: AppleSignature) {
        self.question = question
        self.apple = apple
    }
}

extension AnswerClass {
    /// Nil when the answer says nothing about the server: the receipt may deserve it.
    /// - Parameter isApples: whether Apple wrote the receipt's bytes.
    init?(_ health: Attempt.Health, ifApples isApples: @autoclosure () -> Bool) {
        switch health {
        case .sound: self = .sound
        case .ambiguous:
            guard isApples() else { return nil }
            self = .troubled
        case .troubled: self = .troubled
        case .throttled: self = .throttled
        }
    }
}
