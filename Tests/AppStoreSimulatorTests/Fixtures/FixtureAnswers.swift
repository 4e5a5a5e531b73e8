import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// With `RECONCILE_REWRITE_DOCS=1` the files are written anew; `EXPECT.csv` is written by hand.
@Suite("The fixtures")
struct FixtureFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Fixtures").standardized

    @Test("The files in Tests/Fixtures are the bytes that the generator writes, and no others")
    func files() throws {
        let generated = FixtureAnswers.all.merging(FixtureReceipts.all) { first, _ in first }
        let isRewriting = ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil
        for (name, bytes) in generated {
            let file = Self.folder.appending(path: name)
            if isRewriting { try Data(bytes).write(to: file) }
            let isSame = try Data(contentsOf: file) == Data(bytes)
            #expect(isSame, "\(name): rewrite it with RECONCILE_REWRITE_DOCS=1")
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        // What the fuzzers begin with is kept by hand.
        let written = files.filter { $0.contains("/") && !$0.hasPrefix("fuzz/") }
        #expect(written.sorted() == generated.keys.sorted())
        #expect(generated.values.reduce(0) { $0 + $1.count } < 380_000)
    }
}

/// The answers in `Tests/Fixtures/responses`: states of subscriptions and purchases, Apple's
/// irregularities, and malformed entries.
enum FixtureAnswers {
    static let all = FixtureAccount.all.reduce(into: Dictionary(uniqueKeysWithValues: statuses)) {
        $0["responses/\($1.key).json"] = Array(text($1.key, $1.value).utf8)
    }

    /// The answer that Apple would have given, with the edits of that name.
    private static func text(_ name: String, _ customer: FixtureAccount) -> String {
        let latest = Array("bGF0ZXN0".utf8)
        let mark = ReceiptMark(seed: 1, customer: 1, account: 0, number: 1)
        let quirks = customer.quirks
        let modern = ModernAnswer(
            account: customer.account, mark: mark, createdAt: .day(-3), now: .fixture,
            quirks: quirks, excludesOld: customer.excludesOld, latestReceipt: latest)
        let old = OldAnswer(
            account: customer.account, createdAt: .day(-3), now: .fixture, quirks: quirks,
            latestReceipt: latest)
        var writer = JSONWriter(
            isSpaced: quirks.contains(.spacedOut), escapesSlashes: quirks.contains(.escapedSlashes))
        writer.write(customer.account.style == .iOS6 ? old.json() : modern.json())
        var text = String(decoding: writer.bytes, as: UTF8.self)
        for edit in edits where edit[0] == name {
            precondition(text.contains(edit[1]), "\(name) has no \(edit[1])")
            text = text.replacing(edit[1], with: edit[2])
        }
        return (quirks.contains(.byteOrderMark) ? "\u{FEFF}" : "") + text
    }

    private static let edits = #"""
        expiry-impossible | "2026-12-10 02:00:00 Etc/GMT","expires_date_ms":"1796868000000" \#
        | "9999-99-99 99:99:99 Etc/GMT","expires_date_ms":"soon"
        transaction-id-missing | "transaction_id":"480000000000702", |
        transaction-twice | 480000000000712 | 480000000000711
        entries-not-objects | "in_app":[ | "in_app":[7,"x",null,
        renewals-null | "pending_renewal_info":[{ | "pending_renewal_info":null,"x":[{
        latest-as-one-object | "latest_receipt_info":[{ | "latest_receipt_info":{
        latest-as-one-object | }],"latest_receipt": | },"latest_receipt":
        zero-milliseconds | "purchase_date_ms":"1794362400000" | "purchase_date_ms": "0000000000000"
        status-21003-with-receipt | "status":0 | "status":21003
        """#.rows

    /// Statuses of an answer without a receipt, with what else Apple sends.
    private static let statuses = #"""
        21000 |
        21002 | ,"exception":"java.lang.IllegalArgumentException"
        21003 |
        21004 | ,"environment":"Production"
        21005 |
        21007 |
        21008 |
        21009 | ,"is_retryable":true
        21010 | ,"environment":"Production","is-retryable":false
        21199 | ,"is-retryable":true
        """#.pairs.map { ("responses/status-\($0).json", Array(#"{"status":\#($0)\#($1)}"#.utf8)) }
}

/// An invented customer of the app Atlas, and how Apple's answer about this customer is irregular.
struct FixtureAccount {
    var account = AppAccount(.atlas, installedAt: .day(-900))
    var quirks: Set<AnswerQuirk> = []
    var excludesOld = false

    private static let plain = "monthly 101 -40, monthly 102 -10"
    private static let collection = """
        monthly 301 -70, monthly 302 -40, monthly 303 -10; weekly 311 -2 days 7 | unlock 321 -200, \
        coins 322 -100, pass 323 -20, coins 324 -50 refunded -48
        """
    private static let refund = "monthly 401 -40, monthly 402 -10 refunded -5 off -5 intent 1"
    private static let failure = "intent 2 failing"

    /// By the name of the answer: subscriptions, other purchases, facts. `monthly 101 -40` is a
    /// period with the last digits of its id and the day of its purchase. The app's paid time ended
    /// with version 240. Of those after `purchase-date-null` the answers are edited, too.
    static let all: [String: FixtureAccount] = """
        subscriber | \(plain) | |
        newcomer-without-purchases | | |
        trial | monthly 221 -10 trial | |
        introductory-offer | monthly 221 -10 introductory | |
        promotional-offer | monthly 221 -10 promotion winback | |
        offer-code | monthly 221 -10 code Launch~code | |
        family-member | monthly 221 -10 shared | |
        family-left | monthly 221 -10 refunded -4 shared | |
        upgraded | plus.monthly 231 -10 refunded -5 upgraded -5, monthly 232 -5 | |
        downgrading | monthly 241 -10 next plus.monthly | |
        not-renewing | monthly 251 -10 off -2 | |
        grace-period | monthly 201 -64, monthly 202 -34 \(failure) -4 grace 12 until 56 | |
        billing-retry | monthly 201 -85, monthly 202 -55 \(failure) -25 until 35 | |
        billing-retry-ended | monthly 201 -125, monthly 202 -95 \(failure) -65 until -5 | |
        ended-by-customer | monthly 211 -65 off -50 intent 1 | |
        ended-price-refused | monthly 211 -65 off -50 intent 3 | |
        ended-product-unavailable | monthly 211 -65 off -50 intent 4 | |
        refunded | \(refund) | |
        refunded-earlier-for-the-app | monthly 261 -40 refunded -35 defect, monthly 262 -10 | |
        returned-after-a-gap | monthly 271 -200, monthly 272 -10 | |
        collector | \(collection) |
        shared-unlock-revoked | | unlock 281 -90 refunded -9 shared |
        freemium-bought-when-paid | | | version 98
        freemium-version-missing | | | version 98 noOriginalVersion
        volume-purchase | | unlock 601 -100 | volume
        sandbox | monthly 501 -1 | | version 1.0 sandbox
        oldest-first-latest-only | \(collection) | latest oldestFirst
        shuffled | \(collection) | shuffledLists shuffledKeys noOwnership noGroup
        numbers-and-booleans | \(collection) | numbersForStrings booleansForStrings numbersForIDs
        fractions-and-status-text | \(plain) | | fractionalMilliseconds statusAsString noEnvironment
        byte-order-mark | \(plain) | | byteOrderMark nullDownloadID
        spaced-and-escaped | \(plain) | \
        | spacedOut escapedSlashes unknownKeys accountToken itunesEnvironment
        refund-only-in-latest | \(refund) | | cancellationOnlyInLatest
        renewal-names-product-only | \(plain) | | renewalWithoutChain
        in-app-stale | monthly 291 -31, monthly 292 -1 | | staleInApp
        ios6-subscriber | monthly 801 -40, monthly 802 -10 | | iOS6
        ios6-three-forms | monthly 811 -10 | | iOS6 expiryInThreeForms vendorIdentifier
        ios6-expired | monthly 821 -60 off -40 intent 1 | | iOS6
        ios6-refunded | monthly 831 -10 refunded -5 | | iOS6
        purchase-date-null | \(plain) | | garbled
        expiry-impossible | \(plain) | |
        transaction-id-missing | | unlock 701 -9, coins 702 -8 |
        transaction-twice | | unlock 711 -9, coins 712 -8 |
        entries-not-objects | \(plain) | |
        renewals-null | monthly 721 -10 | |
        latest-as-one-object | monthly 731 -10 | |
        zero-milliseconds | | unlock 741 -9 |
        status-21003-with-receipt | | unlock 601 -100 | volume
        """.rows.reduce(into: [:]) {
            $0[$1[0]] = FixtureAccount(subscriptions: $1[1], purchases: $1[2], facts: $1[3])
        }

    private init(subscriptions: String, purchases: String, facts: String) {
        let facts = Words(facts[...])
        account.subscriptions = subscriptions.split(separator: ";").map { text in
            text.split(separator: ",").reduce(into: Subscription(periods: [])) { chain, words in
                chain.periods.append(Purchase(Words(words), in: chain))
                chain.renewal = Renewal(Words(words))
            }
        }
        account.purchases = purchases.split(separator: ",").map { Purchase(Words($0), in: nil) }
        account.originalVersion = facts.text("version") ?? "300"
        account.isSandbox = facts.has("sandbox")
        account.isVolume = facts.has("volume")
        account.isGarbled = facts.has("garbled")
        account.style = facts.has("iOS6") ? .iOS6 : .modern
        excludesOld = facts.has("latest")
        quirks = Set(AnswerQuirk.allCases.filter { facts.has($0.rawValue) })
    }
}

extension Moment {
    /// The instant at which the answers in `Tests/Fixtures` were made. Days are counted from it.
    static let fixture = Moment(milliseconds: 1_795_140_000_000)
    static func day(_ days: Int) -> Moment { fixture.days(days) }
}

extension Purchase {
    /// - Parameter chain: what came before it in a chain of periods.
    fileprivate init(_ words: Words, in chain: Subscription?) {
        let name = words.all[0]
        let product = SimulatedApp.atlas.product(name == "monthly" ? "pro.monthly" : name)
        let start = Int(words.all[2]) ?? 0
        self.init(product, id: 480_000_000_000_000 + (Int64(words.all[1]) ?? 0), at: .day(start))
        if chain != nil { expiresAt = .day(start + (words.number("days") ?? 30)) }
        if let first = chain?.periods.first {
            originalID = first.id
            originallyPurchasedAt = first.purchasedAt
        }
        cancelledAt = words.day("refunded")
        isRefundedForTheApp = words.has("defect")
        upgradedAt = words.day("upgraded")
        isTrial = words.has("trial")
        isIntroductory = words.has("introductory")
        isShared = words.has("shared")
        promotionalOffer = words.text("promotion")
        offerCode = words.text("code")
    }
}

extension Renewal {
    fileprivate init(_ words: Words) {
        self.init()
        turnedOffAt = words.day("off")
        intent = words.number("intent")
        nextProduct = words.text("next").map(SimulatedApp.atlas.product)
        if let since = words.day("failing"), let end = words.day("until") {
            failure = BillingFailure(since: since, graceUntil: words.day("grace"), givesUpAt: end)
        }
    }
}

/// Words of a text. A blank within a word is written as ~.
private struct Words {
    let all: [String]

    init(_ text: Substring) {
        all = text.split(separator: " ").map { String($0).replacing("~", with: " ") }
    }

    func has(_ name: String) -> Bool { all.contains(name) }
    /// The word after `name`.
    func text(_ name: String) -> String? { all.firstIndex(of: name).map { all[$0 + 1] } }
    func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
    func day(_ name: String) -> Moment? { number(name).map(Moment.day) }
}
