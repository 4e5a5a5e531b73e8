import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

private let sessions = Session.all(
    #"""
    # The reports say whether Apple signed the evidence, and a contradiction is a finding
    run --roots=roots | 0
    sh signatures expirations| sort | 0 \#
        | = expired_still_granted ann: true¶expired_still_granted cyd: false
    sh signatures refunds| sort | 0 | = refund_recorded flo: true¶refunded_still_granted flo: true
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
    sh openssl | 0 | > Verification successful
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
    """#)

/// Runs whose answers contain the receipt that Apple signed as it answered.
@Suite("Apple's signature on kept answers", .timeLimit(.minutes(10)))
struct SignedEvidenceTests {
    /// What Apple says of each user, with the expiry and a cancellation in days from
    /// `AppleAnswer.asOf`, and the product in the signed receipt: `bob`'s is another one, a
    /// contradiction, and `cyd`'s receipt is not signed.
    private static let signed = textTable(
        """
        ann | 1 | -30 | | pro.monthly
        bob | 2 | 20 | | gems
        cyd | 3 | -30 | | none
        flo | 4 | 20 | -5 | pro.monthly
        gil | 5 | 20 | | pro.monthly
        """
    ).map { row in
        let days = row.map { Double($0) }
        let dates = days.map { days in
            days.map { "\(Instant(milliseconds: 1_795_140_000_000 + Int64($0 * 86_400_000)))" }
        }
        let purchase = PayloadForge.purchase(
            row[4], id: row[1], at: "2026-09-21T02:00:00Z", expires: dates[2] ?? "",
            cancelled: dates[3] ?? "")
        let payload = PayloadForge(createdAt: "2026-11-20T01:59:59Z", purchases: [purchase])
        let receipt =
            row[4] == "none"
            ? Array("no receipt".utf8) : ReceiptAuthority.shared.receipt(payload.encoded)
        let period = AppleAnswer.period(row[1], from: -60, to: days[2] ?? 0, cancelled: days[3])
        let latest = String(decoding: Base64.encode(receipt), as: UTF8.self)
        let answer = AppleAnswer.subscribed([period], latest: latest)
        return (user: row[0], receipt: receipt, acts: [LoopbackServer.Act.reply(answer)])
    }

    @Test(
        "Apple's signature is reported, proves what was kept, and serves offline",
        arguments: sessions)
    func session(session: Session) async throws {
        let acts = Dictionary(uniqueKeysWithValues: Self.signed.map { ($0.user, $0.acts) })
        try await NightScene.with(acts: acts) { scene in
            // Everything about `gil` agrees.
            try await scene.test.store(receipt: "gil", of: "gil")
            try await scene.test.store(
                entitlement: "e-gil", of: "gil", expires: "2026-12-10 02:00Z")
            let folder = URL(fileURLWithPath: scene.folder.path)
            for (user, receipt, _) in Self.signed {
                try Data(receipt).write(to: folder.appending(path: user))
            }
            let root = Data(ReceiptAuthority.shared.root.der)
            try root.write(to: folder.appending(path: "AppleIncRootCertificate.cer"))
            let row = #".*"kind":"(\w+)".*"user_id":"(\w+)".*"evidence_signed":(\w+).*"#
            let script = #"sed -nE 's/\#(row)/\1 \2: \3/p' reports/latest/$1.json"#
            _ = try scene.folder.write(script, to: "signatures")
            let proof = try String(contentsOf: DisputesTests.page, encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("openssl ") }
            #expect(proof.count == 2)
            _ = try scene.folder.write(
                "exec 2>&1; " + proof.joined(separator: " && "), to: "openssl")
            try await scene.steps("mkdir roots; cp *.cer roots | 0\n" + session.steps)
        }
    }
}

/// Runs the commands of docs/disputes.md in the demo world and compares their output with the page.
///
/// With `RECONCILE_REWRITE_DOCS=1` the test writes the page instead.
@Suite("docs/disputes.md", .timeLimit(.minutes(10)))
struct DisputesTests {
    static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../../docs/disputes.md")
        .standardized

    @Test("Each command in docs/disputes.md prints what the page shows")
    func commands() async throws {
        let rewrites = ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil
        let folder = try TemporaryFolder()
        let secrets = try folder.write(
            SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined(), to: "secrets")
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        try await TestDatabase.with(.nothing) { test in
            try JobProcess(["migrate", "--with-reference-app", "--database", test.url]).ends()
            let asOf = "--as-of=\(AppleAnswer.asOf)"
            let apple = try SimulatorProcess(["--customers=400", asOf, "--load", test.url])
            try await RunningJob([
                "run", "--database", test.url, "--reports", folder.path + "/reports", asOf,
                "--shared-secrets", secrets, "--allow-writable-role", "--production-url",
                apple.production, "--sandbox-url", apple.sandbox, "--rate=10000",
                "--in-flight=32", "--timeout=50s", "--output=none",
            ]).end().ends()
            let environment = [
                "DATABASE_URL": test.url, "PRODUCTION": apple.production,
                "SANDBOX": apple.sandbox, "SECRETS": secrets,
            ]
            let example = #/```sh\n(.*?)```\n\n```text\n(.*?)```\n/#.dotMatchesNewlines()
            text = try text.replacing(example) { match in
                let printed = try Shell.output(of: String(match.1), environment, in: folder.path)
                let isSame = Self.steady(printed) == Self.steady(String(match.2))
                #expect(
                    isSame || rewrites, "\(match.1)\nprints\n\(printed)\nand not\n\(match.2)")
                return "```sh\n\(match.1)```\n\n```text\n\(isSame ? String(match.2) : printed)```\n"
            }
        }
        if rewrites { try text.write(to: Self.page, atomically: true, encoding: .utf8) }
    }

    private static func steady(_ text: String) -> String {
        text.replacing(#/\d{8}T\d{6}Z-[0-9a-f]{6}/#, with: "RUN")
            .replacing(#/(asked at)\s+[^\s,]+/#) { "\($0.1) INSTANT" }
    }
}
