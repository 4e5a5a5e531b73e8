import Testing

@testable import Reconcile
@testable import TestSupport

/// A change to a run's folder, and what is said of it. To add a case, copy one.
struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let sentence: String
    let change: @Sendable (FolderOnDisk) throws -> Void

    init(
        _ name: String, says sentence: String,
        change: @escaping @Sendable (FolderOnDisk) throws -> Void
    ) {
        testDescription = name
        self.sentence = sentence
        self.change = change
    }
}

@Suite("A report folder that is damaged before `latest` moves")
struct DamagedReportTests {
    private let reports: TemporaryFolder
    private let earlier = Run.sample(suffix: 1)
    private let run = Run.sample(suffix: 2)
    init() throws { reports = try TemporaryFolder() }

    private static let damages = [
        Damage("other text", says: "refunds.csv has another SHA-256 digest") {
            try $0.replace("u1", with: "u2", in: "refunds.csv")
        },
        Damage("a byte less", says: "refunds.csv has") { try $0.shorten("refunds.csv") },
        Damage("a byte more", says: "refunds.csv has") { try $0.lengthen("refunds.csv") },
        Damage("a file that is gone", says: "refunds.csv is missing") {
            try $0.remove("refunds.csv")
        },
        Damage("a link to the file", says: "refunds.csv is not a regular file") {
            try $0.move("refunds.csv", to: "../refunds.csv")
            try $0.link("refunds.csv", to: "../refunds.csv")
        },
        Damage("a folder instead of a file", says: "refunds.csv is not a regular file") {
            try $0.remove("refunds.csv")
            try $0.makeFolder("refunds.csv")
        },
        Damage("a foreign file", says: #"it also holds "extra\u{1B}.csv""#) {
            try $0.write("", to: "extra\u{1B}.csv")
        },
        Damage("a foreign folder", says: #"it also holds "extra\u{1B}.csv""#) {
            try $0.makeFolder("extra\u{1B}.csv")
        },
    ]

    private static let otherManifest = Damage(
        "another manifest", says: "manifest.json has 1 bytes, not"
    ) { try $0.write("\n", to: "manifest.json") }

    @Test(
        "`latest` does not move to a staged report that lost data",
        arguments: damages + [otherManifest])
    func staged(damage: Damage) async throws {
        try await reports.publish(.sample(earlier))
        let message = try await refusal {
            // All files are written and synced, and the rename is next.
            let staged = try reports.names[0]
            #expect(try reports.isWholeReport(staged))
            try damage.change(reports.folder(staged))
        }
        #expect(message.hasPrefix("The reports at \(path) differ from what was written: "))
        #expect(message.contains(": \(damage.sentence)"))
    }

    @Test(
        "`latest` does not move to a report that lost data after another worker left it",
        arguments: damages)
    func left(damage: Damage) async throws {
        try await leave(damage)
        let message = try await refusal {}
        #expect(message.hasPrefix("The reports at \(path) differ from what was written: "))
        #expect(message.contains(": \(damage.sentence)"))
    }

    @Test("A folder that another worker left with another manifest is that of another run")
    func otherRun() async throws {
        try await leave(Self.otherManifest)
        let message = try await refusal {}
        #expect(message.hasPrefix("\(path) is in the way: "))
    }

    private static let rows = [ReportedFinding.sample(.refundRecorded)]
    private var path: String { "\(reports.path)/\(run.id.text)" }

    private func leave(_ damage: Damage) async throws {
        try await reports.publish(.sample(run), Self.rows)
        try await reports.publish(.sample(earlier))
        try damage.change(reports.folder(run.id.text))
    }

    /// The message of a publication that is refused after the first check of its lease.
    private func refusal(_ check: () throws -> Void) async throws -> String {
        var checks = 0
        let error = await #expect(throws: ReportError.self) {
            try await reports.publish(.sample(run), Self.rows) {
                checks += 1
                try check()
            }
        }
        #expect(checks == 1)
        #expect(reports.latest == earlier.id.text)
        #expect(try reports.names.filter { $0.hasPrefix(".") } == [])
        return try #require(error).description
    }
}
