// Calls Apple for receipts without a stored validation, once for all concurrent requests.
extension ReceiptService {
    /// Between attempts to take a lock that another process holds.
    private static let lockPause = Duration.milliseconds(50)
    /// How far Apple's clock may be ahead of ours when it gives a purchase time.
    private static let mostAhead = Duration.seconds(600)

    struct Question: Sendable {
        let receipt: ReceiptRequest
        let digest: Digest
        let user: UserID
        let trust: ReceiptTrust
        /// No request to Apple starts after it.
        let deadline: Deadline
    }

    func ask(_ question: Question) async -> Decision {
        guard question.trust != .written else { return await askUnderLock(question) }
        do {
            guard try await turnsOfUnwritten.enter(before: question.deadline) else {
                return .unavailable(Self.noTurn)
            }
        } catch {
            return .unavailable(error.inWords)
        }
        defer { turnsOfUnwritten.leave() }
        return await askUnderLock(question)
    }

    private static let noTurn =
        "Too many receipts came that Apple did not write as they stand; a tenth of --rate is for"
        + " them. See who sends them in nginx's log, and limit_req in its configuration."

    private func askUnderLock(_ question: Question) async -> Decision {
        do {
            if let early = try await waitForLock(question) { return early }
        } catch {
            return .unavailable(error.inWords)
        }
        let decision: Decision
        do {
            decision = try await askAlone(question)
        } catch {
            decision = .unavailable(error.inWords)
        }
        await locks.unlock(question.digest)
        return decision
    }

    /// Returns nil with the receipt's lock taken; or a decision, when another process has validated
    /// the receipt or holds the lock for too long.
    private func waitForLock(_ question: Question) async throws -> Decision? {
        while true {
            if try await locks.tryLock(question.digest) { return nil }
            try await Task.sleep(for: Self.lockPause)
            if try await isCurrent(question) { return .stored }
            if question.deadline.isPast {
                return .unavailable("Another process has been validating the receipt for too long.")
            }
        }
    }

    private func isCurrent(_ question: Question) async throws -> Bool {
        try await store.find(question.digest, for: question.user, at: now())?.isCurrent ?? false
    }

    private func askAlone(_ question: Question) async throws -> Decision {
        if try await isCurrent(question) { return .stored }
        // Read before the request: a run that is published during it is newer than this answer.
        let runNumber = try await store.newestRun()
        let catalog = try await catalog.current()
        let look = try await validator.look(
            at: question.receipt, of: nil, before: question.deadline,
            attempts: question.trust == .written ? nil : 1)
        let report: ValidationReport
        switch look {
        case .concluded(let concluded): report = concluded
        case .refused(let refusal):
            guard refusal.rejection != .notAuthentic || question.trust == .unsigned else {
                return .unavailable("Apple refuses a receipt that it signed itself (21003).")
            }
            return .fail
        }
        switch report.validation {
        case .verified(let answer):
            guard catalog.apps[answer.bundle] != nil else { return .fail }
            try await store(answer, to: question, runNumber, catalog)
            return .stored
        case .rejected, .unusable: return .fail
        case .unverified(let cause):
            let detail = report.attempts.detail.map { ": \($0)" } ?? ""
            return .unavailable("Apple gave no verdict (\(cause.rawValue)\(detail)).")
        }
    }

    private func store(
        _ answer: Receipt, to question: Question, _ runNumber: Int64, _ catalog: Catalog
    ) async throws {
        let now = now()
        let instant = max(now, min(answer.requestedAt ?? now, now + Self.mostAhead))
        let unlocked = UnlockedProducts(of: answer, catalog: catalog, at: instant)
        for product in unlocked.unknown {
            notices.note(
                .uncatalogued(product),
                "Product \(product) is not in the catalogue, so it unlocks nothing.")
        }
        let new = NewValidation(
            digest: question.digest, user: question.user, bundle: answer.bundle,
            data: ReceiptData(text: question.receipt.receipt.base64),
            environment: answer.environment, validatedAt: now,
            validUntil: min(
                now + settings.validationTTL, unlocked.earliestEnd ?? .distantFuture),
            runNumber: runNumber, unlocked: unlocked)
        try await store.store(new)
    }
}
