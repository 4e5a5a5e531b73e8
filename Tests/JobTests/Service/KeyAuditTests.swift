import Foundation
import Testing

@testable import TestSupport

@Suite("The audit of issued download keys", .timeLimit(.minutes(10)))
struct KeyAuditTests {
    /// The transactions that Apple shows for receipts 1 and 2.
    private struct Shown: Sendable {
        var isMapRefunded = false
        var hasBundle = true
    }

    @Test("The audit finds keys of refunded products, of products not shown, and missing keys")
    func audit() async throws {
        let shown = Shared(Shown())
        let script: ServiceScene.Script = { serial in
            let now = shown.current
            let map = AppleAnswer.purchase("11", of: "map", isRefunded: now.isMapRefunded)
            let bundle = AppleAnswer.purchase("21", of: "both")
            let other = now.hasBundle ? [bundle] : []
            return .reply(AppleAnswer.verified(serial == "1" ? [map] : other))
        }
        try await ServiceScene.with(script) { scene in
            let ann = try await scene.validate(ServiceScene.request("1", user: "ann"))
            _ = try await scene.validate(ServiceScene.request("2", user: "bob"))
            #expect(try await scene.night("a") == [])
            shown.update { $0.isMapRefunded = true }
            #expect(
                try await scene.night("b") == ["download_key_for_revoked_product ann map"])
            let key = try keys(in: ann.output)["remote.map"] ?? ""
            let opened = try await scene.open(key)
            #expect(opened.output.contains("revoked"))
            shown.update { $0 = Shown(hasBundle: false) }
            let orphans = [String](repeating: "download_key_orphaned bob both", count: 2)
            #expect(try await scene.night("c") == orphans)
        }
    }

    @Test("The views of keys and of paid apps are optional, and the log says that they are empty")
    func withoutViews() async throws {
        try await ServiceScene.with(always: .reply(ValidateTests.bought("map"))) { scene in
            _ = try await scene.validate(ServiceScene.request("1", user: "ann"))
            try await scene.test.execute(
                "drop view reconcile.stored_download_keys; drop view reconcile.catalog_apps")
            let job = try await scene.run(scene.nightly("a"), input: "")
            #expect(job.status == 0, "\(job.error)")
            for view in ["stored_download_keys", "catalog_apps"] {
                #expect(
                    job.error.contains("The view reconcile.\(view) is missing; it is treated"))
            }
        }
    }

    @Test("A product that Apple shows and that has no key is found once any receipt has a key")
    func notUnlocked() async throws {
        let hasSong = Shared(false)
        let script: ServiceScene.Script = { serial in
            let song = AppleAnswer.purchase("31", of: "song")
            let map = AppleAnswer.purchase("32", of: "map")
            return .reply(
                AppleAnswer.verified(
                    serial == "1" ? [song] : hasSong.current ? [map, song] : [map]))
        }
        try await ServiceScene.with(script) { scene in
            _ = try await scene.validate(ServiceScene.request("2", user: "bob"))
            hasSong.update { $0 = true }
            // Without any key of the product, it may be a product without assets.
            #expect(try await scene.night("a") == [])
            _ = try await scene.validate(ServiceScene.request("1", user: "ann"))
            #expect(try await scene.night("b") == ["product_not_unlocked bob song"])
        }
    }
}

extension ServiceScene {
    /// `run` with reports in a folder of this name.
    func nightly(_ name: String) -> [String] {
        [
            "run", "--allow-writable-role", "--guards=off", "--database=\(test.url)",
            "--reports=\(folder.path)/\(name)", "--production-url=\(apple.production.url)",
            "--sandbox-url=\(apple.sandbox.url)", "--rate=1000",
        ]
    }

    /// Runs over everything and returns the findings about download keys, with user and product,
    /// sorted.
    func night(_ name: String) async throws -> [String] {
        let reports = folder.path + "/" + name
        let job = try await run(nightly(name), input: "")
        #expect(job.status == 0, "\(job.error)")
        let data = try Data(contentsOf: URL(fileURLWithPath: reports + "/latest/mismatches.json"))
        let rows = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        return rows.compactMap { row in
            let kind = row["kind"] as? String ?? ""
            guard kind.hasPrefix("download_key") || kind == "product_not_unlocked" else {
                return nil
            }
            let product = row["product_stored"] as? String ?? row["product_apple"] as? String
            return "\(kind) \(row["user_id"] as? String ?? "") \(product ?? "")"
        }.sorted()
    }
}
