/// A receipt that is asked about. Its signature is checked for few receipts ever.
struct AskedReceipt {
    let question: Question
    private let apple: AppleSignature
    private(set) lazy var origin = apple.origin(of: question.receipt)
    /// Nil unless Apple signed the receipt.
    private(set) lazy var content = apple.content(of: question.receipt)

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
