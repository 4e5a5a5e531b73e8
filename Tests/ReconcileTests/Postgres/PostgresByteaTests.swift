import Testing

@testable import Reconcile

@Suite("A bytea in PostgreSQL's hexadecimal form")
struct PostgresByteaTests {
    private func bytes(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { PostgresBytea.bytes($0) }
    }

    @Test("Bytes of any length are read as they were written", arguments: 0...40)
    func both(count: Int) {
        let all = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
        #expect(bytes(PostgresBytea.text(all)) == all)
    }

    @Test("Every byte value can be read")
    func everyByte() {
        let all = (0...UInt8.max).map { $0 }
        #expect(PostgresBytea.text([0, 0x9F, 0xFF]) == "\\x009fff")
        #expect(bytes(PostgresBytea.text(all)) == all)
        #expect(PostgresBytea.text("é") == "\\xc3a9")
    }

    @Test(
        "Anything but lower-case hexadecimal digits is refused, wherever it is",
        arguments: [1, 8, 12])
    func wrong(count: Int) {
        for place in 0..<2 * count {
            for byte in UInt8.min...UInt8.max where !"0123456789abcdef".utf8.contains(byte) {
                var text = Array("\\x".utf8) + Array(repeating: UInt8(ascii: "7"), count: 2 * count)
                text[2 + place] = byte
                #expect(text.withUnsafeBytes { PostgresBytea.bytes($0) } == nil)
            }
        }
        for text in ["", "\\", "\\X00", "x00", "\\x0", "00"] { #expect(bytes(text) == nil) }
    }
}
