/// Answers which assets a receipt unlocks, each with an expiring download key. Calls Apple unless a
/// current validation is stored.
package final class ReceiptService: Sendable {
    package struct Settings: Sendable {
        /// How long a stored validation is used again.
        package var validationTTL = Duration.seconds(24 * 3_600)
        package var keyTTL = Duration.seconds(3_600)
        /// Whether sandbox receipts unlock assets, which App Review needs.
        package var grantsSandbox = true
        /// Whether Apple is also asked about receipts that it did not sign, with one attempt.
        package var asksUnsigned = false
        /// Whether the `user_id` of a request counts. It does not where strangers send requests.
        package var trustsUserID = false
        /// How long a request may wait until Apple is asked: for another process's lock, a token of
        /// the rate limiter, the end of an outage.
        package var patience = Duration.seconds(30)
        /// The requests a second that one server of Apple's may get: the lower limit of the two.
        package var rate = 10.0

        package init() {}
    }

    let settings: Settings
    let ring: KeyRing
    let store: ValidationStore
    let locks: ReceiptLocks
    let asking: Asking
    let signed: SignedPurchases
    let catalog: CatalogCache
    let now: @Sendable () -> Instant
    let notices: ServiceNotices
    private let flight = SingleFlight<Digest, Decision>()
    private let waiting = WaitingReceipts()
    let unwrittenLimit: UnwrittenLimit

    enum Decision: Sendable {
        /// The validation is stored for this receipt, by this process or another.
        case stored(Digest)
        case fail
        case unavailable(String)
    }

    package init(
        _ settings: Settings, keys ring: KeyRing, database: Database, locks: ReceiptLocks,
        asking: Asking, signed: SignedPurchases, premium: PremiumApps,
        now: @escaping @Sendable () -> Instant, notices: ServiceNotices
    ) {
        self.settings = settings
        self.ring = ring
        store = database.validations
        self.locks = locks
        self.asking = asking
        self.signed = signed
        catalog = CatalogCache {
            let catalog = try await database.catalog.read()
            premium.read(in: catalog)
            return catalog
        }
        self.now = now
        self.notices = notices
        unwrittenLimit = UnwrittenLimit(rate: settings.rate)
    }

    /// The receipt of a request, or nil for text that is none. Takes no longer than reading it.
    func receipt(of request: ValidationRequest) -> HeldReceipt? {
        HandedReceipt(request.receipt, by: signed).map {
            HeldReceipt($0, from: settings.trustsUserID ? request.user : nil)
        }
    }

    package func answer(_ request: ValidationRequest) async -> ServiceAnswer {
        await answer(receipt(of: request))
    }

    /// - Parameters:
    ///   - held: nil for text that is no receipt.
    ///   - beforeAsking: called before the wait for Apple, if there is one.
    func answer(
        _ held: HeldReceipt?, beforeAsking: @Sendable () -> Void = {}
    ) async -> ServiceAnswer {
        guard let held else { return .fail }
        do {
            return try await answer(about: held, beforeAsking: beforeAsking)
        } catch {
            return .unavailable(error.inWords)
        }
    }

    func isReady() async -> Bool { (try? await store.newestRun()) != nil }

    private func answer(
        about held: HeldReceipt, beforeAsking: @Sendable () -> Void
    ) async throws -> ServiceAnswer {
        // Of the receipt that is stored: this one, or one with the same content.
        var digest = held.digest
        let apps = try await catalog.current().apps
        // A bundle id of another app is refused without a request.
        guard held.bundle == "" || apps[held.bundle] != nil else { return .fail }
        let beganAt = now()
        var request: WaitingReceipts.Request?
        defer { if let request { waiting.leave(request) } }
        for _ in 0..<Self.mostRounds {
            let stored = try await store.find(digest, for: held.user, at: now())
            if let stored, stored.isCurrent || stored.validatedAt >= beganAt {
                if let answer = try await keys(for: stored, of: digest, held.user) { return answer }
                continue
            }
            if request == nil {
                let (trust, content) = held.trust(by: asking, signed, now: now())
                guard trust != .unsigned || settings.asksUnsigned else { return .fail }
                let known = try await self.digest(with: content) ?? held.digest
                guard known == digest else {
                    digest = known
                    continue
                }
                request = waiting.enter(held, trust, content)
            }
            guard let request else {
                notices.note(.crowd, Self.crowd)
                return .crowded
            }
            beforeAsking()
            switch await decision(in: request, for: held.user) {
            case .stored(let known): digest = known
            case .fail: return .fail
            case .unavailable(let why): return .unavailable(why)
            }
        }
        return .unavailable("The receipt was validated again repeatedly while it was answered.")
    }

    private static let mostRounds = 5

    /// Apple is asked once for all simultaneous requests with the same receipt.
    private func decision(in request: WaitingReceipts.Request, for user: UserID?) async -> Decision
    {
        await flight.value(for: request.digest) {
            guard let receipt = waiting.receipt(of: request) else {
                return .unavailable("The receipt was put aside too early.")
            }
            return await ask(
                Matter(
                    receipt: receipt, digest: request.digest, content: request.content, user: user,
                    trust: request.trust, deadline: Deadline(after: settings.patience)))
        }
    }

    private static let crowd =
        "Too many requests wait for Apple; further ones get 503. See who sends them in nginx's log,"
        + " and limit_req in its configuration."

    /// Stores new keys; nil when the receipt was validated again meanwhile.
    private func keys(
        for stored: StoredValidation, of digest: Digest, _ user: UserID?
    ) async throws -> ServiceAnswer? {
        guard settings.grantsSandbox || stored.environment == .production else { return .fail }
        // A request without a user id does not say whose receipt it is.
        if let user, !stored.hasUser {
            switch try await store.add(user, to: stored.receipt, at: now()) {
            case .known: break
            case .added:
                let others = "is stored for another user than \(user)."
                notices.note(.otherUser, "Receipt \(stored.receipt) \(others)")
            case .full:
                let others = "is stored for ten users already; \(user) sent it."
                notices.note(.otherUser, "Receipt \(stored.receipt) \(others)")
            }
        }
        guard !stored.assets.isEmpty else { return .ok([]) }
        let issued = cutKeys(for: stored, of: digest)
        let isStored = try await store.issue(issued, of: stored, sealedBy: ring.sealing.id)
        guard isStored else { return nil }
        return .ok(
            issued.map { key in
                ServiceAnswer.Product(
                    remoteProduct: key.asset.remoteProduct, downloadKey: key.key)
            })
    }

    private func cutKeys(for stored: StoredValidation, of digest: Digest) -> [IssuedKey] {
        let end = now() + settings.keyTTL
        return stored.assets.map { asset in
            let end = min(end, asset.endsAt ?? end).wholeSecond
            let key = DownloadKey(
                receipt: digest.bytes, product: asset.product, productKey: asset.productKey,
                environment: stored.environment, expiresAt: end)
            return IssuedKey(asset: asset, key: key.sealed(by: ring), expiresAt: end)
        }
    }
}

extension Error {
    /// For the log. The service cancels what is in progress when it ends.
    var inWords: String { self is CancellationError ? "The service ends." : "\(self)" }
}
