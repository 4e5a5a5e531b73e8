import Foundation
import Testing

/// With `RECONCILE_REWRITE_DOCS=1` the files are written anew instead. `EXPECT.csv` and `README.md`
/// are written by hand.
@Suite("The fixtures")
struct FixtureFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("../../Fixtures").standardized

    @Test("The files in Tests/Fixtures are the bytes that the generator writes, and no others")
    func files() throws {
        let generated = FixtureAnswers.all.merging(FixtureReceipts.all) { first, _ in first }
        if ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil {
            try rewrite(generated)
        }
        let folders = Set(generated.keys.map { String($0.prefix { $0 != "/" }) })
        let kept = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(
                atPath: Self.folder.appendingPathComponent(folder).path
            ).map { folder + "/" + $0 }
        }
        #expect(kept.sorted() == generated.keys.sorted())
        for (name, bytes) in generated {
            let same =
                try Array(Data(contentsOf: Self.folder.appendingPathComponent(name))) == bytes
            #expect(same, "\(name): rewrite it with RECONCILE_REWRITE_DOCS=1")
        }
        #expect(generated.values.reduce(0) { $0 + $1.count } < 380_000)
    }

    private func rewrite(_ files: [String: [UInt8]]) throws {
        for (name, bytes) in files {
            let file = Self.folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
    }
}
