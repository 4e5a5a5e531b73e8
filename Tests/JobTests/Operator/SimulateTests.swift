import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

@Suite("simulate", .timeLimit(.minutes(10)))
struct SimulateTests {
    /// The URLs that it prints once it serves.
    private func serve<T>(
        _ words: String..., body: ([String: String]) async throws -> T
    ) async throws -> T {
        let simulator = try await Launch.normal.start(["simulate"] + words)
        defer { simulator.end() }
        let line = String(decoding: simulator.output.availableData, as: UTF8.self)
        let pairs = line.split { " \n".contains($0) }.map { $0.split(separator: "=") }
        let urls = pairs.map { (String($0[0]), String($0[1])) }
        return try await body(Dictionary(uniqueKeysWithValues: urls))
    }

    @Test("It prints the URLs of four servers, and writes keys and roots for the job's flags")
    func writes() async throws {
        let folder = try TemporaryFolder()
        let keys = folder.path + "/keys"
        let secrets = folder.path + "/secrets"
        let roots = folder.path + "/roots"
        // A file of an earlier simulation is replaced.
        for _ in 0..<2 {
            try await serve(
                "--write-api-keys=\(keys)", "--write-roots=\(roots)",
                "--write-secrets=\(secrets)"
            ) { urls in
                #expect(Set(urls.keys) == ["production", "sandbox", "api", "api_sandbox"])
                #expect(Set(urls.values).count == 4)
                #expect(urls["production"]?.hasSuffix("/verifyReceipt") == true)
                #expect(urls["api"]?.hasSuffix("/") == false)
            }
        }
        #expect(try folder.mode(of: "secrets/shared-secrets") == 0o600)
        let secret = "\(SimulatedApp.atlas.bundle) = \(SimulatedApp.atlas.secret)\n"
        #expect(try folder.read("secrets/shared-secrets").contains(secret))
        for name in ["SIM7ATLAS1.p8", "SIM7TEMPO2.p8", "api-keys"] {
            #expect(try folder.mode(of: "keys/" + name) == 0o600)
        }
        let lines = try folder.read("keys/api-keys").split(separator: "\n").dropFirst()
        #expect(lines.count == SimulatedApp.all.count)
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            try #require(words.count == 5)
            let key = ThrowAwayAPIKey.all.first { $0.bundles.contains(words[0]) }
            #expect(words[1] == "=")
            #expect(words[2] == key?.issuer)
            #expect(words[3] == key?.id)
            #expect(try folder.read("keys/" + words[4]) == key?.pem)
        }
        for root in ThrowAwayRoot.all {
            #expect(try folder.read("roots/" + root.name) == root.pem)
        }
    }

    @Test("A folder that cannot be written ends it before it serves")
    func cannotWrite() async throws {
        for flag in ["--write-api-keys", "--write-roots", "--write-sales", "--write-secrets"] {
            try await JobProcess("simulate", "\(flag)=/proc/none").exits(73)
                .says("\(flag): cannot write /proc/none")
                .printsNothing()
        }
    }

    @Test(
        "It stores receipts, signed transactions or ids",
        arguments: [
            (stored: "receipt", form: "^(MII|ewoJ)"), ("jws", #"^\s*eyJ"#), ("id", #"^\s*\d+\s*$"#),
        ])
    func stores(stored: String, form: String) async throws {
        try await TestDatabase.with(.nothing) { test in
            try await JobProcess("migrate", "--with-reference-app", "--database=\(test.url)")
                .exits()
            try await serve("--customers=60", "--load=\(test.url)", "--stored=\(stored)") { _ in }
            let texts = try await test.texts("select receipt_data from reconcile.stored_receipts")
            let matching = try texts.compactMap(\.self).filter { text in
                try Regex(form).firstMatch(in: text) != nil
            }
            #expect(matching.count > 45)
        }
    }
}
