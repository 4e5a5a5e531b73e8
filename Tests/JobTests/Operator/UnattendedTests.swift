import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("An unattended run", .timeLimit(.minutes(10)))
struct UnattendedTests {
    @Test("After SIGUSR1 the run continues and prints its progress; --wait waits for the other run")
    func wait() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let first = try scene.start("--quiet 2>&1")
            await scene.apple.production.arrival(of: 1)
            first.send(SIGUSR1)
            await first.ready()
            try await scene.steps("run --wait=200ms | 75")
            let second = try scene.start("--wait=5m 2>&1")
            // It waits before it prints anything else.
            await second.ready()
            gate.open()
            await first.end().ends(0, #"~ ^reconcile-job: [^\n]+\n$"#)
            await second.end().ends(0, "> Another run over everything is running: run")
            // The second has done a run of its own.
            #expect(scene.published.count == 3)
        }
    }

    @Test("The ping URL is called at the start and the end, and is shown nowhere")
    func ping() async throws {
        let monitor = try LoopbackServer { _ in [.reply("OK")] }
        let url = "--ping-url=http://127.0.0.1:\(monitor.port)/ping/canary-5e"
        let closed = try LoopbackSocket.closedPort()
        try await NightScene.with { scene in
            try await scene.steps("run \(url) | 0 | ! canary-5e")
            let bad = try await scene.steps("run \(url) --guards=on | 4 | ! canary-5e")
            let ping = try #require(monitor.requests.last)
            #expect(bad.lastLine == "reconcile-job: " + String(decoding: ping.body, as: UTF8.self))
            try await scene.steps(
                """
                run --ping-url=http://127.0.0.1:\(closed)/canary-5e | 0 | ! canary-5e \
                    | 2> Could not ping --ping-url:
                run --ping-url=http://monitor.example/canary-5e | 78 | ! canary-5e
                """)
        }
        let paths = monitor.requests.map { String($0.head.split(separator: " ")[1]) }
        let ends = ["/start", "", "/start", "/fail"]
        #expect(paths == ends.map { "/ping/canary-5e" + $0 })
    }

    @Test("A run without any answer ends with the most frequent reason, and what to do about it")
    func reasons() async throws {
        let garbled = try LoopbackServer { _ in
            [.reply(headers: ["Content-Encoding: gzip"], "abcd"), .hangUp]
        }
        let old = try TLSLoopbackServer(
            try TLSCertificate(), options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        let proxy = try LoopbackServer { _ in [.reply(status: "403 Forbidden", "")] }
        // The resolver itself refuses the empty label, so no network is used.
        let reasons = """
            http://127.0.0.1:\(try LoopbackSocket.closedPort())/ | No connection was made (curl 7 \
                | Check the URL, the firewall and the proxy (https_proxy).
            https://no..such/ | The host name was not found (curl 6 \
                | Check the URL and the machine's DNS.
            https://localhost:\(old.port)/ | The TLS handshake failed (curl 35 \
                | The server must offer TLS 1.2 or later; check the proxy.
            \(garbled.url) | The answer cannot be decoded (curl 61 \
                | It is not from Apple: check the URL and any proxy on the way.
            """
        let quick = "--max-attempts=1 --outage-patience=0s --new"
        try await NightScene.with { scene in
            for (url, says, advises) in textTriples(reasons) {
                try await scene.steps(
                    """
                    run --production-url=\(url) \(quick) | 69 | $ \(advises) Then run again. \
                        | requests to Apple was answered; nothing was | \(says)
                    """)
            }
            let closed = "http://127.0.0.1:\(try LoopbackSocket.closedPort())/"
            try await scene.steps(
                """
                run --production-url=\(closed) --sandbox-url=\(closed) \(quick) | 69
                select state from reconcile.run where run_no in (1, 5) | failed,failed
                export https_proxy=http://127.0.0.1:\(proxy.port); \
                    run --production-url=https://apple.invalid/verify \(quick) | 69
                """)
            #expect(scene.published == [])
            // A proxy learns the job's name and nothing else.
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
        try await NightScene.with(acts: NightScene.all(answer)) { scene in
            let sentence = """
                verifyReceipt is deprecated as of 2027-01-01T00:00:00Z and ends on \
                2027-12-31T23:59:59Z.
                """
            try await scene.steps(
                """
                run --metrics-file=$FOLDER/prom 2> said | 0 \
                    | > NOTICE: Apple's answers say that \(sentence)
                grep -c retirement_announced said | 0 | = 1
                cat said | 0 | > \(sentence)
                cat reports/latest/index.html | 0 | > \(sentence)
                grep -A9 '"retirement"' reports/latest/summary.json | 0 \
                    | > "ends_at": "2027-12-31T23:59:59Z"
                cat prom | 0 | ~ \\nreconcile_apple_retirement_announced 1\\n \
                    | > reconcile_apple_retirement_timestamp_seconds{date="ends"} 1830297599.0
                """)
        }
    }
}
