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
        let purchase = PayloadForge.purchase(
            product, id: id, at: "2026-09-21T02:00:00Z", expires: expires, cancelled: cancelled)
        let payload = PayloadForge(createdAt: "2026-11-20T01:59:59Z", purchases: [purchase])
        return ReceiptAuthority.shared.receipt(payload.encoded)
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

    private static let acts = Dictionary(
        uniqueKeysWithValues: [
            ("ann", AppleAnswer.period("1", from: -60, to: -30)),
            ("bob", AppleAnswer.period("2", from: -60, to: 20)),
            ("cyd", AppleAnswer.period("3", from: -60, to: -30)),
            ("flo", AppleAnswer.period("4", from: -60, to: 20, cancelled: -5)),
            ("gil", AppleAnswer.period("5", from: -60, to: 20)),
        ].map { user, period in
            let latest = String(decoding: Base64.encode(signed[user] ?? []), as: UTF8.self)
            let answer = AppleAnswer.subscribed([period], latest: latest)
            return (user, [LoopbackServer.Act.reply(answer)])
        })

    private static func writeRoot(to path: String) throws {
        try Data(ReceiptAuthority.shared.root.der).write(to: URL(fileURLWithPath: path))
    }

    /// - Parameter body: gets a run on that day of November with the roots and these flags.
    private static func with(
        _ body: (NightScene, _ run: (Int, String...) async throws -> Void) async throws -> Void
    ) async throws {
        let roots = try TemporaryFolder()
        try writeRoot(to: roots.path + "/root.cer")
        try await NightScene.with(acts: acts) { scene in
            // Everything about `gil` agrees.
            try await scene.test.store(receipt: "gil", of: "gil")
            try await scene.test.store(
                entitlement: "e-gil", of: "gil", expires: "2026-12-10T02:00:00Z")
            try await body(scene) { day, flags in
                let fixed = ["--roots=\(roots.path)", "--as-of=2026-11-\(day)T02:00:00Z"]
                try await scene.start(fixed + flags).end().ends()
            }
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
        try await Self.with { scene, run in
            try await run(20)
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
            try await run(21, "--evidence=all")
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
            try await run(22)
            #expect(try signatures(scene, "cleared") == [])
            // Judging the kept answers again gives the same result.
            let kept = try await scene.first(
                "select run_id from reconcile.run where evidence = 'all'")
            try await run(20, "--replay=\(kept)")
        }
    }

    @Test("The signed evidence is printed as received, and openssl verifies it as documented")
    func proof() async throws {
        try await Self.with { scene, run in
            try await run(20)
            let evidence = ["evidence", "--database=\(scene.database)", "--signed"]
            try await RunningJob(
                evidence + ["--receipt=flo"], redirection: "> \(scene.folder.path)/signed.der"
            ).end().ends()
            #expect(try scene.folder.bytes("signed.der") == Self.signed["flo"])
            try Self.writeRoot(to: scene.folder.path + "/AppleIncRootCertificate.cer")
            let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../docs/disputes.md").standardized
            let lines = try String(contentsOf: page, encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("openssl ") }
            #expect(lines.count == 2)
            let proof = try Shell.output(
                of: lines.joined(separator: " && ") + " 2>&1", in: scene.folder.path)
            #expect(proof.contains("Verification successful"), "\(proof)")
            // Bob has no kept answer; cyd's is no receipt, but is printed as received.
            try JobProcess(evidence + ["--receipt=bob"]).ends(66)
            #expect(try JobProcess(evidence + ["--receipt=cyd"]).output == "no receipt")
        }
    }

    @Test("Evidence is kept by user and app as configured, can be exported, and is erased by user")
    func kept() async throws {
        try await Self.with { scene, run in
            func kept() async throws -> [String?] {
                try await scene.test.texts("select user_id from reconcile.kept_receipt order by 1")
            }
            try await run(20, "--keep-receipts=none")
            #expect(try await kept() == [])
            try await run(21)
            #expect(try await kept() == ["ann", "flo"])
            try await run(22, "--keep-receipts=all")
            #expect(try await kept() == ["ann", "flo", "gil"])
            let lines = try scene.command("export-receipts").output.split(separator: "\n")
            #expect(lines.count == 3)
            let line = Data(try #require(lines.last).utf8)
            let object = try #require(
                try JSONSerialization.jsonObject(with: line) as? [String: String])
            #expect(object["user_id"] == "gil")
            #expect(object["made_at"] == "2026-11-20T01:59:59Z")
            #expect(
                object["receipt_data"].flatMap { Data(base64Encoded: $0) }.map(Array.init)
                    == Self.signed["gil"])
            try scene.command("export-receipts", "--user=bob").ends(66)
            try scene.command("prune", "--user=gil").ends()
            #expect(try await kept() == ["ann", "flo"])
        }
    }

    @Test("Offline, a kept receipt replaces a stored one that is older or proves nothing")
    func offline() async throws {
        try await Self.with { scene, run in
            func verified() throws -> Int? {
                try PublishedReports(scene.reports + "/latest").control("receipts")?["verified"]
            }
            try await run(20, "--keep-receipts=all", "--max-unverified=100%")
            try await run(21, "--offline", "--max-unverified=100%")
            #expect(try verified() == 3)
            // Without a kept receipt the stored one proves nothing.
            try await scene.test.execute("delete from reconcile.kept_receipt")
            try await run(22, "--offline", "--max-unverified=100%")
            #expect(try verified() == 0)
        }
    }
}
