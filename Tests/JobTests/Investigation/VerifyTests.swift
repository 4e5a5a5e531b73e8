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
            let whole = try verify(scene.reports + "/latest")
            #expect(whole.status == 0 && whole.output.isEmpty, "\(whole.output)")
            #expect(whole.lastLine.contains("is complete and ties out"))
            let recorded = try verify(
                scene.reports + "/latest", "--database=\(scene.database)")
            #expect(recorded.status == 0, "\(recorded.output)")
            _ = try JobProcess([
                "retract", scene.latest, "--by=ada", "--why=prices",
                "--database=\(scene.database)", "--reports=\(scene.reports)",
            ])
            let folder = try #require(scene.published.first)
            let retracted = try verify(scene.reports + "/" + folder)
            #expect(retracted.status == 0 && retracted.lastLine.contains("RETRACTED.json"))
            #expect(try verify("/nowhere").status == 74)
            #expect(try JobProcess(["verify"]).status == 64)
        }
    }

    @Test("verify detects one changed byte in any file")
    func flipped() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let folder = scene.reports + "/" + (try scene.latest)
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
            #expect(try verify(folder).status == 0)
        }
    }

    @Test("verify names sums that do not tie out although every digest matches")
    func forged() async throws {
        try await NightScene.with { scene in
            _ = try await scene.run()
            let folder = scene.reports + "/" + (try scene.latest)
            let csv = try String(contentsOfFile: folder + "/expirations.csv", encoding: .utf8)
            let forged = csv.replacing("e-ann", with: "e-bob")
            #expect(csv != forged)
            try forge(folder, "expirations.csv", forged)
            let one = try verify(folder)
            #expect(one.status == 1)
            #expect(one.output.contains("expirations.json, row 1"), "\(one.output)")
            let json = try String(contentsOfFile: folder + "/expirations.json", encoding: .utf8)
            try forge(folder, "expirations.json", json.replacing("e-ann", with: "e-bob"))
            let both = try verify(folder)
            #expect(both.output.contains("finding_id"), "\(both.output)")
            let recorded = try verify(folder, "--database=\(scene.database)")
            #expect(recorded.output.contains("differs from the one recorded in the database"))
            #expect(recorded.output.contains("differs from finding"))

            try forge(folder, "expirations.csv", csv)
            try forge(folder, "expirations.json", json)
            let totals = try String(contentsOfFile: folder + "/totals.csv", encoding: .utf8)
            let lines = totals.split(separator: "\r\n")
            try forge(folder, "totals.csv", lines.dropLast().joined(separator: "\r\n") + "\r\n")
            let short = try verify(folder)
            #expect(short.output.contains("totals.csv: 1 groups of findings have no line."))
            try forge(folder, "totals.csv", totals)
            let summary = try String(contentsOfFile: folder + "/summary.json", encoding: .utf8)
            let total = try #require(summary.firstMatch(of: #/"total": (\d+)/#))
            try forge(
                folder, "summary.json",
                summary.replacing(total.0, with: "\"total\": 99", maxReplacements: 1))
            let sums = try verify(folder)
            #expect(sums.status == 1)
            #expect(
                sums.output == "summary.json: findings.total is 99, but the rows add up to"
                    + " \(total.1).\n")
        }
    }

    /// Writes a file, and a manifest and SHA256SUMS that match it.
    private func forge(_ folder: String, _ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: folder + "/" + name)
        let old = try Data(contentsOf: url)
        try Data(text.utf8).write(to: url)
        let path = folder + "/manifest.json"
        let manifest = try String(contentsOfFile: path, encoding: .utf8)
        let lines = manifest.replacing(digest(old), with: digest(Data(text.utf8)))
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = try #require(lines.firstIndex { $0.contains("\"name\": \"\(name)\"") })
        let size = try #require(lines[place...].firstIndex { $0.contains("\"bytes\": ") })
        var forged = lines
        forged[size].replace(#/\d+/#, with: { _ in String(text.utf8.count) })
        try forged.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        guard name != "SHA256SUMS" else { return }
        let sums = try String(contentsOfFile: folder + "/SHA256SUMS", encoding: .utf8)
        try forge(
            folder, "SHA256SUMS", sums.replacing(digest(old), with: digest(Data(text.utf8))))
    }

    private func digest(_ data: Data) -> String {
        Digest.sha256(Array(data)).hexadecimal
    }
}
