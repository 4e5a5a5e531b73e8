import Foundation
import SQL
import Testing

@testable import Reconcile
@testable import TestSupport

/// The reference service's database, a scripted Apple and the service's files: the key file `keys`
/// and requests for each receipt, such as `1` and `1-ann`.
struct ServiceScene: OperatorScene, Sendable {
    static let fail = #"{"status":"fail","products":[]}"#

    let test: TestDatabase
    let apple: ScriptedApple
    let folder: TemporaryFolder

    var asked: Int { apple.asks.count }
    var socket: String { folder.path + "/s" }

    /// - Parameter answer: Apple's answer by the receipt's serial, which is empty if it is above 9.
    static func with(
        _ answer: @escaping @Sendable (_ serial: String) -> LoopbackServer.Act = Self.usual,
        _ body: (ServiceScene) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(KeyRing.newLine() + "\n", to: "keys")
        for (serial, user) in (1...9).flatMap({ [($0, nil), ($0, "ann"), ($0, "bob")] }) {
            let name = "\(serial)" + (user.map { "-" + $0 } ?? "")
            _ = try folder.write(request("\(serial)", user: user), to: name)
        }
        let serials = Dictionary(uniqueKeysWithValues: (1...9).map { (receipt("\($0)"), "\($0)") })
        let apple = try ScriptedApple { ask in [answer(serials[ask.receipt] ?? "")] }
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.referenceApp.create()
            try await test.execute(
                SQL.roles.text + shop
                    + "create role \(test.name) login; grant reconcile_service to \(test.name);")
            try await body(ServiceScene(test: test, apple: apple, folder: folder))
            try await test.execute("drop role \(test.name)")
        }
    }

    /// Receipts 1 to 3 are of products, and the others without a verdict, or refused.
    static func usual(serial: String) -> LoopbackServer.Act {
        switch serial {
        case "1": bought("map")
        case "2": bought("both")
        case "3": bought("pen")
        case "4": .reply(AppleAnswer.status(21005))
        case "6": .reply(AppleAnswer.status(21004))
        case "7": .reply(AppleAnswer.status(21000))
        case "8": .reply(AppleAnswer.status(21003))
        case "9": .hangUp
        default: .reply(AppleAnswer.status(21002))
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

    /// A verified answer with purchases of these products.
    static func bought(_ products: String...) -> LoopbackServer.Act {
        .reply(AppleAnswer.verified(products.map { AppleAnswer.purchase("1-" + $0, of: $0) }))
    }

    private static func receipt(_ serial: String, bundle: String = "acme") -> String {
        String(decoding: ReceiptForge.base64(bundle: bundle, serial: serial), as: UTF8.self)
    }

    static func request(_ serial: String, user: String? = nil, bundle: String = "acme") -> String {
        let name = user.map { #","user_id":"\#($0)""# } ?? ""
        return #"{"receipt-data":"\#(receipt(serial, bundle: bundle))"\#(name)}"#
    }

    /// The flags of the service, in the role `reconcile_service`.
    private var flags: [String] {
        [
            "--database=\(test.url(user: test.name))", "--download-key-file=\(folder.path)/keys",
            "--production-url=\(apple.production.url)", "--sandbox-url=\(apple.sandbox.url)",
            "--rate=1000", "--backoff=1ms", "--max-attempts=2",
        ]
    }

    func nightly() -> [String] {
        ["run", "--allow-writable-role", "--guards=off", "--database=\(test.url)"] + flags[2...4]
    }

    var environment: [String: String] {
        ["SERVICE": flags.joined(separator: " "), "KEYS": flags[...1].joined(separator: " ")]
    }

    /// Answers the request in a file.
    func validate(_ file: String) async throws -> JobProcess {
        try await RunningJob(["validate"] + flags, redirection: "< \(folder.path)/\(file)").end()
    }

    func open(_ key: String?) async throws -> JobProcess {
        let file = try folder.write(key ?? "", to: "key")
        return try await RunningJob(["open-key"] + flags[...1], redirection: "< \(file)").end()
    }

    /// Starts a server, which says on stderr, here joined to stdout, that it listens.
    func server() async throws -> RunningJob {
        let job = try RunningJob(["serve", "--socket=\(socket)"] + flags, redirection: "2>&1")
        await job.ready()
        return job
    }

    /// Runs a server for `body`, and stops it.
    /// - Returns: what the server has said.
    @discardableResult
    func serving(_ body: () async throws -> Void = {}) async throws -> String {
        let job = try await server()
        try await body()
        job.send(SIGTERM)
        let end = await job.end().ends()
        #expect(!FileManager.default.fileExists(atPath: socket))
        return end.output
    }

    func ask(
        _ method: String, _ path: String, _ body: String = "", key: String? = nil
    ) async throws -> SCGIClient.Answer {
        try await SCGIClient(socket).ask(method, path, body, key: key)
    }

    func post(_ serial: String, user: String? = nil) async throws -> SCGIClient.Answer {
        try await ask("POST", "/validate", Self.request(serial, user: user))
    }

    /// What `count` simultaneous calls return.
    func together<T: Sendable>(
        _ count: Int, _ call: @escaping @Sendable (Int) async throws -> T
    ) async throws -> [T] {
        try await withThrowingTaskGroup { group in
            for number in 0..<count { group.addTask { try await call(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// The download keys of an answer by remote product id.
func keys(in answer: String) throws -> [String: String] {
    let json = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    let products = json?["products"] as? [[String: String]] ?? []
    return Dictionary(
        uniqueKeysWithValues: products.map { ($0["product_id"] ?? "", $0["download_key"] ?? "") })
}
