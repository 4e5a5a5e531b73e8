import Testing

@testable import TestSupport

/// To add a case: an `UnreadableValue`.
@Suite("A value that a view cannot return", .hangLimit)
struct ValueTests {
    @Test(
        "The view and the column are named, and the value is what must be corrected",
        arguments: [
            UnreadableValue(
                "a NUL in a member of a json column", stored: #"{"d": "\u0000"}"#,
                read: "(j::json) ->> 'd'"),
            UnreadableValue("a text that is no number", stored: "x", read: "j::int::text"),
            UnreadableValue(
                "bytes that are no UTF-8", stored: "x",
                read: #"convert_from('\x8f'::bytea || j::bytea, 'UTF8')"#),
        ])
    func names(value: UnreadableValue) async throws {
        try await Session.with { session in
            try await session.test.execute(
                """
                alter table team.receipts add j text;
                update team.receipts set j = '\(value.stored)' where id = 'bob';
                create or replace view reconcile.stored_receipts as select id as receipt_id,
                    who as user_id, bundle as bundle_id,
                    case when j is null then data else (\(value.read)) collate "default" end
                        as receipt_data,
                    at as stored_at from team.receipts
                """)
            try await session.run().exits(65).omits("createdb")
                .says("reconcile.stored_receipts.receipt_data")
        }
    }
}

struct UnreadableValue: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stored: String
    /// The expression of the view, over the text `j`.
    let read: String

    init(_ label: String, stored: String, read: String) {
        testDescription = label
        self.stored = stored
        self.read = read
    }
}
