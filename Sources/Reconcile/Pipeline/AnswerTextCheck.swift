/// Replaces text in Apple's answers that the database's encoding cannot store, so that it does not
/// fail the run. The answer gets a `parse_anomaly`, which counts as missing evidence for its user.
struct AnswerTextCheck: Sendable {
    let encoding: DatabaseEncoding

    func checked(_ answers: UserAnswers) async throws -> UserAnswers {
        guard !encoding.holdsEverything else { return answers }
        var answers = answers
        for index in answers.asked.indices {
            let report = answers.asked[index].report
            answers.asked[index].report = try await checked(report)
        }
        for index in answers.rows.indices {
            guard case .resolved(let report) = answers.rows[index] else { continue }
            answers.rows[index] = .resolved(try await checked(report))
        }
        for (row, proof) in answers.proofs {
            let unstorable = try await encoding.unstorable(among: proof.facts.texts)
            answers.proofs[row]?.facts = proof.facts.replacing(unstorable)
        }
        return answers
    }

    private func checked(_ report: ValidationReport) async throws -> ValidationReport {
        let unstorable = try await encoding.unstorable(among: report.texts)
        return unstorable.isEmpty ? report : report.replacing(unstorable)
    }
}

extension ValidationReport {
    fileprivate var texts: [String] {
        let detail = [attempts.detail].compactMap(\.self)
        guard case .verified(let receipt) = validation else { return detail }
        return detail + receipt.texts + facts.texts
    }

    fileprivate func replacing(_ unstorable: Set<String>) -> ValidationReport {
        var report = self
        if let detail = attempts.detail, unstorable.contains(detail) {
            report.attempts.detail = detail.inASCII
        }
        if case .verified(let receipt) = validation,
            receipt.texts.contains(where: unstorable.contains)
        {
            report.validation = .verified(receipt.replacing(unstorable))
        }
        report.facts = facts.replacing(unstorable)
        return report
    }
}

extension SignedFacts {
    fileprivate var texts: [String] {
        contradictions.flatMap(\.texts) + unanswered.flatMap { [$0.id.text, $0.product.text] }
    }

    fileprivate func replacing(_ unstorable: Set<String>) -> SignedFacts {
        guard !unstorable.isEmpty else { return self }
        var facts = self
        facts.contradictions = contradictions.map { $0.replacing(unstorable) }
        for index in unanswered.indices {
            facts.unanswered[index].id = unanswered[index].id.storable(unstorable)
            facts.unanswered[index].product = unanswered[index].product.storable(unstorable)
        }
        return facts
    }
}

extension Receipt {
    fileprivate var texts: [String] {
        let own = [bundle.text, originalApplicationVersion].compactMap(\.self)
        let transactions = transactions.flatMap { line in
            [
                line.id.text, line.originalID.text, line.product.text, line.lineItem?.text,
                line.cancellationReason, line.sale?.accountToken,
            ].compactMap(\.self)
        }
        let renewals = renewals.flatMap { line in
            [line.originalID.text, line.renewsAs?.text].compactMap(\.self)
        }
        return own + transactions + renewals + anomalies.compactMap(\.transaction?.text)
    }

    fileprivate func replacing(_ unstorable: Set<String>) -> Receipt {
        func storable<Tag>(_ id: Identifier<Tag>) -> Identifier<Tag> { id.storable(unstorable) }
        func storable(_ text: String?) -> String? {
            text.map { unstorable.contains($0) ? $0.inASCII : $0 }
        }
        var receipt = self
        receipt.bundle = storable(bundle)
        receipt.originalApplicationVersion = storable(originalApplicationVersion)
        for index in transactions.indices {
            let line = transactions[index]
            receipt.transactions[index].id = storable(line.id)
            receipt.transactions[index].originalID = storable(line.originalID)
            receipt.transactions[index].product = storable(line.product)
            receipt.transactions[index].lineItem = line.lineItem.map(storable)
            receipt.transactions[index].cancellationReason = storable(line.cancellationReason)
            receipt.transactions[index].sale = line.sale?.storable(unstorable)
        }
        for index in renewals.indices {
            receipt.renewals[index].originalID = storable(renewals[index].originalID)
            receipt.renewals[index].renewsAs = renewals[index].renewsAs.map(storable)
        }
        for index in anomalies.indices {
            receipt.anomalies[index].transaction = anomalies[index].transaction.map(storable)
        }
        receipt.anomalies.append(ParseAnomaly(key: ParseAnomaly.unstorableKey))
        return receipt
    }
}

extension Sale {
    /// Without a token that cannot be stored: it is no user's id.
    fileprivate func storable(_ unstorable: Set<String>) -> Sale {
        guard let accountToken, unstorable.contains(accountToken) else { return self }
        return Sale(
            price: price, revocationPercentage: revocationPercentage,
            isFamilyRevocation: isFamilyRevocation, isWinBack: isWinBack,
            isMonthlyCommitment: isMonthlyCommitment)
    }
}

extension Contradiction {
    fileprivate var texts: [String] {
        switch self {
        case .bundle(let signed): [signed.text]
        case .product(let id, let signed, let answered): [id.text, signed.text, answered.text]
        case .purchaseDate(let id, _, _), .cancellation(let id, _), .expiry(let id, _, _),
            .noCancellation(let id, _), .notSigned(let id):
            [id.text]
        case .purchase(let id, let product): [id.text, product.text]
        }
    }

    fileprivate func replacing(_ unstorable: Set<String>) -> Contradiction {
        switch self {
        case .bundle(let signed): .bundle(signed: signed.storable(unstorable))
        case .product(let id, let signed, let answered):
            .product(
                of: id.storable(unstorable), signed: signed.storable(unstorable),
                answered: answered.storable(unstorable))
        case .purchaseDate(let id, let signed, let answered):
            .purchaseDate(of: id.storable(unstorable), signed: signed, answered: answered)
        case .cancellation(let id, let signed):
            .cancellation(of: id.storable(unstorable), signed: signed)
        // Made only from texts that were checked before, so they are storable.
        case .expiry, .noCancellation, .notSigned, .purchase: self
        }
    }
}

extension Identifier {
    fileprivate func storable(_ unstorable: Set<String>) -> Identifier {
        unstorable.contains(text) ? Identifier(text.inASCII) : self
    }
}

extension String {
    /// The text with a question mark for each non-ASCII character.
    fileprivate var inASCII: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }
}
