internal import Reconcile

/// Decides by whose word receipts are judged: the only place that knows which sources there are.
struct SourceWiring: Sendable {
    let inputs: RunInputs
    let settings: ValidationSettings
    private let apple: AppleSignature

    private let verifier: JWSVerifier
    private let choice: SourceChoice
    private let apps: APIApps
    private let observe: @Sendable (PaceChange) -> Void
    private let transport: AppleTransport
    /// Nil where no app has a key.
    private let serverAPI: ServerAPI?
    /// Products whose kind is not read from receipts; nil: read no kinds.
    private let catalogued: Set<ProductID>?

    /// What an answer shows that a run kept as evidence; nil when this release cannot read it.
    @Sendable static func history(in body: AnswerBody) -> Receipt? {
        switch body.server.source {
        case .verifyReceipt: VerifyReceipt.history(in: body)
        case .serverAPI: ServerAPI.history(in: body)
        }
    }

    /// The receipt that Apple signed in an answer; nil without one.
    static func signedReceipt(in answer: [UInt8]) -> [UInt8]? {
        guard let latest = LatestReceipt(in: answer), !latest.bytes.isEmpty else { return nil }
        return latest.bytes
    }

    /// - Parameters:
    ///   - catalog: nil: kinds of products are not read from receipts.
    ///   - premium: nil: that of the catalogue, if there is one.
    ///   - apps: that had a key in the run that is replayed; nil: those that have one.
    init(
        _ inputs: RunInputs, _ settings: ValidationSettings, catalog: Catalog? = nil,
        choice: SourceChoice, premium: PremiumApps? = nil, apps: APIApps? = nil,
        observe: @escaping @Sendable (PaceChange) -> Void = { _ in }
    ) throws(ValidationFailure) {
        self.inputs = inputs
        self.settings = settings
        apple = AppleSignature(inputs.roots)
        verifier = JWSVerifier(inputs.roots)
        catalogued = catalog.map { Set($0.products.keys) }
        self.choice = choice
        self.apps = apps ?? inputs.apiKeys.apps
        self.observe = observe
        transport = try AppleTransport(settings, now: { .now }, observe: observe)
        let known = catalog?.appsWithPremium ?? []
        serverAPI =
            self.apps.isEmpty
            ? nil
            : ServerAPI(
                settings, keys: inputs.apiKeys, apps: self.apps, through: transport,
                provenBy: apple, verifiedBy: verifier,
                asksForApp: { premium?.contains($0) ?? known.contains($0) })
    }

    /// A run has one source: the receipts' own signatures (`--offline`), what the earlier run kept
    /// (`--replay`), or Apple.
    func source(of run: Run, in database: Database) throws(ValidationFailure) -> any AppleSource {
        if run.isOffline { return stored(database) }
        let live = try self.live()
        guard let earlier = run.replayOf else { return live }
        return KeptAnswers(of: live, provenBy: apple, catalogued: catalogued) { keys, user in
            try await database.evidence.answers(to: keys, of: user, in: earlier)
        }
    }

    private func stored(_ database: Database) -> StoredProofs {
        StoredProofs(
            provenBy: apple, verifiedBy: verifier, catalogued: catalogued, now: { .now },
            kept: { user in try await database.keptReceipts.receipts(of: user) })
    }

    /// The source that asks Apple.
    func live() throws(ValidationFailure) -> any LiveSource {
        let receipts = VerifyReceipt(
            settings, secrets: inputs.secrets, through: transport, provenBy: apple)
        return serverAPI.map { CombinedSource(choice, receipts: receipts, customers: $0) }
            ?? receipts
    }

    /// The sweep of refund notices of the apps with a key of their own.
    func sweep() -> RefundSweep? {
        serverAPI.map { RefundSweep($0, of: apps.named.sorted()) }
    }

    /// What the service takes beside receipts.
    var signedPurchases: SignedPurchases { SignedPurchases(of: apps, verifiedBy: verifier) }

    /// Whether verifyReceipt is asked about an app's receipts.
    func asksVerifyReceipt(of bundle: BundleID) -> Bool {
        choice.asksVerifyReceipt(of: bundle, apps)
    }

    /// Asks verifyReceipt without a receipt.
    func receiptProbe() throws(ValidationFailure) -> VerifyReceiptProbe {
        try VerifyReceiptProbe(settings, secrets: inputs.secrets, now: { .now })
    }

    /// Asks the App Store Server API without a customer; nil where no app has a key.
    func customerProbe() throws(ValidationFailure) -> ServerAPIProbe? {
        guard !apps.isEmpty else { return nil }
        return try ServerAPIProbe(settings, keys: inputs.apiKeys, now: { .now })
    }

    func asking(
        _ source: any AppleSource, tokens: @escaping TokenSource,
        log: (@Sendable (RequestLine) -> Void)? = nil
    ) -> Asking {
        Asking(
            source, settings, tokens: tokens, provenBy: apple, catalogued: catalogued,
            log: log, observe: observe)
    }
}
