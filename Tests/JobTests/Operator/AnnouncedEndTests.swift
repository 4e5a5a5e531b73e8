import Testing

@testable import TestSupport

@Suite("An announced end of verifyReceipt", .timeLimit(.minutes(10)))
struct AnnouncedEndTests {
    @Test("The announcement is logged once, and is in the summary, on the page and in the metrics")
    func announcedEnd() async throws {
        let body = AppleAnswer.verified()
        let answer =
            "HTTP/1.1 200 OK\r\nDeprecation: @1798761600\r\nSunset: Fri, 31 Dec 2027 23:59:59 GMT"
            + "\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        try await NightScene.with(acts: NightScene.all(.send(Array(answer.utf8)))) { scene in
            let metrics = scene.folder.path + "/reconcile.prom"
            let job = try await scene.run("--metrics-file", metrics)
            #expect(job.status == 0, "\(job.error)")
            let sentence =
                "verifyReceipt is deprecated as of 2027-01-01T00:00:00Z and ends on"
                + " 2027-12-31T23:59:59Z."
            #expect(
                job.error.split(separator: "\n").filter { $0.contains("retirement_announced") }
                    .count == 1)
            #expect(job.error.contains(sentence))
            #expect(job.output.contains("NOTICE: Apple's answers say that \(sentence)"))
            let reports = try PublishedReports(scene.reports + "/latest")
            #expect(try scene.folder.read("reports/latest/index.html").contains(sentence))
            let kept = reports.summary["retirement"] as? [String: String]
            #expect(kept?["ends_at"] == "2027-12-31T23:59:59Z")
            let file = try scene.folder.read("reconcile.prom")
            #expect(file.contains("reconcile_apple_retirement_announced 1\n"))
            #expect(
                file.contains(
                    "reconcile_apple_retirement_timestamp_seconds{date=\"ends\"} 1830297599.0\n"))
        }
    }
}
