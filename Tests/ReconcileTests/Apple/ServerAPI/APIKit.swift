@testable import Reconcile
@testable import TestSupport

/// The App Store Server API as a source, asked through HTTP, without waits.
struct APIScene {
    let api: ScriptedAPI
    let asking: Asking
    private let lines: Shared<[RequestLine]>

    /// - Parameters:
    ///   - apple: verifyReceipt; nil where nothing is asked of it.
    ///   - premium: the apps of which it matters how customers came by them.
    init(
        _ api: ScriptedAPI, _ apple: ScriptedApple? = nil, by choice: SourceChoice = .serverAPI,
        keys: String = "* = issuer KEY1 key.p8", premium: Set<BundleID> = [],
        change: (inout ValidationSettings) -> Void = { _ in }
    ) throws {
        var settings = ValidationSettings()
        settings.productionURL = apple?.production.url ?? ""
        settings.sandboxURL = apple?.sandbox.url ?? ""
        settings.apiURL = api.url
        settings.apiSandboxURL = api.sandboxURL
        settings.rate = 10_000
        settings.sandboxRate = 10_000
        settings.burst = 10_000
        settings.apiRate = 1_000_000
        settings.timeout = .seconds(50)
        settings.connectTimeout = .seconds(50)
        settings.maxAttempts = 2
        settings.backoff = .milliseconds(1)
        change(&settings)
        let transport = try AppleTransport(settings, now: { .asOf })
        let proof = AppleSignature(.testing)
        let keys = try APIKeys.testing(keys)
        let receipts = VerifyReceipt(
            settings, secrets: try SharedSecrets(parsing: "* = canary"), through: transport,
            provenBy: proof)
        let customers = ServerAPI(
            settings, keys: keys, apps: keys.apps, through: transport, provenBy: proof,
            verifiedBy: JWSVerifier(JWSAuthority.shared.roots),
            asksForApp: { premium.contains($0) })
        let lines = Shared<[RequestLine]>([])
        self.lines = lines
        self.api = api
        asking = Asking(
            CombinedSource(choice, receipts: receipts, customers: customers), settings,
            provenBy: proof, log: { line in lines.update { $0.append(line) } })
    }

    /// A line a request, as in the log.
    var log: [RequestLine] { lines.current }

    /// Asks about one customer.
    func look(at id: TransactionID = "10", of bundle: BundleID = "acme") async throws
        -> QuestionResult
    {
        try await asking.look(
            at: Question(subject: .customer(id), bundle: bundle), of: "r1")
    }

    /// What is to be asked about rows, before the first answer.
    func inquiry(_ rows: [StoredReceipt]) async throws -> Inquiry {
        try await asking.source.inquiry(about: rows, of: "ann")
    }

    /// Asks about rows, one question after the other, until nothing is open.
    func answered(_ rows: [StoredReceipt]) async throws -> Inquiry {
        var inquiry = try await inquiry(rows)
        try await asking.answer(&inquiry, atMost: 1) { [asking] asked in
            try await asking.look(at: asked.question, of: asked.receipt)
        }
        return inquiry
    }

    func answers(_ rows: [StoredReceipt]) async throws -> UserAnswers {
        try await answered(rows).concluded { refusal, _ in refusal.confirmed }
    }
}

extension Inquiry {
    /// The transactions by which Apple is asked, in the order of the questions.
    var askedCustomers: [TransactionID] { questions.compactMap(\.question.customer) }
}

extension Question {
    var customer: TransactionID? {
        if case .customer(let id) = subject { id } else { nil }
    }
}

/// A customer of the scripted API: what each server has signed of it.
struct APICustomer: Sendable {
    /// By which it is found; of any server.
    var ids: Set<String>
    var pages: [[[UInt8]]]
    var renewals: [(signed: [UInt8], status: Int)] = []
    var app: [UInt8]?
    var server = AppleServer.serverAPI

    /// A customer with one page of these transactions, which are signed as given.
    init(_ transactions: PayloadJSON..., by forge: JWSForge = JWSForge()) {
        self.init(pages: [transactions], by: forge)
    }

    init(pages: [[PayloadJSON]], by forge: JWSForge = JWSForge()) {
        self.pages = pages.map { $0.map { forge.text($0) } }
        ids = Set(
            pages.joined().flatMap { payload in
                ["transactionId", "originalTransactionId"].map { payload.value($0) }
            })
    }

    /// In the sandbox. The payloads are given as of the sandbox.
    func inSandbox() -> APICustomer {
        var moved = self
        moved.server = .serverAPISandbox
        return moved
    }

    fileprivate func acts(for ask: ScriptedAPI.Ask) -> [LoopbackServer.Act] {
        if ask.isForHistory {
            let page = ask.revision.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
            let next = page + 1 < pages.count ? "r\(page + 1)" : nil
            return [.reply(APIBody.history(pages[page], before: next))]
        }
        if ask.isForSubscriptions { return [.reply(APIBody.subscriptions(renewals))] }
        guard let app else { return [.apiError(404, 4_040_019)] }
        return [.reply(APIBody.app(app))]
    }
}

extension ScriptedAPI {
    /// - Parameter first: answers a request instead of the customers; nil: these do.
    convenience init(
        _ customers: [APICustomer],
        first: @escaping @Sendable (Ask) -> [LoopbackServer.Act]? = { _ in nil }
    ) throws {
        try self.init { ask in
            if let acts = first(ask) { return acts }
            let found = customers.first { $0.server == ask.server && $0.ids.contains(ask.id) }
            return found?.acts(for: ask) ?? [.apiError(404, 4_040_010)]
        }
    }
}

extension PayloadJSON {
    /// A purchase of a product that is bought once; with an end, of a subscription.
    static func sale(
        _ id: String, of chain: String? = nil, _ product: String? = nil, bought: Double = -10,
        until: Double? = nil
    ) -> PayloadJSON {
        let isPeriod = until != nil
        let kind = isPeriod ? "Auto-Renewable Subscription" : "Non-Consumable"
        let sale = PayloadJSON.transaction
            .with("transactionId", id.jsonQuoted)
            .with("originalTransactionId", (chain ?? id).jsonQuoted)
            .with("productId", (product ?? (isPeriod ? "pro.monthly" : "unlock")).jsonQuoted)
            .with("type", kind.jsonQuoted)
            .with("purchaseDate", AppleLine.ms(bought))
        return until.map { sale.with("expiresDate", AppleLine.ms($0)) }
            ?? sale.without("expiresDate")
    }

    func of(_ environment: String) -> PayloadJSON { with("environment", environment.jsonQuoted) }

    /// The text of a member; empty without it.
    func value(_ name: String) -> String {
        json(of: name)?.trimmingPrefix("\"").split(separator: "\"").first.map(String.init) ?? ""
    }
}

extension QuestionResult {
    /// What was verified; nil when nothing was.
    var history: Receipt? {
        if case .concluded(let report) = self, case .verified(let receipt) = report.validation {
            return receipt
        }
        return nil
    }
}
