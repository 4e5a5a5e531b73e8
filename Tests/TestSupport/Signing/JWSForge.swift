@testable import Reconcile

/// An authority like Apple's for JWS: a root and an intermediate of P-384, a signer of P-256.
struct JWSAuthority: Sendable {
    static let shared = JWSAuthority(name: "Test")
    /// Of the same names and markers, with other keys.
    static let other = JWSAuthority(name: "Test")

    let root, intermediate, signer: TestCertificate

    init(name: String) {
        root = TestCertificate(
            name + " JWS Root", serial: 1, key: SigningKey(on: .p384), isAuthority: true)
        intermediate = Self.intermediate(name + " JWS Intermediate", by: root)
        signer = Self.signer(by: intermediate)
    }

    var certificates: [TestCertificate] { [signer, intermediate, root] }
    var roots: TrustedRoots { TrustedRoots([root.der]) }

    /// With Apple's marker.
    static func intermediate(
        _ name: String = "Another Intermediate", key: SigningKey = SigningKey(on: .p384),
        by issuer: TestCertificate, isAuthority: Bool = true, isMarked: Bool = true
    ) -> TestCertificate {
        TestCertificate(
            name, serial: 2, key: key, by: issuer, isAuthority: isAuthority, isMarked: isMarked,
            marker: TestCertificate.issuerMarker)
    }

    /// With Apple's marker.
    static func signer(
        key: SigningKey = SigningKey(on: .p256), by issuer: TestCertificate,
        days: (String, String) = ("230101", "300101"), isMarked: Bool = true,
        digest: SigningKey.Digest = .sha256
    ) -> TestCertificate {
        TestCertificate(
            "Test JWS Signing", serial: 3, key: key, by: issuer, days: days, isMarked: isMarked,
            digest: digest)
    }
}

/// A JWS, by default one that verifies. The key is that of the first certificate.
struct JWSForge: Sendable {
    /// How r and s are written.
    enum SignatureForm: Sendable { case jose, der }

    var algorithm = #""ES256""#
    var certificates = JWSAuthority.shared.certificates
    /// Instead of the certificates: the value of `x5c`, in JSON; empty for none.
    var x5c: String?
    /// Further members of the header, in JSON.
    var members = ""
    var key: SigningKey?
    var form = SignatureForm.jose

    func text(_ payload: PayloadJSON = .transaction) -> [UInt8] { text(Array(payload.text.utf8)) }

    /// - Parameter payload: any bytes, also those of no JSON.
    func text(_ payload: [UInt8]) -> [UInt8] {
        let signed = Self.encoded(Array(header.utf8)) + [Self.dot] + Self.encoded(payload)
        return Self.signed(signed, by: key ?? certificates[0].key, form)
    }

    /// - Parameter segments: the first two, with the dot between them.
    static func signed(
        _ segments: [UInt8], by key: SigningKey, _ form: SignatureForm = .jose
    ) -> [UInt8] {
        let der = key.signature(of: segments, .sha256)
        return segments + [dot] + encoded(form == .der ? der : jose(der))
    }

    private var header: String {
        let x5c = x5c ?? Self.x5c(certificates.map(\.der))
        let all = ["\"alg\":\(algorithm)", x5c.isEmpty ? "" : "\"x5c\":\(x5c)", members]
        return "{" + all.filter { !$0.isEmpty }.joined(separator: ",") + "}"
    }

    /// A list of certificates, or of what is there instead.
    static func x5c(_ certificates: [[UInt8]]) -> String {
        let texts = certificates.map { "\"\(String(decoding: Base64.encode($0), as: UTF8.self))\"" }
        return "[\(texts.joined(separator: ","))]"
    }

    private static let dot = UInt8(ascii: ".")

    /// Base64url without padding.
    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        Base64.encode(bytes).compactMap { digit in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: digit
            }
        }
    }

    /// r and s of a signature in DER, of 32 bytes each.
    private static func jose(_ der: [UInt8]) -> [UInt8] {
        let file = DERReader(der)
        var reader = file
        guard let sequence = try? reader.next() else { return der }
        var numbers = file.inside(sequence)
        var result: [UInt8] = []
        while let number = try? numbers.next() {
            let digits = der[number.content].drop { $0 == 0 }
            result += [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
        }
        return result
    }
}

/// A payload in JSON, whose members have the values of Apple's examples.
struct PayloadJSON: Sendable {
    /// Names, and values in JSON.
    private var members: [(name: String, json: String)]

    init(_ members: [(name: String, json: String)]) { self.members = members }

    /// 21 September 2026, when the certificates are valid.
    static let signedAt = 1_790_000_000_000

    static let transaction = PayloadJSON([
        ("transactionId", #""480000000000013""#), ("originalTransactionId", #""450000000000017""#),
        ("webOrderLineItemId", #""480000000000014""#), ("bundleId", #""acme""#),
        ("productId", #""pro.monthly""#), ("subscriptionGroupIdentifier", #""20501""#),
        ("purchaseDate", "1789136000000"), ("originalPurchaseDate", "1780136000000"),
        ("expiresDate", "1791728000000"), ("quantity", "1"),
        ("type", #""Auto-Renewable Subscription""#), ("inAppOwnershipType", #""PURCHASED""#),
        ("signedDate", "\(signedAt)"), ("environment", #""Production""#), ("price", "9990"),
        ("currency", #""USD""#),
    ])

    static let renewal = PayloadJSON([
        ("originalTransactionId", #""450000000000017""#), ("productId", #""pro.monthly""#),
        ("autoRenewProductId", #""pro.yearly""#), ("autoRenewStatus", "1"),
        ("environment", #""Production""#), ("signedDate", "\(signedAt)"),
    ])

    static let appTransaction = PayloadJSON([
        ("appTransactionId", #""700000000000000001""#), ("bundleId", #""acme""#),
        ("applicationVersion", #""7""#), ("originalApplicationVersion", #""4.9""#),
        ("originalPurchaseDate", "1690000000000"), ("receiptCreationDate", "\(signedAt)"),
        ("receiptType", #""Production""#),
    ])

    /// - Parameter transaction: a JWS.
    static func notification(of transaction: [UInt8]) -> PayloadJSON {
        let text = String(decoding: transaction, as: UTF8.self)
        let data = PayloadJSON([
            ("environment", #""Production""#), ("bundleId", #""acme""#),
            ("signedTransactionInfo", "\"\(text)\""),
        ])
        return PayloadJSON([
            ("notificationType", #""REFUND""#), ("notificationUUID", #""002e14d5""#),
            ("signedDate", "\(signedAt)"),
            ("data", data.text),
        ])
    }

    /// With another value, which replaces that of the member or is added at the end.
    func with(_ name: String, _ json: String) -> PayloadJSON {
        var changed = self
        if let index = members.firstIndex(where: { $0.name == name }) {
            changed.members[index].json = json
        } else {
            changed.members.append((name, json))
        }
        return changed
    }

    /// The value of a member, in JSON; nil without it.
    func json(of name: String) -> String? { members.first { $0.name == name }?.json }

    func without(_ name: String) -> PayloadJSON {
        PayloadJSON(members.filter { $0.name != name })
    }

    var text: String {
        "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
    }
}
