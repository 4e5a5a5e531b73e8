import Testing

@testable import Reconcile
@testable import TestSupport

/// Rows of the database that are compared with a folder whose rows are of u1, u2 and u3.
private struct Comparison: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let users: [UserID]
    let erased: Int
    let rows: Int
    /// The beginning of the difference; nil when there is none.
    let difference: String?

    init(
        _ name: String, database users: [UserID], erased: Int, same rows: Int,
        _ difference: String? = nil
    ) {
        testDescription = name
        self.users = users
        self.erased = erased
        self.rows = rows
        self.difference = difference
    }

    static let all = [
        Comparison("nobody was erased", database: ["u1", "u2", "u3"], erased: 0, same: 3),
        Comparison("the first was erased", database: ["u2", "u3"], erased: 1, same: 2),
        Comparison("the one between was erased", database: ["u1", "u3"], erased: 1, same: 2),
        Comparison("the last was erased", database: ["u1", "u2"], erased: 1, same: 2),
        Comparison("all were erased", database: [], erased: 3, same: 0),
        Comparison(
            "a row is gone without a record", database: ["u1", "u3"], erased: 0, same: 1,
            "unverified.csv, row 2: differs from receipt r9 of the database"),
        Comparison(
            "more are gone than were recorded", database: ["u1"], erased: 1, same: 1,
            "unverified.csv: has more rows than the 1 of the database and the 1 of erased users."),
        Comparison(
            "fewer are gone than were recorded", database: ["u1", "u2", "u3"], erased: 1, same: 3,
            "unverified.csv: has 0 rows of erased users, but the database recorded 1."),
        Comparison(
            "a row was changed", database: ["u1", "u9"], erased: 1, same: 1,
            "unverified.csv, row "),
    ]
}

/// To add a case, copy a row of `Comparison.all`.
@Suite("A folder compared with a database from which users were erased")
struct FolderComparisonTests {
    @Test(
        "As many rows as were recorded, and no more, may be in the folder alone",
        arguments: Comparison.all)
    private func compares(case comparison: Comparison) async throws {
        let reports = try TemporaryFolder()
        let run = Run.sample()
        let all = ["u1", "u2", "u3"].map { UnverifiedReceipt.sample(user: UserID($0)) }
        let path = try await reports.publish(.sample(run, unverified: 3), unverified: all)
        let folder = try OpenFolder(path: path)
        var erasure = Erasure()
        if comparison.erased > 0 {
            erasure.acts = [Erasure.Act(by: "dpo", at: .asOf)]
            erasure.rows = ["unverified": comparison.erased]
        }
        var compared = FolderComparison<UnverifiedReceipt>(
            in: folder, of: run, erased: erasure)
        compared.compare(comparison.users.map { .sample(user: $0) })
        compared.end()
        #expect(compared.rows == comparison.rows)
        let difference = compared.difference
        if let expected = comparison.difference {
            #expect(difference?.hasPrefix(expected) == true, "\(difference ?? "")")
        } else {
            #expect(difference == nil)
            #expect(compared.erased.count == comparison.erased)
        }
    }

    @Test("A row that was cut off is no row of an erased user")
    func cutOff() async throws {
        let reports = try TemporaryFolder()
        let run = Run.sample()
        let path = try await reports.publish(
            .sample(run, unverified: 1), unverified: [.sample(user: "u1")])
        let file = run.folderName + "/unverified.csv"
        let header = try #require(reports.read(file).split(separator: "\r\n").first)
        try reports.write("\(header)\r\nr1,u1\r\n", to: file)
        var erasure = Erasure()
        erasure.acts = [Erasure.Act(by: "dpo", at: .asOf)]
        erasure.rows = ["unverified": 1]
        var compared = FolderComparison<UnverifiedReceipt>(
            in: try OpenFolder(path: path), of: run, erased: erasure)
        compared.compare([.sample(user: "u2")])
        #expect(compared.rows == 0)
        #expect(compared.difference?.hasPrefix("unverified.csv, row 1: differs from") == true)
    }
}
