import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

/// To add a case: copy a test, and write what is run and what a monitor sees, with the verbs in
/// `Tests/README.md`.
@Suite("What a run tells a monitor and its operator", .hangLimit)
struct MonitoringTests {
    @Test("The ping URL is called at the start and the end, and is shown nowhere")
    func ping() async throws {
        let monitor = try LoopbackServer { _ in [.reply("OK")] }
        let closed = try LoopbackSocket.closedPort()
        try await Session.with { session in
            try await session.run("--ping-url=http://monitor.example/canary-5e").exits(78)
                .omits("canary-5e")
            try await session.run("--ping-url=http://127.0.0.1:\(closed)/canary-5e").exits()
                .omits("canary-5e").logs("Could not ping --ping-url:")
            let ours = "--ping-url=\(monitor.url)/canary-5e"
            try await session.run(ours).exits().omits("canary-5e")
            let held = try await session.run(ours, "--guards=on").exits(4).omits("canary-5e")
            let ping = try #require(monitor.requests.last)
            #expect(held.lastLine == "reconcile-job: " + String(decoding: ping.body, as: UTF8.self))
        }
        let paths = monitor.requests.map { String($0.head.split(separator: " ")[1]) }
        #expect(paths == ["/start", "", "/start", "/fail"].map { "/verify/canary-5e" + $0 })
    }

    private struct Reason {
        let url: String
        let says: String
        let advises: String
    }

    @Test("A run without any answer ends with the most frequent reason, and what to do about it")
    func reasons() async throws {
        let garbled = try LoopbackServer { _ in
            [.reply(headers: ["Content-Encoding: gzip"], "abcd"), .hangUp]
        }
        let old = try TLSLoopbackServer(
            try TLSCertificate(), options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        let closed = "http://127.0.0.1:\(try LoopbackSocket.closedPort())/"
        let reasons = [
            Reason(
                url: closed, says: "No connection was made (curl 7",
                advises: "Check the URL, the firewall and the proxy (https_proxy)."),
            // The resolver itself refuses the empty label, so no network is used.
            Reason(
                url: "https://no..such/", says: "The host name was not found (curl 6",
                advises: "Check the URL and the machine's DNS."),
            Reason(
                url: "https://localhost:\(old.port)/", says: "The TLS handshake failed (curl 35",
                advises: "The server must offer TLS 1.2 or later; check the proxy."),
            Reason(
                url: garbled.url, says: "The answer cannot be decoded (curl 61",
                advises: "It is not from Apple: check the URL and any proxy on the way."),
        ]
        let quick = ["--max-attempts=1", "--outage-patience=0s", "--new"]
        try await Session.with { session in
            for reason in reasons {
                try await session.run(["--production-url=\(reason.url)"] + quick).exits(69)
                    .says("requests to Apple was answered; nothing was", reason.says)
                    .advises("\(reason.advises) Then run again.")
            }
            let urls = ["--production-url=\(closed)", "--sandbox-url=\(closed)"]
            try await session.run(urls + quick).exits(69)
            let states = "select state from reconcile.run where run_no in (1, 5)"
            try await session.query(states).returns("failed", "failed")
            #expect(session.published == [])
        }
    }

    @Test("A proxy learns the job's name and nothing else")
    func proxy() async throws {
        let proxy = try LoopbackServer { _ in [.reply(status: "403 Forbidden", "")] }
        try await Session.with { session in
            try await session.run(
                "--production-url=https://apple.invalid/verify", "--max-attempts=1",
                "--outage-patience=0s",
                with: .environment(["https_proxy": "http://127.0.0.1:\(proxy.port)"])
            ).exits(69)
            #expect(session.published == [])
            #expect(
                proxy.requests.first?.head == """
                    CONNECT apple.invalid:443 HTTP/1.1\r
                    Host: apple.invalid:443\r
                    Proxy-Connection: Keep-Alive\r
                    User-Agent: reconcile-job/\(Version.release)\r
                    \r\n
                    """)
        }
    }

    @Test("An announced end of verifyReceipt is logged once, and is in summary, page and metrics")
    func announcedEnd() async throws {
        let headers = ["Deprecation: @1798761600", "Sunset: Fri, 31 Dec 2027 23:59:59 GMT"]
        let answer = LoopbackServer.Act.reply(headers: headers, AppleAnswer.verified())
        try await Session.with(acts: [:], others: answer) { session in
            let dates = "as of 2027-01-01T00:00:00Z and ends on 2027-12-31T23:59:59Z."
            let job = try await session.run("--metrics-file=\(session.path("prom"))").exits()
                .prints("NOTICE: Apple's answers say that verifyReceipt is deprecated \(dates)")
                .logs("deprecated \(dates)")
            let announced = job.logged.filter { $0.contains("retirement_announced") }
            #expect(announced.count == 1)
            let page = session.read("reports/latest/index.html")
            #expect(page.contains("verifyReceipt is deprecated \(dates)"))
            let retirement = session.report("summary")["retirement"]
            #expect(retirement["ends_at"] == "2027-12-31T23:59:59Z")
            let metrics = session.read("prom")
            #expect(metrics.contains("\nreconcile_apple_retirement_announced 1\n"))
            let ends = #"reconcile_apple_retirement_timestamp_seconds{date="ends"} 1830297599.0"#
            #expect(metrics.contains(ends))
        }
    }

    @Test("The metrics file has the run's numbers, and keeps the last success when a run fails")
    func metrics() async throws {
        try await Session.with { session in
            let flag = "--metrics-file=\(session.path("prom"))"
            try await session.run(flag, with: .umask(0o027)).exits()
            let first = session.read("prom")
            #expect(first.contains(#"reconcile_receipts{outcome="verified"} 3"#))
            let lines = first.split(separator: "\n").filter { !$0.hasPrefix("#") }
            let success = try #require(lines.first { $0.contains("success_t") })
            try await session.run(flag, "--guards=on", with: .umask(0o027)).exits(4)
            let held = session.read("prom")
            #expect(held.contains(success))
            #expect(held.contains(#"reconcile_run_status{status="held"} 1"#))
            try await session.run(flag, "--user=ann", with: .umask(0o027)).exits()
            #expect(session.read("prom") == held)
            #expect(session.mode(of: "prom") == 0o644)
            for name in session.everything(in: ".") { #expect(!name.contains(".tmp")) }
        }
    }
}
