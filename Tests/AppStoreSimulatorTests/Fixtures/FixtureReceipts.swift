import Foundation

@testable import AppStoreSimulator
@testable import TestSupport

/// The receipts in `Tests/Fixtures/receipts`, as a service stores them: mostly base64. RSA with
/// PKCS#1 v1.5 has no random part, so the files have the same bytes each time.
enum FixtureReceipts {
    static let all: [String: [UInt8]] = {
        var files = app.map { ("receipts/\($0).base64", Array(($1 + "\n").utf8)) }
        files += iOS6.map { ("receipts/\($0).plist", $1) }
        files += jws.map { ("jws/\($0).jws", Array($1.utf8)) }
        files.append(("certs/root.pem", Array(root.pem.utf8)))
        return Dictionary(uniqueKeysWithValues: files)
    }()

    private static let key = SigningKey(pkcs8: ThrowAwayAuthority.signerKey)
    private static let root = certificate("Fixture Root", 1, by: nil, isAuthority: true)
    private static let middle = certificate("Fixture Developer Relations", 2, isAuthority: true)
    private static let signer = certificate("Fixture Receipt Signing", 3, by: middle)
    private static let chain = [signer, middle, root]

    private static func certificate(
        _ name: String, _ serial: UInt8 = 9, by issuer: TestCertificate? = root,
        days: (String, String) = ("080101", "491231"), isAuthority: Bool = false,
        isMarked: Bool = true, marker: [UInt8] = TestCertificate.marker
    ) -> TestCertificate {
        TestCertificate(
            name, serial: serial, key: key, by: issuer, days: days, isAuthority: isAuthority,
            isMarked: isMarked && !isAuthority, marker: marker)
    }

    private static func payload(
        _ name: String = "subscriber", in environment: String? = nil
    ) -> [UInt8] {
        var lumen = AppAccount(.lumen, installedAt: .day(-900))
        lumen.originalVersion = "12"
        var payload = ReceiptPayload(
            account: FixtureAccount.all[name]?.account ?? lumen,
            mark: ReceiptMark(seed: 1, customer: 1, account: 0, number: 1), createdAt: .day(-3))
        payload.environment = environment
        return payload.encoded()
    }

    private static func signed(
        _ payload: [UInt8] = payload(), _ form: SignedForm = SignedForm(),
        by signers: [TestCertificate] = [signer], with certificates: [TestCertificate] = chain
    ) -> [UInt8] { form.container(of: payload, signedBy: signers, certificates) }

    private static func signed(by signer: TestCertificate) -> [UInt8] {
        signed(by: [signer], with: [signer, root])
    }

    private static let app: [String: String] = {
        let storeKit = certificate("StoreKit Test", by: nil)
        let own = certificate("Self", by: nil)
        let genuine = base64(signed())
        var changed = signed()
        let start = changed.firstRange(of: "pro.monthly".utf8)?.lowerBound ?? 0
        changed.replaceSubrange(start..<start + 3, with: "max".utf8)
        var files: [String: [UInt8]] = [
            "genuine": signed(), "genuine-sha1": signed(payload(), SignedForm(digest: .sha1)),
            "genuine-ber": signed(payload(), SignedForm(isBER: true)),
            "genuine-signed-attributes": signed(payload(), SignedForm(hasAttributes: true)),
            "no-purchases": signed(payload("newcomer-without-purchases")),
            "other-app": signed(payload("lumen")),
            "xcode": signed(payload("sandbox", in: "Xcode"), by: [storeKit], with: [storeKit]),
            "names-no-app-and-no-date": signed(ReceiptForge.payload(bundle: nil)),
            "changed-after-signing": changed, "unsigned": signed(by: []),
            "two-signers": signed(by: [signer, signer]),
            "certificate-ended-before": signed(
                by: certificate("Ended", days: ("200101", "261101"))),
            "certificate-ended-since": signed(by: certificate("Short", days: ("261115", "261118"))),
            "certificate-began-after": signed(by: certificate("Early", days: ("261118", "491231"))),
            "signer-without-marker": signed(by: certificate("Other purpose", isMarked: false)),
            "signer-self-signed": signed(by: [own], with: [own]),
            "other-root": ReceiptMint().container(of: payload()),
            "issuer-missing": signed(with: [signer]), "detached": detached,
            "provisioning-profile": signed(Array("<plist><dict/></plist>".utf8)),
        ]
        for name in [
            "collector", "refunded", "freemium-bought-when-paid", "volume-purchase", "sandbox",
        ] { files[name] = signed(payload(name)) }
        let texts = [
            "line-breaks": Data(signed()).base64EncodedString(options: .lineLength76Characters),
            "spaces-for-plus": genuine.replacing("+", with: " "), "url-safe": urlSafe(genuine),
            "unpadded": String(genuine.prefix { $0 != "=" }),
            "cut-off": String(genuine.prefix(genuine.count / 2)),
            "garbage": "bm90IGEgcmVjZWlwdA==", "null": "null", "empty": "",
        ]
        return files.mapValues(base64).merging(texts) { first, _ in first }
    }()

    /// A signature whose content is elsewhere, as in a code signature.
    private static let detached: [UInt8] = {
        let tlv = ReceiptForge.tlv
        let content = tlv(0x30, ReceiptForge.pkcs(7, 1))
        let certificates = tlv(0xA0, chain.flatMap(\.der))
        let signed = tlv(
            0x30, [2, 1, 1] + tlv(0x31, []) + content + certificates + tlv(0x31, []))
        return tlv(0x30, ReceiptForge.pkcs(7, 2) + tlv(0xA0, signed))
    }()

    private static func propertyList(
        _ signer: TestCertificate = certificate("Fixture Purchase Signing"),
        at moment: Moment = .day(-10), isChanged: Bool = false
    ) -> [UInt8] {
        func info(_ bundle: String) -> [UInt8] {
            list([
                ("bid", bundle), ("bvrs", "431"),
                ("product-id", SimulatedApp.atlas.product("pro.monthly").id),
                ("transaction-id", "480000000000901"),
                ("original-transaction-id", "480000000000901"),
                ("purchase-date-ms", "\(moment.milliseconds)"),
            ])
        }
        let length = [0, 0, UInt8(signer.der.count >> 8), UInt8(signer.der.count & 0xFF)]
        let signature = signer.key.signature(of: [3] + info("com.example.atlas"), .sha1)
        return list([
            ("signature", base64([3] + signature + length + signer.der)),
            ("purchase-info", base64(info(isChanged ? "com.example.other" : "com.example.atlas"))),
            ("environment", "Sandbox"), ("pod", "100"), ("signing-status", "0"),
        ])
    }

    private static func list(_ fields: [(String, String)]) -> [UInt8] {
        Array(("{\n" + fields.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}").utf8)
    }

    private static let iOS6 = [
        "ios6": propertyList(), "ios6-authority-unknown": propertyList(signer),
        "ios6-changed-after-signing": propertyList(isChanged: true),
        "ios6-cut-off": propertyList().dropLast(),
        "ios6-of-2014": propertyList(
            certificate("Fixture Old Purchase Signing", marker: TestCertificate.oldMarker),
            at: .day(-4_500)),
    ]

    private static let jws: [String: String] = {
        let text = [
            #"{"alg":"ES256","x5c":["bm90IGEgY2VydGlmaWNhdGU="]}"#,
            #"{"transactionId":"2000000001","type":"Auto-Renewable Subscription"}"#,
            "no signature, and as long as one would be",
        ].map { urlSafe(base64(Array($0.utf8))).replacing("=", with: "") }.joined(separator: ".")
        let encoded = base64(Array(text.utf8))
        return ["transaction": text + "\n", "transaction-in-base64": encoded + "\n"]
    }()

    private static func urlSafe(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_")
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64Text.encoded(bytes), as: UTF8.self)
    }
}
