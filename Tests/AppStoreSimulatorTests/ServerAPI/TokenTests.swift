import Testing

@testable import AppStoreSimulator

@Suite("A token of the simulated App Store Server API")
struct TokenTests {
    private func verdict(_ token: TokenForge) -> PresentedToken {
        PresentedToken(token.text, at: TokenForge.now)
    }

    @Test("A token decides the app", arguments: SimulatedApp.all)
    func decides(app: SimulatedApp) {
        #expect(verdict(TokenForge(app)) == .genuine(bundle: app.bundle))
    }

    struct Flaw: Sendable, CustomTestStringConvertible {
        let label: String
        let reason: PresentedToken.Reason
        let make: @Sendable (inout TokenForge) -> Void

        init(
            _ label: String, _ reason: PresentedToken.Reason,
            _ make: @escaping @Sendable (inout TokenForge) -> Void
        ) {
            self.label = label
            self.reason = reason
            self.make = make
        }

        var testDescription: String { label }
    }

    /// To add a case, copy a row: what is wrong, why it is refused, and how it is made.
    private static let flaws = [
        Flaw("another scheme", .missing) { $0.scheme = "Basic " },
        Flaw("no scheme", .missing) { $0.scheme = "" },
        Flaw("a part too few", .malformed) { $0.alter = { String($0.dropLast(87)) } },
        Flaw("a part too many", .malformed) { $0.alter = { $0 + ".e30" } },
        Flaw("padding", .malformed) { $0.alter = { $0 + "=" } },
        Flaw("no algorithm", .algorithm) { $0.algorithm = nil },
        Flaw("none", .algorithm) { $0.algorithm = "none" },
        Flaw("HS256", .algorithm) { $0.algorithm = "HS256" },
        Flaw("no type", .type) { $0.type = nil },
        Flaw("another type", .type) { $0.type = "jwt" },
        Flaw("an unknown key", .keyID) { $0.keyID = "SIM7ATLAS2" },
        Flaw("no key", .keyID) { $0.keyID = nil },
        Flaw("another team's key", .signature) { $0.key = TokenForge(.tempo).key },
        Flaw("other claims", .signature) {
            $0.alter = { text in
                let parts = text.split(separator: ".")
                let claims = TokenForge(.lumen).text.split(separator: ".")[1]
                return "\(parts[0]).\(claims).\(parts[2])"
            }
        },
        Flaw("a signature of 63 bytes", .signature) { $0.alter = { String($0.dropLast(2)) } },
        Flaw("no issuer", .issuer) { $0.issuer = nil },
        Flaw("another issuer", .issuer) { $0.issuer = TokenForge(.tempo).issuer },
        Flaw("another audience", .audience) { $0.audience = "appstoreconnect-v2" },
        Flaw("no start", .malformed) { $0.issuedAt = nil },
        Flaw("an end in words", .malformed) { $0.endsAt = .text("\(TokenForge.now + 60)") },
        Flaw("a start in the future", .notYetIssued) { $0.issuedAt = .number(TokenForge.now + 1) },
        Flaw("ended now", .expired) { $0.endsAt = .number(TokenForge.now) },
        Flaw("a life of over an hour", .tooLong) { $0.endsAt = .number(TokenForge.now + 3_571) },
        Flaw("another team's app", .bundle) { $0.bundle = SimulatedApp.tempo.bundle },
        Flaw("no app", .bundle) { $0.bundle = nil },
    ]

    @Test("A token with one flaw is refused, as 401 without a body", arguments: flaws)
    func isRefused(flaw: Flaw) throws {
        var token = TokenForge()
        flaw.make(&token)
        #expect(verdict(token) == .refused(flaw.reason))
        let answer = APITeller().answer("/inApps/v2/history/1", token: token.text)
        #expect(answer.status == 401)
        #expect(answer.body.isEmpty)
    }

    @Test("A token of just an hour, issued now, is accepted; no token is refused")
    func limits() {
        var token = TokenForge()
        token.issuedAt = .number(TokenForge.now)
        token.endsAt = .number(TokenForge.now + 3_600)
        #expect(verdict(token) == .genuine(bundle: SimulatedApp.atlas.bundle))
        #expect(PresentedToken(nil, at: TokenForge.now) == .refused(.missing))
    }
}
