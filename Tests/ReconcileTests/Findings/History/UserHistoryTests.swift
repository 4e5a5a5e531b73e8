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

    @Test("A finding without an entry is new, first seen in this run")
    func new() {
        let rows = UserHistory().reported([Self.leak], judgedAt: .asOf)
        #expect(rows.map(\.lifecycle) == [.new] && rows.map(\.firstSeen) == [.asOf])
        #expect(rows.map(\.id) == [Self.leak.identity.id])
    }

    @Test("A finding that is open persists with its first-seen run")
    func persisting() {
        let history = UserHistory([.of(Self.leak, firstSeen: .day(-7))])
        let rows = history.reported([Self.leak], judgedAt: .asOf)
        #expect(rows.map(\.lifecycle) == [.persisting] && rows.map(\.firstSeen) == [.day(-7)])
    }

    @Test("An event that was reported is not reported again, another one is")
    func events() {
        let history = UserHistory([.of(Self.event)])
        var later = Self.event
        later.reference = "2"
        let rows = history.reported([Self.event, later], judgedAt: .asOf)
        #expect(rows.map(\.finding.reference) == ["2"] && rows.map(\.lifecycle) == [.new])
    }

    @Test("An accepted finding is accepted whether new or not, and keeps its first-seen run")
    func accepted() {
        let id = Self.leak.identity.id
        let known = UserHistory([.of(Self.leak, firstSeen: .day(-7))], accepted: [id])
        for (history, firstSeen) in [
            (known, Instant.day(-7)), (UserHistory(accepted: [id]), .asOf),
        ] {
            let rows = history.reported([Self.leak], judgedAt: .asOf)
            #expect(rows.map(\.lifecycle) == [.accepted] && rows.map(\.firstSeen) == [firstSeen])
        }
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
    func open() {
        let history = UserHistory([.of(Self.leak), .of(Self.event)])
        #expect(history.open.map(\.id) == [Self.leak.identity.id])
        #expect(UserHistory().open.isEmpty)
    }
}
