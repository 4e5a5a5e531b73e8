import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with a body that is no page, and the cause; or a script of pages.
@Suite("The pages of a customer's history", .hangLimit)
struct PageTests {
    @Test("1,000 pages are read, and where there are more the question ends at once")
    func limit() async throws {
        for (pages, outcome) in [
            (1_000, ReceiptOutcome.verified), (1_001, .unverified(.answerTooLong)),
        ] {
            let scene = try APIScene(
                ScriptedAPI { ask in
                    let page = ask.revision.flatMap { Int($0) } ?? 1
                    let next = page < pages ? "\(page + 1)" : nil
                    return [.reply(APIBody.history([], before: next))]
                })
            let look = try await scene.look()
            #expect(look.outcome == outcome, "\(pages)")
            #expect(scene.api.asks.count == 1_000, "\(pages)")
            #expect(look.requests.all.count { $0.isRetry } == 0, "\(pages)")
        }
    }

    @Test("Pages without end, by a revision that repeats, end likewise")
    func endless() async throws {
        let scene = try APIScene(
            ScriptedAPI { _ in [.reply(APIBody.history([], before: "same"))] })
        let look = try await scene.look()
        #expect(look.outcome == .unverified(.answerTooLong))
        #expect(look.body == nil)
    }

    @Test("A revision that is no longer good begins the history again, without what came")
    func begunAgain() async throws {
        let customer = APICustomer(pages: [[.sale("10")], [.sale("11")], [.sale("12")]])
        let scene = try APIScene(
            ScriptedAPI([customer]) { ask in
                ask.revision == "r2" && ask.attempt == 1 ? [.apiError(400, 4_000_005)] : nil
            })
        let look = try await scene.look()
        #expect(scene.api.asks.map(\.revision) == [nil, "r1", "r2", nil, "r1", "r2"])
        #expect(look.history?.transactions.map(\.id) == ["10", "11", "12"])
        #expect(look.history?.anomalies == [])
        #expect(look.body?.bytes.count { $0 == UInt8(ascii: "\n") } == 3)
    }

    @Test("It begins again once only")
    func onceOnly() async throws {
        let customer = APICustomer(pages: [[.sale("10")], [.sale("11")]])
        let scene = try APIScene(
            ScriptedAPI([customer]) { ask in
                ask.revision == nil ? nil : [.apiError(400, 4_000_005)]
            })
        let look = try await scene.look()
        #expect(look.outcome == .unverified(.requestRefused))
        #expect(look.attempts.detail?.hasPrefix("HTTP 400, error 4000005") == true)
        #expect(scene.api.asks.map(\.revision) == [nil, "r1", nil, "r1"])
    }

    struct NoPage: Sendable, CustomTestStringConvertible {
        let body: String
        let cause: Unverified
        var testDescription: String { body }

        init(_ body: String, _ cause: Unverified = .incompleteAnswer) {
            self.body = body
            self.cause = cause
        }
    }

    @Test(
        "Another body is no page: it is asked for again, and the question ends unverified",
        arguments: [
            NoPage("{}"), NoPage("[]"), NoPage("7"), NoPage("null"),
            NoPage(#"{"hasMore":false}"#), NoPage(#"{"signedTransactions":[]}"#),
            NoPage(#"{"signedTransactions":null,"hasMore":false}"#),
            NoPage(#"{"signedTransactions":{},"hasMore":false}"#),
            NoPage(#"{"signedTransactions":[7],"hasMore":false}"#),
            NoPage(#"{"signedTransactions":[null],"hasMore":false}"#),
            NoPage(#"{"signedTransactions":[],"hasMore":"soon"}"#),
            NoPage(#"{"signedTransactions":[],"hasMore":null}"#),
            NoPage(#"{"signedTransactions":[],"hasMore":true}"#),
            NoPage(#"{"signedTransactions":[],"hasMore":true,"revision":""}"#),
            NoPage(#"{"signedTransactions":[],"hasMore":true,"revision":null}"#),
            NoPage(#"{"signedTransactions":[],"hasMore":true,"revision":7}"#),
            NoPage("", .malformedAnswer), NoPage("<html>", .malformedAnswer),
            NoPage(#"{"signedTransactions":[],"hasMore":false"#, .malformedAnswer),
            NoPage(#"{"signedTransactions":[],"hasMore":false}}"#, .malformedAnswer),
            NoPage(
                #"{"signedTransactions":[],"hasMore":false,"hasMore":true}"#, .malformedAnswer),
        ])
    func noPage(row: NoPage) async throws {
        let scene = try APIScene(ScriptedAPI { _ in [.reply(row.body)] })
        let look = try await scene.look()
        #expect(look.outcome == .unverified(row.cause))
        #expect(scene.api.asks.count == 2)
        #expect(look.body == nil)
    }

    @Test("A page without transactions is one, and so is one with members that Apple adds")
    func empty() async throws {
        for body in [
            #"{"signedTransactions":[],"hasMore":false}"#,
            #"{"new":{"a":[1,{}]},"hasMore":false,"revision":"r","signedTransactions":[]}"#,
        ] {
            let scene = try APIScene(ScriptedAPI { _ in [.reply(body)] })
            let look = try await scene.look()
            #expect(look.history?.transactions == [])
            #expect(look.history?.bundle == "acme")
        }
    }
}
