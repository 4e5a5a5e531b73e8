import Foundation
import Testing

@testable import TestSupport

/// The service answers as the receipt, its users and the set-up allow. To add a case: copy a test,
/// and write what is validated and what follows, with the verbs in `Tests/README.md`.
@Suite("validate, open-key and keys", .hangLimit)
struct ValidateTests {
    @Test("validate asks Apple once, then answers from storage, with fresh keys that open")
    func once() async throws {
        try await Session.service { session in
            let first = try await session.validate("both-ann").exits()
            let second = try await session.validate("both-ann").exits()
            #expect(session.apple.asks.count == 1)
            #expect(!first.output.hasSuffix("\n"))
            let answer = try first.json()
            #expect(answer.names == ["products", "status"])
            #expect(answer["status"] == "ok")
            let products = answer["products"].texts("product_id")
            #expect(products.count == 2)
            #expect(Set(products) == ["remote.map", "remote song"])
            let (old, new) = try (first.downloadKeys(), second.downloadKeys())
            #expect(Set(old.values).union(new.values).count == 4)
            let map = try #require(new["remote.map"])
            let opened = #"{"status":"ok","product_key":"file-map","#
            for key in [try #require(old["remote.map"]) + "\n", map] {
                let answer = try await session.openKey(key).exits()
                #expect(answer.output.hasPrefix(opened))
            }
            let owners: [Owner] = try await session.test.rows(
                "select user_id, bundle_id from reconcile.stored_receipts")
            #expect(owners == [Owner(userID: "ann", bundleID: "acme")])
            let keys: [StoredKey] = try await session.test.rows(
                """
                select product_id, remote_product_id, download_key
                from reconcile.stored_download_keys order by remote_product_id collate "C"
                """)
            let song = try #require(new["remote song"])
            #expect(
                keys == [
                    StoredKey(
                        productID: "both", remoteProductID: "remote song", downloadKey: song),
                    StoredKey(productID: "both", remoteProductID: "remote.map", downloadKey: map),
                ])
        }
    }

    /// The owner of a stored receipt.
    private struct Owner: Equatable, Decodable {
        let userID: String
        let bundleID: String
    }

    private struct StoredKey: Equatable, Decodable {
        let productID: String
        let remoteProductID: String
        let downloadKey: String
    }

    @Test("Simultaneous commands about a receipt answer alike, and make one request")
    func together() async throws {
        try await Session.service { session in
            async let first = session.validate("map")
            async let second = session.validate("map")
            async let third = session.validate("map")
            for job in try await [first, second, third] {
                let answer = try job.exits().json()
                #expect(answer.names == ["products", "status"])
                #expect(answer["status"] == "ok")
                #expect(answer["products"].items.count == 1)
            }
            #expect(session.apple.asks.count == 1)
        }
    }

    @Test("validate asks Apple again after a recorded refund, and the old keys open nothing")
    func refund() async throws {
        try await Session.service { session in
            let before = try await session.validate("refunded").exits().downloadKeys()
            let map = try #require(before["remote.map"])
            let song = try #require(before["remote song"])
            try await session.sql(
                """
                insert into reconcile.run (run_id, as_of, state, is_everything, makes_history,
                    scope, settings, evidence, rules_version, code_version, finished_at)
                values ('r', now(), 'published', true, true, '{}', '{}', 'none', 1, 'x', now());
                insert into reconcile.ledger (first_run_no, first_seen, finding_id, state, kind,
                    user_id, reference)
                select run_no, now(), gen_random_uuid(), 'event', 'refund_recorded', 'u', '1-map'
                from reconcile.run
                """)
            try await session.openKey(map).exits(1)
                .printsOnly(#"{"status":"fail","reason":"revoked"}"#)
            try await session.openKey(song).exits()
            try await session.validate("refunded").exits().prints("\"remote song\"")
                .omits("\"remote.map\"")
            try await session.validate("refunded").exits()
            #expect(session.apple.asks.count == 2)
            try await session.openKey(map).exits(1)
        }
    }

    @Test("validate keeps the first user who is named, and logs others; no name adds no user")
    func users() async throws {
        try await Session.service { session in
            let other = "stored for another user"
            for request in ["map", "map-ann", "map-ann"] {
                try await session.validate(request).exits().prints("\"download_key\"").omits(other)
            }
            try await session.validate("map-bob").exits().prints("\"download_key\"").logs(other)
            try await session.validate("map").exits().prints("\"download_key\"").omits(other)
            let users = "select user_id from reconcile.stored_receipts order by user_id"
            try await session.query(users).returns("ann", "bob")
            #expect(session.apple.asks.count == 1)
        }
    }

    @Test(
        """
        Without a verdict validate stores nothing; that a receipt unlocks nothing it keeps a \
        minute
        """
    )
    func noVerdict() async throws {
        try await Session.service { session in
            for status in ["21005", "21002", "21004", "21000"] {
                let job = try await session.validate(status).exits(69)
                #expect(job.output == Session.fail)
            }
            try await session.query("select receipt_id from app.receipts").returnsNothing()
            try await session.validate("pen").exits().omits("download_key")
            let isShort = """
                select (valid_until - validated_at <= interval '1 min')::text from app.receipts
                """
            try await session.query(isShort).returns("true")
        }
    }

    @Test("validate answers fail for a refused receipt, no receipt and another team's app")
    func refused() async throws {
        try await Session.service { session in
            try session.write("* = 0123\n", to: "secrets")
            try await session.validate("21003", "--shared-secrets=secrets").exits()
                .printsOnly(Session.fail)
            #expect(session.apple.asks.count == 1)
            try await session.validate("stranger").exits().printsOnly(Session.fail)
            let flags = session.flags(of: .asksUnsigned)
            try await session.job(
                ["validate"] + flags, with: .input(#"{"receipt-data":"nothing"}"#)
            ).exits().printsOnly(Session.fail)
            #expect(session.apple.asks.count == 1)
            try await session.job(["validate"] + flags, with: .input("{}")).exits(64)
                .says("receipt-data")
        }
    }

    @Test(
        """
        keys new prints a line for the key file, private and valid; without tables migrate is \
        advised
        """)
    func keys() async throws {
        try await Session.service { session in
            try await session.job("keys").exits(64)
            let new = try await session.job("keys", "new").exits()
            #expect(new.lines.count == 1)
            let (name, key) = try #require(new.lines.first?.halves(at: " = "))
            #expect(name.first == "k")
            #expect(name.count == 9)
            #expect(name.dropFirst().allSatisfy { "0123456789abcdef".contains($0) })
            #expect(Data(base64Encoded: key)?.count == 32)
            try session.setMode(0o640, of: "keys")
            try await session.openKey("x\n").exits(77)
            try session.write("key = short\n", to: "keys", mode: 0o600)
            try await session.openKey("x\n").exits(78).says("Line 1").omits("short")
            try session.write(new.output, to: "keys")
            try await session.openKey("x\n").exits(1)
            try await session.sql("drop schema reconcile cascade")
            try await session.validate("map").exits(78).says("migrate")
            try await session.openKey(session.read("map")).exits(78).says("migrate")
        }
    }
}

extension Session {
    /// Validates a request from one of the session's files.
    @discardableResult
    func validate(_ request: String, _ more: String...) async throws -> JobProcess {
        try await job(
            ["validate"] + flags(of: .asksUnsigned) + more, with: .input(file: request))
    }

    @discardableResult
    func openKey(_ key: String) async throws -> JobProcess {
        try await job(["open-key"] + keyFlags, with: .input(key))
    }
}

extension JobProcess {
    /// The download keys in an answer, by the remote product's name.
    func downloadKeys() throws -> [String: String] {
        try json()["products"].items.reduce(into: [:]) { keys, product in
            keys[product["product_id"].text ?? ""] = product["download_key"].text
        }
    }
}

extension String {
    /// What is before and after the first `separator`.
    fileprivate func halves(at separator: String) -> (String, String)? {
        guard let range = firstRange(of: separator) else { return nil }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}
