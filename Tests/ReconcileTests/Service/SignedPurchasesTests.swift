import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with a payload, or a test with a JWS and what the service makes of it.
@Suite("A signed transaction that a client hands in")
struct SignedPurchasesTests {
    private static let signed = SignedPurchases(
        of: APIApps(named: ["acme"]), verifiedBy: JWSVerifier(JWSAuthority.shared.roots))

    private static func handed(_ text: [UInt8], by signed: SignedPurchases = signed)
        -> HandedReceipt?
    {
        HandedReceipt(ReceiptData(text: text), by: signed)
    }

    private static func content(_ text: [UInt8]) -> SignedContent? {
        guard case .signed(let purchase)? = handed(text) else { return nil }
        return signed.content(of: purchase, now: .asOf)
    }

    @Test("It is named by the SHA-256 of its bytes, and names one transaction")
    func reads() throws {
        let text = JWSForge().text()
        let handed = try #require(Self.handed([0x20] + text + [0x0A]))
        #expect(handed.digest == Digest.sha256(text))
        #expect(handed.bundle == "acme")
        #expect(handed.data == ReceiptData(text: text))
        #expect(handed.ownTransactions == ["480000000000013"])
        #expect(handed.sendable == nil)
        #expect("\(handed)" == "‹redacted›")
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: [UInt8]

        init(_ label: String, _ payload: PayloadJSON) {
            testDescription = label
            text = JWSForge().text(payload)
        }

        init(_ label: String, text: [UInt8]) {
            testDescription = label
            self.text = text
        }
    }

    @Test(
        "Anything else but a receipt is refused unread",
        arguments: [
            Refused("an app without a key", .transaction.with("bundleId", #""other""#)),
            Refused("no app", .transaction.without("bundleId")),
            Refused("a renewal info", .renewal),
            Refused("an app transaction", .appTransaction),
            Refused("a notification", .notification(of: JWSForge().text())),
            Refused("the id of a transaction", text: Array("480000000000013".utf8)),
            Refused("no payload", text: Array("eyJh.eyJi.c2ln".utf8)),
        ])
    func refuses(refused: Refused) {
        #expect(Self.handed(refused.text) == nil)
    }

    @Test("Without keys every signed transaction is refused")
    func noKeys() {
        let none = SignedPurchases(
            of: APIApps(), verifiedBy: JWSVerifier(JWSAuthority.shared.roots))
        #expect(Self.handed(JWSForge().text(), by: none) == nil)
    }

    @Test("Two signatures of one transaction have one content; what nobody signed has none")
    func content() {
        let once = Self.content(JWSForge().text())
        let twice = Self.content(JWSForge().text())
        #expect(once != nil)
        #expect(once?.digest == twice?.digest)
        #expect(once?.isVariant == false)
        var stranger = JWSForge()
        stranger.certificates = JWSAuthority.other.certificates
        #expect(Self.content(stranger.text()) == nil)
        #expect(Self.content(JWSForge().text(.transaction.with("environment", #""Xcode""#))) == nil)
        let other = Self.content(JWSForge().text(.transaction.with("transactionId", #""7""#)))
        #expect(other?.digest != once?.digest)
    }
}
