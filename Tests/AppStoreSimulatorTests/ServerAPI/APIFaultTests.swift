import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// To add a case, copy a row of its table.
@Suite("Faults of the simulated App Store Server API")
struct APIFaultTests {
    private let account = Result {
        try SimulatedStore.demo().account(living: .collector, app: .atlas)
    }

    /// The reply to a request for the history of a customer, who has one page.
    private func reply(
        with faults: String, times: Int = 1, sandbox: Bool = false
    ) async throws -> String {
        let id = try account.get().id
        return try await serving(faults: faults) { simulator, _ in
            let url = sandbox ? simulator.apiSandboxURL : simulator.apiURL
            let client = RawClient(url + "/")
            var token = TokenForge()
            let now = Int64(Date().timeIntervalSince1970)
            token.issuedAt = .number(now - 30)
            token.endsAt = .number(now + 1_200)
            var reply = ""
            for _ in 0..<times {
                client.send(
                    "GET /inApps/v2/history/\(id) HTTP/1.1\r\nAuthorization: \(token.text)\r\n\r\n")
                reply = client.reply()
            }
            return reply
        }
    }

    @Test(
        "The bytes of a fault begin and end as they should",
        arguments: [
            (fault: "api-401", head: "HTTP/1.1 401 ", end: "Content-Length: 0\r\n\r\n"),
            ("api-429", "HTTP/1.1 429 ", #""errorMessage":"An injected fault."}"#),
            ("api-500", "HTTP/1.1 500 ", #""errorMessage":"An injected fault."}"#),
            ("api-503", "HTTP/1.1 503 ", "\r\n\r\ntry later"),
            ("api-4000005", "HTTP/1.1 400 ", #""errorMessage":"An injected fault."}"#),
            ("api-4040001", "HTTP/1.1 404 ", #""errorMessage":"An injected fault."}"#),
            ("api-html", "HTTP/1.1 200 ", "</body></html>"),
            ("api-array", "HTTP/1.1 200 ", "\r\n\r\n[1,2,3]"),
            ("api-empty", "HTTP/1.1 200 ", "Content-Length: 0\r\n\r\n"),
            ("api-no-revision", "HTTP/1.1 200 ", "\"]}"),
            ("api-no-more", "HTTP/1.1 200 ", "\"]}"),
            ("api-no-transactions", "HTTP/1.1 200 ", #""hasMore":false}"#),
        ])
    func isOnTheWire(fault: String, head: String, end: String) async throws {
        let reply = try await reply(with: fault)
        #expect(reply.hasPrefix(head))
        #expect(reply.hasSuffix(end))
    }

    @Test(
        "A page without a member is JSON with all others",
        arguments: [
            (fault: "api-no-revision", member: "revision"), ("api-no-more", "hasMore"),
            ("api-no-transactions", "signedTransactions"),
        ])
    func lacks(fault: String, member: String) async throws {
        let body = try await reply(with: fault).split(separator: "\r\n\r\n")[1]
        let json = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        let all: Set = [
            "bundleId", "environment", "appAppleId", "revision", "hasMore", "signedTransactions",
        ]
        #expect(json.map { Set($0.keys) } == all.subtracting([member]))
    }

    @Test("A wrong signature is the only difference to the answer without a fault")
    func spoils() async throws {
        let good = try await reply(with: "0")
        let bad = try await reply(with: "api-bad-signature")
        #expect(good.count == bad.count)
        #expect(zip(good, bad).count { $0 != $1 } == 1)
    }

    @Test("429 says in milliseconds since 1970 when to ask again")
    func waits() async throws {
        let reply = try await reply(with: "api-429")
        let match = try #require(reply.firstMatch(of: /Retry-After: (\d+)\r\n/))
        let until = try #require(Double(match.1)) / 1_000
        #expect(abs(until - Date().timeIntervalSince1970) < 60)
    }

    @Test(
        "A fault strikes its server, customer and attempts only",
        arguments: [
            (plan: "api-503:sandbox", isStruck: false), ("api-503:production", true),
            ("503", false), ("html,21002", false), ("api-503:first=1", true),
        ])
    func conditions(plan: String, isStruck: Bool) async throws {
        #expect(try await reply(with: plan).hasPrefix("HTTP/1.1 503 ") == isStruck)
        #expect(try await reply(with: "api-503:first=1", times: 2).hasPrefix("HTTP/1.1 200 "))
        #expect(try await reply(with: "api-503", sandbox: true).hasPrefix("HTTP/1.1 503 "))
        let customer = try account.get().customer
        let receipt = "receipt-\(customer.tag(of: customer.users[0]))-1"
        let own = try await reply(with: "api-503:receipt=\(receipt)")
        #expect(own.hasPrefix("HTTP/1.1 503 "))
        let other = try await reply(with: "api-503:receipt=receipt-0009999-1")
        #expect(other.hasPrefix("HTTP/1.1 200 "))
    }

    @Test("A fault of the API leaves verifyReceipt alone, and can reset a connection or hang")
    func ends() async throws {
        let id = try account.get().id
        for fault in ["api-reset", "api-hang"] {
            try await serving(faults: fault) { simulator, client in
                #expect(client.reply(to: "{}").hasSuffix(HTTPServerTests.malformed))
                let api = RawClient(simulator.apiURL + "/")
                api.send("GET /inApps/v2/history/\(id) HTTP/1.1\r\n\r\n")
                if fault == "api-reset" {
                    #expect(api.endsInReset())
                } else {
                    #expect(client.reply(to: "{}").hasSuffix(HTTPServerTests.malformed))
                    #expect(api.isSilent(milliseconds: 0))
                }
            }
        }
    }

    @Test("A plain rate draws faults of both, each only for its own server")
    func drawn() throws {
        let rule = try #require(try FaultPlan(parsing: "5%").rules.first)
        let names = rule.faults.filter(\.isOfServerAPI).map(\.name)
        #expect(names.contains("api-429"))
        #expect(!names.contains("api-401"))
        #expect(!names.contains("api-bad-signature"))
        #expect(!names.contains("api-hang"))
    }

    @Test("A script answers some requests to the API, and the world the others")
    func scripts() async throws {
        var settings = AppStoreSimulator.Settings()
        settings.keepsRequests = true
        settings.apiScript = { request in
            request.attempt == 1 ? [.send(HTTPReply([], status: 418, reason: "First").bytes)] : nil
        }
        let simulator = try AppStoreSimulator.start(.demo(), settings)
        defer { simulator.stop() }
        let client = RawClient(simulator.apiURL + "/")
        for status in [418, 401] {
            client.send("GET /inApps/v2/history/7?revision=a HTTP/1.1\r\n\r\n")
            #expect(client.reply().hasPrefix("HTTP/1.1 \(status) "))
        }
        let requests = simulator.keptAPIRequests
        #expect(requests.map(\.attempt) == [1, 2])
        #expect(requests[0].target == "/inApps/v2/history/7?revision=a")
        #expect(requests[0].environment == .production)
        #expect(simulator.keptRequests.isEmpty)
    }
}
