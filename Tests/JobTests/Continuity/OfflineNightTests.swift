import Testing

@testable import Reconcile
@testable import TestSupport

/// Runs the built program with `--offline`, and counts requests to a scripted Apple.
@Suite("An offline nightly run", .timeLimit(.minutes(10)))
struct OfflineNightTests {
    /// Users, their transaction, its days from `AppleAnswer.asOf`, and who signed the receipt.
    /// Apple refuses those that it has not signed.
    private static let customers = textTable(
        """
        ann | 1 | -60 | -30 | | Apple
        bob | 2 | -25 | 5 | | Apple
        cyd | 3 | -25 | 5 | | changed
        flo | 6 | -25 | 5 | -5 | Apple
        gus | 7 | -25 | 5 | | other
        hal | 8 | -25 | 5 | | Apple
        """
    ).map { row in
        let (from, to, cancelled) = (Double(row[2]) ?? 0, Double(row[3]) ?? 0, Double(row[4]))
        let purchase = PayloadForge.purchase(
            id: row[1], at: AppleAnswer.day(from), expires: AppleAnswer.day(to),
            cancelled: cancelled.map(AppleAnswer.day) ?? "")
        let payload = PayloadForge(createdAt: AppleAnswer.day(-4), purchases: [purchase])
        let authority = row[5] == "other" ? ReceiptAuthority.other : .shared
        var receipt = authority.receipt(payload.encoded)
        if row[5] == "changed" { receipt[receipt.count - 1] ^= 1 }
        let period = AppleAnswer.period(row[1], from: from, to: to, cancelled: cancelled)
        let answer = AppleAnswer.verified(row[5] == "Apple" ? [period] : [])
        return (
            user: row[0], receipt: String(decoding: Base64.encode(receipt), as: UTF8.self),
            answer: [LoopbackServer.Act.reply(answer)]
        )
    }

    private static let night = "run --roots=roots --max-unverified=50%"

    @Test(
        "An offline run judges by signatures alone, and says so",
        arguments: Session.all(
            #"""
            # Offline findings rest on signatures alone, every row says so, and the next run clears
            run --offline --replay=20261120T020000Z-000001 \#
                | 64 | --offline cannot be combined with --replay
            run --offline --roots=/nowhere | 78 | $ Give a folder of certificates.
            \#(night) --offline --dry-run | 0 | Dry run: 7 receipts of 8 users would be judged \#
            offline, by their own signatures, and nothing would be sent. \#
                | $ Nothing was written; leave --dry-run out to run.
            \#(night) --offline --shared-secrets=/nowhere --production-url=http://example.com/ \#
                | 0 | , judged offline, is complete, with 5 findings. | > OFFLINE: Judged offline \#
                | 2> This run is judged offline
            ties
            sh kinds expirations refunds mismatches receipts cleared | 0 \#
                | ~ ^refund_recorded flo\nactive_not_granted bob\n\#
            grant_without_receipt eve\nreceipt_not_authentic cyd\n\#
            receipt_is_jws dan\n$
            tr -d ' \n' < reports/latest/summary.json | 0 | > "oldest_verified_at":null \#
                | > "receipts":{"in_scope":7,"verified":4,"rejected":1,"unusable":1,\#
            "unverified":1} | > "entitlements":{"in_scope":8,"consistent":1,"with_finding":2,"settling":0,\#
            "unverified":5,"not_judged":0} | > "offline":true
            cat reports/latest/manifest.json | 0 | > "offline": true
            cat reports/latest/index.html | 0 | > <p class="notice">Judged offline
            cd reports/latest; grep -h '"run_id"' refunds.json mismatches.json receipts.json \#
            unverified.json| grep -v 'judged offline' | 1
            update team.entitlements set active = true where id = 'e-bob'
            \#(night) --offline --as-of=2026-11-21T02:00:00Z | 0
            sh kinds cleared refunds | 0 | = active_not_granted bob
            asks | 0

            # An offline run clears no finding of an online run; the next online run has it again
            \#(night) | 0
            grep '"offline"' reports/latest/summary.json | 1
            sh kinds expirations cleared | 0 | = expired_still_granted ann
            cat reports/latest/expirations.json | 0 | > "lifecycle":"new" | ! offline
            grep active_not_granted reports/latest/mismatches.json | 0 | > "lifecycle":"new"
            \#(night) --offline --as-of=2026-11-21T02:00:00Z | 0
            grep '"offline": true' reports/latest/summary.json | 0
            sh kinds expirations cleared | 0 | =
            grep active_not_granted reports/latest/mismatches.json | 0 | > "lifecycle":"persisting"
            \#(night) --as-of=2026-11-22T02:00:00Z | 0
            grep '"offline"' reports/latest/summary.json | 1
            sh kinds expirations cleared | 0 \#
                | ~ ^expired_still_granted ann\nreceipt_not_authentic cyd\n$
            cat reports/latest/expirations.json | 0 | > "lifecycle":"persisting" | ! offline
            grep active_not_granted reports/latest/mismatches.json | 0 | > "lifecycle":"persisting"
            asks | 12
            update team.entitlements set active = true where id = 'e-bob'
            \#(night) --offline --as-of=2026-11-23T02:00:00Z | 0
            grep active_not_granted reports/latest/cleared.json | 0
            grep '"run_id"' reports/latest/cleared.json| grep -v 'judged offline' | 1
            """#))
    func session(session: Session) async throws {
        let answers = Dictionary(
            uniqueKeysWithValues: Self.customers.map { ($0.receipt, $0.answer) })
        let apple = try ScriptedApple { answers[$0.receipt] ?? [.hangUp] }
        let folder = try TemporaryFolder()
        try folder.writeRoots()
        let secrets = try folder.write("* = canary", to: "secrets")
        let script = #"""
            for file; do
                sed -nE 's/.*"kind":"(\w+)".*"user_id":"(\w+)".*/\1 \2/p' reports/latest/$file.json
            done
            """#
        _ = try folder.write(script, to: "kinds")
        try await TestDatabase.with(.views) { test in
            try await test.sell("pro.monthly")
            for (user, text, _) in Self.customers + [("dan", "eyJh.eyJi.c2ln", [])] {
                try await test.store(receipt: user, of: user, data: .text(text))
            }
            for user in Self.customers.map(\.user) + ["dan", "eve"] {
                try await test.store(
                    entitlement: "e-\(user)", of: user, isActive: user != "bob",
                    expires: "2026-11-25T02:00:00Z")
            }
            try await NightScene(
                test: test, apple: apple, folder: folder, database: test.url, secrets: secrets
            ).play(session)
        }
    }
}
