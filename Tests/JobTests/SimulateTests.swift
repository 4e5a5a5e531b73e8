import Foundation
import Testing

@testable import TestSupport

@Suite("reconcile-job simulate")
struct SimulateTests {
    @Test(
        "simulate prints its URLs, serves, and stops on a signal",
        arguments: [(SIGTERM, 143, "SIGTERM"), (SIGINT, 130, "SIGINT")] as [(Int32, Int32, String)])
    func serves(signal: Int32, status: Int32, name: String) throws {
        let simulator = try ChildProcess(
            Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path,
            ["simulate", "--customers", "5", "--as-of=2026-11-20T02:00:00Z"])
        let line = String(decoding: simulator.output.availableData, as: UTF8.self)
        let ports = try #require(
            try #/production=http://127.0.0.1:(\d+)/verifyReceipt sandbox=(.*)\n/#
                .wholeMatch(in: line))
        #expect(ports.2.hasPrefix("http://127.0.0.1:") && !ports.2.contains(ports.1))
        simulator.send(signal)
        let text = String(decoding: simulator.error.readDataToEndOfFile(), as: UTF8.self)
        #expect(simulator.wait() == status)
        #expect(text.contains("Stopped by \(name); 0 requests were answered."))
        #expect(simulator.output.readDataToEndOfFile().isEmpty)
    }

    @Test("simulate reports a taken port and an unreachable database")
    func cannotStart() throws {
        let taken = try JobProcess(["simulate", "--port=1", "--sandbox-port=1", "--customers=1"])
        #expect(taken.status == 69)
        #expect(taken.lastLine.contains("127.0.0.1:1: "))
        let nowhere = try JobProcess(["simulate", "--load=host=/nowhere dbname=x"])
        #expect(nowhere.status == 69)
        #expect(nowhere.output.isEmpty)
        #expect(nowhere.lastLine.contains("Cannot reach the database"))
    }

    @Test("simulate fills no schema app but its own, and says what to do")
    func foreignSchema() async throws {
        try await TestDatabase.with(.ownTables) { test in
            func load() async throws -> JobProcess {
                try await RunningJob(["simulate", "--customers=1", "--load", test.url]).end()
            }
            let missing = try await load()
            #expect(missing.status == 78 && missing.output.isEmpty)
            #expect(missing.lastLine.contains("migrate --with-reference-app"))
            try await test.execute(
                "create schema app; create table app.receipts (id int); "
                    + "insert into app.receipts values (1)")
            let foreign = try await load()
            #expect(foreign.status == 65 && foreign.output.isEmpty)
            #expect(foreign.lastLine.contains("schema app is not the reference service"))
            #expect(foreign.lastLine.contains("Use a separate database"))
            #expect(try await test.texts("select id::text from app.receipts") == ["1"])
        }
    }
}
