import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Users, their transaction, its days from `AppleAnswer.asOf`, and who signed the receipt.
/// Apple refuses those that it has not signed.
private let customers = textTable(
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
        id: row[1], at: day(from), expires: day(to), cancelled: cancelled.map(day) ?? "")
    let payload = PayloadForge(createdAt: day(-4), purchases: [purchase])
    let authority = row[5] == "other" ? ReceiptAuthority.other : .shared
    var receipt = authority.receipt(payload.encoded)
    if row[5] == "changed" { receipt[receipt.count - 1] ^= 1 }
    let period = AppleAnswer.period(row[1], from: from, to: to, cancelled: cancelled)
    return (
        user: row[0], receipt: String(decoding: Base64.encode(receipt), as: UTF8.self),
        answer: AppleAnswer.verified(row[5] == "Apple" ? [period] : [])
    )
}

private func day(_ days: Double) -> String {
    Date(timeIntervalSince1970: 1_795_140_000 + days * 86_400).ISO8601Format()
}

private let night = "run --roots=roots --max-unverified=50%"
private let judged = "grep active_not_granted reports/latest/mismatches.json"

private let offlineNights = Session.all(
    #"""
    # Offline findings rest on signatures alone, every row says so, and the next run clears
    run --offline --replay=20261120T020000Z-000001 | 64 | --offline cannot be combined with --replay
    run --offline --roots=/nowhere | 78 | $ Give a folder of certificates.
    \#(night) --offline --dry-run | 0 | Dry run: 7 receipts of 8 users would be judged offline, \#
    by their own signatures, and nothing would be sent. Nothing was written; leave --dry-run out
    \#(night) --offline --shared-secrets=/nowhere --production-url=http://example.com/ \#
        | 0 | , judged offline, is complete, with 5 findings. | > OFFLINE: Judged offline \#
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

/// Runs the built program with `--offline`, and counts requests to a scripted Apple.
@Suite("An offline nightly run", .timeLimit(.minutes(10)))
struct OfflineNightTests {
    @Test("An offline run judges by signatures alone, and says so", arguments: offlineNights)
    func session(session: Session) async throws {
        let answers = customers.map { ($0.receipt, [LoopbackServer.Act.reply($0.answer)]) }
        let acts = Dictionary(uniqueKeysWithValues: answers)
        try await NightScene.with(acts: acts) { scene in
            let roots = URL(fileURLWithPath: scene.folder.path + "/roots")
            try FileManager.default.createDirectory(at: roots, withIntermediateDirectories: false)
            try Data(ReceiptAuthority.shared.root.der).write(to: roots.appending(path: "root.cer"))
            try await scene.test.execute("truncate team.receipts, team.entitlements")
            for (user, text, _) in customers + [("dan", "eyJh.eyJi.c2ln", "")] {
                try await scene.test.store(receipt: user, of: user, data: .text(text))
            }
            for user in customers.map(\.user) + ["dan", "eve"] {
                try await scene.test.store(
                    entitlement: "e-\(user)", of: user, isActive: user != "bob",
                    expires: "2026-11-25T02:00:00Z")
            }
            try await scene.steps(session.steps)
            try scene.latestReports()
        }
    }
}
