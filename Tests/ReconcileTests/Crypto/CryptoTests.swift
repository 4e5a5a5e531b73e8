import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

private func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// To add a case: a text with its published digest, the size of pieces, or a test of what is
/// sealed.
@Suite("SHA-256 and AES-256-GCM")
struct DigestAndCipherTests {
    @Test(
        "The digests of NIST's examples (FIPS 180-4) come out",
        arguments: [
            (
                text: "",
                hexadecimal: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func examples(text: String, hexadecimal: String) {
        #expect(Digest.sha256(Array(text.utf8)).hexadecimal == hexadecimal)
        #expect(Digest.sha256(text.utf8).hexadecimal == hexadecimal)
        #expect(Digest.sha256(AnyCollection(text.utf8)).hexadecimal == hexadecimal)
    }

    @Test("The digest is the same in pieces of any size", arguments: [1, 7, 63, 64, 65, 4_096])
    func pieces(size: Int) {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * $0) }
        var stream = DigestStream()
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { stream.update($0) }
        }
        stream.update(UnsafeRawBufferPointer(start: nil, count: 0))
        let digest = stream.finish()
        #expect(digest == Digest.sha256(bytes))
        #expect(digest != Digest.sha256(bytes.dropLast()))
        #expect(digest.bytes.count == 32)
        // The hash state needs no more alignment than frames of async functions have.
        #expect(MemoryLayout<Digest>.alignment <= 16)
        #expect(MemoryLayout<Digest>.size == 32)
    }

    private let key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    private let nonce = hex("cafebabefacedbaddecaf888")
    private let associated = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private let sealed = hex(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b10"
            + "56828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b")

    @Test("Test case 16 of McGrew and Viega comes out, and is not decrypted with any bit changed")
    func vector() throws {
        let cipher = try #require(AES256GCM(key: key))
        let plaintext = hex(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf"
                + "0e2449a6b525b16aedf5aa0de657ba637b39")
        #expect(cipher.seal(plaintext, nonce: nonce, authenticating: associated) == sealed)
        #expect(cipher.open(sealed, nonce: nonce, authenticating: associated) == plaintext)
        func isOpened(_ sealed: [UInt8], _ nonce: [UInt8], _ associated: [UInt8]) -> Bool {
            cipher.open(sealed, nonce: nonce, authenticating: associated) != nil
        }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(!isOpened(changed, nonce, associated))
        }
        #expect(!isOpened(sealed, nonce.dropLast() + [nonce[11] ^ 1], associated))
        #expect(!isOpened(sealed, nonce, []))
        #expect(!isOpened([1, 2, 3], nonce, []))
        // A key has 32 bytes, and is never printed; random bytes differ each time.
        #expect(AES256GCM(key: Array(key.dropLast())) == nil)
        #expect("\(cipher)" == "‹redacted›")
        #expect(String(reflecting: cipher) == "‹redacted›")
        let empty = cipher.seal([], nonce: nonce, authenticating: [])
        #expect(cipher.open(empty, nonce: nonce, authenticating: []) == [])
        let random = Set((0..<100).map { _ in RandomBytes.make(12) })
        #expect(random.count == 100)
        #expect(random.allSatisfy { $0.count == 12 })
    }
}

/// To add a case: the bytes of an element in hexadecimal, with the reason why they are refused, or
/// the value that they hold.
@Suite("A DER reader")
struct DERReaderTests {
    private static let nested = String(repeating: "3080", count: 8)

    @Test("An element of indefinite length is read to its end marker, up to eight levels deep")
    func indefinite() throws {
        var reader = DERReader(hex("3080 a080 020100 0000 04020000 0000 0500"))
        let outer = try #require(try reader.next())
        #expect(outer.content == 2..<13)
        #expect(outer.whole == 0..<15)
        #expect(outer.isConstructed)
        var inner = reader.inside(outer)
        let field = try #require(try inner.next())
        #expect(field.isContext(0))
        #expect(!field.isUniversal(.boolean))
        #expect(field.whole == 2..<9)
        let last = try #require(try inner.next())
        #expect(last.whole == 9..<13)
        #expect(last.header == 9..<11)
        #expect(!last.isConstructed)
        #expect(try inner.next() == nil)
        #expect(try reader.next()?.isUniversal(.null) == true)
        #expect(reader.isAtEnd)
        #expect(try reader.next() == nil)
        var deepest = DERReader(hex(Self.nested + String(repeating: "00", count: 16)))
        #expect(try deepest.next()?.whole == 0..<32)
    }

    @Test(
        "Bytes that are neither DER nor BER are refused, and the reader does not move",
        arguments: [
            ("30", .truncated), ("0481", .truncated), ("0484000000", .truncated),
            ("040200", .overrun), ("0484ffffffff", .overrun),
            ("0485000000000100", .lengthUnsupported), ("04ff00", .lengthUnsupported),
            ("1f2000", .tagUnsupported), ("04800000", .indefinitePrimitive),
            ("0000", .endOfContentsUnexpected), ("3080", .truncated), ("30800500", .truncated),
            ("308000", .truncated), ("308004030000", .overrun), (nested + "3080", .nestedTooDeep),
        ] as [(bytes: String, reason: DERError.Reason)])
    func refuses(bytes: String, reason: DERError.Reason) {
        var reader = DERReader(hex(bytes))
        for _ in 1...2 {
            let error = #expect(throws: DERError.self) { _ = try reader.next() }
            #expect(error?.reason == reason)
        }
        #expect(reader.position == 0)
        let words =
            "Byte 7: an ASN.1 value extends beyond the value that contains it. The data is"
            + " damaged or something else. Get a new copy."
        #expect(DERError(reason: .overrun, offset: 7).description == words)
    }

    @Test(
        "The reader sees nothing outside its range",
        arguments: [
            (range: 0..<3, starts: [0], error: .truncated),
            (1..<99, [], .overrun), (5..<5, [], nil), (40..<50, [], nil),
        ] as [(range: Range<Int>, starts: [Int], error: DERError.Reason?)])
    func range(range: Range<Int>, starts: [Int], error: DERError.Reason?) {
        var reader = DERReader([0x05, 0x00, 0x05, 0x00, 0x04], in: range)
        var found: [Int] = []
        var reason: DERError.Reason?
        do {
            while let next = try reader.next() { found.append(next.whole.lowerBound) }
        } catch {
            reason = error.reason
        }
        #expect(found == starts)
        #expect(reason == error)
    }

    private func read<T>(_ der: [UInt8], _ get: (DERReader, DERElement) throws -> T) throws -> T? {
        var reader = DERReader(der)
        let element = try #require(try reader.next())
        return try? get(reader, element)
    }

    @Test("Integers of up to eight bytes are read, valid text, and octet strings also in pieces")
    func values() throws {
        for (content, value) in [
            ("00", 0), ("7f", 127), ("80", -128), ("0080", 128), ("ff", -1), ("06a5", 1_701),
            ("7fffffffffffffff", .max), ("8000000000000000", .min), ("", nil),
            ("000000000000000000", nil),
        ] as [(String, Int64?)] {
            let bytes = [0x02, UInt8(content.utf8.count / 2)] + hex(content)
            #expect(try read(bytes) { try $0.integer($1) } == value, "\(content)")
        }
        for (tag, content, text) in [
            (0x0c, Array("naïve".utf8), "naïve"), (0x16, Array("2026".utf8), "2026"),
            (0x13, Array("US".utf8), "US"), (0x0c, [], ""), (0x0c, [0xff], nil),
            (0x0c, [0xc0, 0x80], nil), (0x16, [0xc3, 0xa9], nil), (0x04, [0x41], nil),
        ] as [(UInt8, [UInt8], String?)] {
            let bytes = [tag, UInt8(content.count)] + content
            #expect(try read(bytes) { try $0.string($1) } == text, "\(bytes)")
        }
        // Up to eight levels deep.
        for (bytes, joined) in [
            ("04020102", [1, 2]), ("2400", []), ("2480 040101 04020203 0000", [1, 2, 3]),
            ("2407 2480 040109 0000", [9]), ("2403020101", nil), ("020101", nil),
            ("2411 240f 240d 240b 2409 2407 2405 2403 040105", [5]),
            ("2413 2411 240f 240d 240b 2409 2407 2405 2403 040105", nil),
        ] as [(String, [UInt8]?)] {
            #expect(try read(hex(bytes)) { Array(try $0.octets($1)) } == joined, "\(bytes)")
        }
    }
}
