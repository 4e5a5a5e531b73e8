// Calls Apple for receipts without a stored validation, once for all concurrent requests.
extension ReceiptService {
    /// Between attempts to take a lock that another process holds.
    private static let lockPause = Duration.milliseconds(50)
    /// How far Apple's clock may be ahead of ours when it gives a purchase time.
    private static let mostAhead = Duration.seconds(600)

    /// What one or more clients want to know of a receipt.
    struct Matter: Sendable {
        let receipt: HandedReceipt
        let digest: Digest
        let content: SignedContent?
        let user: UserID?
        let trust: ReceiptTrust
        /// No request to Apple starts after it.
        let deadline: Deadline
    }

    func ask(_ matter: Matter) async -> Decision {
        guard matter.trust != .written else { return await askUnderLock(matter) }
        do {
            guard try await unwrittenLimit.enter(before: matter.deadline) else {
                return .unavailable(Self.tooManyUnwritten)
            }
        } catch {
            return .unavailable(error.inWords)
        }
        defer { unwrittenLimit.leave() }
        return await askUnderLock(matter)
    }

    private static let tooManyUnwritten =
        "Too many receipts came that Apple did not write as they stand; a tenth of --rate is for"
        + " them. See who sends them in nginx's log, and limit_req in its configuration."

    private func askUnderLock(_ matter: Matter) async -> Decision {
        do {
            if let early = try await waitForLock(matter) { return early }
        } catch {
            return .unavailable(error.inWords)
        }
        let decision: Decision
        do {
            decision = try await askAlone(matter)
        } catch {
            decision = .unavailable(error.inWords)
        }
        await locks.unlock(matter.digest)
        return decision
    }

    /// Returns nil with the receipt's lock taken; or a decision, when another process has validated
    /// the receipt or holds the lock for too long.
    private func waitForLock(_ matter: Matter) async throws -> Decision? {
        while true {
            if try await locks.tryLock(matter.digest) { return nil }
            try await Task.sleep(for: Self.lockPause)
            if let stored = try await current(matter) { return .stored(stored) }
            if matter.deadline.isPast {
                return .unavailable("Another process has been validating the receipt for too long.")
            }
        }
    }

    /// The stored receipt with this content; nil without one.
    func digest(with content: SignedContent?) async throws -> Digest? {
        guard let content else { return nil }
        return try await store.receipt(with: content)
    }

    /// The receipt with a current validation that answers the question; nil without one.
    private func current(_ matter: Matter) async throws -> Digest? {
        let digest = try await digest(with: matter.content) ?? matter.digest
        let stored = try await store.find(digest, for: matter.user, at: now())
        return stored?.isCurrent == true ? digest : nil
    }

    /// What Apple is asked about: the stored receipt with this content, if there is one. A variant
    /// of it then says nothing that could change what is stored.
    private func asked(_ matter: Matter) async throws -> (HandedReceipt, Digest) {
        if let digest = try await digest(with: matter.content), digest != matter.digest,
            let data = try await store.data(of: digest),
            let stored = HandedReceipt(data, by: signed)
        {
            return (stored.compact, digest)
        }
        return (matter.receipt, matter.digest)
    }

    /// What is asked about a receipt as the row that the service stores of it.
    private func inquiry(
        about receipt: HandedReceipt, _ digest: Digest, of matter: Matter
    ) async throws -> Inquiry {
        let id = digest.hexadecimal
        let row = StoredReceipt(
            id: ReceiptID(id), user: matter.user ?? UserID(id),
            bundle: matter.receipt.bundle ?? "", data: receipt.data, storedAt: now())
        var inquiry = try await asking.inquiry(about: row)
        // It waits for Apple with the receipt: the bytes of one that waits are held once.
        inquiry.compact(sharing: matter.receipt.sendable)
        return inquiry
    }

    private func askAlone(_ matter: Matter) async throws -> Decision {
        if let stored = try await current(matter) { return .stored(stored) }
        // Read before the request: a run that is published during it is newer than this answer.
        let runNumber = try await store.newestRun()
        let catalog = try await catalog.current()
        let (receipt, digest) = try await asked(matter)
        let answers = try await answers(about: receipt, digest, of: matter)
        let report = answers.report(ofReceiptAt: 0)
        switch report.validation {
        case .verified:
            let shown = answers.verified(ofReceiptAt: 0)
            guard let answer = shown.first?.receipt, catalog.apps[answer.bundle] != nil else {
                return .fail
            }
            let new = validation(of: receipt, digest, by: shown, to: matter, catalog, runNumber)
            return .stored(try await store.store(new))
        case .rejected, .unusable: return .fail
        case .unverified(.refusalContradictsSignature):
            return .unavailable("Apple refuses a receipt that it signed itself (21003).")
        case .unverified(let cause):
            let detail = report.attempts.detail.map { ": \($0)" } ?? ""
            return .unavailable("Apple gave no verdict (\(cause.rawValue)\(detail)).")
        }
    }

    /// Asks one question after the other: a receipt may name several customers.
    private func answers(
        about receipt: HandedReceipt, _ digest: Digest, of matter: Matter
    ) async throws -> UserAnswers {
        var inquiry = try await inquiry(about: receipt, digest, of: matter)
        let attempts = matter.trust == .written ? nil : 1
        try await asking.answer(&inquiry, atMost: 1) { [asking, deadline = matter.deadline] in
            try await asking.look(
                at: $0.question, of: nil, before: deadline, attempts: attempts)
        }
        return inquiry.concluded { refusal, _ in
            refusal.rejection == .notAuthentic && matter.trust != .unsigned
                ? refusal.doubted(.refusalContradictsSignature) : refusal.confirmed
        }
    }

    private func validation(
        of receipt: HandedReceipt, _ digest: Digest, by answers: [VerifiedReceipt],
        to matter: Matter, _ catalog: Catalog, _ runNumber: Int64
    ) -> NewValidation {
        let now = now()
        let requestedAt = answers.compactMap(\.receipt.requestedAt).max()
        let instant = max(now, min(requestedAt ?? now, now + Self.mostAhead))
        let unlocked = UnlockedProducts(
            by: answers, to: receipt.ownTransactions, catalog: catalog, at: instant)
        for product in unlocked.unknown {
            notices.note(
                .uncatalogued(product),
                "Product \(product) is not in the catalogue, so it unlocks nothing.")
        }
        return NewValidation(
            digest: digest, content: matter.content, user: matter.user,
            bundle: answers[0].receipt.bundle, data: receipt.data,
            environment: answers[0].receipt.environment, validatedAt: now,
            validUntil: min(
                now + settings.validationTTL, unlocked.earliestEnd ?? .distantFuture),
            runNumber: runNumber, unlocked: unlocked)
    }
}

extension UserAnswers {
    /// The answers that stand for a receipt, where all of its questions were.
    fileprivate func verified(ofReceiptAt index: Int) -> [VerifiedReceipt] {
        rows[index].questions.compactMap { question in
            let answered = asked[question]
            guard case .verified(let receipt) = answered.report.validation else { return nil }
            return VerifiedReceipt(
                id: answered.receipt, storedBundle: receipt.bundle, receipt: receipt,
                proof: answered.report.proof, question: question)
        }
    }
}
