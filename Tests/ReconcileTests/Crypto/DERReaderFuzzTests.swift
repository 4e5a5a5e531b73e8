import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A DER reader on damaged bytes")
struct DERReaderFuzzTests {
    /// The shape of a PKCS#7 file: definite and indefinite lengths, pieces, numbers, text.
    private static let valid: [UInt8] = {
        let attribute: [UInt8] = [
            0x30, 0x0e, 0x02, 0x02, 0x06, 0xa6, 0x02, 0x01, 0x01, 0x04, 0x05, 0x0c, 0x03, 0x61,
            0x62, 0x63,
        ]
        var payload: [UInt8] = [0x31, UInt8(attribute.count * 4)]
        for _ in 0..<4 { payload += attribute }
        var pieces: [UInt8] = [0x24, 0x80, 0x04, 0x20]
        pieces += payload[..<32]
        pieces += [0x04, UInt8(payload.count - 32)]
        pieces += payload[32...]
        pieces += [0, 0]
        var content: [UInt8] = [0x30, 0x80, 0x06, 0x03, 0x2a, 0x03, 0x04, 0xa0, 0x80]
        content += pieces
        content += [0, 0, 0, 0]
        return [0x30, 0x82, 0, UInt8(content.count)] + content
    }()

    @Test("The undamaged bytes are read to their end")
    func undamaged() throws {
        #expect(try Self.walk(DERReader(Self.valid), depth: 0) == 26)
    }

    @Test("In 100,000 mutations the reader never traps and never leaves the bytes")
    func mutations() {
        var generator = SeededGenerator(2_026)
        var read = 0
        var refused = 0
        for _ in 0..<100_000 {
            var bytes = Self.valid
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                Self.damage(&bytes, using: &generator)
            }
            do {
                _ = try Self.walk(DERReader(bytes), depth: 0)
                read += 1
            } catch {
                refused += 1
                #expect((0...bytes.count).contains(error.offset))
            }
        }
        // Both outcomes must occur often, or the mutations prove nothing.
        #expect(read > 1_000 && refused > 10_000)
    }

    private static func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch UInt8.random(in: 0...4, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.remove(at: place)
        default:
            bytes.insert(
                [0x80, 0x84, 0xff, 0x00, 0x24].randomElement(using: &generator) ?? 0, at: place)
        }
    }

    /// Reads everything in every way. Returns the number of elements.
    private static func walk(_ start: DERReader, depth: Int) throws(DERError) -> Int {
        var reader = start
        var count = 0
        while let element = try reader.next() {
            count += 1
            _ = try? reader.integer(element)
            _ = try? reader.string(element)
            if let octets = try? reader.octets(element), depth < 16 {
                // A string may hold anything; only content that is DER is counted.
                count += (try? walk(DERReader(octets), depth: depth + 1)) ?? 0
            }
            if element.isConstructed, !element.isUniversal(.octetString), depth < 16 {
                count += try walk(reader.inside(element), depth: depth + 1)
            }
        }
        return count
    }
}
