import Testing

@testable import TestSupport

/// To add a case: copy a test, and write what is validated and what the next run finds, with the
/// verbs in `Tests/README.md`.
@Suite("The audit of download keys", .hangLimit)
struct KeyAuditTests {
    private struct KeyFinding: Equatable, CustomStringConvertible {
        let kind: String
        let user: String
        let product: String

        var description: String { "\(kind) of \(user) and \(product)" }
    }

    /// The findings about keys of a run with reports of its own.
    private func audit(_ folder: String, in session: Session) async throws -> [KeyFinding] {
        try await session.run("--reports=\(folder)").exits()
        return session.report("mismatches", in: "\(folder)/latest").items.compactMap { line in
            let kind = line["kind"].text ?? ""
            guard kind.hasPrefix("download_key") || kind == "product_not_unlocked" else {
                return nil
            }
            let product = line["product_stored"].text ?? line["product_apple"].text
            return KeyFinding(kind: kind, user: line["user_id"].text ?? "", product: product ?? "")
        }
    }

    @Test("The audit finds keys of refunded products, of products not shown, and missing keys")
    func revoked() async throws {
        try await Session.service { session in
            let ann = try await session.validate("later-ann").exits().downloadKeys()
            try await session.validate("lost-bob").exits()
            let first = try await audit("a", in: session)
            #expect(first == [])
            let second = try await audit("b", in: session)
            let revoked = KeyFinding(
                kind: "download_key_for_revoked_product", user: "ann", product: "map")
            #expect(second == [revoked])
            try await session.openKey(#require(ann["remote.map"])).exits(1).prints("revoked")
            let orphaned = KeyFinding(kind: "download_key_orphaned", user: "bob", product: "both")
            let third = try await audit("c", in: session)
            #expect(third == [orphaned, orphaned])
            try await session.sql(
                "drop view reconcile.stored_download_keys, reconcile.catalog_apps")
            try await session.run("--reports=d").exits().logs(
                "view reconcile.catalog_apps is missing; it is treated",
                "view reconcile.stored_download_keys is missing; it is treated")
        }
    }

    @Test("A product that Apple shows and that has no key is found once any receipt has a key")
    func notUnlocked() async throws {
        try await Session.service { session in
            try await session.validate("more-bob").exits()
            let first = try await audit("a", in: session)
            #expect(first == [])
            try await session.validate("song-ann").exits()
            let missing = KeyFinding(kind: "product_not_unlocked", user: "bob", product: "song")
            let second = try await audit("b", in: session)
            #expect(second == [missing])
        }
    }
}
