import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a scene and change its label, receipts, rows and the complete outcome.
@Suite("Dates that cannot be true")
struct ImplausibleDatesTests {
    @Test(
        "They are a finding, one of a receipt",
        arguments: [
            Scene(
                "bought over two days after the answer", receipts: [.answer(.pro(bought: 2.001))]),
            Scene(
                "a consumable bought three days after the answer",
                receipts: [.answer(.coins(bought: 3))]),
            Scene(
                "expires before it is bought",
                receipts: [.answer(.pro(bought: -10, until: -10.001))]),
            Scene("of longer than that", receipts: [.answer(.pro(bought: -10, until: 230.001))]),
            Scene(
                "of longer than that, and upgraded",
                receipts: [.answer(.pro(bought: -10, until: 290, isUpgraded: true))]),
            Scene(
                "two of them, while another receipt is unchecked",
                receipts: [.answer(.pro(bought: 3), .pro(bought: -10, until: -11)), .unchecked]),
        ])
    func areFound(scene: Scene) {
        #expect(scene.judgement().kinds.count { $0 == .implausibleDates } == 1)
    }

    @Test(
        "Dates that may be true, or that give no right here, are none",
        arguments: [
            Scene("bought two days after the answer", receipts: [.answer(.pro(bought: 2))]),
            Scene(
                "bought three days after the judgement, if the answer has no time",
                receipts: [.answer(.pro(bought: 3), isUndated: true)]),
            Scene("expires as it is bought", receipts: [.answer(.pro(bought: -10, until: -10))]),
            Scene(
                "of twice a month and 180 days",
                receipts: [.answer(.pro(bought: -10, until: 230))]),
            Scene(
                "so long, on trial",
                receipts: [.answer(.pro(bought: -10, until: 290, isTrial: true))]),
            Scene(
                "so long, by an introductory offer",
                receipts: [.answer(.pro(bought: -10, until: 290, isIntroductory: true))]),
            Scene(
                "so long, by a promotional offer",
                receipts: [.answer(.pro(bought: -10, until: 290, promotion: "p"))]),
            Scene(
                "so long, by an offer code",
                receipts: [.answer(.pro(bought: -10, until: 290, code: "c"))]),
            Scene(
                "so long, of a product without a known period",
                receipts: [.answer(.solo(bought: -10, until: 290))]),
            Scene(
                "so long, of a product outside the catalogue",
                receipts: [.answer(.unlisted(bought: -10, until: 290))]),
            Scene(
                "a test purchase",
                receipts: [.answer(.pro(bought: -10, until: -11), environment: .sandbox)]),
            Scene(
                "of another app",
                receipts: [.answer(.pro(bought: -10, until: -11), saysApp: "other")]),
        ])
    func areNotFound(scene: Scene) {
        #expect(!scene.judgement().kinds.contains(.implausibleDates))
    }

    @Test(
        "They accuse nobody: a row that they would make a leak is unverified",
        arguments: [
            Scene(
                "seconds in a field of milliseconds: expired in 1970",
                receipts: [.answer(.pro(bought: -10, until: -20000))], rows: [.pro(until: 20)],
                verdicts: [.unverified], withoutRow: [.implausibleDates]),
            Scene(
                "a month of 250 days that has ended",
                receipts: [.answer(.pro(bought: -260, until: -10))], rows: [.pro(until: 20)],
                verdicts: [.unverified], withoutRow: [.expired, .implausibleDates]),
            Scene(
                "a refunded month of 300 days, which the row names",
                receipts: [.answer(.pro(bought: -210, until: 90, cancelled: -5))],
                rows: [.pro(until: 90, original: "1")], verdicts: [.unverified],
                withoutRow: [.implausibleDates, .refundRecorded]),
            Scene(
                "an earlier period of the chain, with the right product's end",
                receipts: [.answer(.pro(bought: -400, until: -100), .pro(bought: -40))],
                rows: [.pro(until: 20)], verdicts: [.unverified],
                withoutRow: [.expired, .implausibleDates]),
            Scene(
                "an expired month beside one bought two days after the answer",
                receipts: [.answer(.pro(bought: -40), .pro(bought: 2.5))], rows: [.pro(until: 20)],
                verdicts: [.unverified], withoutRow: [.expired, .implausibleDates]),
            Scene(
                "a running month of 300 days, and a row with a later end",
                receipts: [.answer(.pro(bought: -210, until: 90))], rows: [.pro(until: 100)],
                verdicts: [.unverified], withoutRow: [.implausibleDates]),
        ])
    func accuseNobody(scene: Scene) { scene.check() }

    @Test(
        "Nearly impossible dates accuse as ever",
        arguments: [
            Scene(
                "a month of 240 days: two periods and 180 days",
                receipts: [.answer(.pro(bought: -250, until: -10))], rows: [.pro(until: 20)],
                verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "an offer of 300 days",
                receipts: [.answer(.pro(bought: -310, until: -10, promotion: "winback"))],
                rows: [.pro(until: 20)], verdicts: [.found(.expiredStillGranted)]),
            Scene(
                "another chain with dates that cannot be true",
                receipts: [
                    .answer(.pro(bought: -40), .solo(bought: -400, until: -50, original: "2"))
                ], rows: [.pro(until: 20)], verdicts: [.found(.expiredStillGranted)],
                withoutRow: [.expired]),
        ])
    func accuse(scene: Scene) { scene.check() }

    @Test("What is owed needs only the positive proof")
    func owed() {
        Scene(
            "a running month of 300 days, and a row that is not active",
            receipts: [.answer(.pro(bought: -210, until: 90))],
            rows: [.pro(until: 90, isActive: false)], verdicts: [.found(.activeNotGranted)],
            withoutRow: [.implausibleDates]
        ).check()
    }

    @Test("The row is listed with the finding that it would have been")
    func listed() {
        let judgement = Judge.acme.judgement(
            [.answer(.pro(bought: -260, until: -10))], rows: [.pro(until: 20)])
        #expect(judgement.notReported.map(\.kind?.rawValue) == ["expired_still_granted"])
        #expect(judgement.notReported.map(\.cause.rawValue) == ["implausible_dates"])
    }
}
