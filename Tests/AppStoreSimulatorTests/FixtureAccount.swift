import Foundation
import Testing

@testable import AppStoreSimulator

/// With `RECONCILE_REWRITE_DOCS=1` the files are written anew instead. `EXPECT.csv` and `README.md`
/// are written by hand.
@Suite("The fixtures")
struct FixtureFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../Fixtures").standardized

    @Test("The files in Tests/Fixtures are the bytes that the generator writes, and no others")
    func files() throws {
        let generated = FixtureAnswers.all.merging(FixtureReceipts.all) { first, _ in first }
        let files = FileManager.default
        if ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil {
            for (name, bytes) in generated {
                let file = Self.folder.appendingPathComponent(name)
                try files.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: file)
            }
        }
        let kept = try Set(generated.keys.map { $0.prefix { $0 != "/" } }).flatMap { folder in
            try files.contentsOfDirectory(
                atPath: Self.folder.appendingPathComponent("\(folder)").path
            )
            .map { folder + "/" + $0 }
        }
        #expect(kept.sorted() == generated.keys.sorted())
        for (name, bytes) in generated {
            let file = try Data(contentsOf: Self.folder.appendingPathComponent(name))
            #expect(file == Data(bytes), "\(name): rewrite it with RECONCILE_REWRITE_DOCS=1")
        }
        #expect(generated.values.reduce(0) { $0 + $1.count } < 380_000)
    }
}

extension Moment {
    /// The instant at which the answers in `Tests/Fixtures` were made. Days are counted from it.
    static let fixture = Moment(milliseconds: 1_795_140_000_000)

    static func day(_ days: Int) -> Moment { fixture.days(days) }
}

/// Invented purchases. Of an id the last digits are given.
extension Purchase {
    static func period(
        _ id: Int64, _ product: String = "pro.monthly", from start: Int, days: Int = 30,
        refunded: Int? = nil, isShared: Bool = false, change: (inout Purchase) -> Void = { _ in }
    ) -> Purchase {
        var period = once(id, product, bought: start, refunded: refunded, isShared: isShared)
        period.expiresAt = .day(start + days)
        change(&period)
        return period
    }

    static func once(
        _ id: Int64, _ product: String, bought: Int, refunded: Int? = nil, isShared: Bool = false
    ) -> Purchase {
        var purchase = Purchase(
            SimulatedApp.atlas.product(product), id: 480_000_000_000_000 + id, at: .day(bought))
        purchase.cancelledAt = refunded.map(Moment.day)
        purchase.isShared = isShared
        return purchase
    }
}

extension Subscription {
    /// A chain of these periods, of which the first gives its id.
    static func chain(
        _ periods: Purchase..., off: Int? = nil, because intent: Int? = nil,
        renewal: (inout Renewal) -> Void = { _ in }
    ) -> Subscription {
        var chain = Subscription(
            periods: periods.map { period in
                var period = period
                period.originalID = periods[0].id
                period.originallyPurchasedAt = periods[0].purchasedAt
                return period
            })
        chain.renewal.turnedOffAt = off.map(Moment.day)
        chain.renewal.intent = intent
        renewal(&chain.renewal)
        return chain
    }
}

extension AppAccount {
    /// - Parameter version: when the customer first got the app; its paid time ended with 240.
    static func atlas(
        _ subscriptions: Subscription..., purchases: [Purchase] = [], version: String? = "300",
        change: (inout AppAccount) -> Void = { _ in }
    ) -> AppAccount {
        var account = AppAccount(.atlas, installedAt: .day(-900))
        account.originalVersion = version
        account.subscriptions = subscriptions
        account.purchases = purchases
        change(&account)
        return account
    }

    static let subscriber = atlas(.chain(.period(101, from: -40), .period(102, from: -10)))
    static let collector = atlas(
        .chain(.period(301, from: -70), .period(302, from: -40), .period(303, from: -10)),
        .chain(.period(311, "weekly", from: -2, days: 7)),
        purchases: [
            .once(321, "unlock", bought: -200), .once(322, "coins", bought: -100),
            .once(323, "pass", bought: -20), .once(324, "coins", bought: -50, refunded: -48),
        ])
    static let refunded = atlas(
        .chain(
            .period(401, from: -40), .period(402, from: -10, refunded: -5), off: -5, because: 1))
    static let tester = atlas(.chain(.period(501, from: -1)), version: "1.0") {
        $0.isSandbox = true
    }
    static let pioneer = atlas(version: "98")
    static let volume = atlas(purchases: [.once(601, "unlock", bought: -100)]) {
        $0.isVolume = true
    }

    static func iOS6(_ subscription: Subscription) -> AppAccount {
        atlas(subscription) { $0.style = .iOS6 }
    }
}
