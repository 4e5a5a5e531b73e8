import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Damaged stored receipts, given to each parser that reads them before Apple does.
@Suite("Random stored receipts")
struct ContainerFuzzTests {
    /// The shape of a PKCS#7 file: definite and indefinite lengths, pieces, numbers, text.
    private static let shape: [UInt8] = {
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

    @Test("DER is walked without a trap and within its bytes, whatever it says")
    func containers() throws {
        let wholes =
            [false, true].map { isBER in
                ReceiptForge.receipt(ReceiptForge.payload(bundle: "com.example.a"), isBER: isBER)
            } + [Self.shape]
        let words: [[UInt8]] = [
            [0x80], [0x00, 0x00], [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x80], [0x24, 0x80],
            [0x1F], [0x04, 0x00], [0x31, 0x02, 0x30, 0x00], [0xA0, 0x80], [0xFF], [0x84],
        ]
        #expect(try walk(DERReader(Self.shape), within: Self.shape.indices) == 26)
        var (taken, read, refused) = (0, 0, 0)
        try FuzzPlan("der", executions: 100_000).run { generator in
            var bytes = generator.one(of: wholes)
            bytes.mutate(generator.number(below: 5), with: words, &generator)
            do throws(DERError) {
                _ = try walk(DERReader(bytes), within: bytes.indices)
                read += 1
            } catch {
                refused += 1
                #expect((0...bytes.count).contains(error.offset))
            }
            if ReceiptContainer(bytes) != nil { taken += 1 }
        }
        // Each outcome must occur, or the mutations prove nothing.
        #expect(taken > 0 && read > 0 && refused > 0)
    }

    @Test("The bytes survive base64 encoding and decoding, or are refused")
    func base64() throws {
        let words = [" ", "\r\n", "=", "==", "-", "_", "+", "/", "A", "\u{0}", "%", "é", "\t"]
            .map { Array($0.utf8) }
        try FuzzPlan("base64", executions: 10_000).run { generator in
            let plain = (0..<generator.number(below: 200)).map { _ in generator.byte() }
            var text = Base64.encode(plain)
            #expect(Base64.decode(text) == Base64.Decoded(bytes: plain, isCanonical: true))
            text.mutate(generator.number(below: 4), with: words, &generator)
            guard let decoded = Base64.decode(text) else { return }
            let again = Base64.encode(decoded.bytes)
            #expect(decoded.isCanonical == (again == text), "\(text)")
            #expect(Base64.decode(again)?.bytes == decoded.bytes, "\(text)")
            if decoded.isCanonical, generator.once(in: 4) {
                #expect(Data(base64Encoded: Data(text)) == Data(decoded.bytes), "\(text)")
            }
        }
    }

    @Test("The property list reads the same after it is written again, or is refused")
    func propertyLists() throws {
        let whole = Array(
            #"{ "signature" = "AbC=="; "purchase-info" = "ewo\"\\=="; pod = 100; "a" = b.c/d; }"#
                .utf8)
        let words = ["\"", "\\", "{", "}", "=", ";", " ", "\n", "a", "\u{0}", "é", "\"a\" = b;"]
            .map { Array($0.utf8) }
        var taken = 1
        // A combining mark after a quotation mark, which a fuzzer once found.
        let marked = try #require(PropertyList(Array("{ a = \"\\\"\u{05B2}\"; }".utf8)))
        #expect(PropertyList(Self.written(marked)) == marked)
        try FuzzPlan("property-lists", executions: 10_000).run { generator in
            var bytes = whole
            bytes.mutate(generator.number(below: 4), with: words, &generator)
            guard let list = PropertyList(bytes) else { return }
            taken += 1
            #expect(PropertyList(Self.written(list)) == list, "\(bytes)")
        }
        #expect(taken > 1)
    }

    @Test("Every receipt is classified as to be sent or as unusable")
    func receipts() throws {
        let wholes: [[UInt8]] = [
            ReceiptForge.base64(), Array("eyJhbGciOiJFUzI1NiJ9.e30.c2ln".utf8),
            Base64.encode(
                Array(#"{"signature" = "a"; "purchase-info" = "eyJiaWQiPSJhIjt9";}"#.utf8)),
            [],
        ]
        let words = [" ", "\n", "=", "-", "_", ".", "\u{0}", "MII", "eyJ", "ewo"]
            .map { Array($0.utf8) }
        try FuzzPlan("stored-receipts", executions: 10_000).run { generator in
            var text = generator.one(of: wholes)
            text.mutate(generator.number(below: 4), with: words, &generator)
            guard case .sendable(let receipt) = LocalReceipt(ReceiptData(text: text)) else {
                return
            }
            #expect(Base64.decode(receipt.base64)?.isCanonical == true, "\(text)")
        }
    }

    /// Reads all elements in every way; none may lie outside `bytes`. Returns their number.
    private func walk(
        _ start: DERReader, within bytes: Range<Int>, depth: Int = 0
    ) throws(DERError) -> Int {
        var reader = start
        var count = 0
        while let element = try reader.next() {
            count += 1
            #expect(
                bytes.contains(element.whole.lowerBound)
                    && element.whole.upperBound <= bytes.upperBound)
            _ = try? reader.integer(element)
            _ = try? reader.string(element)
            guard depth < 16 else { continue }
            if let octets = try? reader.octets(element) {
                // A string may hold anything; only content that is DER is counted.
                let inner = try? walk(DERReader(octets), within: octets.indices, depth: depth + 1)
                count += inner ?? 0
            }
            if element.isConstructed, !element.isUniversal(.octetString) {
                count += try walk(reader.inside(element), within: bytes, depth: depth + 1)
            }
        }
        return count
    }

    private static func written(_ list: PropertyList) -> [UInt8] {
        // Compares bytes, since a combining mark would merge with the quotation mark.
        func quoted(_ text: String) -> [UInt8] {
            let escaped = text.utf8.flatMap { byte in
                byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"")
                    ? [UInt8(ascii: "\\"), byte] : [byte]
            }
            return [UInt8(ascii: "\"")] + escaped + [UInt8(ascii: "\"")]
        }
        let members = list.values.flatMap { key, value in
            quoted(key) + Array(" = ".utf8) + quoted(value) + [UInt8(ascii: ";")]
        }
        return [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]
    }
}
