import Foundation
import Testing

@testable import TestSupport

@Suite("reconcile-job simulate")
struct SimulateTests {
    @Test(
        "prints where it serves, serves, and stops on a signal",
        arguments: [(SIGTERM, 143, "SIGTERM"), (SIGINT, 130, "SIGINT")] as [(Int32, Int32, String)])
    func serves(signal: Int32, status: Int32, name: String) throws {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("reconcile-job")
        process.arguments = ["simulate", "--customers", "5", "--as-of=2026-11-20T02:00:00Z"]
        process.environment = [:]
        let (output, error) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, error)
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let ports = try #require(
            try #/production=http://127.0.0.1:(\d+)/verifyReceipt sandbox=(.*)\n/#
                .wholeMatch(in: line))
        #expect(ports.2.hasPrefix("http://127.0.0.1:") && !ports.2.contains(ports.1))
        kill(process.processIdentifier, signal)
        let text = String(
            decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        #expect(text.contains("Stopped by \(name); 0 requests were answered."))
        #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }

    @Test("says that a port is taken, and that a database is out of reach")
    func cannotStart() throws {
        let taken = try JobProcess(["simulate", "--port=1", "--sandbox-port=1", "--customers=1"])
        #expect(taken.status == 69)
        #expect(taken.lastLine.contains("127.0.0.1:1: "))
        let nowhere = try JobProcess(["simulate", "--load=host=/nowhere dbname=x"])
        #expect(nowhere.status == 69)
        #expect(nowhere.output.isEmpty)
        #expect(nowhere.lastLine.contains("Cannot reach the database"))
    }

    @Test("fills no schema app but its own, and says what to do")
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
            #expect(foreign.lastLine.contains("Give a database of its own"))
            #expect(try await test.texts("select id::text from app.receipts") == ["1"])
        }
    }
}
