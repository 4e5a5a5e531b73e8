/// Creates receipts like Apple's: PKCS#7 SignedData under the throw-away authority. Without signed
/// attributes there is no signing time: equal receipts have equal bytes. Must not be shared between
/// threads.
struct ReceiptMint {
    private let signer = Signer()

    /// A PKCS#7 container (RFC 2315) in DER.
    func container(of payload: [UInt8]) -> [UInt8] {
        let sequence = DERWriter.sequence
        let set = DERWriter.set
        let content = DERWriter.element(
            sequence, Self.data + DERWriter.element(DERWriter.context0, DERWriter.octets(payload)))
        let certificates =
            ThrowAwayAuthority.signerCertificate + ThrowAwayAuthority.rootCertificate
        let signerInfo = DERWriter.element(
            sequence,
            DERWriter.integer(1) + Self.issuerAndSerial + Self.sha256 + Self.rsaEncryption
                + DERWriter.octets(signer.signature(of: payload)))
        let signed = DERWriter.element(
            sequence,
            DERWriter.integer(1) + DERWriter.element(set, Self.sha256) + content
                + DERWriter.element(DERWriter.context0, certificates)
                + DERWriter.element(set, signerInfo))
        return DERWriter.element(
            sequence, Self.signedData + DERWriter.element(DERWriter.context0, signed))
    }

    /// An iOS 6 transaction receipt: a property list in the OpenStep format. The signature only has
    /// the shape of Apple's.
    func propertyList(of purchase: Purchase, _ account: AppAccount, mark: ReceiptMark) -> [UInt8] {
        let mark = Self.hexadecimal(mark.bytes)
        let info = Self.list([
            ("original-purchase-date", purchase.originallyPurchasedAt.greenwichText),
            ("unique-vendor-identifier", mark),
            ("original-transaction-id", String(purchase.originalID)),
            ("bvrs", account.applicationVersion),
            ("transaction-id", String(purchase.id)),
            ("quantity", "1"),
            ("product-id", purchase.product.id),
            ("item-id", String(account.app.storeID % 1_000_000_000)),
            ("bid", account.app.bundle),
            ("purchase-date", purchase.purchasedAt.greenwichText),
            ("purchase-date-ms", String(purchase.purchasedAt.milliseconds)),
        ])
        let signature = [2] + Hash.sha256(info) + signer.signature(of: info)
        var fields = [
            ("signature", String(decoding: Base64Text.encoded(signature), as: UTF8.self)),
            ("purchase-info", String(decoding: Base64Text.encoded(info), as: UTF8.self)),
        ]
        if account.isSandbox { fields.append(("environment", "Sandbox")) }
        return Self.list(fields + [("pod", "48"), ("signing-status", "0")])
    }

    private static func list(_ fields: [(String, String)]) -> [UInt8] {
        Array(("{\n" + fields.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}").utf8)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let issuerAndSerial: [UInt8] = {
        let certificate = ThrowAwayAuthority.signerCertificate
        var outer = DERCursor(certificate)
        guard let body = outer.content(of: DERWriter.sequence) else { return [] }
        var inner = outer.inside(body)
        guard let fields = inner.content(of: DERWriter.sequence) else { return [] }
        var field = inner.inside(fields)
        // The version, then serial number, signature algorithm and issuer.
        guard field.next() != nil, let serial = field.content(of: 0x02), field.next() != nil,
            let issuer = field.content(of: DERWriter.sequence)
        else { return [] }
        return DERWriter.element(
            DERWriter.sequence,
            DERWriter.element(DERWriter.sequence, Array(certificate[issuer]))
                + DERWriter.element(0x02, Array(certificate[serial])))
    }()

    /// 1.2.840.113549.1.7.2
    private static let signedData = DERWriter.objectIdentifier(
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
    /// 1.2.840.113549.1.7.1
    private static let data = DERWriter.objectIdentifier(
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
    /// 2.16.840.1.101.3.4.2.1
    private static let sha256 = DERWriter.element(
        DERWriter.sequence,
        DERWriter.objectIdentifier([0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01])
            + DERWriter.null)
    /// 1.2.840.113549.1.1.1
    private static let rsaEncryption = DERWriter.element(
        DERWriter.sequence,
        DERWriter.objectIdentifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
            + DERWriter.null)
}
