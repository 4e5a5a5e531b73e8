import Testing

@testable import Reconcile
@testable import SQL

/// To add a case: a row with the filled statement and the one of the file.
@Suite("A statement whose columns are filled in")
struct FindingStatementTests {
    @Test(
        "It may take as long as the statement of the file",
        arguments: [
            (filled: FindingStatement.found, statement: SQL.runFindings),
            (FindingStatement.cleared, SQL.runCleared),
            (FindingStatement.byID, SQL.findingsByID),
            (FindingStatement.one, SQL.findFinding),
            (FindingStatement.ofCustomer, SQL.customerFindings),
            (FindingStatement.copy, SQL.copyFindings),
        ])
    func patience(filled: PostgresStatement, statement: Statement) {
        #expect(filled.name == statement.name)
        #expect(filled.isLong == statement.isLong)
    }
}
