import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// Damaged stored receipts: no parser may trap, and no forgery is accepted.
/// To add a case: a `FuzzPlan` with the inputs to damage, and the outcomes that must be frequent; a
/// word in a list.
@Suite("Random stored receipts")
struct ReceiptFuzzTests {
    private static let parts: [[UInt8]] = [
        [0x80], [0x00, 0x00], [0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x80], [0x24, 0x80], [0x1F],
        [0x04, 0x00], [0x31, 0x02, 0x30, 0x00], [0xA0, 0x80], [0xFF], [0x84], [0x31, 0x00],
        [0x04, 0x82, 0xFF, 0xFF], [0x02, 0x01, 0x11], [0x16, 0x00],
    ]

    private enum Reading { case read, refused }
    private enum Encoding { case canonical, lenient, refused }
    private enum Class { case sendable, unusable }
    private enum Signature { case genuine, refused, unreadable }

    private static func texts(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

    /// The shape of a PKCS#7 file: definite and indefinite lengths, pieces, numbers, text.
    private static let shape: [UInt8] = {
        let attribute = PayloadForge.attribute(1_702, ReceiptForge.text("abc"))
        let payload = ReceiptForge.tlv(
            0x31, Array([[UInt8]](repeating: attribute, count: 4).joined()))
        let pieces = [payload[..<32], payload[32...]].flatMap { ReceiptForge.tlv(4, Array($0)) }
        let octets = ReceiptForge.indefinite(0xA0, ReceiptForge.indefinite(0x24, pieces))
        let content = ReceiptForge.indefinite(0x30, [0x06, 0x03, 0x2A, 0x03, 0x04] + octets)
        return [0x30, 0x82, 0, UInt8(content.count)] + content
    }()

    @Test("DER is walked without a trap and within its bytes, whatever it says")
    func containers() throws {
        let payload = ReceiptForge.payload(bundle: "com.example.a")
        let wholes = [false, true].map { ReceiptForge.receipt(payload, isBER: $0) } + [Self.shape]
        #expect(try walk(DERReader(Self.shape), within: Self.shape.indices) == 26)
        let plan = FuzzPlan("der", executions: 100_000)
        var executions = 0
        var containers = 0
        try plan.run(atLeast: 8, of: Reading.read, .refused) { generator in
            var bytes = generator.one(of: wholes)
            bytes.mutate(generator.number(below: 5), with: Self.parts, &generator)
            executions += 1
            if ReceiptContainer(bytes) != nil { containers += 1 }
            do throws(DERError) {
                _ = try walk(DERReader(bytes), within: bytes.indices)
                return .read
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                return .refused
            }
        }
        #expect(containers * 100 >= 8 * executions)
    }

    @Test("The bytes survive base64 encoding and decoding, or are refused")
    func base64() throws {
        let words = Self.texts(
            " ", "\r\n", "=", "==", "-", "_", "+", "/", "A", "\u{0}", "%", "é", "\t")
        let plan = FuzzPlan("base64", executions: 10_000)
        try plan.run(atLeast: 10, of: Encoding.refused, .canonical, .lenient) { generator in
            let plain = (0..<generator.number(below: 1_000)).map { _ in generator.byte() }
            var text = Base64.encode(plain)
            #expect(Base64.decode(text) == Base64.Decoded(bytes: plain, isCanonical: true))
            text.mutate(generator.number(below: 4), with: words, &generator)
            guard let decoded = Base64.decode(text) else { return .refused }
            let again = Base64.encode(decoded.bytes)
            #expect(decoded.isCanonical == (again == text), "\(text)")
            #expect(Base64.decode(again)?.bytes == decoded.bytes, "\(text)")
            if decoded.isCanonical, generator.once(in: 4) {
                #expect(Data(base64Encoded: Data(text)) == Data(decoded.bytes), "\(text)")
            }
            return decoded.isCanonical ? .canonical : .lenient
        }
    }

    @Test("The property list reads the same after it is written again, or is refused")
    func propertyLists() throws {
        let whole = Array(
            #"{ "signature" = "AbC=="; "purchase-info" = "ewo\"\\=="; pod = 100; "a" = b.c/d; }"#
                .utf8)
        let words = Self.texts(
            "\"", "\\", "{", "}", "=", ";", " ", "\n", "a", "\u{0}", "é", "\"a\" = b;")
        // A combining mark after a quotation mark, which a fuzzer once found.
        let marked = try #require(PropertyList(Array("{ a = \"\\\"\u{05B2}\"; }".utf8)))
        #expect(PropertyList(Self.written(marked)) == marked)
        let plan = FuzzPlan("property-lists", executions: 10_000)
        try plan.run(atLeast: 19, of: Reading.read, .refused) { generator in
            var bytes = whole
            bytes.mutate(generator.number(below: 4), with: words, &generator)
            guard let list = PropertyList(bytes) else { return .refused }
            #expect(PropertyList(Self.written(list)) == list, "\(bytes)")
            return .read
        }
    }

    @Test("Every receipt is classified as to be sent or as unusable")
    func receipts() throws {
        let list = #"{"signature" = "a"; "purchase-info" = "eyJiaWQiPSJhIjt9";}"#
        let wholes = [
            Array(ReceiptForge.base64().utf8), Array("eyJhbGciOiJFUzI1NiJ9.e30.c2ln".utf8),
            Base64.encode(Array(list.utf8)), [],
        ]
        let corpus =
            try wholes + FuzzCorpus.files("fuzz/receipts")
            + FuzzCorpus.files("receipts").filter { $0.count < 8_000 }
        let words = Self.texts(" ", "\n", "=", "-", "_", ".", "\u{0}", "MII", "eyJ", "ewo")
        let plan = FuzzPlan("stored-receipts", executions: 10_000)
        try plan.run(
            on: corpus, with: words, atLeast: 6, of: Class.sendable, .unusable
        ) { text, _ in
            guard case .sendable(let receipt) = LocalReceipt(ReceiptData(text: text))
            else { return .unusable }
            #expect(Base64.decode(receipt.base64)?.isCanonical == true, "\(text)")
            return .sendable
        }
    }

    private static let payload = PayloadForge(purchases: [PayloadForge.purchase()]).encoded

    @Test("The receipt is genuine only with the content that was signed, whatever else is changed")
    func signatures() throws {
        let wholes = SignedForm.all.map { ReceiptAuthority.shared.receipt(Self.payload, $0) }
        let plan = FuzzPlan("signatures", executions: 2_000)
        try plan.run(atLeast: 6, of: Signature.unreadable, .refused, .genuine) { generator in
            var bytes = generator.one(of: wholes)
            bytes.mutate(generator.number(below: 3), with: Self.parts, &generator)
            guard let inspection = try? Inspection(bytes, .testing) else { return .unreadable }
            guard inspection.isGenuine else { return .refused }
            let content = (try? SignedData(bytes)).map { Array($0.content) }
            #expect(content == Self.payload, "\(bytes)")
            return .genuine
        }
    }

    @Test("Each attribute is shown or counted as unreadable")
    func attributes() throws {
        let plan = FuzzPlan("attributes", executions: 10_000)
        try plan.run(atLeast: 19, of: Reading.refused, .read) { generator in
            var bytes = Self.payload
            bytes.mutate(1 + generator.number(below: 4), with: Self.parts, &generator)
            guard let payload = try? ReceiptPayload(bytes[...]) else { return .refused }
            for attribute in payload.attributes + payload.purchases.flatMap(\.attributes) {
                _ = (attribute.shown, attribute.instant, attribute.name)
            }
            return .read
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
            #expect(bytes.contains(element.whole.lowerBound))
            #expect(element.whole.upperBound <= bytes.upperBound)
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

    /// As bytes, since a combining mark in a String would merge with the quotation mark.
    private static func written(_ list: PropertyList) -> [UInt8] {
        func quoted(_ text: String) -> [UInt8] {
            let escaped = text.utf8.flatMap { [0x22, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
            return [0x22] + escaped + [0x22]
        }
        let members = list.values.flatMap { key, value in
            quoted(key) + Array(" = ".utf8) + quoted(value) + Array(";".utf8)
        }
        return Array("{".utf8) + members + Array("}".utf8)
    }
}
