import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The command verify")
struct VerifyTests {
    @Test("verify accepts an untouched folder and one with RETRACTED.json, and no changed byte")
    func whole() async throws {
        try await NightScene.with { scene in
            try await scene.steps(
                """
                run | 0
                "$0" verify reports/latest | 0 | = | is complete and ties out
                job verify reports/latest | 0
                """)
            let folder = try scene.publishedFolder
            for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
                let url = URL(fileURLWithPath: folder + "/" + name)
                let bytes = try Data(contentsOf: url)
                // The first, the last and some other places, drawn by the file's name.
                var places: Set<Int> = [0, bytes.count - 1]
                var generator = SeededGenerator(name.utf8.reduce(0) { $0 + UInt64($1) })
                for _ in 0..<4 { places.insert(Int.random(in: 0..<bytes.count, using: &generator)) }
                for place in places {
                    var changed = bytes
                    changed[place] ^= 1
                    try changed.write(to: url)
                    let answer = try JobProcess(["verify", folder])
                    #expect(answer.status == 1 && !answer.output.isEmpty, "\(name), byte \(place)")
                }
                try bytes.write(to: url)
            }
            try await scene.steps(
                """
                "$0" verify reports/$RUN1 | 0
                job retract $RUN1 --by=ada --why=prices --reports=reports | 0
                "$0" verify reports/$RUN1 | 0 | RETRACTED.json
                "$0" verify /nowhere | 74
                "$0" verify | 64
                """)
        }
    }

    @Test("verify names sums that do not tie out although every digest matches")
    func forged() async throws {
        try await NightScene.with { scene in
            try await scene.run().ends()
            let folder = try scene.publishedFolder
            /// - Returns: how the file was.
            func forge(_ name: String, _ change: (String) -> String) throws -> String {
                let whole = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                let changed = change(whole)
                try #require(changed != whole)
                try write(changed, to: name, in: folder)
                return whole
            }
            let swap = { (text: String) -> String in text.replacing("e-ann", with: "e-bob") }
            let csv = try forge("expirations.csv", swap)
            try JobProcess(["verify", folder]).ends(1, "> expirations.json, row 1")
            let json = try forge("expirations.json", swap)
            try JobProcess(["verify", folder]).ends(1, "> finding_id")
            try JobProcess(["verify", folder, "--database=\(scene.database)"]).ends(
                1, "> differs from the one recorded in the database", "> differs from finding")
            try write(csv, to: "expirations.csv", in: folder)
            try write(json, to: "expirations.json", in: folder)

            let totals = try forge("totals.csv") { text in
                text.split(separator: "\r\n").dropLast().joined(separator: "\r\n") + "\r\n"
            }
            try JobProcess(["verify", folder])
                .ends(1, "> totals.csv: 1 groups of findings have no line.")
            try write(totals, to: "totals.csv", in: folder)
            let total = #/"total": (\d+)/#
            let summary = try forge("summary.json") { text in
                text.replacing(total, maxReplacements: 1) { _ in "\"total\": 99" }
            }
            let words = "findings.total is 99, but the rows add up to"
            let sum = try #require(summary.firstMatch(of: total)?.1)
            try JobProcess(["verify", folder]).ends(1, "= summary.json: \(words) \(sum).")
        }
    }

    /// Writes a file, and a manifest and SHA256SUMS that match it.
    private func write(_ text: String, to name: String, in folder: String) throws {
        func digest(_ text: String) -> String { Digest.sha256(text.utf8).hexadecimal }
        func read(_ name: String) throws -> String {
            try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        }
        let old = digest(try read(name))
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        var lines = try read("manifest.json").replacing(old, with: digest(text))
            .components(separatedBy: "\n")
        let place = try #require(lines.firstIndex { $0.contains("\"name\": \"\(name)\"") })
        let size = try #require(lines[place...].firstIndex { $0.contains("\"bytes\": ") })
        lines[size].replace(#/\d+/#, with: { _ in String(text.utf8.count) })
        try lines.joined(separator: "\n").write(
            toFile: folder + "/manifest.json", atomically: true, encoding: .utf8)
        guard name != "SHA256SUMS" else { return }
        let sums = try read("SHA256SUMS").replacing(old, with: digest(text))
        try write(sums, to: "SHA256SUMS", in: folder)
    }
}

/// Runs whose answers contain the receipt that Apple signed as it answered.
@Suite("Apple's signature on kept answers", .timeLimit(.minutes(10)))
struct SignedEvidenceTests {
    /// What Apple's answer says of each user, with the days from `AppleAnswer.asOf`, and the
    /// receipt in it: `bob`'s has another product, a contradiction, and `cyd`'s is not signed.
    private static let signed = textTable(
        """
        ann | 1 | -30 | | pro.monthly
        bob | 2 | 20 | | gems
        cyd | 3 | -30 | | none
        flo | 4 | 20 | -5 | pro.monthly
        gil | 5 | 20 | | pro.monthly
        """
    ).map { row in
        let (expires, cancelled) = (Double(row[2]) ?? 0, Double(row[3]))
        let purchase = PayloadForge.purchase(
            row[4], id: row[1], at: "2026-09-21T02:00:00Z", expires: AppleAnswer.day(expires),
            cancelled: cancelled.map(AppleAnswer.day) ?? "")
        let payload = PayloadForge(createdAt: "2026-11-20T01:59:59Z", purchases: [purchase])
        let receipt =
            row[4] == "none"
            ? Array("no receipt".utf8) : ReceiptAuthority.shared.receipt(payload.encoded)
        let period = AppleAnswer.period(row[1], from: -60, to: expires, cancelled: cancelled)
        let answer = AppleAnswer.subscribed(
            [period], latest: String(decoding: Base64.encode(receipt), as: UTF8.self))
        return (user: row[0], receipt: receipt, acts: [LoopbackServer.Act.reply(answer)])
    }

    @Test(
        "Apple's signature is reported, proves what was kept, and serves offline",
        arguments: Session.all(
            #"""
            # The reports say whether Apple signed the evidence, and a contradiction is a finding
            run --roots=roots | 0
            sh signatures expirations| sort | 0 \#
                | ~ ^expired_still_granted ann: true\nexpired_still_granted cyd: false\n$
            sh signatures refunds| sort | 0 \#
                | ~ ^refund_recorded flo: true\nrefunded_still_granted flo: true\n$
            sh signatures receipts | 0 | ! contradicts
            run --roots=roots --as-of=2026-11-21T02:00:00Z --evidence=all | 0
            sh signatures receipts | 0 | > receipt_contradicts_answer bob: false
            cat reports/latest/receipts.json | 0 \#
                | > "By Apple's own signature the latest_receipt in the answer to receipt bob, \#
                | > has gems in transaction 2, and Apple's answer pro.monthly
            run --roots=roots --as-of=2026-11-22T02:00:00Z | 0
            sh signatures cleared | 0 | =
            run --roots=roots --replay=$RUN2 | 0

            # The signed evidence is printed as received, and openssl verifies it as documented
            run --roots=roots | 0
            job evidence --signed --receipt=flo > signed.der; cmp signed.der flo | 0
            sh openssl | 0 | ~ Verification successful
            job evidence --signed --receipt=bob | 66
            job evidence --signed --receipt=cyd | 0 | = no receipt

            # Evidence is kept as configured, exported, used offline, and erased by user
            run --roots=roots --keep-receipts=none --as-of=2026-11-19T02:00:00Z | 0
            select user_id from reconcile.kept_receipt order by 1 |
            run --roots=roots | 0
            select user_id from reconcile.kept_receipt order by 1 | ann,flo
            run --roots=roots --keep-receipts=all --as-of=2026-11-21T02:00:00Z | 0
            select user_id from reconcile.kept_receipt order by 1 | ann,flo,gil
            job export-receipts > exported; wc -l < exported | 0 | = 3
            grep '"user_id":"gil"' exported | 0 | > "made_at":"2026-11-20T01:59:59Z"
            sed -nE '/"gil"/s/.*"receipt_data":"([^"]*)".*/\1/p' exported| base64 -d| cmp - gil | 0
            run --roots=roots --as-of=2026-11-22T02:00:00Z --offline --max-unverified=100% | 0
            cat reports/latest/summary.json | 0 | > "verified": 3
            job export-receipts --user=bob | 66
            job prune --user=gil | 0
            select user_id from reconcile.kept_receipt order by 1 | ann,flo
            delete from reconcile.kept_receipt
            run --roots=roots --as-of=2026-11-23T02:00:00Z --offline --max-unverified=100% | 0
            cat reports/latest/summary.json | 0 | > "verified": 0
            """#))
    func session(session: Session) async throws {
        let acts = Dictionary(uniqueKeysWithValues: Self.signed.map { ($0.user, $0.acts) })
        try await NightScene.with(acts: acts) { scene in
            // Everything about `gil` agrees.
            try await scene.test.store(receipt: "gil", of: "gil")
            try await scene.test.store(
                entitlement: "e-gil", of: "gil", expires: "2026-12-10T02:00:00Z")
            for (user, receipt, _) in Self.signed {
                try Data(receipt).write(to: URL(fileURLWithPath: scene.folder.path + "/" + user))
            }
            try scene.folder.writeRoots()
            let row = #".*"kind":"(\w+)".*"user_id":"(\w+)".*"evidence_signed":(\w+).*"#
            let script = #"sed -nE 's/\#(row)/\1 \2: \3/p' reports/latest/$1.json"#
            _ = try scene.folder.write(script, to: "signatures")
            let proof = try String(contentsOf: DisputesTests.page, encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("openssl ") }
            #expect(proof.count == 2)
            let copy = "cp roots/root.cer AppleIncRootCertificate.cer && exec 2>&1 && "
            _ = try scene.folder.write(copy + proof.joined(separator: " && "), to: "openssl")
            try await scene.play(session)
        }
    }
}
