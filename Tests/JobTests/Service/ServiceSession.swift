import Foundation
import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

extension Session {
    static let fail = #"{"status":"fail","products":[]}"#

    var socket: String { folder.path + "/s" }
    var client: SCGIClient { SCGIClient(socket) }

    /// What Apple answers about a receipt.
    private enum Word: Sendable {
        case products([String], refunded: [String] = [])
        case status(Int)
        case silence

        var act: LoopbackServer.Act {
            switch self {
            case .products(let bought, let refunded):
                let purchases =
                    bought.map { AppleAnswer.purchase("1-\($0)", of: $0) }
                    + refunded.map { AppleAnswer.purchase("1-\($0)", of: $0, isRefunded: true) }
                return .reply(AppleAnswer.verified(purchases))
            case .status(let status): return .reply(AppleAnswer.status(status))
            case .silence: return .hangUp
            }
        }
    }

    /// By the name of the receipt: the answers to its first requests; the last one is repeated. To
    /// add a receipt: a line.
    private static let answers: [String: [Word]] = [
        "map": [.products(["map"])],
        "song": [.products(["song"])],
        "both": [.products(["both"])],
        "pen": [.products(["pen"])],
        "more": [.products(["map"]), .products(["map", "song"])],
        "refunded": [.products(["map", "song"]), .products(["song"], refunded: ["map"])],
        "later": [
            .products(["map"]), .products(["map"]), .products([], refunded: ["map"]),
            .products(["map"]),
        ],
        "lost": [.products(["both"]), .products(["both"]), .products(["both"]), .products([])],
        "21000": [.status(21000)],
        "21002": [.status(21002)],
        "21003": [.status(21003)],
        "21004": [.status(21004)],
        "21005": [.status(21005)],
        "silent": [.silence],
    ]

    /// The reference service's database and files: the key file `keys`, and requests for each
    /// receipt, such as `map` and `map-ann`.
    /// - Parameter gates: Apple answers about these receipts once their gates are open.
    static func service(
        holding gates: [String: Gate] = [:], _ body: (Session) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(KeyRing.newLine() + "\n", to: "keys")
        for name in answers.keys {
            try folder.write(request(name), to: name)
            for user in ["ann", "bob"] {
                try folder.write(request(name, user: user), to: "\(name)-\(user)")
            }
        }
        try folder.write(request("map", bundle: "stranger"), to: "stranger")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/roots", withIntermediateDirectories: false)
        try folder.write(ReceiptAuthority.shared.root.pem, to: "roots/root.pem")
        let apple = try ScriptedApple { ask in
            let receipt = answers.first { name, _ in
                Seal.allCases.contains { self.receipt(name, $0) == ask.receipt }
                    || variants(of: name, have: ask.receipt)
            }
            guard let (name, words) = receipt else { return [.reply(AppleAnswer.status(21002))] }
            gates[name]?.wait()
            return [words[min(ask.attempt, words.count) - 1].act]
        }
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.referenceApp.create()
            // The service and the nightly run have a role each.
            let night = test.name + "_night"
            try await test.execute(
                """
                \(SQL.roles.text) \(shop)
                create role \(test.name) login; grant reconcile_service to \(test.name);
                create role \(night) login; grant reconcile_job to \(night);
                """)
            let flags = [
                "--database=\(test.url(user: night))", "--production-url=\(apple.production.url)",
                "--sandbox-url=\(apple.sandbox.url)", "--rate=900", "--backoff=1ms", "--guards=off",
            ]
            try await body(Session(test: test, apple: apple, folder: folder, flags: flags))
            try await test.execute("drop role \(test.name), \(night)")
        }
    }

    /// A map, a song, a bundle of both, and a pen without assets.
    private static let shop = """
        insert into app.apps (bundle_id) values ('acme');
        insert into app.products (product_id, kind)
        select p, 'non_consumable' from unnest(array['map', 'song', 'both', 'pen']) as p;
        insert into app.assets (asset_id, remote_product_id, product_key)
        values ('1', 'remote.map', 'file-map'), ('2', 'remote song', 'file-song');
        insert into app.product_assets (product_id, asset_id)
        values ('map', '1'), ('song', '2'), ('both', '1'), ('both', '2');
        """

    /// Who signed a receipt. The folder `roots` has the certificate of the first one.
    enum Seal: CaseIterable, Sendable {
        case genuine
        /// A genuine one with a byte after its end, which no signature covers.
        case variant
        /// Signed like a genuine one, and changed since.
        case altered
        /// Signed under another root of the same name.
        case otherRoot
        case unsigned
    }

    static func receipt(_ name: String, _ seal: Seal) -> String {
        var payload = PayloadForge()
        payload.opaque = Array(name.utf8)
        var bytes: [UInt8]
        switch seal {
        case .genuine, .variant, .altered: bytes = ReceiptAuthority.shared.receipt(payload.encoded)
        case .otherRoot: bytes = ReceiptAuthority.other.receipt(payload.encoded)
        case .unsigned: return TestDatabase.receipt(name)
        }
        if seal == .variant { bytes.append(0) }
        if seal == .altered, let range = bytes.firstRange(of: payload.deviceHash) {
            bytes[range.lowerBound] ^= 1
        }
        return Data(bytes).base64EncodedString()
    }

    /// One of any number of variants: `number` after the end of the genuine receipt.
    static func variant(_ number: UInt8, of name: String) -> String {
        let bytes = Data(base64Encoded: receipt(name, .genuine)) ?? Data()
        return (bytes + [0xFF, number]).base64EncodedString()
    }

    private static func variants(of name: String, have receipt: String) -> Bool {
        guard let number = Data(base64Encoded: receipt)?.last else { return false }
        return receipt == variant(number, of: name)
    }

    static func request(_ name: String, user: String? = nil, bundle: String = "acme") -> String {
        request(receipt: TestDatabase.receipt(name, bundle: bundle), user: user)
    }

    static func request(receipt: String, user: String? = nil) -> String {
        let user = user.map { #","user_id":"\#($0)""# } ?? ""
        return #"{"receipt-data":"\#(receipt)"\#(user)}"#
    }

    /// How a service is set up.
    enum Service: Sendable {
        /// Apple is asked only about receipts that it signed: here, that a test's authority did.
        case signedOnly
        /// Apple is also asked about receipts that it did not sign.
        case asksUnsigned
    }

    var keyFlags: [String] {
        ["--database=\(login)", "--download-key-file=\(path("keys"))"]
    }

    func flags(of service: Service) -> [String] {
        let common = keyFlags + flags("production-url", "sandbox-url", "rate", "backoff")
        switch service {
        case .signedOnly: return common + ["--roots=roots"]
        case .asksUnsigned: return common + ["--max-attempts=2", "--ask-unsigned"]
        }
    }

    /// A server, once it has said on stderr, here joined to stdout, that it listens.
    func server(
        _ service: Service = .asksUnsigned, _ more: [String] = []
    ) async throws -> ChildProcess {
        let words = ["serve", "--socket=s"] + flags(of: service) + more
        let job = try await start(words: words, with: .joined)
        _ = await job.said(until: " serving")
        return job
    }

    /// Runs a server for `body`, and stops it.
    /// - Returns: what the server has said.
    @discardableResult
    static func serving(
        _ service: Service = .asksUnsigned, _ more: [String] = [],
        holding gates: [String: Gate] = [:],
        _ body: (Session) async throws -> Void
    ) async throws -> String {
        var log = ""
        try await self.service(holding: gates) { session in
            let job = try await session.server(service, more)
            try await body(session)
            log = await job.finish(by: SIGTERM).exits().output
            #expect(!session.exists("s"))
        }
        return log
    }

    func post(_ name: String, user: String? = nil) async throws -> SCGIClient.Answer {
        try await client.ask("POST", "/validate", Self.request(name, user: user))
    }

    func post(_ name: String, _ seal: Seal, user: String? = nil) async throws -> SCGIClient.Answer {
        let request = Self.request(receipt: Self.receipt(name, seal), user: user)
        return try await client.ask("POST", "/validate", request)
    }

    func post(
        variant number: UInt8, of name: String, user: String? = nil
    ) async throws -> SCGIClient.Answer {
        let request = Self.request(receipt: Self.variant(number, of: name), user: user)
        return try await client.ask("POST", "/validate", request)
    }

    /// The statuses of `count` simultaneous requests.
    func statuses(
        _ count: Int, _ post: @escaping @Sendable (Int) async throws -> SCGIClient.Answer
    ) async throws -> Set<Int> {
        try await withThrowingTaskGroup { group in
            for number in 0..<count { group.addTask { try await post(number).status } }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
    }
}

extension SCGIClient.Answer {
    func answers(_ status: Int, at location: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, "\(head)\n\(body)", sourceLocation: location)
    }

    /// Those in the answer to a receipt.
    var downloadKeys: [String] {
        let products = (try? JSONDocument(body))?["products"] ?? []
        return products.texts("download_key").compactMap(\.self)
    }
}
