import Foundation
import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("An unattended run", .timeLimit(.minutes(10)))
struct UnattendedTests {
    private static let monitor = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK"

    @Test("After SIGUSR1 the run continues and prints its progress; --wait waits for its end")
    func wait() async throws {
        let gate = Gate()
        try await NightScene.with(onAsk: gate.wait) { scene in
            let (first, progress) = try scene.heard(through: "first", "--quiet")
            await scene.apple.production.arrival(of: 1)
            first.send(SIGUSR1)
            let line = String(decoding: progress.availableData, as: UTF8.self)
            #expect(line.hasPrefix("reconcile-job: ") && line.hasSuffix("\n"))
            #expect(line.split(separator: "\n").count == 1, "\(line)")

            try await scene.run("--wait=200ms").ends(75)
            let (second, said) = try scene.heard(through: "second", "--wait=5m")
            var text = ""
            while !text.contains("Another run over everything is running: run ") {
                let data = said.availableData
                try #require(!data.isEmpty, "\(text)")
                text += String(decoding: data, as: UTF8.self)
            }
            gate.open()
            await first.end().ends()
            #expect(try progress.readToEnd() ?? Data() == Data())
            // A full pipe would block it.
            _ = try said.readToEnd()
            await second.end().ends()
            // It has done a run of its own.
            #expect(scene.published.count == 3)
        }
    }

    @Test("The ping URL is called at the start and at the end, and is shown nowhere")
    func ping() async throws {
        let monitor = try LoopbackServer(Self.monitor)
        let url = "http://127.0.0.1:\(monitor.port)/ping/canary-5e"
        try await NightScene.with { scene in
            let bad = try await scene.steps(
                """
                run --ping-url=\(url) | 0 | ! canary-5e
                run --ping-url=\(url) --guards=on | 4 | ! canary-5e
                """)
            let paths = monitor.requests.map { $0.head.split(separator: " ")[1] }
            #expect(paths == ["/start", "", "/start", "/fail"].map { "/ping/canary-5e" + $0 })
            let said = String(decoding: monitor.requests.last?.body ?? [], as: UTF8.self)
            #expect(bad.lastLine == "reconcile-job: " + said)
            try await scene.steps(
                """
                run --ping-url=http://127.0.0.1:\(try LoopbackSocket.closedPort())/canary-5e | 0 \
                    | 2> Could not ping --ping-url: | ! canary-5e
                run --ping-url=http://monitor.example/canary-5e | 78 | ! canary-5e
                """)
        }
    }

    @Test("The ping URL is also called when the run is stopped")
    func pingOfStop() async throws {
        let monitor = try LoopbackServer(Self.monitor)
        try await NightScene.with(acts: NightScene.all(.stall)) { scene in
            let url = "http://127.0.0.1:\(monitor.port)/p"
            let job = try scene.start(["--timeout=120s", "--ping-url=\(url)"])
            await scene.apple.production.arrival(of: 4)
            job.send(SIGTERM)
            await job.end().ends(143)
            let last = try #require(monitor.requests.last)
            #expect(last.head.hasPrefix("POST /p/fail "))
            #expect(String(decoding: last.body, as: UTF8.self).hasPrefix("Stopped by SIGTERM; "))
        }
    }

    @Test("A run without any answer ends with the most frequent reason, and what to do about it")
    func reasons() async throws {
        let garbled = try LoopbackServer { _ in
            [.reply(headers: ["Content-Encoding: gzip"], "abcd"), .hangUp]
        }
        let old = try TLSLoopbackServer(
            try TLSCertificate(), options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
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
        try await NightScene.with { scene in
            for (url, says, advises) in textTriples(reasons) {
                try await scene.steps(
                    """
                    run --production-url=\(url) --max-attempts=1 --outage-patience=0s --new | 69 \
                        | requests to Apple was answered; nothing was | \(says) \
                        | $ \(advises) Then run again.
                    """)
                #expect(scene.published == [])
            }
        }
    }

    @Test("A proxy learns the job's name and nothing else")
    func proxy() async throws {
        let proxy = try LoopbackServer { _ in [.reply(status: "403 Forbidden", "")] }
        try await NightScene.with { scene in
            try await scene.steps(
                """
                https_proxy=http://127.0.0.1:\(proxy.port) "$0" run $NIGHTLY --max-attempts=1 \
                --outage-patience=0s --production-url=https://apple.invalid/verify | 69
                """)
            let head = """
                CONNECT apple.invalid:443 HTTP/1.1
                Host: apple.invalid:443
                Proxy-Connection: Keep-Alive
                User-Agent: reconcile-job/\(Version.release)
                """
            #expect(
                proxy.requests.first?.head.split(separator: "\r\n") == head.split(separator: "\n"))
        }
    }

    @Test(
        "An announced end of verifyReceipt is logged once, and is in summary, page and metrics")
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
                cat prom | 0 | > reconcile_apple_retirement_announced 1 \
                    | > reconcile_apple_retirement_timestamp_seconds{date="ends"} 1830297599.0
                """)
        }
    }
}

extension NightScene {
    /// A run whose stderr can be read while it runs.
    fileprivate func heard(
        through name: String, _ flags: String...
    ) throws -> (job: RunningJob, stderr: FileHandle) {
        let pipe = folder.path + "/" + name
        try #require(mkfifo(pipe, 0o600) == 0)
        let job = try RunningJob(
            arguments(flags), environment: ["PGPASSWORD": Self.canary], redirection: "2>\(pipe)")
        return (job, try #require(FileHandle(forReadingAtPath: pipe)))
    }
}
