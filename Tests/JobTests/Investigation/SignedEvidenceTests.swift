import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Runs whose answers contain the receipt that Apple signed as it answered.
@Suite("Apple's signature on kept answers")
struct SignedEvidenceTests {
    private static func receipt(
        _ id: String, to expires: String, cancelled: String = "", product: String = "pro.monthly"
    ) -> [UInt8] {
        ReceiptAuthority.shared.receipt(
            PayloadForge(
                createdAt: "2026-11-20T01:59:59Z",
                purchases: [
                    PayloadForge.purchase(
                        product, id: id, at: "2026-09-21T02:00:00Z", expires: expires,
                        cancelled: cancelled)
                ]
            ).encoded)
    }

    /// The signed receipt in each answer: `bob`'s has another product, a contradiction, and `cyd`'s
    /// is not signed by Apple.
    private static let signed = [
        "ann": receipt("1", to: "2026-10-21T02:00:00Z"),
        "bob": receipt("2", to: "2026-12-10T02:00:00Z", product: "gems"),
        "cyd": [UInt8]("no receipt".utf8),
        "flo": receipt("4", to: "2026-12-10T02:00:00Z", cancelled: "2026-11-15T02:00:00Z"),
        "gil": receipt("5", to: "2026-12-10T02:00:00Z"),
    ]

    private static func answer(_ user: String, _ period: String) -> [LoopbackServer.Act] {
        let latest = String(decoding: Base64.encode(signed[user] ?? []), as: UTF8.self)
        return [.reply(AppleAnswer.subscribed([period], latest: latest))]
    }

    private static let acts = [
        "ann": answer("ann", AppleAnswer.period("1", from: -60, to: -30)),
        "bob": answer("bob", AppleAnswer.period("2", from: -60, to: 20)),
        "cyd": answer("cyd", AppleAnswer.period("3", from: -60, to: -30)),
        "flo": answer("flo", AppleAnswer.period("4", from: -60, to: 20, cancelled: -5)),
        "gil": answer("gil", AppleAnswer.period("5", from: -60, to: 20)),
    ]

    private static func with(_ body: (NightScene, _ roots: String) async throws -> Void)
        async throws
    {
        let roots = try TemporaryFolder()
        try Data(ReceiptAuthority.shared.root.der).write(
            to: URL(fileURLWithPath: roots.path + "/root.cer"))
        try await NightScene.with(acts: acts) { scene in
            // Everything about `gil` agrees.
            try await scene.test.store(receipt: "gil", of: "gil")
            try await scene.test.store(
                entitlement: "e-gil", of: "gil", expires: "2026-12-10T02:00:00Z")
            try await body(scene, "--roots=\(roots.path)")
        }
    }

    private func signatures(_ scene: NightScene, _ file: String) throws -> [String] {
        let reports = try PublishedReports(scene.reports + "/latest")
        return try zip(
            zip(reports.column("kind", of: file), reports.column("user_id", of: file)),
            reports.flags("evidence_signed", of: file)
        ).map { row, signed in
            "\(row.0 ?? "") \(row.1 ?? ""): \(signed.map { String($0) } ?? "none")"
        }
    }

    @Test("The reports say whether Apple signed the evidence, and a contradiction is a finding")
    func reports() async throws {
        try await Self.with { scene, roots in
            let night = try await scene.run(roots)
            #expect(night.status == 0, "\(night.error)")
            #expect(
                Set(try signatures(scene, "expirations")) == [
                    "expired_still_granted ann: true", "expired_still_granted cyd: false",
                ])
            #expect(
                Set(try signatures(scene, "refunds")) == [
                    "refund_recorded flo: true", "refunded_still_granted flo: true",
                ])
            #expect(!(try signatures(scene, "receipts").joined().contains("contradicts")))
            // With all answers kept, all signatures are checked.
            let second = try await scene.run(
                roots, "--evidence=all", "--as-of=2026-11-21T02:00:00Z")
            #expect(second.status == 0, "\(second.error)")
            let rows = try signatures(scene, "receipts")
            #expect(rows.contains("receipt_contradicts_answer bob: false"))
            let why = try PublishedReports(scene.reports + "/latest")
                .column("explanation", of: "receipts").compactMap(\.self)
            #expect(
                why.contains {
                    $0.hasPrefix(
                        "By Apple's own signature the latest_receipt in the answer to receipt bob,")
                        && $0.contains(" has gems in transaction 2, and Apple's answer pro.monthly")
                }, "\(why)")
            // Keeping fewer answers does not remove the finding.
            let third = try await scene.run(roots, "--as-of=2026-11-22T02:00:00Z")
            #expect(third.status == 0, "\(third.error)")
            #expect(try signatures(scene, "cleared") == [])
            // Judging the kept answers again gives the same result.
            let kept = try #require(
                try await scene.test.texts(
                    "select run_id from reconcile.run where evidence = 'all'"
                ).first ?? nil)
            let replay = try await scene.run(roots, "--replay=\(kept)")
            #expect(replay.status == 0, "\(replay.error)")
        }
    }

    @Test("The signed evidence is printed as received, and openssl verifies it as documented")
    func proof() async throws {
        try await Self.with { scene, roots in
            _ = try await scene.run(roots)
            let job = ["evidence", "--database=\(scene.database)"]
            let file = scene.folder.path + "/signed.der"
            let running = try RunningJob(
                job + ["--receipt=flo", "--signed"], redirection: "> \(file)")
            #expect(try await running.end().status == 0)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(Array(bytes) == Self.signed["flo"])
            try Data(ReceiptAuthority.shared.root.der).write(
                to: URL(fileURLWithPath: scene.folder.path + "/AppleIncRootCertificate.cer"))
            let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../docs/disputes.md").standardized
            let lines = try String(contentsOf: page, encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("openssl ") }
            #expect(lines.count == 2)
            let proof = try Shell.output(
                of: lines.joined(separator: " && ") + " 2>&1", in: scene.folder.path)
            #expect(proof.contains("Verification successful"), "\(proof)")
            // Bob has no kept answer; cyd's is no receipt, but is printed as received.
            #expect(try JobProcess(job + ["--receipt=bob", "--signed"]).status == 66)
            let scrap = try JobProcess(job + ["--receipt=cyd", "--signed"])
            #expect(scrap.output == "no receipt")
        }
    }

    @Test("Evidence is kept by user and app as configured, can be exported, and is erased by user")
    func kept() async throws {
        try await Self.with { scene, roots in
            let kept = "select user_id from reconcile.kept_receipt order by 1"
            _ = try await scene.run(roots, "--keep-receipts=none")
            #expect(try await scene.test.texts(kept) == [])
            _ = try await scene.run(roots, "--as-of=2026-11-20T03:00:00Z")
            #expect(try await scene.test.texts(kept) == ["ann", "flo"])
            let all = try await scene.run(
                roots, "--keep-receipts=all", "--as-of=2026-11-20T04:00:00Z")
            #expect(all.status == 0, "\(all.error)")
            #expect(try await scene.test.texts(kept) == ["ann", "flo", "gil"])
            let export = ["export-receipts", "--database=\(scene.database)"]
            let lines = try JobProcess(export).output.split(separator: "\n")
            #expect(lines.count == 3)
            let line = try #require(lines.last)
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
            #expect(object["user_id"] == "gil")
            #expect(object["made_at"] == "2026-11-20T01:59:59Z")
            #expect(
                object["receipt_data"].flatMap { Data(base64Encoded: $0) }.map(Array.init)
                    == Self.signed["gil"])
            #expect(try JobProcess(export + ["--user=bob"]).status == 66)
            let pruned = try JobProcess([
                "prune", "--user=gil", "--database=\(scene.database)",
            ])
            #expect(pruned.status == 0, "\(pruned.error)")
            #expect(try await scene.test.texts(kept) == ["ann", "flo"])
        }
    }

    @Test("Offline, a kept receipt replaces a stored one that is older or proves nothing")
    func offline() async throws {
        try await Self.with { scene, roots in
            _ = try await scene.run(roots, "--keep-receipts=all", "--max-unverified=100%")
            let night = try await scene.run(
                roots, "--offline", "--as-of=2026-11-21T02:00:00Z", "--max-unverified=100%")
            #expect(night.status == 0, "\(night.error)")
            let reports = try PublishedReports(scene.reports + "/latest")
            #expect(reports.control("receipts")?["verified"] == 3)
            // Without a kept receipt the stored one proves nothing.
            try await scene.test.execute("delete from reconcile.kept_receipt")
            _ = try await scene.run(
                roots, "--offline", "--as-of=2026-11-22T02:00:00Z", "--max-unverified=100%")
            let bare = try PublishedReports(scene.reports + "/latest")
            #expect(bare.control("receipts")?["verified"] == 0)
        }
    }
}
