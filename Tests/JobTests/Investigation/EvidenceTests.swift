import Foundation
import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

/// A purchase in a receipt and in Apple's answer. A row has the user, the transaction, and its days
/// from `AppleAnswer.asOf`: of the purchase, the expiry and the cancellation.
private struct Purchase {
    let user: String
    var receipt: [UInt8]
    let period: String

    init(
        _ row: [String], of product: String = "pro.monthly",
        madeAt: String = "2026-11-20T01:59:59Z", by authority: ReceiptAuthority = .shared
    ) {
        let days = row[2...4].map { Double($0) }
        let dates = days.map { days in
            days.map { Date(timeIntervalSince1970: 1_795_140_000 + $0 * 86_400).ISO8601Format() }
        }
        let purchase = PayloadForge.purchase(
            product, id: row[1], at: dates[0] ?? "", expires: dates[1] ?? "",
            cancelled: dates[2] ?? "")
        user = row[0]
        receipt = authority.receipt(PayloadForge(createdAt: madeAt, purchases: [purchase]).encoded)
        period = AppleAnswer.period(
            row[1], from: days[0] ?? 0, to: days[1] ?? 0, cancelled: days[2])
    }

    var base64: String { Data(receipt).base64EncodedString() }
}

private let appleRoot = "AppleIncRootCertificate.cer"
private let makeRoots = "mkdir roots; cp \(appleRoot) roots | 0"
private let night = "run --roots=roots --max-unverified=50%"
private let judged = "grep active_not_granted reports/latest/mismatches.json"

private let offlineNights = TextSession.all(
    #"""
    # Offline findings rest on signatures alone, every row says so, and the next run clears
    run --offline --replay=20261120T020000Z-000001 | 64 | --offline cannot be combined with --replay
    run --offline --roots=/nowhere | 78 | $ Give a folder of certificates.
    \#(night) --offline --dry-run | 0 | Dry run: 7 receipts of 8 users would be judged offline, \#
    by their own signatures, and nothing would be sent. Nothing was written; leave --dry-run out
    \#(night) --offline --shared-secrets=/nowhere --production-url=http://a.com/ | 0 \#
        | , judged offline, is complete, with 5 findings. | > OFFLINE: Judged offline \#
        | 2> This run is judged offline
    sh kinds | 0 | = expirations:;refunds: refund_recorded flo;mismatches: active_not_granted bob \#
    grant_without_receipt eve;receipts: receipt_not_authentic cyd receipt_is_jws dan;cleared:
    sh summary | 0 | > "oldest_verified_at":null | > "offline":true | > "receipts":{"in_scope":7,\#
    "verified":4,"rejected":1,"unusable":1,"unverified":1} | > "entitlements":{"in_scope":8,\#
    "consistent":1,"with_finding":2,"settling":0,"unverified":5,"not_judged":0}
    grep '"offline": true' reports/latest/manifest.json | 0
    grep '<p class="notice">Judged offline' reports/latest/index.html | 0
    cd reports/latest; grep -h '"run_id"' refunds.json mismatches.json receipts.json \#
    unverified.json| grep -v 'judged offline' | 1
    update team.entitlements set active = true where id = 'e-bob'
    \#(night) --offline --as-of=2026-11-21T02:00:00Z | 0
    sh kinds cleared refunds | 0 | = cleared: active_not_granted bob;refunds:
    grep 'judged offline.*judged offline' reports/latest/cleared.json | 1
    echo $ASKED | 0 | = 0

    # An offline run clears no finding of an online run; the next online run has it again
    \#(night) | 0
    sh summary | 0 | ! offline
    sh kinds expirations cleared | 0 | = expirations: expired_still_granted ann;cleared:
    cat reports/latest/expirations.json | 0 | > "lifecycle":"new" | ! offline
    \#(judged) | 0 | > "lifecycle":"new"
    \#(night) --offline --as-of=2026-11-21T02:00:00Z | 0
    sh summary | 0 | > "offline":true
    sh kinds expirations cleared | 0 | = expirations:;cleared:
    \#(judged) | 0 | > "lifecycle":"persisting"
    \#(night) --as-of=2026-11-22T02:00:00Z | 0
    sh summary | 0 | ! offline
    sh kinds expirations cleared | 0 \#
        | = expirations: expired_still_granted ann;cleared: receipt_not_authentic cyd
    cat reports/latest/expirations.json | 0 | > "lifecycle":"persisting" | ! offline
    \#(judged) | 0 | > "lifecycle":"persisting"
    echo $ASKED | 0 | = 12
    update team.entitlements set active = true where id = 'e-bob'
    \#(night) --offline --as-of=2026-11-23T02:00:00Z | 0
    sh kinds cleared | 0 | > active_not_granted bob
    grep '"run_id"' reports/latest/cleared.json| grep -v 'judged offline' | 1
    """#)

private let signedNights = TextSession.all(
    #"""
    # The reports say whether Apple signed the evidence, and a contradiction is a finding
    run --roots=roots | 0
    sh signed expirations | 0 | = expired_still_granted ann: true¶expired_still_granted cyd: false
    sh signed refunds | 0 | = refund_recorded flo: true¶refunded_still_granted flo: true
    sh signed receipts | 0 | ! contradicts
    run --roots=roots --as-of=2026-11-21T02:00:00Z --evidence=all | 0
    sh signed receipts | 0 | > receipt_contradicts_answer bob: false
    cat */latest/receipts.json | 0 | > has gems in transaction 2, and Apple's answer pro.monthly \#
        | > "By Apple's own signature the latest_receipt in the answer to receipt bob,
    run --roots=roots --as-of=2026-11-22T02:00:00Z | 0
    sh signed cleared | 0 | =
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
    job prune --user=gil --by=ada | 0
    select user_id from reconcile.kept_receipt order by 1 | ann,flo
    delete from reconcile.kept_receipt
    run --roots=roots --as-of=2026-11-23T02:00:00Z --offline --max-unverified=100% | 0
    cat reports/latest/summary.json | 0 | > "verified": 0
    """#)

@Suite("Evidence that Apple has signed", .timeLimit(.minutes(10)))
struct SignedEvidenceTests {
    /// Purchases, and who signed the receipt. Apple refuses those that it has not signed.
    private static let customers = """
        ann | 1 | -60 | -30 | | Apple
        bob | 2 | -25 | 5 | | Apple
        cyd | 3 | -25 | 5 | | changed
        flo | 6 | -25 | 5 | -5 | Apple
        gus | 7 | -25 | 5 | | other
        hal | 8 | -25 | 5 | | Apple
        """.rows.map { row in
            let authority = row[5] == "other" ? ReceiptAuthority.other : .shared
            var purchase = Purchase(row, madeAt: "2026-11-16T02:00:00Z", by: authority)
            if row[5] == "changed" { purchase.receipt[purchase.receipt.count - 1] ^= 1 }
            let answer = AppleAnswer.verified(row[5] == "Apple" ? [purchase.period] : [])
            return (user: row[0], receipt: purchase.base64, act: LoopbackServer.Act.reply(answer))
        }

    @Test("An offline run judges by signatures alone, and says so", arguments: offlineNights)
    func offline(session: TextSession) async throws {
        let acts = Dictionary(uniqueKeysWithValues: Self.customers.map { ($0.receipt, $0.act) })
        try await Session.with(acts: acts) { scene in
            try scene.folder.write(ReceiptAuthority.shared.root.der, to: appleRoot)
            try await scene.test.execute("truncate team.receipts, team.entitlements")
            for (user, text, _) in Self.customers + [("dan", "eyJh.eyJi.c2ln", .hangUp)] {
                try await scene.test.store(receipt: user, of: user, data: .text(text))
            }
            for user in Self.customers.map(\.user) + ["dan", "eve"] {
                try await scene.test.store(
                    entitlement: "e-\(user)", of: user, isActive: user != "bob",
                    expires: "2026-11-25T02:00:00Z")
            }
            try await scene.steps("\(makeRoots)\n\(session.steps)")
            try await scene.latestReports()
        }
    }

    /// Purchases, and the product in the receipt that Apple signed as it answered: `bob`'s is
    /// another one, a contradiction, and `cyd`'s receipt is not signed.
    private static let purchases = """
        ann | 1 | -60 | -30 | | pro.monthly
        bob | 2 | -60 | 20 | | gems
        cyd | 3 | -60 | -30 | | none
        flo | 4 | -60 | 20 | -5 | pro.monthly
        gil | 5 | -60 | 20 | | pro.monthly
        """.rows.map { row in
            var purchase = Purchase(row, of: row[5])
            if row[5] == "none" { purchase.receipt = Array("no receipt".utf8) }
            return purchase
        }

    @Test(
        "Apple's signature is reported, proves what was kept, and serves offline",
        arguments: signedNights)
    func reported(session: TextSession) async throws {
        let acts = Self.purchases.reduce(into: [String: LoopbackServer.Act]()) { acts, bought in
            let answer = AppleAnswer.subscribed([bought.period], latest: bought.base64)
            acts[bought.user] = .reply(answer)
        }
        try await Session.with(acts: acts) { scene in
            // Everything about `gil` agrees.
            try await scene.test.store(receipt: "gil", of: "gil")
            try await scene.grant("gil")
            for bought in Self.purchases { try scene.folder.write(bought.receipt, to: bought.user) }
            try scene.folder.write(ReceiptAuthority.shared.root.der, to: appleRoot)
            let row = #".*"kind":"(\w+)".*"user_id":"(\w+)".*"evidence_signed":(\w+).*"#
            let script = #"sed -nE 's/\#(row)/\1 \2: \3/p' reports/latest/$1.json| sort"#
            try scene.folder.write(script, to: "signed")
            let proof = try String(contentsOf: DisputesTests.page, encoding: .utf8)
                .split(separator: "\n").filter { $0.hasPrefix("openssl ") }
            #expect(proof.count == 2)
            try scene.folder.write("exec 2>&1; " + proof.joined(separator: " && "), to: "openssl")
            try await scene.steps("\(makeRoots)\n\(session.steps)")
        }
    }
}

/// Runs the commands of docs/disputes.md in the demo world and compares their output with the page.
/// With `RECONCILE_REWRITE_DOCS=1` the test writes the page instead.
@Suite("docs/disputes.md", .timeLimit(.minutes(10)))
struct DisputesTests {
    static let page = URL(fileURLWithPath: #filePath)
        .appending(path: "../../../../docs/disputes.md").standardized

    @Test("Each command in docs/disputes.md prints what the page shows")
    func commands() async throws {
        let rewrites = ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil
        let folder = try TemporaryFolder()
        let secrets = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined()
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        try await TestDatabase.with(.nothing) { test in
            let asOf = "--as-of=\(AppleAnswer.asOf)"
            try await JobProcess.shell("$0 migrate --with-reference-app --database=\(test.url)")
                .ends()
            let apple = try ChildProcess(
                "exec $0 simulate --customers=400 \(asOf) --load=\(test.url)")
            defer { apple.end() }
            // It prints "production=URL sandbox=URL".
            let printed = String(decoding: apple.output.availableData, as: UTF8.self)
            let words = printed.split { " \n=".contains($0) }.map(String.init)
            try #require(words.count == 4)
            let environment = [
                "DATABASE_URL": test.url, "PRODUCTION": words[1], "SANDBOX": words[3],
                "SECRETS": try folder.write(secrets, to: "secrets"),
            ]
            func run(_ script: String) async throws -> JobProcess {
                try await JobProcess.shell(script, environment: environment, in: folder.path)
            }
            try await run(
                """
                $0 run --reports=reports \(asOf) --shared-secrets="$SECRETS" --rate=10000 \
                --allow-writable-role --production-url="$PRODUCTION" --sandbox-url="$SANDBOX" \
                --in-flight=32 --timeout=50s --output=none
                """
            ).ends()
            let example = #/```sh\n(.*?)```\n\n```text\n(.*?)```\n/#.dotMatchesNewlines()
            for shown in text.matches(of: example) {
                let printed = try await run(String(shown.1)).output
                let isSame = Self.steady(printed) == Self.steady(String(shown.2))
                #expect(isSame || rewrites, "\(shown.1)\nprints\n\(printed)\nand not\n\(shown.2)")
                let now = "```sh\n\(shown.1)```\n\n```text\n\(printed)```\n"
                text = text.replacing(shown.0, with: now)
            }
        }
        if rewrites { try text.write(to: Self.page, atomically: true, encoding: .utf8) }
    }

    private static func steady(_ text: String) -> String {
        text.replacing(#/\d{8}T\d{6}Z-[0-9a-f]{6}/#, with: "RUN")
            .replacing(#/(asked at)\s+[^\s,]+/#) { "\($0.1) INSTANT" }
    }
}
