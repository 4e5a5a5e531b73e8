import Foundation
import SQL

@testable import Reconcile
@testable import TestSupport

/// The reference service's database, a scripted Apple and the service's files.
struct ServiceScene: Sendable {
    let test: TestDatabase
    let apple: ScriptedApple
    let folder: TemporaryFolder
    /// The URL of role `reconcile_service`.
    let database: String

    /// Apple's answer by the receipt's serial.
    typealias Script = @Sendable (String) -> LoopbackServer.Act

    static func with(
        always act: LoopbackServer.Act, _ body: (ServiceScene) async throws -> Void
    ) async throws {
        let script: Script = { _ in act }
        try await with(script, body)
    }

    static func with(
        _ answer: @escaping Script, _ body: (ServiceScene) async throws -> Void
    ) async throws {
        let serials = Dictionary(
            uniqueKeysWithValues: (1...9).map {
                (String(decoding: receipt("\($0)"), as: UTF8.self), "\($0)")
            })
        let apple = try ScriptedApple { ask in [answer(serials[ask.receipt] ?? "")] }
        let folder = try TemporaryFolder()
        _ = try folder.write(KeyRing.newLine() + "\n", to: "keys")
        try await TestDatabase.connected(.ownTables) { test, database in
            try await database.referenceApp.create()
            try await test.execute(
                SQL.roles.text
                    + "create role \(test.name) login; grant reconcile_service to \(test.name);")
            try await test.execute(shop)
            let scene = ServiceScene(
                test: test, apple: apple, folder: folder, database: test.url(user: test.name))
            try await body(scene)
            try await test.execute("drop role \(test.name)")
        }
    }

    /// A map, a song, and a bundle of both.
    private static let shop = """
        insert into app.apps (bundle_id) values ('acme');
        insert into app.products (product_id, kind)
        select p, 'non_consumable' from unnest(array['map', 'song', 'both']) as p;
        insert into app.assets (asset_id, remote_product_id, product_key)
        values ('1', 'remote.map', 'file-map'), ('2', 'remote song', 'file-song');
        insert into app.product_assets (product_id, asset_id)
        values ('map', '1'), ('song', '2'), ('both', '1'), ('both', '2');
        """

    static func receipt(_ serial: String, bundle: String = "acme") -> [UInt8] {
        ReceiptForge.base64(bundle: bundle, serial: serial)
    }

    static func request(_ serial: String, user: String? = nil, bundle: String = "acme") -> String {
        let receipt = String(decoding: receipt(serial, bundle: bundle), as: UTF8.self)
        let name = user.map { #","user_id":"\#($0)""# } ?? ""
        return #"{"receipt-data":"\#(receipt)"\#(name)}"#
    }

    var keyFile: String { folder.path + "/keys" }
    var socket: String { folder.path + "/s" }

    private var flags: [String] {
        [
            "--database=\(database)", "--download-key-file=\(keyFile)",
            "--production-url=\(apple.production.url)", "--sandbox-url=\(apple.sandbox.url)",
            "--rate=1000", "--backoff=1ms", "--max-attempts=2",
        ]
    }

    func validate(_ request: String, _ arguments: String...) async throws -> JobProcess {
        try await run(["validate"] + flags + arguments, input: request)
    }

    func open(_ key: String) async throws -> JobProcess {
        let arguments = ["--database=\(database)", "--download-key-file=\(keyFile)"]
        return try await run(["open-key"] + arguments, input: key)
    }

    func run(_ arguments: [String], input: String) async throws -> JobProcess {
        let file = try folder.write(input, to: "input-\(UUID().uuidString)")
        return await try RunningJob(arguments, redirection: "< '\(file)'").end()
    }

    func serve(_ arguments: String...) async throws -> RunningJob {
        let job = try RunningJob(["serve", "--socket=\(socket)"] + flags + arguments)
        let end = ContinuousClock.now + .seconds(300)
        while try await ask("GET", "/healthz").status != 200, .now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
        return job
    }

    func ask(
        _ method: String, _ path: String, _ body: String = "", key: String? = nil
    ) async throws -> SCGIClient.Answer {
        try await SCGIClient(socket).ask(method, path, body, key: key)
    }
}

/// The download keys of an answer by remote product id.
func keys(in answer: String) throws -> [String: String] {
    let json = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
    let products = json?["products"] as? [[String: String]] ?? []
    return Dictionary(
        uniqueKeysWithValues: products.map {
            ($0["product_id"] ?? "", $0["download_key"] ?? "")
        })
}
