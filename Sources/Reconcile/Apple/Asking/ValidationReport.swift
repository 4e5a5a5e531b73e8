internal import Glibc

/// The final outcome of one receipt, and the requests it took.
package struct ValidationReport: Sendable {
    var validation: Validation
    var attempts = AttemptSummary()
    var requests = RequestRecord()
    var body: AnswerBody?
    /// Facts in which the receipt, signed by Apple, contradicts the answer that verified it.
    var contradictions: [Contradiction] = []
    /// The kinds of products that the catalogue lacks, from a receipt that Apple signed.
    var signedKinds: [ProductID: ProductKind] = [:]
    /// Purchases that the receipt shows and the answer lacks. Apple's signature is not checked.
    var unanswered: [KnownPurchase] = []
    /// The check of Apple's signature on the answer. Nil when it was not checked or there is none.
    var signature: AnswerSignature?
    /// Whether it was not asked about, because its app is stopped.
    var isOfStoppedApp = false

    init(_ validation: Validation) { self.validation = validation }
}

extension ValidationReport {
    /// Restores the report from evidence, without a request. A verified receipt is parsed again
    /// from Apple's answer.
    init(_ kept: KeptAnswer) {
        switch kept.conclusion {
        case .rejected(let cause): self.init(.rejected(cause))
        case .unverified(let cause): self.init(.unverified(cause))
        case .verified:
            let receipt = kept.body.flatMap { body in
                // A body that an older release could parse and this one cannot proves nothing.
                try? VerifyReceiptAnswer.read(body.bytes, from: body.server).receipt
            }
            self.init(receipt.map(Validation.verified) ?? .unverified(.incompleteAnswer))
        }
        attempts = kept.attempts
        body = kept.body
    }

    /// The answer to store as evidence; nil for a receipt that was never sent.
    func kept(for request: ReceiptRequest, of receipt: ReceiptID) -> KeptAnswer? {
        let conclusion: KeptAnswer.Conclusion
        switch validation {
        case .verified: conclusion = .verified
        case .rejected(let cause): conclusion = .rejected(cause)
        case .unverified(let cause): conclusion = .unverified(cause)
        case .unusable: return nil
        }
        var kept = KeptAnswer(
            request: request.digest, receipt: receipt, conclusion: conclusion, attempts: attempts,
            body: body, bodyDigest: body.map { Digest.sha256($0.bytes).bytes })
        if let secret = request.secret, let clean = body?.without(secret) {
            kept.body = clean
            let notice = "the answer repeated the shared secret, which is left out"
            kept.attempts.detail = [attempts.detail, notice].compactMap(\.self)
                .joined(separator: "; ")
        }
        return kept
    }
}

extension AnswerBody {
    /// The body with `secret` replaced by asterisks; nil when the body does not contain it.
    fileprivate func without(_ secret: SharedSecret) -> AnswerBody? {
        let secret = Array(secret.text.utf8)
        // Replacing a secret of asterisks by asterisks would never end.
        guard secret.contains(where: { $0 != UInt8(ascii: "*") }) else { return nil }
        var bytes = bytes
        var isFound = false
        while let place = bytes.place(of: secret) {
            isFound = true
            bytes.replaceSubrange(
                place..<place + secret.count, with: secret.map { _ in UInt8(ascii: "*") })
        }
        return isFound ? AnswerBody(bytes: bytes, server: server) : nil
    }
}

extension [UInt8] {
    /// `word` must not be empty. `memchr`: the standard library's search took a quarter of a run.
    fileprivate func place(of word: [UInt8]) -> Int? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var place = 0
            while place + word.count <= bytes.count,
                let found = memchr(start + place, Int32(word[0]), bytes.count - place)
            {
                place = start.distance(to: found)
                guard place + word.count <= bytes.count else { return nil }
                if memcmp(found, word, word.count) == 0 { return place }
                place += 1
            }
            return nil
        }
    }
}
