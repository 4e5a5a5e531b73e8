// Calls Apple for receipts without a stored validation, once for all concurrent requests.
extension ReceiptService {
    /// Between attempts to take a lock that another process holds.
    private static let lockPause = Duration.milliseconds(50)
    /// How far Apple's clock may be ahead of ours when it gives a purchase time.
    private static let mostAhead = Duration.seconds(600)

    func ask(
        _ receipt: ReceiptRequest, _ digest: Digest, _ user: UserID, isGenuine: Bool
    ) async -> Decision {
        do {
            if let early = try await waitForLock(of: digest, user) { return early }
        } catch {
            return .unavailable("\(error)")
        }
        let decision = await decide(receipt, digest, user, isGenuine: isGenuine)
        await locks.unlock(digest)
        return decision
    }

    /// Returns nil with the receipt's lock taken; or a decision, when another process has validated
    /// the receipt or holds the lock for too long.
    private func waitForLock(of digest: Digest, _ user: UserID) async throws -> Decision? {
        let end = ContinuousClock.now + settings.patience
        while true {
            if try await locks.tryLock(digest) { return nil }
            try await Task.sleep(for: Self.lockPause)
            if try await isCurrent(digest, user) { return .stored }
            if ContinuousClock.now >= end {
                return .unavailable("Another process has been validating the receipt for too long.")
            }
        }
    }

    private func decide(
        _ receipt: ReceiptRequest, _ digest: Digest, _ user: UserID, isGenuine: Bool
    ) async -> Decision {
        do {
            return try await askAlone(receipt, digest, user, isGenuine: isGenuine)
        } catch {
            return .unavailable("\(error)")
        }
    }

    private func isCurrent(_ digest: Digest, _ user: UserID) async throws -> Bool {
        try await store.find(digest, for: user, at: now())?.isCurrent ?? false
    }

    private func askAlone(
        _ receipt: ReceiptRequest, _ digest: Digest, _ user: UserID, isGenuine: Bool
    ) async throws -> Decision {
        if try await isCurrent(digest, user) { return .stored }
        // Read before the request: a run that is published during it is newer than this answer.
        let runNumber = try await store.newestRun()
        let catalog = try await catalog.current()
        let look = try await validator.look(
            at: receipt, of: nil, before: .init(after: settings.patience),
            attempts: isGenuine ? nil : 1)
        let report: ValidationReport
        switch look {
        case .concluded(let concluded): report = concluded
        case .refused(let refusal):
            guard refusal.rejection != .notAuthentic || !isGenuine else {
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
            return .unavailable("Apple could not be reached (\(cause.rawValue)\(detail)).")
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
            warn("Product \(product) is not in the catalogue, so it unlocks nothing.")
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
