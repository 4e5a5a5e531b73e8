import Testing

@testable import Reconcile

@Suite("A user's history from earlier runs")
struct UserHistoryTests {
    private static let leak = finding(.expiredStillGranted, "e1")
    private static let event = finding(.expired, nil)

    private static func finding(
        _ kind: FindingKind, _ entitlement: EntitlementID?, amount: String? = nil
    ) -> Finding {
        var finding = Finding(
            kind: kind, weight: kind.weight, user: "u", explanation: "Sentence.", reference: "1")
        finding.entitlement = entitlement
        let usd = Currency("USD")
        finding.estimate = amount.flatMap { text in usd.flatMap { Money(text, in: $0) } }.map {
            Estimate(right: .group("G"), exposureDays: 3, amount: $0)
        }
        return finding
    }

    private static let open = LedgerEntry.of(leak, firstSeen: .day(-7))
    private static let id = leak.identity.id

    @Test(
        "An open finding persists, another one is new, and an accepted one is accepted",
        arguments: [
            (UserHistory(), .new, .asOf), (UserHistory([open]), .persisting, .day(-7)),
            (UserHistory([open], accepted: [id]), .accepted, .day(-7)),
            (UserHistory(accepted: [id]), .accepted, .asOf),
        ] as [(UserHistory, Lifecycle, Instant)])
    func lifecycle(history: UserHistory, lifecycle: Lifecycle, firstSeen: Instant) {
        let rows = history.reported([Self.leak], judgedAt: .asOf)
        #expect(rows.map(\.lifecycle) == [lifecycle] && rows.map(\.firstSeen) == [firstSeen])
        #expect(rows.map(\.id) == [Self.id])
    }

    @Test("An event that was reported is not reported again, another one is")
    func events() {
        let history = UserHistory([.of(Self.event)])
        var later = Self.event
        later.reference = "2"
        let rows = history.reported([Self.event, later], judgedAt: .asOf)
        #expect(rows.map(\.finding.reference) == ["2"] && rows.map(\.lifecycle) == [.new])
    }

    @Test("One right has one amount, on the first row that is not accepted")
    func amounts() {
        let findings = ["e1", "e2"].map { id in
            Self.finding(.expiredStillGranted, EntitlementID(id), amount: "1.00")
        }
        let plain = UserHistory().reported(findings, judgedAt: .asOf)
        #expect(plain.map(\.estimatedAmount) == ["1.00", nil])
        #expect(plain.map(\.noAmount) == [nil, .countedElsewhere])
        let history = UserHistory(accepted: [findings[0].identity.id])
        let rows = history.reported(findings, judgedAt: .asOf)
        #expect(rows.map(\.estimatedAmount) == [nil, "1.00"])
        #expect(rows.map(\.noAmount) == [.accepted, nil])
    }

    @Test("An open finding can be neither closed nor an event")
    func neither() {
        let history = UserHistory([.of(Self.leak), .of(Self.event)])
        #expect(history.open.map(\.id) == [Self.id])
        #expect(UserHistory().open.isEmpty)
    }
}
