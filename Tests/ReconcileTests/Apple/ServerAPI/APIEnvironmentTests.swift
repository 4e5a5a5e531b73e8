import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with the replies of production and of the sandbox, and what comes of them;
/// or a text that Apple did not sign for what was asked.
@Suite("The environment and the signatures of an answer", .hangLimit)
struct APIEnvironmentTests {
    @Test(
        "A customer whom production does not know is asked about in the sandbox",
        arguments: [
            4_040_005, 4_040_010,
        ])
    func sandbox(code: Int) async throws {
        let customer = APICustomer(.sale("10", until: 20).of("Sandbox")).inSandbox()
        let scene = try APIScene(
            ScriptedAPI([customer]) { ask in
                ask.server == .serverAPI ? [.apiError(404, code)] : nil
            })
        let look = try await scene.look()
        let servers = scene.api.asks.map(\.server)
        #expect(servers == [.serverAPI, .serverAPISandbox, .serverAPISandbox])
        #expect(look.history?.environment == .sandbox)
        #expect(look.body?.server == .serverAPISandbox)
        #expect(look.attempts.server == .serverAPISandbox)
        #expect(look.requests.all.count { $0.isRetry } == 0)
    }

    struct Ending: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// HTTP status and Apple's code.
        let production: (status: Int, code: Int)
        var sandbox: (status: Int, code: Int)?
        let outcome: ReceiptOutcome
        let asks: Int
    }

    @Test(
        "A refusal ends the question, at once where it is final",
        arguments: [
            Ending(
                testDescription: "known nowhere", production: (404, 4_040_010),
                sandbox: (404, 4_040_010), outcome: .unverified(.unknownTransaction), asks: 2),
            Ending(
                testDescription: "known nowhere, by both codes", production: (404, 4_040_005),
                sandbox: (404, 4_040_010), outcome: .unverified(.unknownTransaction), asks: 2),
            Ending(
                testDescription: "the account is gone", production: (404, 4_040_001),
                outcome: .refused(.accountGone), asks: 1),
            Ending(
                testDescription: "the account is gone in the sandbox",
                production: (404, 4_040_010), sandbox: (404, 4_040_001),
                outcome: .refused(.accountGone), asks: 2),
            Ending(
                testDescription: "the key is refused", production: (401, 0),
                outcome: .unverified(.apiKeyRejected), asks: 1),
            Ending(
                testDescription: "the app is not found", production: (404, 4_040_003),
                outcome: .unverified(.requestRefused), asks: 1),
            Ending(
                testDescription: "a bad request", production: (400, 4_000_006),
                outcome: .unverified(.requestRefused), asks: 1),
            Ending(
                testDescription: "another 404", production: (404, 4_040_002),
                outcome: .unverified(.appleUnavailable), asks: 2),
            Ending(
                testDescription: "an error of the server", production: (500, 5_000_000),
                outcome: .unverified(.httpStatus), asks: 2),
            Ending(
                testDescription: "a redirect, which is not followed", production: (302, 0),
                outcome: .unverified(.httpStatus), asks: 2),
        ])
    func ending(row: Ending) async throws {
        let scene = try APIScene(
            ScriptedAPI { ask in
                let reply = ask.server == .serverAPI ? row.production : row.sandbox
                return reply.map { [.apiError($0.status, $0.code)] } ?? [.hangUp]
            })
        let look = try await scene.look()
        #expect(look.outcome == row.outcome)
        #expect(scene.api.asks.count == row.asks)
        #expect(look.attempts.count == row.asks)
    }

    /// A wait beyond `--receipt-deadline`, in milliseconds since 1970, ends the question at once.
    @Test("A 429 is waited out for as long as it says, in milliseconds since 1970")
    func throttled() async throws {
        for (later, asks) in [(120_000, 1), (-5_000, 2)] as [(Int64, Int)] {
            let until = Instant.asOf.milliseconds + later
            let scene = try APIScene(
                ScriptedAPI { _ in
                    [
                        .reply(
                            status: "429 Slow", headers: ["Retry-After: \(until)"],
                            APIBody.error(4_290_000))
                    ]
                })
            let look = try await scene.look()
            #expect(look.outcome == .unverified(.httpStatus), "\(later)")
            #expect(scene.api.asks.count == asks, "\(later)")
        }
    }

    struct Foreign: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: [UInt8]
        /// In the detail.
        let why: String

        init(_ label: String, _ text: [UInt8], _ why: String) {
            testDescription = label
            self.text = text
            self.why = why
        }
    }

    private static let sale = PayloadJSON.sale("10", until: 20)

    private static let foreign = [
        Foreign(
            "of another app", JWSForge().text(sale.with("bundleId", #""other""#)),
            "it is signed for another app"),
        Foreign(
            "of the sandbox", JWSForge().text(sale.of("Sandbox")),
            "it is signed for another environment"),
        Foreign(
            "of Xcode", JWSForge().text(sale.of("Xcode")), "it is signed for another environment"),
        Foreign(
            "of an environment that Apple added since", JWSForge().text(sale.of("Mars")),
            "it is signed for another environment"),
        Foreign(
            "by another authority",
            JWSForge(certificates: JWSAuthority.other.certificates).text(sale), ""),
        Foreign("by another key", JWSForge(key: SigningKey(on: .p256)).text(sale), ""),
        Foreign("without a signature", JWSForge(algorithm: #""none""#).text(sale), ""),
        Foreign("no JWS", Array("abc".utf8), "it holds text that is no JWS"),
        Foreign("nothing", [], "it holds text that is no JWS"),
    ]

    @Test(
        "One transaction that Apple did not sign for what was asked makes the answer worthless",
        arguments: foreign)
    func notAuthentic(row: Foreign) async throws {
        var customer = APICustomer(pages: [[Self.sale], [.sale("11"), .sale("12")]])
        customer.pages[1][0] = row.text
        let scene = try APIScene(ScriptedAPI([customer]))
        let look = try await scene.look()
        #expect(look.outcome == .unverified(.answerNotAuthentic))
        #expect(look.body == nil)
        #expect(scene.api.asks.count == 2, "it ends at once")
        let detail = look.attempts.detail ?? ""
        #expect(detail.hasPrefix("the answer is not authentic: " + row.why), "\(detail)")
    }

    @Test("So does a renewal info, and an app transaction")
    func otherParts() async throws {
        let forged = JWSForge(certificates: JWSAuthority.other.certificates)
        var renewal = APICustomer(Self.sale)
        renewal.renewals = [(forged.text(.renewal), 1)]
        var sandboxed = APICustomer(Self.sale)
        sandboxed.renewals = [(JWSForge().text(PayloadJSON.renewal.of("Sandbox")), 1)]
        var app = APICustomer(.sale("10"))
        app.app = JWSForge().text(PayloadJSON.appTransaction.with("bundleId", #""other""#))
        var signed = APICustomer(.sale("10"))
        signed.app = forged.text(.appTransaction)
        for customer in [renewal, sandboxed, app, signed] {
            let scene = try APIScene(ScriptedAPI([customer]), premium: ["acme"])
            let look = try await scene.look()
            #expect(look.outcome == .unverified(.answerNotAuthentic))
        }
    }

    @Test("A payload that names no app or no environment, as in 2021, is what was asked for")
    func unnamed() async throws {
        let scene = try APIScene(
            ScriptedAPI([APICustomer(.sale("10").without("bundleId").without("environment"))]))
        let look = try await scene.look()
        #expect(look.history?.bundle == "acme")
        #expect(look.history?.environment == .production)
    }
}
