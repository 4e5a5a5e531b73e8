import Foundation
import Testing

@testable import TestSupport

extension Session {
    /// A nightly run with the session's flags, then these.
    @discardableResult
    func run(_ more: String..., with launch: Launch = .normal) async throws -> JobProcess {
        try await run(more, with: launch)
    }

    @discardableResult
    func run(_ more: [String], with launch: Launch = .normal) async throws -> JobProcess {
        try await start(words: ["run"] + flags + more, with: launch).finish()
    }

    /// A nightly run that a test ends, or acts on while it runs.
    func start(_ more: String..., with launch: Launch = .normal) async throws -> ChildProcess {
        try await start(words: ["run"] + flags + more, with: launch)
    }

    /// A command with the address of the database, as its owner.
    @discardableResult
    func job(_ words: String..., with launch: Launch = .normal) async throws -> JobProcess {
        try await job(words, with: launch)
    }

    @discardableResult
    func job(_ words: [String], with launch: Launch = .normal) async throws -> JobProcess {
        try await start(words: words, ["DATABASE_URL": test.url], with: launch).finish()
    }

    /// A command with what its words say, and nothing else.
    @discardableResult
    func program(_ words: String..., with launch: Launch = .normal) async throws -> JobProcess {
        try await start(words: words, with: launch).finish()
    }

    @discardableResult
    func doctor(_ more: String...) async throws -> JobProcess { try await doctor(more) }

    /// Of the session's set-up.
    @discardableResult
    func doctor(_ more: [String]) async throws -> JobProcess {
        let set = flags("production-url", "sandbox-url", "shared-secrets", "database", "reports")
        return try await start(words: ["doctor"] + set + more).finish()
    }

    /// Starts a command in the session's folder, with the password of the session's role.
    func start(
        words: [String], _ variables: [String: String] = [:], with launch: Launch = .normal
    ) async throws -> ChildProcess {
        let all = variables.merging(["PGPASSWORD": Self.password]) { $1 }
        return try await launch.start(words, all, in: folder.path)
    }

    /// The same session, of whose flags every run gets only these.
    func with(flags isKept: (String) -> Bool) -> Session {
        Session(test: test, apple: apple, folder: folder, flags: flags.filter(isKept))
    }

    /// Those of the session's flags that have these names.
    func flags(_ names: String...) -> [String] {
        flags.filter { flag in names.contains { flag.hasPrefix("--\($0)=") } }
    }

    /// The database's address for the session's role.
    var login: String { test.url(user: test.name) }
}

extension Session {
    /// Executes statements, as the owner of the database.
    func sql(_ statements: String) async throws { try await test.execute(statements) }

    /// A query, of which the first column is compared: `.returns("ann", nil)`.
    func query(_ query: String) async throws -> QueryResult {
        QueryResult(query: query, values: try await test.texts(query))
    }

    /// The first column of a query's rows, as text.
    func values(_ query: String) async throws -> [String?] { try await test.texts(query) }

    /// All rows of the ledger, to be compared with those at another time.
    func ledger() async throws -> [String?] {
        try await values("select row::text from reconcile.ledger as row order by 1")
    }

    /// The ids of all runs, the oldest first.
    func runs() async throws -> [String] {
        try await values("select run_id from reconcile.run order by run_no").compactMap(\.self)
    }

    /// The id of the finding of this kind.
    func finding(_ kind: String = "expired_still_granted") async throws -> String {
        let query = "select finding_id::text from reconcile.finding where kind = '\(kind)'"
        guard let id = try await values(query).first ?? nil else {
            throw CocoaError(.fileNoSuchFile)
        }
        return id
    }
}

/// The first column of what a query returned, as text.
struct QueryResult: Sendable {
    let query: String
    let values: [String?]

    func returns(_ expected: String?..., at location: SourceLocation = #_sourceLocation) {
        returns(all: expected, at: location)
    }

    func returnsNothing(at location: SourceLocation = #_sourceLocation) {
        returns(all: [], at: location)
    }

    func returns(all expected: [String?], at location: SourceLocation = #_sourceLocation) {
        #expect(values == expected, "\(query)", sourceLocation: location)
    }
}
