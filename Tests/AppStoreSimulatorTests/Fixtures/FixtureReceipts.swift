@testable import AppStoreSimulator
@testable import TestSupport

/// The receipts in `Tests/Fixtures/receipts`, as a service stores them: mostly base64.
///
/// All certificates have the throw-away authority's public key. RSA with PKCS#1 v1.5 has no random
/// part, so the files have the same bytes each time.
enum FixtureReceipts {
    /// The bytes by file name.
    static let all: [String: [UInt8]] = {
        var files = app.mapValues { Array(($0 + "\n").utf8) }.map { ("\($0).base64", $1) }
        files += iOS6.map { ("\($0).plist", $1) }
        files = files.map { ("receipts/" + $0, $1) }
        files += jws.map { ("jws/\($0).jws", Array($1.utf8)) }
        files.append(("certs/root.pem", Array(pem(root.der).utf8)))
        return Dictionary(uniqueKeysWithValues: files)
    }()

    private typealias Account = FixtureAccount

    // MARK: The authority

    private static let key = SigningKey(pkcs8: ThrowAwayAuthority.signerKey)
    private static let root = authority("Fixture Root")
    private static let middle = certificate(
        "Fixture Developer Relations", serial: 2, isAuthority: true)
    private static let signer = certificate("Fixture Receipt Signing", serial: 3, by: middle)

    private static func authority(_ name: String) -> TestCertificate {
        TestCertificate(name, serial: 1, key: key, isAuthority: true)
    }

    private static func certificate(
        _ name: String, serial: UInt8 = 9, by issuer: TestCertificate? = root,
        days: (String, String) = ("080101", "491231"), isAuthority: Bool = false,
        isMarked: Bool = true
    ) -> TestCertificate {
        TestCertificate(
            name, serial: serial, key: key, by: issuer, days: days, isAuthority: isAuthority,
            isMarked: isMarked && !isAuthority)
    }

    private static func pem(_ der: [UInt8]) -> String {
        "-----BEGIN CERTIFICATE-----\n" + lines(base64(der), of: 64, separator: "\n")
            + "\n-----END CERTIFICATE-----\n"
    }

    // MARK: App receipts

    private static func payload(
        _ account: AppAccount, environment: String? = nil
    ) -> [UInt8] {
        let mark = ReceiptMark(seed: 1, customer: 1, account: 0, number: 1)
        var payload = ReceiptPayload(
            account: account, mark: mark, createdAt: Account.createdAt)
        payload.environment = environment
        return payload.encoded()
    }

    private static func signed(
        _ account: AppAccount = Account.subscriber, _ form: SignedForm = SignedForm()
    ) -> [UInt8] {
        form.container(of: payload(account), signedBy: [signer], [signer, middle, root])
    }

    /// Signed by this certificate, with these above it.
    private static func signed(
        by signer: TestCertificate, under others: [TestCertificate] = [root]
    ) -> [UInt8] {
        SignedForm().container(
            of: payload(Account.subscriber), signedBy: [signer], [signer] + others)
    }

    private static let changed: [UInt8] = {
        var bytes = signed()
        guard let place = bytes.firstRange(of: "pro.monthly".utf8)?.lowerBound else { return [] }
        bytes.replaceSubrange(place..<place + 3, with: "max".utf8)
        return bytes
    }()

    private static let app: [String: String] = {
        let lumen = {
            var account = Account.atlas()
            account = AppAccount(.lumen, installedAt: account.installedAt)
            account.originalVersion = "12"
            return account
        }()
        let genuine = base64(signed())
        let files: [String: [UInt8]] = [
            "genuine": signed(),
            "genuine-sha1": signed(Account.subscriber, SignedForm(digest: .sha1)),
            "genuine-ber": signed(Account.subscriber, SignedForm(isBER: true)),
            "genuine-signed-attributes": signed(
                Account.subscriber, SignedForm(hasAttributes: true)),
            "no-purchases": signed(Account.atlas()),
            "collector": signed(Account.collector),
            "refunded": signed(Account.refunded),
            "freemium-bought-when-paid": signed(Account.pioneer),
            "volume-purchase": signed(Account.volume),
            "sandbox": signed(Account.tester),
            "other-app": signed(lumen),
            "xcode": SignedForm().container(
                of: payload(Account.tester, environment: "Xcode"),
                signedBy: [certificate("StoreKit Test", by: nil)],
                [certificate("StoreKit Test", by: nil)]),
            "names-no-app-and-no-date": SignedForm().container(
                of: ReceiptForge.payload(bundle: nil), signedBy: [signer],
                [signer, middle, root]),
            "changed-after-signing": changed,
            "unsigned": SignedForm().container(
                of: payload(Account.subscriber), signedBy: [], [signer, middle, root]),
            "two-signers": SignedForm().container(
                of: payload(Account.subscriber), signedBy: [signer, signer],
                [signer, middle, root]),
            "certificate-ended-before": signed(
                by: certificate("Ended", days: ("200101", "261101"))),
            "certificate-ended-since": signed(
                by: certificate("Short", days: ("261115", "261118"))),
            "certificate-began-after": signed(
                by: certificate("Early", days: ("261118", "491231"))),
            "signer-without-marker": signed(by: certificate("Other purpose", isMarked: false)),
            "signer-self-signed": signed(by: certificate("Self", by: nil), under: []),
            "other-root": ReceiptMint().container(of: payload(Account.subscriber)),
            "issuer-missing": signed(by: signer, under: []),
        ]
        let texts = [
            "line-breaks": lines(genuine, of: 76, separator: "\r\n"),
            "spaces-for-plus": genuine.replacing("+", with: " "),
            "url-safe": genuine.replacing("+", with: "-").replacing("/", with: "_"),
            "unpadded": String(genuine.prefix { $0 != "=" }),
            "cut-off": String(genuine.prefix(genuine.count / 2)),
            "garbage": "bm90IGEgcmVjZWlwdA==", "null": "null", "empty": "",
        ]
        return files.mapValues(base64).merging(texts) { first, _ in first }
    }()

    // MARK: Other forms

    /// - Parameter signer: nil to change the receipt after it was signed.
    private static func propertyList(_ signer: TestCertificate, isChanged: Bool = false) -> [UInt8]
    {
        let purchase = Account.period(901, from: -10)
        func info(_ bundle: String) -> [UInt8] {
            list([
                ("bid", bundle), ("bvrs", "431"), ("product-id", purchase.product.id),
                ("transaction-id", String(purchase.id)),
                ("original-transaction-id", String(purchase.originalID)),
                ("purchase-date-ms", String(purchase.purchasedAt.milliseconds)),
            ])
        }
        let length = [0, 0, UInt8(signer.der.count >> 8), UInt8(signer.der.count & 0xFF)]
        let signature =
            [3] + signer.key.signature(of: [3] + info("com.example.atlas"), .sha1) + length
            + signer.der
        return list([
            ("signature", base64(signature)),
            ("purchase-info", base64(info(isChanged ? "com.example.other" : "com.example.atlas"))),
            ("environment", "Sandbox"), ("pod", "100"), ("signing-status", "0"),
        ])
    }

    private static func list(_ fields: [(String, String)]) -> [UInt8] {
        Array(("{\n" + fields.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}").utf8)
    }

    private static let iOS6: [String: [UInt8]] = {
        let direct = propertyList(certificate("Fixture Purchase Signing"))
        return [
            "ios6": direct, "ios6-authority-unknown": propertyList(signer),
            "ios6-changed-after-signing": propertyList(
                certificate("Fixture Purchase Signing"), isChanged: true),
            "ios6-cut-off": Array(direct.dropLast()),
        ]
    }()

    private static let jws: [String: String] = {
        let parts = [
            #"{"alg":"ES256","x5c":["bm90IGEgY2VydGlmaWNhdGU="]}"#,
            #"{"transactionId":"2000000001","type":"Auto-Renewable Subscription"}"#,
            "no signature, and as long as one would be",
        ]
        let text = parts.map { part in
            base64(Array(part.utf8)).replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
        }.joined(separator: ".")
        return [
            "transaction": text + "\n", "transaction-in-base64": base64(Array(text.utf8)) + "\n",
        ]
    }()

    // MARK: Text

    private static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: Base64Text.encoded(bytes), as: UTF8.self)
    }

    private static func lines(_ text: String, of length: Int, separator: String) -> String {
        stride(from: 0, to: text.count, by: length)
            .map { String(text.dropFirst($0).prefix(length)) }.joined(separator: separator)
    }
}
