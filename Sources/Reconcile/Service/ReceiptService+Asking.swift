// What is not stored is asked of Apple, once for all who want to know.
extension ReceiptService {
    /// Between two tries to get a lock that another process holds.
    private static let lockPause = Duration.milliseconds(50)
    /// How far Apple's clock may be ahead of ours and still say when a purchase was made.
    private static let mostAhead = Duration.seconds(600)

    func ask(_ receipt: ReceiptRequest, _ digest: Digest, _ user: UserID) async -> Decision {
        do {
            if let early = try await waitForLock(of: digest, user) { return early }
        } catch {
            return .unavailable("\(error)")
        }
        let decision = await decide(receipt, digest, user)
        await locks.unlock(digest)
        return decision
    }

    /// Returns with the lock of the receipt; or with a decision, when another process has made it
    /// meanwhile.
    private func waitForLock(of digest: Digest, _ user: UserID) async throws -> Decision? {
        let end = ContinuousClock.now + settings.patience
        while true {
            if try await locks.tryLock(digest) { return nil }
            try await Task.sleep(for: Self.lockPause)
            if try await isCurrent(digest, user) { return .stored }
            if ContinuousClock.now >= end {
                return .unavailable("Another process asks Apple about the receipt for too long.")
            }
        }
    }

    private func decide(
        _ receipt: ReceiptRequest, _ digest: Digest, _ user: UserID
    ) async -> Decision {
        do {
            return try await askAlone(receipt, digest, user)
        } catch {
            return .unavailable("\(error)")
        }
    }

    private func isCurrent(_ digest: Digest, _ user: UserID) async throws -> Bool {
        try await store.find(digest, for: user, at: now())?.isCurrent ?? false
    }

    private func askAlone(
        _ receipt: ReceiptRequest, _ digest: Digest, _ user: UserID
    ) async throws -> Decision {
        if try await isCurrent(digest, user) { return .stored }
        // Before Apple is asked: what a run publishes meanwhile is news to this answer.
        let runNumber = try await store.newestRun()
        let catalog = try await catalog.current()
        let look = try await validator.look(
            at: receipt, of: nil, before: ContinuousClock.now + settings.patience)
        let report: ValidationReport
        switch look {
        case .concluded(let concluded): report = concluded
        case .refused(let refusal):
            guard refusal.rejection != .notAuthentic || !validator.isGenuine(receipt) else {
                return .unavailable("Apple refuses a receipt that it signed itself (21003).")
            }
            return .fail
        }
        switch report.validation {
        case .verified(let answer):
            guard catalog.apps[answer.bundle] != nil else { return .fail }
            try await store(answer, to: receipt, digest, user, runNumber, catalog)
            return .stored
        case .rejected, .unusable: return .fail
        case .unverified(let cause):
            let detail = report.attempts.detail.map { ": \($0)" } ?? ""
            return .unavailable("Apple could not be asked (\(cause.rawValue)\(detail)).")
        }
    }

    private func store(
        _ answer: Receipt, to receipt: ReceiptRequest, _ digest: Digest, _ user: UserID,
        _ runNumber: Int64, _ catalog: Catalog
    ) async throws {
        let now = now()
        let instant = max(now, min(answer.requestedAt ?? now, now + Self.mostAhead))
        let unlocked = UnlockedProducts(of: answer, catalog: catalog, at: instant)
        for product in unlocked.unknown {
            warn("Product \(product) is not in the catalogue, so that it unlocks nothing.")
        }
        let new = NewValidation(
            digest: digest, user: user, bundle: answer.bundle,
            data: ReceiptData(text: receipt.receipt.base64), environment: answer.environment,
            validatedAt: now,
            validUntil: min(
                now + settings.validationTTL, unlocked.earliestEnd ?? .distantFuture),
            runNumber: runNumber, unlocked: unlocked)
        try await store.store(new)
    }
}
