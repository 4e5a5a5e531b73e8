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

    /// SHA-256 of a receipt's bytes after repair, or of a JWS or an id without white space. Nil for
    /// what is none of these.
    func digest(ofReceiptAt index: Int, _ answers: UserAnswers) -> Digest? {
        if let question = answers.question(aboutReceiptAt: index) {
            return answers.asked[question].question.receipt?.digest
        }
        // Not sent, as in an offline run.
        return LocalReceipt(receipts[index].data).digest
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
