import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Damaged stored receipts, given to each parser that reads them before Apple does.
@Suite("Random stored receipts")
struct ContainerFuzzTests {
    @Test("The receipt is walked without a trap and within its bytes, whatever the DER says")
    func containers() throws {
        let wholes = [false, true].map { isBER in
            ReceiptForge.receipt(ReceiptForge.payload(bundle: "com.example.a"), isBER: isBER)
        }
        let words: [[UInt8]] = [
            [0x80], [0x00, 0x00], [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x80], [0x24, 0x80],
            [0x1F], [0x04, 0x00], [0x31, 0x02, 0x30, 0x00], [0xA0, 0x80],
        ]
        var taken = 0
        try FuzzPlan("der", executions: 10_000).run { generator in
            var bytes = generator.one(of: wholes)
            bytes.mutate(generator.number(below: 4), with: words, &generator)
            let isWithin = walk(DERReader(bytes), within: bytes.indices, depth: 0)
            #expect(isWithin, "\(bytes)")
            if ReceiptContainer(bytes) != nil { taken += 1 }
        }
        #expect(taken > 0)
    }

    @Test("The bytes survive base64 encoding and decoding, or are refused")
    func base64() throws {
        let words = [" ", "\r\n", "=", "==", "-", "_", "+", "/", "A", "\u{0}", "%", "é", "\t"]
            .map { Array($0.utf8) }
        try FuzzPlan("base64", executions: 10_000).run { generator in
            let plain = (0..<generator.number(below: 60)).map { _ in generator.byte() }
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

    /// Reads all elements in every way. No element may lie outside `bytes`.
    private func walk(_ start: DERReader, within bytes: Range<Int>, depth: Int) -> Bool {
        var reader = start
        while let element = try? reader.next() {
            guard bytes.contains(element.whole.lowerBound),
                element.whole.upperBound <= bytes.upperBound
            else { return false }
            _ = try? reader.integer(element)
            _ = try? reader.string(element)
            if let octets = try? reader.octets(element), depth < 12 {
                guard walk(DERReader(octets), within: octets.indices, depth: depth + 1) else {
                    return false
                }
            }
            if element.isConstructed, depth < 12 {
                guard walk(reader.inside(element), within: bytes, depth: depth + 1) else {
                    return false
                }
            }
        }
        return true
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
