import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("A run without any answer from Apple", .timeLimit(.minutes(10)))
struct SilentAppleTests {
    @Test("The run ends with the most frequent reason, and what to do about it")
    func reasons() async throws {
        let garbled = try LoopbackServer { _ in
            [.reply(headers: ["Content-Encoding: gzip"], "abcd"), .hangUp]
        }
        let old = try TLSLoopbackServer(
            try TLSCertificate(), options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        let closed = try LoopbackSocket.closedPort()
        for (url, says, advises) in [
            (
                "http://127.0.0.1:\(closed)/", "No connection was made (curl 7",
                "Check the URL, the firewall and the proxy (https_proxy)."
            ),
            // An empty label: the resolver itself refuses it, so no network is used.
            (
                "https://no..such/", "The host name was not found (curl 6",
                "Check the URL and the machine's DNS."
            ),
            (
                "https://localhost:\(old.port)/", "The TLS handshake failed (curl 35",
                "The server must offer TLS 1.2 or later; check the proxy."
            ),
            (
                garbled.url, "The answer cannot be decoded (curl 61",
                "It is not from Apple: check the URL and any proxy on the way."
            ),
        ] {
            try await NightScene.with { scene in
                try await scene.run(
                    "--production-url=\(url)", "--max-attempts=1", "--outage-patience=0s"
                ).ends(
                    69, last: ["requests to Apple was answered; nothing was", says],
                    ending: advises + " Then run again.")
                #expect(scene.published == [])
            }
        }
    }

    @Test("A proxy learns the job's name and nothing else")
    func proxy() async throws {
        let proxy = try LoopbackServer { _ in [.reply(status: "403 Forbidden", "")] }
        try await NightScene.with { scene in
            try await scene.run(
                "--production-url=https://apple.invalid/verify", "--max-attempts=1",
                "--outage-patience=0s",
                environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"]
            ).ends(69)
            #expect(
                proxy.requests.first?.head.split(separator: "\r\n") == [
                    "CONNECT apple.invalid:443 HTTP/1.1", "Host: apple.invalid:443",
                    "Proxy-Connection: Keep-Alive",
                    "User-Agent: reconcile-job/\(Version.release)",
                ])
        }
    }
}

@Suite("An announced end of verifyReceipt", .timeLimit(.minutes(10)))
struct AnnouncedEndTests {
    @Test("The announcement is logged once, and is in the summary, on the page and in the metrics")
    func announcedEnd() async throws {
        let headers = ["Deprecation: @1798761600", "Sunset: Fri, 31 Dec 2027 23:59:59 GMT"]
        let answer = LoopbackServer.Act.reply(headers: headers, AppleAnswer.verified())
        try await NightScene.with(acts: NightScene.all(answer)) { scene in
            let sentence =
                "verifyReceipt is deprecated as of 2027-01-01T00:00:00Z and ends on"
                + " 2027-12-31T23:59:59Z."
            let job = try await scene.run(
                "--metrics-file", scene.folder.path + "/reconcile.prom"
            ).ends(out: ["NOTICE: Apple's answers say that \(sentence)"])
            #expect(job.errors(with: "retirement_announced").count == 1)
            #expect(job.error.contains(sentence))
            let reports = try PublishedReports(scene.reports + "/latest")
            #expect(try scene.folder.read("reports/latest/index.html").contains(sentence))
            let kept = reports.summary["retirement"] as? [String: String]
            #expect(kept?["ends_at"] == "2027-12-31T23:59:59Z")
            let file = try scene.folder.read("reconcile.prom")
            for sample in [
                "reconcile_apple_retirement_announced 1\n",
                "reconcile_apple_retirement_timestamp_seconds{date=\"ends\"} 1830297599.0\n",
            ] { #expect(file.contains(sample)) }
        }
    }
}
