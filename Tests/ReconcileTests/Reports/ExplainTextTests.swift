import Foundation
import Testing

@testable import Reconcile

@Suite("The output of explain")
struct ExplainTextTests {
    /// The rights above it are as docs/disputes.md shows them.
    private static let course = """
        What happened
          2026-08-21T02:00:00Z bought pro.monthly (trial), until 2026-09-21T02:00:00Z \
        transaction 1
                                [abababababab]
          2026-09-21T02:00:00Z renewed pro.monthly, until 2026-10-21T02:00:00Z transaction 2 \
        [abababababab]
          2026-11-20T02:00:00Z expired_still_granted 01234567: new, run 20261120T020000Z-00000a
          2026-11-20T09:00:00Z expired_still_granted 01234567: accepted by ada: known

        Receipts
          r-1 of acme: verified, status 0, Production, asked at 2026-11-20T02:00:05Z, answer
          abababababababababababababababababababababababababababababababab

        Asked now, at 2026-11-21T08:00:00Z; nothing of it is kept
          r-1 of acme: verified, status 0, Production, asked at 2026-11-20T02:00:05Z, answer
          abababababababababababababababababababababababababababababababab
          group:pro: finding expired_still_granted, Apple: expired until 2026-10-21T02:00:00Z \
        → consistent,
            Apple: active until 2026-12-10T02:00:00Z
            Apple shows pro.monthly (transaction 2, bought 2026-09-21T02:00:00Z) as paid until
            2026-12-10T02:00:00Z, and entitlement e-1 grants pro.monthly until \
        2026-12-10T02:00:00Z: the two
            agree.

        """

    /// In one line, with `DIGEST` for the evidence. "…" are the members of the last right, which
    /// are those of the first.
    private static let json = """
        { "run_id": "20261120T020000Z-00000a", "state": "published", \
        "as_of": "2026-11-20T02:00:00Z", "user_id": "ann", "is_judged": true, "rights": [ \
        { "right": "group:pro", "outcome": "finding", "kind": "expired_still_granted", \
        "cause": null, "rule": "the row grants, and what gave the right has expired", \
        "sentence": "The row e-1 grants pro.monthly, which expired.", "is_granted": true, \
        "stored": { "entitlement_id": "e-1", "product_id": "pro.monthly", \
        "source": "promo", "is_active": true, "expires_at": "2026-12-10T02:00:00Z", \
        "original_transaction_id": "1", "auto_renew": true, "ownership": "PURCHASED", \
        "updated_at": "2026-11-01T00:00:00Z" }, "apple": { "state": "expired", \
        "product_id": "pro.monthly", "transaction_id": "2", "original_transaction_id": "1", \
        "purchased_at": "2026-09-21T02:00:00Z", "ends_at": "2026-10-21T02:00:00Z", \
        "grace_period_expires_at": null, "will_renew": false, "ownership": "PURCHASED", \
        "is_trial": false, "reason": "voluntary", "receipt_id": "r-1", "bundle_id": "acme", \
        "environment": "Production" }, "other_purchases": 0, "paid_app": null }, \
        { "right": "product:maps", "outcome": "consistent", "kind": null, "cause": null, \
        "rule": null, "sentence": "Apple shows pro.monthly … ], \
        "findings": [ { "finding_id": "0123456789abcdef0123456789abcdef", \
        "kind": "expired_still_granted", "severity": "high", "direction": "leak", \
        "lifecycle": "new", "first_seen": "2026-11-20T02:00:00Z", "entitlement_id": "e-1", \
        "explanation": "The row e-1 grants pro.monthly, which expired.", \
        "proposed_action": "revoke", "goes_away_when": "the row no longer grants (is_active false, \
        or expires_at in the past), or Apple's answers give the right", \
        "evidence_sha256": "DIGEST" } ], "timeline": [ { "at": "2026-08-21T02:00:00Z", \
        "what": "bought pro.monthly (trial), until 2026-09-21T02:00:00Z", \
        "transaction_id": "1", "evidence_sha256": "DIGEST" }, { "at": "2026-09-21T02:00:00Z", \
        "what": "renewed pro.monthly, until 2026-10-21T02:00:00Z", "transaction_id": "2", \
        "evidence_sha256": "DIGEST" }, { "at": "2026-11-20T02:00:00Z", \
        "what": "expired_still_granted 01234567: new, run 20261120T020000Z-00000a", \
        "transaction_id": null, "evidence_sha256": null }, { "at": "2026-11-20T09:00:00Z", \
        "what": "expired_still_granted 01234567: accepted by ada: known", \
        "transaction_id": null, "evidence_sha256": null } ], "receipts": [ \
        { "receipt_id": "r-1", "bundle_id": "acme", "outcome": "verified", "cause": null, \
        "environment": "Production", "answered_at": "2026-11-20T02:00:05Z", "last_status": 0, \
        "detail": null } ], "live": { "asked_at": "2026-11-21T08:00:00Z", "rights": [ \
        { "right": "group:pro", "outcome": "consistent", … \
        "changes": [ { "subject": "group:pro", \
        "before": "finding expired_still_granted, Apple: expired until 2026-10-21T02:00:00Z", \
        "now": "consistent, Apple: active until 2026-12-10T02:00:00Z", \
        "sentence": "Apple shows pro.monthly (transaction 2, bought 2026-09-21T02:00:00Z) as paid \
        until 2026-12-10T02:00:00Z, and entitlement e-1 grants pro.monthly until \
        2026-12-10T02:00:00Z: the two agree." } ] } }
        """

    @Test("The history, the receipts and what has changed since are in the text and in the JSON")
    func golden() {
        let file = ExplainScene().file
        #expect(ExplainText(file).text.hasSuffix("\n\n" + Self.course))
        let json = oneLine(ExplainJSON.bytes(file)).replacing(ExplainScene.digest, with: "DIGEST")
        var rest = json[...]
        for part in Self.json.split(separator: "…") {
            let range = rest.firstRange(of: part)
            #expect(range != nil, "\(part)\nis not in\n\(json)")
            rest = rest[(range?.upperBound ?? rest.startIndex)...]
        }
        #expect(rest.isEmpty && json.hasPrefix("{ \"run_id\""))
    }

    @Test(
        "The text fits 100 columns and shows control characters escaped, for any ids and names",
        arguments: [
            ("", String(repeating: "x", count: 3_000)), ("", "\u{1B}[31m\r\n\t\u{7F}\u{85}"),
            ("\u{202E}", "\u{2066}\u{200B}\u{FEFF}"), ("\"", "\\\"',=+@{}[]%s%n"), ("  ", "   "),
            ("", String(repeating: "🧾é漢\u{301}", count: 200)), nil,
        ] as [(before: String, after: String)?])
    func hostile(around: (before: String, after: String)?) throws {
        func odd(_ word: String) -> String { around.map { $0.before + word + $0.after } ?? "" }
        let file = ExplainScene(text: odd).file
        let text = ExplainText(file).text
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 100, "\(line.prefix(120))")
            #expect(line == line.description.escapingControls()[...])
        }
        // Apart from line breaks the text is complete.
        func bare(_ text: String) -> String { text.filter { !" \n".contains($0) } }
        let all = bare(text)
        for word in ["ann", "r-1", "e-1", "pro.monthly", "acme", "2", "pro", "maps", "ada"] {
            let shown = bare(odd(word).escapingControls())
            #expect(around == nil || all.contains(shown), "\(word)")
        }
        let json = try JSONSerialization.jsonObject(with: Data(ExplainJSON.bytes(file)))
        let object = try #require(json as? [String: Any])
        let user = try #require(object["user_id"] as? String)
        #expect(user.unicodeScalars.elementsEqual(odd("ann").unicodeScalars))
        #expect((object["rights"] as? [[String: Any]])?.count == 2)
    }

    @Test("Of two rights without a row each has its own finding")
    func withoutRow() {
        var file = ExplainScene().file
        let kind = FindingKind.activeNotGranted
        file.rights = (file.rights ?? []).enumerated().map { number, right in
            var right = right
            right.row = nil
            right.outcome = .finding
            right.kind = kind
            right.right = "product:p\(number)"
            right.apple?.product = ProductID("p\(number)")
            return right
        }
        file.findings = (0..<2).map { number in
            var finding = Finding(
                kind: kind, weight: kind.weight, user: "ann",
                explanation: "Nothing grants p\(number).", reference: "product:p\(number)")
            finding.productApple = ProductID("p\(number)")
            return ReportedFinding(identifying: finding, judgedAt: file.run.run.asOf)
        }
        file.live = nil
        let text = ExplainText(file).text
        for words in ["Nothing grants p0.", "Nothing grants p1."] { #expect(text.contains(words)) }
        #expect(!text.contains("Other findings"))
    }
}

/// A customer of a run, for the output of `explain --live`: the subscription was renewed. `text`
/// changes each id and name, so that a test can use hostile ones.
private struct ExplainScene {
    static let digest = String(repeating: "ab", count: 32)

    var text: (String) -> String = { $0 }

    private func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? .distantPast }

    private func day(_ date: String) -> Instant { instant(date + "T02:00:00Z") }

    var file: CustomerFile {
        let run = Run(
            id: RunID(text: "20261120T020000Z-00000a"), asOf: day("2026-11-20"), scope: .everything)
        let known = KnownRun(
            run: run, number: 7, state: "published", makesHistory: true, rulesVersion: 7,
            isPruned: false, account: nil, status: nil, isComplete: true, previousRun: nil,
            codeVersion: "1", currencies: [])
        let asked = instant("2026-11-20T02:00:05Z")
        let expired = right(
            "group:" + text("pro"), "e-1", until: "2026-12-10", .expired, "2026-10-21")
        let maps = right(
            "product:" + text("maps"), "e-2", until: "2026-12-21", .active, "2026-12-21")
        let renewed = right(
            "group:" + text("pro"), "e-1", until: "2026-12-10", .active, "2026-12-10")
        var file = CustomerFile(run: known, user: UserID(text("ann")))
        file.rights = [expired, maps]
        file.findings = [reported]
        file.receipts = [
            CustomerFile.CheckedReceipt(
                id: ReceiptID(text("r-1")), bundle: BundleID(text("acme")), outcome: "verified",
                environment: .production, answeredAt: asked, lastStatus: 0)
        ]
        let accepted = "accepted by \(text("ada")): \(text("known"))"
        let nights = [(run.asOf, run.id, "new"), (instant("2026-11-20T09:00:00Z"), nil, accepted)]
        file.nights = nights.map { at, run, what in
            CustomerFile.Night(
                at: at, run: run, finding: reported.id, kind: .expiredStillGranted, what: what)
        }
        file.answers = [
            CustomerFile.ShownAnswer(
                run: run.id, receipt: ReceiptID(text("r-1")), answeredAt: asked,
                environment: .production, digest: Self.digest, shows: answer)
        ]
        file.live = CustomerFile.Live(
            at: instant("2026-11-21T08:00:00Z"), rights: [renewed, maps], findings: [],
            receipts: file.receipts)
        return file
    }

    /// A right with a row that grants until `expiry`, and Apple's state until `end`.
    private func right(
        _ name: String, _ row: String, until expiry: String, _ state: AppleState, _ end: String
    ) -> JudgedRight {
        let product = ProductID(text("pro.monthly"))
        let stored = StoredEntitlement(
            id: EntitlementID(text(row)), user: UserID(text("ann")), product: product,
            originalTransaction: TransactionID(text("1")), isActive: true, expiresAt: day(expiry),
            autoRenew: true, ownership: .purchased, source: .other(text("promo")),
            updatedAt: instant("2026-11-01T00:00:00Z"))
        let apple = AppleSide(
            state: state, kind: .autoRenewable, product: product,
            transaction: TransactionID(text("2")), originalTransaction: TransactionID(text("1")),
            purchasedAt: day("2026-09-21"), expiresAt: day(end), endsAt: day(end), goneAt: day(end),
            gracePeriodExpiresAt: nil, ownership: .purchased, isTrial: false, willRenew: false,
            reason: text("voluntary"), receipt: ReceiptID(text("r-1")),
            bundle: BundleID(text("acme")), environment: .production)
        let isExpired = state == .expired
        return JudgedRight(
            row: stored, right: name, outcome: isExpired ? .finding : .consistent,
            kind: isExpired ? .expiredStillGranted : nil, apple: apple)
    }

    private var reported: ReportedFinding {
        let kind = FindingKind.expiredStillGranted
        var finding = Finding(
            kind: kind, weight: kind.weight, user: UserID(text("ann")),
            explanation: "The row \(text("e-1")) grants \(text("pro.monthly")), which expired.",
            reference: text("e-1"))
        finding.entitlement = EntitlementID(text("e-1"))
        finding.receipt = ReceiptID(text("r-1"))
        finding.eventAt = day("2026-10-21")
        finding.evidenceSHA256 = Self.digest
        return ReportedFinding(
            id: "0123456789abcdef0123456789abcdef", finding: finding, firstSeen: day("2026-11-20"))
    }

    private var answer: Receipt {
        var transactions = [("1", "2026-08-21", "2026-09-21"), ("2", "2026-09-21", "2026-10-21")]
            .map { id, from, to in
                Transaction(
                    id: TransactionID(text(id)), originalID: TransactionID(text("1")),
                    product: ProductID(text("pro.monthly")), purchasedAt: day(from),
                    expiresAt: day(to))
            }
        transactions[0].isTrial = true
        return Receipt(
            bundle: BundleID(text("acme")), environment: .production, transactions: transactions)
    }
}
