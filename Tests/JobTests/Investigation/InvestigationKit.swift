import Foundation
import Testing

@testable import TestSupport

extension NightScene {
    /// Another command than `run`, with the database's flag.
    func command(_ arguments: String...) throws -> JobProcess {
        try JobProcess(arguments + ["--database=\(database)"])
    }

    /// The ids of all runs, the oldest first.
    var runs: [String] {
        get async throws {
            try await test.texts("select run_id from reconcile.run order by run_no")
                .compactMap(\.self)
        }
    }

    /// The run that `latest` leads to, and the path of its folder.
    var publishedRun: String {
        get throws {
            try FileManager.default.destinationOfSymbolicLink(atPath: reports + "/latest")
        }
    }
    var publishedFolder: String { get throws { try reports + "/" + publishedRun } }

    /// The first column of the first row.
    func first(_ sql: String) async throws -> String {
        try #require(try await test.texts(sql).first ?? nil)
    }

    func expiredFinding() async throws -> String {
        try await first(
            "select finding_id from reconcile.finding where kind = 'expired_still_granted'")
    }
}

extension JobProcess {
    /// The JSON of the output.
    func json<Value>(_: Value.Type = Value.self) throws -> Value {
        try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? Value)
    }
}
