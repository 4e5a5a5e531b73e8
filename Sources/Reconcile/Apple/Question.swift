/// One thing to ask Apple. How it is asked is the source's own matter.
package struct Question: Sendable {
    enum Subject: Sendable {
        case receipt(SendableReceipt)
        /// The customer with this transaction.
        case customer(TransactionID)
        /// The notices that Apple sent to the app's server.
        case notices
    }

    let subject: Subject
    /// The app that the receipt names, else that of its row.
    let bundle: BundleID
    /// Whether the service has this app. A receipt alone proves nothing: it can name any app.
    var isOfOwnApp = true

    /// The key of the answer in evidence: SHA-256 over what is asked about, a line feed and the
    /// bundle. No secret is part of it: no table holds one in any form.
    var digest: [UInt8] {
        var stream = DigestStream()
        switch subject {
        case .receipt(let receipt): receipt.base64.withUnsafeBytes { stream.update($0) }
        case .customer(let id): id.withUTF8 { stream.update(UnsafeRawBufferPointer($0)) }
        case .notices: break
        }
        Array("\n\(bundle.text)".utf8).withUnsafeBytes { stream.update($0) }
        return stream.finish().bytes
    }

    /// Nil where it is about a customer.
    var receipt: SendableReceipt? {
        if case .receipt(let receipt) = subject { receipt } else { nil }
    }

    var source: AnswerSource {
        switch subject {
        case .receipt: .verifyReceipt
        case .customer, .notices: .serverAPI
        }
    }

    /// Of its receipt, in bytes.
    var size: Int { receipt?.bytes.count ?? 0 }

    /// The same question, kept for long: with the receipt as it is held elsewhere, if it is.
    /// - Parameter held: a receipt, perhaps another one.
    func compact(sharing held: SendableReceipt) -> Question {
        guard let receipt else { return self }
        return Question(
            subject: .receipt(receipt == held ? held.compact : receipt.compact), bundle: bundle,
            isOfOwnApp: isOfOwnApp)
    }
}

extension Question {
    /// Asks about a receipt itself.
    /// - Parameter bundle: of the receipt's row.
    init(_ receipt: SendableReceipt, storedFor bundle: BundleID) {
        let named = receipt.bundle ?? bundle
        self.init(subject: .receipt(receipt), bundle: named, isOfOwnApp: named == bundle)
    }
}

/// What all attempts to ask a question came to.
package indirect enum QuestionResult: Sendable {
    case concluded(ValidationReport)
    case refused(Refusal)

    var requests: RequestRecord {
        switch self {
        case .concluded(let report): report.requests
        case .refused(let refusal): refusal.requests
        }
    }
}
