import Testing

@testable import Reconcile

@Suite("A DER reader")
struct DERReaderTests {
    @Test("Adjacent elements are returned with their ranges, and then nil")
    func sideBySide() throws {
        var reader = DERReader([0x02, 0x01, 0x05, 0xa0, 0x81, 0x02, 0x05, 0x00])
        let number = try #require(try reader.next())
        #expect(number.isUniversal(.integer) && !number.isConstructed)
        #expect(number.whole == 0..<3 && number.header == 0..<2 && number.content == 2..<3)
        let field = try #require(try reader.next())
        #expect(field.isContext(0) && field.isConstructed && !field.isUniversal(.boolean))
        #expect(field.whole == 3..<8 && field.header == 3..<6 && field.content == 6..<8)
        var inner = reader.inside(field)
        #expect(try inner.next()?.isUniversal(.null) == true)
        #expect(try inner.next() == nil)
        #expect(reader.isAtEnd)
        #expect(try reader.next() == nil)
    }

    @Test("An element of indefinite length is read to its end marker, at any nesting")
    func indefinite() throws {
        let bytes: [UInt8] = [
            0x30, 0x80, 0xa0, 0x80, 0x02, 0x01, 0x00, 0x00, 0x00, 0x04, 0x02, 0x00, 0x00, 0x00,
            0x00,
            0x05, 0x00,
        ]
        var reader = DERReader(bytes)
        let outer = try #require(try reader.next())
        #expect(outer.content == 2..<13 && outer.whole == 0..<15)
        var inner = reader.inside(outer)
        #expect(try inner.next()?.whole == 2..<9)
        #expect(try inner.next()?.whole == 9..<13)
        #expect(try inner.next() == nil)
        #expect(try reader.next()?.isUniversal(.null) == true)
    }

    @Test(
        "Bytes that are neither DER nor BER are refused, and the reader does not move",
        arguments: [
            ([0x30], .truncated), ([0x04, 0x81], .truncated), ([0x04, 0x84, 0, 0, 0], .truncated),
            ([0x04, 0x02, 0x00], .overrun), ([0x04, 0x84, 0xff, 0xff, 0xff, 0xff], .overrun),
            ([0x04, 0x85, 0, 0, 0, 0, 1, 0], .lengthUnsupported),
            ([0x04, 0xff, 0], .lengthUnsupported),
            ([0x1f, 0x20, 0x00], .tagUnsupported), ([0x04, 0x80, 0, 0], .indefinitePrimitive),
            ([0x00, 0x00], .endOfContentsUnexpected), ([0x30, 0x80], .truncated),
            ([0x30, 0x80, 0x05, 0x00], .truncated), ([0x30, 0x80, 0x00], .truncated),
            ([0x30, 0x80, 0x04, 0x03, 0x00, 0x00], .overrun),
            (Array(repeating: [0x30, 0x80], count: 9).flatMap { $0 }, .nestedTooDeep),
        ] as [([UInt8], DERError.Reason)])
    func refuses(bytes: [UInt8], reason: DERError.Reason) {
        var reader = DERReader(bytes)
        for _ in 1...2 {
            let error = #expect(throws: DERError.self) { _ = try reader.next() }
            #expect(error?.reason == reason)
        }
        #expect(reader.position == 0)
    }

    @Test("Indefinite lengths are followed eight levels deep")
    func deepest() throws {
        let bytes = Array(repeating: [0x30, 0x80] as [UInt8], count: 8).flatMap { $0 }
        var reader = DERReader(bytes + [UInt8](repeating: 0, count: 16))
        #expect(try reader.next()?.whole == 0..<32)
    }

    @Test("The reader sees nothing outside its range", arguments: [0..<3, 1..<99, 5..<5, 40..<50])
    func range(range: Range<Int>) throws {
        var reader = DERReader([0x05, 0x00, 0x05, 0x00, 0x04], in: range)
        do {
            while let element = try reader.next() {
                #expect(range.contains(element.whole.lowerBound))
            }
        } catch {
            #expect(range == 0..<3 || range == 1..<99)
        }
    }

    @Test(
        "Integers of up to eight bytes are read",
        arguments: [
            ([0x00], 0), ([0x7f], 127), ([0x80], -128), ([0x00, 0x80], 128), ([0xff], -1),
            ([0x06, 0xa5], 1_701), ([0x7f] + Array(repeating: 0xff, count: 7), .max),
            ([0x80] + Array(repeating: 0, count: 7), .min), ([], nil),
            (Array(repeating: 0, count: 9), nil),
        ] as [([UInt8], Int64?)])
    func integers(content: [UInt8], value: Int64?) throws {
        var reader = DERReader([0x02, UInt8(content.count)] + content)
        let element = try #require(try reader.next())
        #expect((try? reader.integer(element)) == value)
    }

    @Test(
        "Text is read only if it is valid for its type",
        arguments: [
            (0x0c, Array("naïve".utf8), "naïve"), (0x16, Array("2026-11-20".utf8), "2026-11-20"),
            (0x13, Array("US".utf8), "US"), (0x0c, [], ""), (0x0c, [0xff], nil),
            (0x0c, [0xc0, 0x80], nil), (0x16, [0xc3, 0xa9], nil), (0x04, [0x41], nil),
        ] as [(UInt8, [UInt8], String?)])
    func texts(tag: UInt8, content: [UInt8], text: String?) throws {
        var reader = DERReader([tag, UInt8(content.count)] + content)
        let element = try #require(try reader.next())
        #expect((try? reader.string(element)) == text)
    }

    @Test(
        "An octet string in pieces is joined",
        arguments: [
            ([0x04, 0x02, 1, 2], [1, 2]), ([0x24, 0x00], []),
            ([0x24, 0x80, 0x04, 0x01, 1, 0x04, 0x02, 2, 3, 0, 0], [1, 2, 3]),
            ([0x24, 0x07, 0x24, 0x80, 0x04, 0x01, 9, 0, 0], [9]),
            ([0x24, 0x03, 0x02, 0x01, 1], nil), ([0x02, 0x01, 1], nil),
            (nested(octetsDeep: 8), [5]), (nested(octetsDeep: 9), nil),
        ] as [([UInt8], [UInt8]?)])
    func octets(bytes: [UInt8], joined: [UInt8]?) throws {
        var reader = DERReader(bytes)
        let element = try #require(try reader.next())
        #expect((try? reader.octets(element)).map { Array($0) } == joined)
    }

    private static func nested(octetsDeep depth: Int) -> [UInt8] {
        (0..<depth).reduce([0x04, 0x01, 5]) { inner, _ in [0x24, UInt8(inner.count)] + inner }
    }

    @Test("An error says where it is and what to do")
    func words() {
        let error = DERError(reason: .overrun, offset: 7)
        #expect(
            "\(error)" == "Byte 7: an ASN.1 value extends beyond the value that contains it. "
                + "The data is damaged or something else. Get a new copy.")
    }
}
