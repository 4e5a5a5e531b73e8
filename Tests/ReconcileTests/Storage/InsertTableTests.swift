import Testing

@testable import Reconcile
@testable import SQL

/// To add a case: a column in `table`, and where its name and value must be.
@Suite("The list of an INSERT's columns")
struct InsertTableTests {
    private static let statement = Statement.all(
        in: Array(
            """
            -- name: add_price, long
            -- Adds a price.
            insert into reconcile.price ({columns}, total)
            values ({values}, {amount}::numeric * {count}::int)
            """.utf8))[0]

    private static let table = InsertTable<Int>(
        statement,
        [
            TextColumn("amount") { String($0) },
            TextColumn("currency") { _ in nil },
        ],
        others: [TextColumn("count") { String($0 + 1) }])

    @Test("The statement names the columns and numbers the parameters by the list")
    func names() {
        let lines = Self.table.statement.text.split(separator: "\n")
        #expect(lines.suffix(2).first == "insert into reconcile.price (amount, currency, total)")
        #expect(lines.last == "values ($1, $2, $1::numeric * $3::int)")
    }

    @Test("The parameters have the order of the list")
    func order() {
        #expect(Self.table.parameters(of: 7) == ["7", nil, "8"])
    }

    @Test("The statement keeps its name and its length")
    func keeps() {
        #expect(Self.table.statement.name == "add_price")
        #expect(Self.table.statement.isLong)
    }
}
