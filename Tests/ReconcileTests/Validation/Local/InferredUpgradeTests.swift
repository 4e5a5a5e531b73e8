import Testing

@testable import Reconcile
@testable import TestSupport

/// Two purchases of one chain in a receipt, which does not say what was upgraded.
struct UpgradeCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var second = "max.monthly"
    /// The cancellation of the first period, which ends on 1 June.
    var cancelled = ""
    let secondBought: String
    var secondExpires = "2024-06-20T00:00:00Z"
    let isUpgraded: Bool
}

@Suite("Upgrades inferred from an offline receipt")
struct InferredUpgradeTests {
    static let cases = [
        UpgradeCase(
            testDescription: "was upgraded when another product was bought within it",
            secondBought: "2024-05-20T00:00:00Z", isUpgraded: true),
        UpgradeCase(
            testDescription: "was upgraded, not refunded, when it was cancelled at that moment",
            cancelled: "2024-05-31T12:00:30Z", secondBought: "2024-05-31T12:00:00Z",
            isUpgraded: true),
        UpgradeCase(
            testDescription: "was not when the other follows it, charged a little early",
            secondBought: "2024-05-31T12:00:00Z", isUpgraded: false),
        UpgradeCase(
            testDescription: "was refunded when the other follows much later",
            cancelled: "2024-05-03T00:00:00Z", secondBought: "2024-07-01T00:00:00Z",
            secondExpires: "2024-08-01T00:00:00Z", isUpgraded: false),
        UpgradeCase(
            testDescription: "was not by a purchase of its own product",
            second: "pro.monthly", secondBought: "2024-05-20T00:00:00Z", isUpgraded: false),
        UpgradeCase(
            testDescription: "was not by one that was bought before it",
            secondBought: "2024-04-20T00:00:00Z", isUpgraded: false),
        UpgradeCase(
            testDescription: "was not by what is no subscription",
            secondBought: "2024-05-20T00:00:00Z", secondExpires: "", isUpgraded: false),
    ]

    private static func purchase(
        _ product: String, _ id: String, _ bought: String, _ expires: String,
        _ cancelled: String = ""
    ) -> [UInt8] {
        ReceiptForge.tlv(
            0x31,
            PayloadForge.attribute(1_702, ReceiptForge.text(product))
                + PayloadForge.attribute(1_703, ReceiptForge.text(id))
                + PayloadForge.attribute(1_704, PayloadForge.date(bought))
                + PayloadForge.attribute(1_705, ReceiptForge.text("1001"))
                + PayloadForge.attribute(1_708, PayloadForge.date(expires))
                + PayloadForge.attribute(1_712, PayloadForge.date(cancelled)))
    }

    /// A renewal is charged up to a day before its period begins; after an upgrade within that day
    /// the receipt has both, the renewal being the later of the two. It is cancelled when the other
    /// is bought.
    @Test(
        "A period that was charged ahead and replaced before it began counts as upgraded",
        arguments: [("", "pro.monthly"), ("2024-05-31T12:00:02Z", "pro.monthly"), ("", "lite")])
    func chargedAhead(cancelled: String, renewal: String) throws {
        let payload = PayloadForge(purchases: [
            Self.purchase("pro.monthly", "1", "2024-05-01T00:00:00Z", "2024-06-01T00:00:00Z"),
            Self.purchase("max.yearly", "2", "2024-05-31T12:00:00Z", "2025-05-31T12:00:00Z"),
            Self.purchase(
                renewal, "3", "2024-06-01T00:00:00Z", "2024-07-01T00:00:00Z", cancelled),
        ])
        let receipt = try #require(try ReceiptPayload(payload.encoded[...]).receipt)
        #expect(receipt.transactions.map(\.isUpgraded) == [false, false, true])
    }

    @Test("A period that did not begin where another ended is replaced by the later period")
    func upgradedTheSameDay() throws {
        let payload = PayloadForge(purchases: [
            Self.purchase("pro.monthly", "1", "2024-05-01T00:00:00Z", "2024-05-20T00:00:00Z"),
            Self.purchase("max.yearly", "2", "2024-05-31T12:00:00Z", "2025-05-31T12:00:00Z"),
            Self.purchase("pro.monthly", "3", "2024-06-01T00:00:00Z", "2024-07-01T00:00:00Z"),
        ])
        let receipt = try #require(try ReceiptPayload(payload.encoded[...]).receipt)
        #expect(receipt.transactions.map(\.isUpgraded) == [false, true, false])
    }

    @Test("A period counts as upgraded only where nothing else explains the two", arguments: cases)
    func infers(upgrade: UpgradeCase) throws {
        let payload = PayloadForge(purchases: [
            Self.purchase(
                "pro.monthly", "1001", "2024-05-01T00:00:00Z", "2024-06-01T00:00:00Z",
                upgrade.cancelled),
            Self.purchase(upgrade.second, "1002", upgrade.secondBought, upgrade.secondExpires),
        ])
        let receipt = try #require(try ReceiptPayload(payload.encoded[...]).receipt)
        #expect(receipt.transactions.first?.isUpgraded == upgrade.isUpgraded)
        // The other purchase may replace it, whichever was bought first or has no end.
        if upgrade.secondBought > "2024-05-01" {
            #expect(receipt.transactions.last?.isUpgraded == false)
        }
    }
}
