import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a scope that is the same as that of the unfinished run, or another one.
@Suite("The scope of a run over some users", .database)
struct SelectedScopeTests: DatabaseSuite {
    @Test(
        "An unfinished run is resumed whatever the order of --user and --receipt, also if repeated",
        arguments: [
            Run.Scope.selected(users: ["ann", "bob"], receipts: ["r1", "r2"]),
            .selected(users: ["bob", "ann"], receipts: ["r2", "r1"]),
            .selected(users: ["ann", "bob", "ann"], receipts: ["r2", "r2", "r1"]),
        ])
    func order(scope: Run.Scope) async throws {
        try await open(.selected(users: ["bob", "ann"], receipts: ["r1", "r2"]))
        #expect(
            try await database.runs.findOpen(settings: "{}", scope: scope)?.hasSameScope == true)
    }

    @Test(
        "Another user makes another scope, also one whose id is the same text in other bytes",
        arguments: [
            Run.Scope.selected(users: ["ann"], receipts: []),
            .selected(users: ["ann", "e\u{301}ve"], receipts: []),
        ])
    func others(scope: Run.Scope) async throws {
        try await open(.selected(users: ["ann", "\u{E9}ve"], receipts: []))
        let found = try await database.runs.findOpen(settings: "{}", scope: scope)
        #expect(found?.hasSameScope != true)
    }

    private func open(_ scope: Run.Scope) async throws {
        let run = Run(id: RunID(text: "20261120T020000Z-000001"), asOf: .asOf, scope: scope)
        _ = try await database.runs.open(run, codeVersion: "1", settings: "{}", keeping: .findings)
    }
}
