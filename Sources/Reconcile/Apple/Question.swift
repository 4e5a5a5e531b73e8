/// One thing to ask Apple about a stored receipt. How it is asked is the source's own matter.
package struct Question: Sendable {
    let receipt: SendableReceipt
    /// The app that the receipt names, else that of its row.
    let bundle: BundleID
    /// Whether the service has this app. A receipt alone proves nothing: it can name any app.
    var isOfOwnApp = true
    /// What is asked, where that is not the receipt itself: a customer's id, say, and a page.
    var detail = ""

    /// The key of the answer in evidence: SHA-256 over the receipt as sent, a line feed and the
    /// bundle. No secret is part of it: no table holds one in any form.
    var digest: [UInt8] {
        var stream = DigestStream()
        receipt.base64.withUnsafeBytes { stream.update($0) }
        let rest = detail.isEmpty ? "\n\(bundle.text)" : "\n\(bundle.text)\n\(detail)"
        Array(rest.utf8).withUnsafeBytes { stream.update($0) }
        return stream.finish().bytes
    }

    var receiptDigest: Digest { receipt.digest }

    /// The same question, kept for long: with the receipt as it is held elsewhere, if it is.
    /// - Parameter held: a receipt, perhaps another one.
    func compact(sharing held: SendableReceipt) -> Question {
        Question(
            receipt: receipt == held ? held.compact : receipt.compact, bundle: bundle,
            isOfOwnApp: isOfOwnApp, detail: detail)
    }
}

extension Question {
    /// Asks about a receipt itself.
    /// - Parameter bundle: of the receipt's row.
    init(_ receipt: SendableReceipt, storedFor bundle: BundleID) {
        let named = receipt.bundle ?? bundle
        self.init(receipt: receipt, bundle: named, isOfOwnApp: named == bundle)
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
