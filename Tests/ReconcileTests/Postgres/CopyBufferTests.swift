internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A buffer for COPY")
struct CopyBufferTests {
    @Test("Columns are separated by tabs and rows by newlines")
    func layout() {
        var buffer = CopyBuffer()
        buffer.append("a")
        buffer.append(-1)
        buffer.append(true)
        buffer.append(nil as String?)
        buffer.endRow()
        buffer.append(nil as Int?)
        buffer.append(nil as Bool?)
        buffer.append(hexadecimal: "00ff")
        buffer.endRow()
        #expect(
            String(decoding: buffer.bytes, as: UTF8.self) == "a\t-1\tt\t\\N\n\\N\t\\N\t\\\\x00ff\n")
    }

    static let naughty = [
        "", " ", "\\", "\\N", "\\.", "\\\\.\n\\.", "\t", "\n", "\r\n", "a\tb\nc\rd\\e",
        "'; drop table x --",
        "\"", "‹…›", "👩‍👩‍👧‍👦", "é", "e\u{301}", "\u{FEFF}x", "\u{7F}\u{1}\u{1F}", "$1", "{a,b}", "NULL",
    ]

    @Test("Any text arrives at the server unchanged")
    func roundTrip() async throws {
        let received = try await TestDatabase.with(.nothing) { test in
            try await test.execute("create table sent (position int, body text)")
            try await Self.send(Self.naughty, to: test)
            return try await test.texts("select body from sent order by position")
        }
        #expect(received.count == Self.naughty.count)
        for (sent, got) in zip(Self.naughty, received) {
            #expect(got.map { Array($0.utf8) } == Array(sent.utf8))
        }
    }

    @Test("A NUL, which PostgreSQL cannot store, is replaced")
    func nul() async throws {
        let received = try await TestDatabase.with(.nothing) { test in
            try await test.execute("create table sent (position int, body text)")
            try await Self.send(["a\0b"], to: test)
            return try await test.texts("select body from sent")
        }
        #expect(received == ["a\u{FFFD}b"])
    }

    private static func send(_ texts: [String], to test: TestDatabase) async throws {
        var buffer = CopyBuffer()
        for (position, text) in texts.enumerated() {
            buffer.append(position)
            buffer.append(text)
            buffer.endRow()
        }
        let connection = PostgresConnection()
        try await connection.open(test.url)
        let copy = PostgresStatement(name: "copy", text: "copy sent from stdin")
        try await connection.copyIn(copy, buffer)
        await connection.close()
    }
}
