extension StoredUser {
    /// Whether the receipt validation service stored a receipt of the user for nobody: the id is
    /// the receipt's SHA-256, and the team has stored no entitlement under it.
    /// - Parameter answers: have the bytes of the receipts that were requested.
    func isUnclaimed(_ answers: UserAnswers) -> Bool {
        guard user.text.isDigest, entitlements.isEmpty, invalidEntitlements.isEmpty else {
            return false
        }
        return receipts.indices.contains { index in
            digest(ofReceiptAt: index, answers)?.hexadecimal == user.text
        }
    }

    private func digest(ofReceiptAt index: Int, _ answers: UserAnswers) -> Digest? {
        if let question = answers.question(ofReceiptAt: index) { return question.receiptDigest }
        // Not requested, as in an offline run.
        guard case .sendable(let receipt) = LocalReceipt(receipts[index].data) else { return nil }
        return receipt.digest
    }
}

extension String {
    /// Whether it is 64 lower-case hexadecimal digits. Hardly any user's id is.
    fileprivate var isDigest: Bool {
        utf8.count == 64
            && utf8.allSatisfy { digit in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
            }
    }
}
