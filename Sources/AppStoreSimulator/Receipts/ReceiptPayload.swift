/// The attributes that a receipt signs: `SET OF SEQUENCE { type, version, OCTET STRING }`.
///
/// Types 0 to 5, 10, 12, 17, 18, 19 and 21, as in Apple's receipts. Type 7, which is opaque in real
/// receipts, is a seal: SHA-256 of the other attributes in order.
struct ReceiptPayload {
    let account: AppAccount
    let mark: ReceiptMark
    let createdAt: Moment
    /// Attribute 0, if it differs from the account's environment.
    var environment: String?

    static let seal: Int64 = 7

    func encoded() -> [UInt8] {
        let attributes = attributes()
        let seal = Self.attribute(Self.seal, Hash.sha256(attributes))
        return DERWriter.element(DERWriter.set, attributes + seal)
    }

    private func attributes() -> [UInt8] {
        let utf8 = DERWriter.utf8
        let ia5 = DERWriter.ia5
        let integer = DERWriter.integer
        let bundle = utf8(account.app.bundle)
        let isSandbox = account.isSandbox
        var attributes =
            Self.attribute(0, utf8(environment ?? account.receiptType))
            + Self.attribute(1, integer(isSandbox ? 0 : account.app.storeID))
            + Self.attribute(2, bundle)
            + Self.attribute(3, utf8(account.applicationVersion))
            + Self.attribute(4, mark.bytes)
            + Self.attribute(5, Hash.sha1(device + mark.bytes + bundle))
            + Self.attribute(10, ia5("4+"))
            + Self.attribute(12, ia5(createdAt.internetText))
        for purchase in account.seen(at: createdAt) {
            attributes += Self.attribute(17, Self.inApp(purchase, at: createdAt))
        }
        attributes += Self.attribute(18, ia5(account.originalPurchaseAt.internetText))
        if let version = account.originalVersion {
            attributes += Self.attribute(19, utf8(version))
        }
        if account.isVolume {
            attributes += Self.attribute(21, ia5(createdAt.days(365).internetText))
        }
        return attributes
    }

    /// A device identifier of 16 bytes that no real device has.
    private var device: [UInt8] { Array(Hash.sha256(mark.bytes).prefix(16)) }

    private static func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] {
        DERWriter.element(
            DERWriter.sequence,
            DERWriter.integer(type) + DERWriter.integer(1) + DERWriter.octets(value))
    }

    /// Missing dates are empty, not absent, as in Apple's receipts.
    private static func inApp(_ purchase: Purchase, at moment: Moment) -> [UInt8] {
        let utf8 = DERWriter.utf8
        let ia5 = DERWriter.ia5
        let integer = DERWriter.integer
        let isSubscription = purchase.product.kind == .autoRenewable
        let attributes =
            attribute(1701, integer(1))
            + attribute(1702, utf8(purchase.product.id))
            + attribute(1703, utf8(String(purchase.id)))
            + attribute(1704, ia5(purchase.purchasedAt.internetText))
            + attribute(1705, utf8(String(purchase.originalID)))
            + attribute(1706, ia5(purchase.originallyPurchasedAt.internetText))
            + attribute(1707, integer(Int64(purchase.product.kind.rawValue)))
            + attribute(1708, ia5(purchase.expiresAt?.internetText ?? ""))
            + attribute(1711, integer(isSubscription ? purchase.id + 7 : 0))
            + attribute(1712, ia5(purchase.cancellation(at: moment)?.internetText ?? ""))
            + attribute(1713, integer(purchase.isTrial ? 1 : 0))
            + attribute(1719, integer(purchase.isIntroductory ? 1 : 0))
        return DERWriter.element(DERWriter.set, attributes)
    }
}

extension AppAccount {
    var receiptType: String {
        isSandbox ? "ProductionSandbox" : isVolume ? "ProductionVPP" : "Production"
    }

    var applicationVersion: String { app == .tempo ? "5.12.1" : "431" }

    /// The same date for all sandbox accounts.
    var originalPurchaseAt: Moment {
        // 2013-08-01T07:00:00Z
        isSandbox ? Moment(milliseconds: 1_375_340_400_000) : installedAt
    }
}
