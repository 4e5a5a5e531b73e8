import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

@Suite("A run against the simulator", .timeLimit(.minutes(10)))
struct SimulatedNightTests {
    @Test(
        "A run against a simulator with faults has the same findings as one without faults",
        arguments: [
            "10%",
            // Fewer than half of the answers fail and few are refusals: neither an outage nor wrong
            // refusals.
            "429-ms:sandbox:30%,html:first=1:10%,21003:first=1:2%,cut-gzip:first=2:5%,reset:5%",
        ])
    func faults(plan: String) async throws {
        let calm = try await findings(faults: "0")
        #expect(calm.contains("refunded_still_granted") && calm.contains("receipt_from_xcode"))
        #expect(try await findings(faults: plan) == calm)
    }

    /// Every line of every file, except what differs between runs.
    private func findings(faults: String) async throws -> String {
        let folder = try TemporaryFolder()
        let secrets = try folder.write(
            SimulatedApp.all.map { "\($0.bundle) = \($0.secret)\n" }.joined(), to: "secrets")
        return try await TestDatabase.with(.nothing) { test in
            let migration = try JobProcess(
                ["migrate", "--with-reference-app", "--database", test.url])
            #expect(migration.status == 0, "\(migration.error)")
            let apple = try SimulatorProcess([
                "--customers=200", "--as-of", Self.asOf, "--faults", faults, "--load", test.url,
            ])
            let run = try await RunningJob([
                "run", "--database", test.url, "--reports", folder.path + "/reports",
                "--shared-secrets", secrets, "--as-of", Self.asOf, "--allow-writable-role",
                "--production-url", apple.production, "--sandbox-url", apple.sandbox,
                "--rate=10000", "--in-flight=32", "--backoff=1ms", "--max-attempts=12",
                "--timeout=50s", "--output=none", "--max-unverified=0",
            ]).end()
            #expect(run.status == 0, "\(run.error)")
            return try ["expirations", "refunds", "mismatches", "receipts", "unverified"].map {
                try folder.read("reports/latest/\($0).json")
                    .replacing(#/"(run_id|first_seen)":"[^"]*"/#, with: "")
            }.joined()
        }
    }

    private static let asOf = "2026-11-20T02:00:00Z"
}
