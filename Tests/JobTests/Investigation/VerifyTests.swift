import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The command verify")
struct VerifyTests {
    private func verify(_ folder: String, _ arguments: String...) throws -> JobProcess {
        try JobProcess(["verify", folder] + arguments)
    }

    @Test("verify accepts an untouched folder and one with RETRACTED.json, and says which it is")
    func whole() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let folder = try scene.publishedFolder
            let whole = try verify(scene.reports + "/latest")
                .ends(last: ["is complete and ties out"])
            #expect(whole.output.isEmpty, "\(whole.output)")
            try scene.command("verify", folder).ends()
            try scene.command(
                "retract", scene.publishedRun, "--by=ada", "--why=prices",
                "--reports=\(scene.reports)"
            ).ends()
            try verify(folder).ends(last: ["RETRACTED.json"])
            try verify("/nowhere").ends(74)
            try JobProcess(["verify"]).ends(64)
        }
    }

    @Test("verify detects one changed byte in any file")
    func flipped() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let folder = try scene.publishedFolder
            for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
                let url = URL(fileURLWithPath: folder + "/" + name)
                let bytes = try Data(contentsOf: url)
                // The first, the last and some other places, drawn by the file's name.
                var places: Set<Int> = [0, bytes.count - 1]
                var generator = SeededGenerator(name.utf8.reduce(0) { $0 + UInt64($1) })
                for _ in 0..<4 { places.insert(Int.random(in: 0..<bytes.count, using: &generator)) }
                for place in places {
                    var changed = bytes
                    changed[place] ^= 1
                    try changed.write(to: url)
                    let answer = try verify(folder)
                    #expect(answer.status == 1, "\(name), byte \(place)")
                    #expect(!answer.output.isEmpty)
                }
                try bytes.write(to: url)
            }
            try verify(folder).ends()
        }
    }

    @Test("verify names sums that do not tie out although every digest matches")
    func forged() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let folder = try scene.publishedFolder
            func forged(
                _ name: String, _ change: (String) throws -> String
            ) throws -> (whole: String, output: String) {
                let whole = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                let changed = try change(whole)
                try #require(changed != whole)
                try forge(folder, name, changed)
                return (whole, try verify(folder).ends(1).output)
            }
            let swap = { (text: String) in text.replacing("e-ann", with: "e-bob") }
            let csv = try forged("expirations.csv", swap)
            #expect(csv.output.contains("expirations.json, row 1"), "\(csv.output)")
            let json = try forged("expirations.json", swap)
            #expect(json.output.contains("finding_id"), "\(json.output)")
            try scene.command("verify", folder).ends(
                1,
                out: ["differs from the one recorded in the database", "differs from finding"])
            try forge(folder, "expirations.csv", csv.whole)
            try forge(folder, "expirations.json", json.whole)

            let totals = try forged("totals.csv") { text in
                text.split(separator: "\r\n").dropLast().joined(separator: "\r\n") + "\r\n"
            }
            #expect(totals.output.contains("totals.csv: 1 groups of findings have no line."))
            try forge(folder, "totals.csv", totals.whole)
            var total: Substring = ""
            let summary = try forged("summary.json") { text in
                let found = try #require(text.firstMatch(of: #/"total": (\d+)/#))
                total = found.1
                return text.replacing(found.0, with: "\"total\": 99", maxReplacements: 1)
            }
            #expect(
                summary.output == "summary.json: findings.total is 99, but the rows add up to"
                    + " \(total).\n")
        }
    }

    /// Writes a file, and a manifest and SHA256SUMS that match it.
    private func forge(_ folder: String, _ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: folder + "/" + name)
        let old = digest(try Data(contentsOf: url))
        let new = digest(Data(text.utf8))
        try Data(text.utf8).write(to: url)
        let path = folder + "/manifest.json"
        var lines = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(old, with: new).components(separatedBy: "\n")
        let place = try #require(lines.firstIndex { $0.contains("\"name\": \"\(name)\"") })
        let size = try #require(lines[place...].firstIndex { $0.contains("\"bytes\": ") })
        lines[size].replace(#/\d+/#, with: { _ in String(text.utf8.count) })
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        guard name != "SHA256SUMS" else { return }
        let sums = try String(contentsOfFile: folder + "/SHA256SUMS", encoding: .utf8)
        try forge(folder, "SHA256SUMS", sums.replacing(old, with: new))
    }

    private func digest(_ data: Data) -> String { Digest.sha256(Array(data)).hexadecimal }
}
