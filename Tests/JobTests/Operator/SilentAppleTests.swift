import Testing

@testable import TestSupport
@testable import reconcile_job

@Suite("A run without any answer from Apple", .timeLimit(.minutes(10)))
struct SilentAppleTests {
    @Test("The run ends with the most frequent reason, and what to do about it")
    func reasons() async throws {
        let garbled = try LoopbackServer { _ in
            [
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"),
                .hangUp,
            ]
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
                let job = try await scene.run(
                    "--production-url=\(url)", "--max-attempts=1", "--outage-patience=0s")
                #expect(job.status == 69, "\(job.error)")
                #expect(job.lastLine.contains("requests to Apple was answered; nothing was"))
                #expect(job.lastLine.contains(says), "\(job.lastLine)")
                #expect(job.lastLine.hasSuffix(advises + " Then run again."), "\(job.lastLine)")
                #expect(scene.published == [])
            }
        }
    }

    @Test("A proxy learns the job's name and nothing else")
    func proxy() async throws {
        let proxy = try LoopbackServer { _ in [.reply(status: "403 Forbidden", "")] }
        try await NightScene.with { scene in
            let job = try await scene.run(
                "--production-url=https://apple.invalid/verify", "--max-attempts=1",
                "--outage-patience=0s",
                environment: ["https_proxy": "http://127.0.0.1:\(proxy.port)"])
            #expect(job.status == 69, "\(job.error)")
            let head = try #require(proxy.requests.first).head.split(separator: "\r\n")
            #expect(
                head == [
                    "CONNECT apple.invalid:443 HTTP/1.1", "Host: apple.invalid:443",
                    "Proxy-Connection: Keep-Alive",
                    "User-Agent: reconcile-job/\(Version.release)",
                ])
        }
    }
}
