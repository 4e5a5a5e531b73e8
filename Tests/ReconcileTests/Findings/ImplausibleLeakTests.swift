import Testing

@testable import Reconcile
@testable import TestSupport

/// A subscription with dates that may not be true, and a stored row.
struct DatedUser: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let shown: [Transaction]
    var row = StoredEntitlement.row(to: 20)
    /// In the words of `Judgement.outcome`.
    let outcome: [String]

    var judgement: Judgement { Judge.acme.judgement(of: .user([.answered(shown)], rows: [row])) }
}

@Suite("Dates that cannot be true")
struct ImplausibleLeakTests {
    private static let seconds = -20_000.0

    @Test(
        "They accuse nobody: a row that they would make a leak is unverified",
        arguments: [
            DatedUser(
                testDescription: "seconds in a field of milliseconds: expired in 1970",
                shown: [.period(from: -10, to: seconds)],
                outcome: ["implausible_dates", "unverified"]),
            DatedUser(
                testDescription: "a month of 250 days that has ended",
                shown: [.period(from: -260, to: -10)],
                outcome: ["expired", "implausible_dates", "unverified"]),
            DatedUser(
                testDescription: "a refunded month of 300 days, which the row names",
                shown: [.period(from: -210, to: 90, cancelled: -5)],
                row: .row(to: 90, names: "1"),
                outcome: ["implausible_dates", "refund_recorded", "unverified"]),
            DatedUser(
                testDescription: "an earlier period of the chain, with the right product's end",
                shown: [
                    .period("1", from: -400, to: -100), .period("2", of: "1", from: -40),
                ],
                outcome: ["expired", "implausible_dates", "unverified"]),
            DatedUser(
                testDescription: "an expired month beside one bought two days after the answer",
                shown: [.period("1", from: -40), .period("2", of: "1", from: 2.5)],
                outcome: ["expired", "implausible_dates", "unverified"]),
            DatedUser(
                testDescription: "a running month of 300 days, and a row with a later end",
                shown: [.period(from: -210, to: 90)], row: .row(to: 100),
                outcome: ["implausible_dates", "unverified"]),
        ])
    func accuseNobody(user: DatedUser) {
        #expect(user.judgement.outcome == user.outcome)
    }

    @Test(
        "Nearly impossible dates accuse as ever",
        arguments: [
            DatedUser(
                testDescription: "a month of 240 days: two periods and 180 days",
                shown: [.period(from: -250, to: -10)], outcome: ["expired_still_granted e1"]),
            DatedUser(
                testDescription: "an offer of 300 days",
                shown: [.period(from: -310, to: -10) { $0.promotionalOffer = "winback" }],
                outcome: ["expired_still_granted e1"]),
            DatedUser(
                testDescription: "another chain with dates that cannot be true",
                shown: [
                    .period("1", from: -40),
                    .period("2", of: "2", "solo.monthly", from: -400, to: -50),
                ],
                outcome: ["expired", "expired_still_granted e1"]),
        ])
    func accuse(user: DatedUser) {
        #expect(user.judgement.outcome == user.outcome)
    }

    @Test("What is owed needs only the positive proof")
    func owed() {
        let user = DatedUser(
            testDescription: "", shown: [.period(from: -210, to: 90)],
            row: .row(to: 90, isActive: false), outcome: [])
        #expect(user.judgement.outcome == ["active_not_granted e1", "implausible_dates"])
    }

    @Test("The row is listed with the finding that it would have been")
    func listed() {
        let user = DatedUser(
            testDescription: "", shown: [.period(from: -260, to: -10)], outcome: [])
        #expect(user.judgement.notReported.map(\.kind) == [.expiredStillGranted])
        #expect(user.judgement.notReported.map(\.cause.rawValue) == ["implausible_dates"])
    }
}
