import CSpawn
import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a `Damage` with a label, what the one line says, and what is done to a sound
/// folder; or a summary with the remark about it.
@Suite("verify tells one line a cause")
struct FolderVerificationTests {
    private let reports: TemporaryFolder

    init() throws { reports = try TemporaryFolder() }

    private func publish(
        _ rows: [ReportedFinding], of summary: Summary = .sample()
    ) async throws -> String {
        try await reports.publish(summary, rows)
    }

    private static let rows =
        ["u1", "u2"].map { ReportedFinding.named($0, .expiredStillGranted) }
        + [ReportedFinding.named("u3", .refundedStillGranted)]

    /// The sentence is the beginning of the one line that `verify` prints.
    private static let damages = [
        Damage(
            "a cell of a CSV file",
            says: """
                expirations.csv has another SHA-256 digest: expirations.json, row 1: \
                differs from expirations.csv.
                """
        ) { try $0.replace("u1", with: "u9", in: "expirations.csv") },
        Damage(
            "a cell of the last row",
            says: "refunds.csv has another SHA-256 digest: refunds.json, row 1: differs from"
        ) { try $0.replace("u3", with: "u9", in: "refunds.csv") },
        Damage(
            "a value of a JSON file",
            says: """
                expirations.json has another SHA-256 digest: expirations.json, row 2: \
                differs from
                """
        ) {
            try $0.replace(
                #""user_id":"u2""#, with: #""user_id":"u9""#, in: "expirations.json")
        },
        Damage("a row that was removed", says: "expirations.csv has ") {
            try $0.removeLine(2, of: "expirations.csv")
        },
        Damage("a file that is gone", says: "unverified.csv is missing") {
            try $0.remove("unverified.csv")
        },
        Damage(
            "a number of the summary",
            says: """
                summary.json has another SHA-256 digest: summary.json: findings.total is 7, but \
                the rows add up to 3.
                """
        ) { try $0.replace(#""total": 3"#, with: #""total": 7"#, in: "summary.json") },
        Damage("the scope of the summary", says: "summary.json has another SHA-256 digest") {
            try $0.replace(#""everything""#, with: #""everythinG""#, in: "summary.json")
        },
        Damage("the page", says: "index.html has ") { try $0.lengthen("index.html") },
        Damage("a foreign file", says: #""notes.txt": is not listed in the manifest."#) {
            try $0.write("", to: "notes.txt")
        },
    ]

    @Test("One change is one failure, whatever no longer adds up with it", arguments: damages)
    func once(damage: Damage) async throws {
        let path = try await publish(Self.rows)
        #expect(FolderVerification(path).failures == [])
        try damage.change(reports.folder(Run.sample().id.text))
        let failures = FolderVerification(path).failures
        #expect(failures.count == 1, "\(failures)")
        #expect(failures.first?.hasPrefix(damage.sentence) == true, "\(failures)")
    }

    @Test("A file that cannot be read is named as such, and nothing else of it")
    func unreadable() async throws {
        let path = try await publish(Self.rows)
        let verified = await onThread { () -> FolderVerification? in
            guard cspawn_refuse(cspawn_read, UInt32(EIO)) == 0 else { return nil }
            return FolderVerification(path)
        }
        #expect(verified?.failures == ["manifest.json: is missing or cannot be read."])
        #expect(verified?.unreadableFiles == 1)
        let memory = try #require(FileReader("mem", in: OpenFolder(path: "/proc/self")))
        #expect(memory.take(1) == [])
        #expect(memory.failure == EIO)
    }

    @Test("Rows with the same fault are one line, with the first row and the true count")
    func counted() async throws {
        var wrong = Self.rows
        for index in wrong.indices { wrong[index].finding.severity = .info }
        let failures = FolderVerification(try await publish(wrong)).failures
        #expect(
            failures == [
                "expirations.csv, row 1: a expired_still_granted is not info (and 1 more row).",
                "refunds.csv, row 1: a refunded_still_granted is not info.",
            ])
    }

    @Test(
        "A held folder, a trial and a partial run's are named so",
        arguments: [
            (
                Summary.sample(status: .held),
                "It is held: a guard found it implausible, so it does not count."
            ),
            (
                .sample(Run(id: Run.sample().id, asOf: .asOf, scope: .everything, isTrial: true)),
                "It is a trial: later runs do not count it."
            ),
            (
                .sample(.sample(scope: .limited(users: 3))),
                "It is of some users only (limited): later runs do not count it."
            ),
            (.sample(), nil),
        ] as [(summary: Summary, remark: String?)])
    func named(summary: Summary, remark: String?) async throws {
        let verified = FolderVerification(try await publish([], of: summary))
        #expect(verified.failures == [])
        #expect(verified.remarks == [remark].compactMap(\.self))
    }

    @Test("A released and a retracted folder are named so", arguments: MarkedFolder.Mark.allCases)
    func marked(mark: MarkedFolder.Mark) async throws {
        let path = try await publish([], of: .sample(status: .held))
        let marked = MarkedFolder(mark, run: Run.sample().id, by: "ada", why: "x", at: .asOf)
        #expect(try marked.publish(in: reports.path, newest: nil))
        let remarks = FolderVerification(path).remarks
        #expect(remarks.last == "It was \(mark.rawValue) later: \(mark.fileName).")
        #expect(remarks.first?.hasPrefix("It is held") == (mark == .retracted))
    }
}

extension ReportedFinding {
    /// With the id that a row of this kind and user has.
    fileprivate static func named(_ user: UserID, _ kind: FindingKind) -> ReportedFinding {
        let finding = Finding(
            kind: kind, weight: kind.weight, user: user, explanation: "A sentence about \(user).")
        return ReportedFinding(identifying: finding, judgedAt: .asOf)
    }
}
