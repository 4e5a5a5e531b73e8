import Testing

@testable import TestSupport

@Suite("A run during an outage", .timeLimit(.minutes(10)))
struct OutageNightTests {
    @Test(
        "If Apple answers only errors, the run is published unverified and accuses no user",
        arguments: [
            .reply(status: "503 No", ""), .reply(status: "429 No", headers: ["Retry-After: 7"], ""),
            .reply("<html></html>"), .reply(AppleAnswer.status(21002)),
        ] as [LoopbackServer.Act])
    func answers(act: LoopbackServer.Act) async throws {
        try await NightScene.with(acts: NightScene.all(act)) { scene in
            let process = try await scene.run(
                "--max-attempts=2", "--receipt-deadline=5s", "--outage-patience=0s")
            #expect(process.status == 3, "\(process.error)")
            let reports = try PublishedReports(scene.reports + "/latest")
            try reports.expectToTieOut()
            // Findings without an answer: `dan`'s receipt is a StoreKit 2 transaction, `eve` has
            // none.
            let findings = reports.summary["findings"] as? [String: Any]
            let kinds = findings?["by_kind"] as? [String: Int]
            #expect(kinds == ["grant_without_receipt": 1, "receipt_is_jws": 1])
        }
    }
}
