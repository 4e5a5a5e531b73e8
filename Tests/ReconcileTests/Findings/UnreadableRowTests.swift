import Testing

@testable import Reconcile
@testable import TestSupport

/// A user with one row that cannot be read, beside what is listed.
struct VeiledUser: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var shown: [Transaction] = []
    var version = "5.0"
    var rows: [StoredEntitlement] = []
    /// In the words of `Judgement.outcome`.
    let outcome: [String]

    var evidence: UserEvidence {
        .user([.answered(shown, version: version)], rows: rows, unreadableRows: 1)
    }
}

@Suite("A row that cannot be read")
struct UnreadableRowTests {
    private static let month = Transaction.period(from: -10)
    private static let notGranted = StoredEntitlement.row(to: 20, isActive: false)

    @Test(
        "It may grant anything, so nothing is owed to its user",
        arguments: [
            VeiledUser(testDescription: "a month that no row grants", shown: [month], outcome: []),
            VeiledUser(
                testDescription: "a month beside a row without a grant", shown: [month],
                rows: [notGranted], outcome: ["consistent"]),
            VeiledUser(
                testDescription: "a month that has ended", shown: [.period(from: -31)],
                rows: [notGranted], outcome: ["consistent", "expired"]),
            VeiledUser(
                testDescription: "a product bought once",
                shown: [.once("unlock", bought: -50)],
                rows: [.row("unlock", isActive: false)], outcome: ["consistent"]),
            VeiledUser(
                testDescription: "the premium product of a paid app", version: "4.0",
                rows: [.row("full", isActive: false)], outcome: ["consistent"]),
        ])
    func owesNothing(user: VeiledUser) {
        let judgement = Judge.acme.judgement(of: user.evidence)
        #expect(judgement.outcome == user.outcome)
        #expect(judgement.entitlements.isBalanced)
    }

    @Test(
        "It hides no right that is granted too long",
        arguments: [
            VeiledUser(
                testDescription: "an expired month", shown: [.period(from: -40)],
                rows: [.row(to: 20)], outcome: ["expired_still_granted e1"]),
            VeiledUser(
                testDescription: "a refunded product",
                shown: [.once("unlock", bought: -50, cancelled: -9)], rows: [.row("unlock")],
                outcome: ["refund_recorded", "refunded_still_granted e1"]),
        ])
    func hidesNoLeak(user: VeiledUser) {
        #expect(Judge.acme.judgement(of: user.evidence).outcome == user.outcome)
    }

    @Test("A reversed refund is told as an event, since nothing is to be restored for it")
    func reversedRefund() {
        let history = UserHistory([.refund("1", cancelled: -8)])
        let user = UserEvidence.user(
            [.answered([Self.month])], rows: [Self.notGranted], unreadableRows: 1)
        let judgement = Judge.acme.judgement(of: user, history: history)
        #expect(judgement.outcome == ["consistent", "refund_reversed"])
    }

    @Test(
        "A debt of an earlier run stays open while a row may have paid it",
        arguments: [
            LedgerEntry.open(.activeNotGranted, row: "e1"),
            LedgerEntry.open(.activeNotGranted, reference: "group:G"),
        ])
    func staysOpen(debt: LedgerEntry) {
        let rows = debt.identity.entitlement == nil ? [] : [Self.notGranted]
        let user = UserEvidence.user(
            [.answered([Self.month])], rows: rows, unreadableRows: 1)
        let judgement = Judge.acme.judgement(of: user, history: UserHistory([debt]))
        #expect(judgement.unjudged == [debt.id])
    }

    @Test("A debt is over when the right has ended, whatever a row says that cannot be read")
    func isOver() {
        let debt = LedgerEntry.open(.activeNotGranted, row: "e1")
        let user = UserEvidence.user(
            [.answered([.period(from: -40)])], rows: [Self.notGranted], unreadableRows: 1)
        #expect(Judge.acme.judgement(of: user, history: UserHistory([debt])).unjudged == [])
    }

    @Test("What is consistent only because of it is not explained as agreement")
    func explained() throws {
        let user = UserEvidence.user(
            [.answered([Self.month])], rows: [Self.notGranted], unreadableRows: 1)
        let right = try #require(Judge.acme.judgement(of: user).rights.first)
        let sentence = right.sentence(asOf: .asOf)
        #expect(!sentence.contains("the two agree"))
        #expect(sentence.contains("cannot be read"))
    }
}
