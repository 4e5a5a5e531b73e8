import Testing

@Suite("A string literal")
struct StatementTextTests {
    private func violations(_ literal: String) -> [Violation] {
        let text = "let a = \"\"\"\n    \(literal)\n    \"\"\""
        return HouseRules.violations(in: [SourceFile("Sources/Reconcile/Storage/A.swift", text)])
    }

    @Test(
        "A literal that begins like a statement is SQL text",
        arguments: [
            "select 1", "SELECT now()", "  select a\n    from b", "(select 1)",
            "-- why\n    select 1",
            "insert into a.b values (1)", "update a.b set c = 1", "delete from a.b",
            "truncate a.b", "truncate table b", "with a as (select 1) insert into b select 1",
            "values (1), (2)", "create table a (b int)", "create or replace view a as select 1",
            "alter table a add b int", "drop schema a", "copy a.b (c) from stdin",
            "grant select on a to b", "revoke all on a from b", "lock table a",
            "set search_path = a",
            "set local role a", "savepoint a", "listen a", "declare a cursor for select 1",
            "merge into a using b", "explain select 1", "show server_version",
        ])
    func isSQL(literal: String) {
        #expect(violations(literal).map(\.rule) == [.arrow(.edgeOutsideItsPlace)])
    }

    @Test(
        "A literal that begins otherwise is not SQL text",
        arguments: [
            "begin", "BEGIN", "begin isolation level repeatable read", "commit", "rollback",
            "select", "Select a receipt from the list.", "Update the views and set a cast.",
            "Create table rights first.", "Delete from the folder what is old.", "with the role",
            "Grant select on the views to the role.", "truncate failed", "set --rate to 5",
            "set by RECONCILE_RATE=5", "copy it to the host", "drop it", "create the folder",
            "show the last run", "updated at", "selected users", "stored_receipts",
        ])
    func isNone(literal: String) { #expect(violations(literal) == []) }

    @Test("A test may hold SQL text, since it makes databases")
    func isFreeInTests() {
        let test = SourceFile("Tests/ReconcileTests/Storage/A.swift", "let a = \"select 1\"")
        #expect(HouseRules.violations(in: [test]) == [])
    }
}
