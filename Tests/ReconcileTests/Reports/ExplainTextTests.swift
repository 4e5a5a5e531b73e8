import Foundation
import Testing

@testable import Reconcile

/// To add a case: a row with what is put before and after every id and name; or a test that
/// compares the text about one user.
@Suite("The output of explain")
struct ExplainTextTests {
    /// The rights above are as docs/disputes.md shows them. Here and below, `@` is T02:00:00Z.
    private static let course = """
        What happened
          2026-08-21@ bought pro.monthly (trial), until 2026-09-21@ transaction 1
                                [abababababab]
          2026-09-21@ renewed pro.monthly, until 2026-10-21@ transaction 2 [abababababab]
          2026-11-20@ expired_still_granted 01234567: new, run 20261120T020000Z-00000a
          2026-11-20T08:00:00Z expired_still_granted 01234567: accepted by ada: known

        Receipts
          r-1 of acme: verified, status 0, verifyReceipt, Production, \
        asked at 2026-11-20T02:00:05Z, answer
          abababababababababababababababababababababababababababababababab

        Asked now, at 2026-11-21T08:00:00Z; nothing of it is kept
          r-1 of acme: verified, status 0, verifyReceipt, Production, \
        asked at 2026-11-20T02:00:05Z, answer
          abababababababababababababababababababababababababababababababab
          group:pro: finding expired_still_granted, Apple: expired until 2026-10-21@ → consistent,
            Apple: active until 2026-12-10@
            Apple shows pro.monthly (transaction 2, bought 2026-09-21@) as paid until
            2026-12-10@, and entitlement e-1 grants pro.monthly until 2026-12-10@: the two
            agree.

        """

    private static func agreement(_ row: String, until day: String) -> String {
        """
        Apple shows pro.monthly (transaction 2, bought 2026-09-21@) as paid until \(day)@, and \
        entitlement \(row) grants pro.monthly until \(day)@: the two agree.
        """
    }

    private static func sides(
        _ row: String, until expiry: String, _ state: String, until end: String
    ) -> String {
        """
        "is_granted": true, "stored": { "entitlement_id": "\(row)", "product_id": "pro.monthly", \
        "source": "promo", "is_active": true, "expires_at": "\(expiry)@", \
        "original_transaction_id": "1", "auto_renew": true, "ownership": "PURCHASED", \
        "updated_at": "2026-11-01@" }, "apple": { "state": "\(state)", \
        "product_id": "pro.monthly", "transaction_id": "2", "original_transaction_id": "1", \
        "purchased_at": "2026-09-21@", "ends_at": "\(end)@", "grace_period_expires_at": null, \
        "will_renew": false, "ownership": "PURCHASED", "is_trial": false, "reason": "voluntary", \
        "receipt_id": "r-1", "bundle_id": "acme", "environment": "Production", \
        "source": "verify_receipt" }, "other_purchases": 0, "paid_app": null }
        """
    }

    private static func agreed(_ right: String, _ row: String, until day: String) -> String {
        """
        { "right": "\(right)", "outcome": "consistent", "kind": null, "cause": null, "rule": null, \
        "sentence": "\(agreement(row, until: day))", \(sides(row, until: day, "active", until: day))
        """
    }

    private static let receipts = """
        "receipts": [ { "receipt_id": "r-1", "bundle_id": "acme", "outcome": "verified", \
        "cause": null, "source": "verify_receipt", "environment": "Production", \
        "answered_at": "2026-11-20T02:00:05Z", "last_status": 0, "detail": null } ]
        """

    private static let answers = """
        "answers": [ { "evidence_sha256": "\(digest)", "source": "verify_receipt", \
        "receipt_id": "r-1", "environment": "Production", "answered_at": "2026-11-20T02:00:05Z", \
        "run_id": "20261120T020000Z-00000a" } ]
        """

    private static let json = """
        { "run_id": "20261120T020000Z-00000a", "state": "published", "as_of": "2026-11-20@", \
        "user_id": "ann", "is_judged": true, "rights": [ { "right": "group:pro", \
        "outcome": "finding", "kind": "expired_still_granted", "cause": null, \
        "rule": "the row grants, and what gave the right has expired", \
        "sentence": "The row e-1 grants pro.monthly, which expired.", \
        \(sides("e-1", until: "2026-12-10", "expired", until: "2026-10-21")), \
        \(agreed("product:maps", "e-2", until: "2026-12-21")) ], "findings": [ { \
        "finding_id": "0123456789abcdef0123456789abcdef", "kind": "expired_still_granted", \
        "severity": "high", "direction": "leak", "lifecycle": "new", "first_seen": "2026-11-20@", \
        "entitlement_id": "e-1", "explanation": "The row e-1 grants pro.monthly, which expired.", \
        "proposed_action": "revoke", "goes_away_when": "the row no longer grants (is_active false, \
        or expires_at in the past), or Apple's answers give the right", \
        "evidence_sha256": "\(digest)", "source": null } ], "timeline": [ { "at": "2026-08-21@", \
        "what": "bought pro.monthly (trial), until 2026-09-21@", "transaction_id": "1", \
        "evidence_sha256": "\(digest)", "source": "verify_receipt" }, { "at": "2026-09-21@", \
        "what": "renewed pro.monthly, until 2026-10-21@", "transaction_id": "2", \
        "evidence_sha256": "\(digest)", "source": "verify_receipt" }, { "at": "2026-11-20@", \
        "what": "expired_still_granted 01234567: new, run 20261120T020000Z-00000a", \
        "transaction_id": null, "evidence_sha256": null, "source": null }, \
        { "at": "2026-11-20T08:00:00Z", \
        "what": "expired_still_granted 01234567: accepted by ada: known", "transaction_id": null, \
        "evidence_sha256": null, "source": null } ], \(receipts), \(answers), \
        "live": { "asked_at": "2026-11-21T08:00:00Z", \
        "rights": [ \(agreed("group:pro", "e-1", until: "2026-12-10")), \
        \(agreed("product:maps", "e-2", until: "2026-12-21")) ], "findings": [], \(receipts), \
        "changes": [ { "subject": "group:pro", "before": "finding expired_still_granted, Apple: \
        expired until 2026-10-21@", "now": "consistent, Apple: active until 2026-12-10@", \
        "sentence": "\(agreement("e-1", until: "2026-12-10"))" } ] } }
        """

    @Test("The history, the receipts and what has changed since are in the text and in the JSON")
    func golden() {
        let file = NamedCustomer().file()
        #expect(oneLine(ExplainJSON.bytes(file)).replacing("T02:00:00Z", with: "@") == Self.json)
        let text = ExplainText(file).text.replacing("T02:00:00Z", with: "@")
        #expect(text.hasSuffix("\n\n" + Self.course))
    }

    @Test("What the API tells of a purchase is in the history, beside its digest and its source")
    func soldByAPI() throws {
        var file = NamedCustomer().file()
        var answer = try #require(file.answers.first)
        let sold = Transaction(
            id: "2", originalID: "1", product: "pro.monthly", purchasedAt: .day(-60),
            expiresAt: .day(-30), cancelledAt: .day(-40), offerCode: "SUMMER",
            sale: Sale(
                price: SalePrice(thousandths: 4_990, currency: "USD"),
                revocationPercentage: 67_932, accountToken: "7e3f"))
        answer.server = .serverAPI
        answer.digest = String(repeating: "cd", count: 32)
        answer.shows = .showing(sold, bundle: "acme")
        file.answers.append(answer)
        let text = ExplainText(file).text.replacing(#/\n {24}/#, with: " ")
            .replacing("T02:00:00Z", with: "@")
        for line in [
            "2026-08-21@ bought pro.monthly (trial), until 2026-09-21@ transaction 1"
                + " [abababababab]",
            "2026-09-21@ renewed pro.monthly (offer code SUMMER, 4.99 USD, by account 7e3f), until"
                + " 2026-10-21@ transaction 2 [cdcdcdcdcdcd]",
            "2026-10-11@ Apple refunded pro.monthly (67.932 % of the price) transaction 2"
                + " [cdcdcdcdcdcd]",
            "[abababababab] verifyReceipt about receipt r-1, Production",
            "[cdcdcdcdcdcd] the App Store Server API about a customer in receipt r-1, Production",
        ] { #expect(text.contains(line), "\(line)\n\(text)") }
        // The same renewal of verifyReceipt is not repeated.
        #expect(!text.contains("renewed pro.monthly, until"))
    }

    struct PriceInWords: Sendable {
        let price: SalePrice
        let words: String

        init(_ thousandths: Int, _ currency: String, _ words: String) {
            price = SalePrice(thousandths: thousandths, currency: currency)
            self.words = words
        }
    }

    @Test(
        "A recorded price has the decimals of its currency, and more where Apple recorded more",
        arguments: [
            PriceInWords(4_990, "USD", "4.99 USD"), PriceInWords(0, "EUR", "0.00 EUR"),
            PriceInWords(1_200_000, "JPY", "1200 JPY"), PriceInWords(1_500, "JPY", "1.5 JPY"),
            PriceInWords(12_345, "KWD", "12.345 KWD"), PriceInWords(4_995, "USD", "4.995 USD"),
        ])
    func price(example: PriceInWords) { #expect(example.price.inWords == example.words) }

    @Test(
        "The text fits 100 columns and shows control characters escaped, for any ids and names",
        arguments: [
            ("", String(repeating: "x", count: 3_000)), ("", "\u{1B}[31m\r\n\t\u{7F}\u{85}"),
            ("\u{202E}", "\u{2066}\u{200B}\u{FEFF}"), ("\"", "\\\"',=+@{}[]%s%n"), ("  ", "   "),
            ("", String(repeating: "🧾é漢\u{301}", count: 200)), (nil, ""),
        ] as [(before: String?, after: String)])
    func hostile(before: String?, after: String) throws {
        func odd(_ word: String) -> String { before.map { $0 + word + after } ?? "" }
        let file = NamedCustomer(text: odd).file()
        let text = ExplainText(file).text
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 100, "\(line.prefix(120))")
            #expect(line == line.description.escapingControls()[...])
        }
        // Apart from line breaks the text is complete.
        func bare(_ text: String) -> String { text.filter { !" \n".contains($0) } }
        let all = bare(text)
        for word in ["ann", "r-1", "e-1", "pro.monthly", "acme", "2", "pro", "maps", "ada"] {
            #expect(before == nil || all.contains(bare(odd(word).escapingControls())), "\(word)")
        }
        let json = try JSONSerialization.jsonObject(with: Data(ExplainJSON.bytes(file)))
        let object = try #require(json as? [String: Any])
        let user = try #require(object["user_id"] as? String)
        #expect(user.unicodeScalars.elementsEqual(odd("ann").unicodeScalars))
        #expect((object["rights"] as? [[String: Any]])?.count == 2)
    }

    @Test("Of two rights without a row each has its own finding")
    func withoutRow() {
        let judgement = Judge.acme.judgement([.answer(.unlock(bought: -9), .full(bought: -9))])
        var file = NamedCustomer().file()
        file.rights = judgement.rights
        file.findings = judgement.findings.map { ReportedFinding(identifying: $0, judgedAt: .asOf) }
        file.live = nil
        let text = ExplainText(file).text
        #expect(Set(file.findings.map(\.finding.productApple)) == ["unlock", "full"])
        for finding in file.findings { #expect(text.contains("finding_id is \(finding.id).")) }
        #expect(!text.contains("Other findings"))
    }
}

private let digest = String(repeating: "ab", count: 32)

/// The customer `ann` of a run, for the output of `explain --live`: the subscription was renewed.
/// `text` changes each id and name, so that a test can use hostile ones.
private struct NamedCustomer {
    var text: (String) -> String = { $0 }

    private func id<Kind>(_ name: String) -> Identifier<Kind> { Identifier(text(name)) }

    func file() -> CustomerFile {
        let run = Run.sample(suffix: 10)
        let known = RunListing(
            run: run, number: 7, state: "published", makesHistory: true, rulesVersion: 7,
            isPruned: false, account: nil, status: nil, isComplete: true, previousRun: nil,
            codeVersion: "1")
        let group = "group:" + text("pro")
        let maps = right("product:" + text("maps"), "e-2", until: 31, .active, 31)
        var file = CustomerFile(run: known, user: id("ann"))
        file.rights = [right(group, "e-1", until: 20, .expired, -30), maps]
        let why = "The row \(text("e-1")) grants \(text("pro.monthly")), which expired."
        var reported = ReportedFinding.sample(user: id("ann"), explanation: why)
        reported.finding.entitlement = id("e-1")
        reported.finding.evidenceSHA256 = digest
        file.findings = [reported]
        let answer = trialAndRenewal(in: run)
        let receipt = CustomerFile.CheckedReceipt(
            id: id("r-1"), bundle: id("acme"), outcome: "verified", server: .production,
            answeredAt: answer.answeredAt, lastStatus: 0)
        file.receipts = [receipt]
        let accepted = "accepted by \(text("ada")): \(text("known"))"
        file.changes = [(run.asOf, run.id, "new"), (.day(0.25), nil, accepted)].map {
            CustomerFile.Change(
                at: $0, run: $1, finding: reported.id, kind: .expiredStillGranted, what: $2)
        }
        file.answers = [answer]
        file.live = CustomerFile.Live(
            at: .day(1.25), rights: [right(group, "e-1", until: 20, .active, 20), maps],
            findings: [], receipts: file.receipts)
        return file
    }

    /// A right with a row that grants until `expiry`, and Apple's state until `end`.
    private func right(
        _ name: String, _ row: String, until expiry: Double, _ state: AppleState, _ end: Double
    ) -> JudgedRight {
        let stored = StoredEntitlement(
            id: id(row), user: id("ann"), product: id("pro.monthly"), originalTransaction: id("1"),
            isActive: true, expiresAt: .day(expiry), autoRenew: true, ownership: .purchased,
            source: .other(text("promo")), updatedAt: .day(-19))
        let apple = AppleSide(
            state: state, kind: .autoRenewable, product: stored.product, transaction: id("2"),
            originalTransaction: id("1"), purchasedAt: .day(-60), expiresAt: .day(end),
            endsAt: .day(end), goneAt: .day(end), gracePeriodExpiresAt: nil,
            ownership: .purchased, isTrial: false, willRenew: false, reason: text("voluntary"),
            receipt: id("r-1"), bundle: id("acme"), environment: .production)
        let isExpired = state == .expired
        return JudgedRight(
            row: stored, right: name, outcome: isExpired ? .finding : .consistent,
            kind: isExpired ? .expiredStillGranted : nil, apple: apple)
    }

    private func trialAndRenewal(in run: Run) -> CustomerFile.ShownAnswer {
        let periods = [(id: "1", from: -91.0, to: -60.0), ("2", -60, -30)].map { period in
            Transaction(
                id: id(period.id), originalID: id("1"), product: id("pro.monthly"),
                purchasedAt: .day(period.from), expiresAt: .day(period.to),
                isTrial: period.id == "1")
        }
        return CustomerFile.ShownAnswer(
            run: run.id, receipt: id("r-1"), answeredAt: run.asOf + .seconds(5),
            server: .production, digest: digest,
            shows: .showing(periods[0], periods[1], bundle: id("acme")))
    }
}
