import Testing

@testable import Reconcile

@Suite("AES-256-GCM")
struct AES256GCMTests {
    private static let key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    private static let nonce = hex("cafebabefacedbaddecaf888")
    private static let associated = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private static let plaintext = hex(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
    private static let sealed = hex(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
            + "76fc6ece0f4e1768cddf8853bb2d551b")

    @Test("Test case 16 of McGrew and Viega is encrypted as published, and decrypted again")
    func vector() throws {
        let cipher = try #require(AES256GCM(key: Self.key))
        let sealed = cipher.seal(
            Self.plaintext, nonce: Self.nonce, authenticating: Self.associated)
        #expect(sealed == Self.sealed)
        let opened = cipher.open(
            sealed, nonce: Self.nonce, authenticating: Self.associated)
        #expect(opened == Self.plaintext)
    }

    @Test("Decryption fails when any bit of nonce, ciphertext, tag or associated data is changed")
    func changed() throws {
        let cipher = try #require(AES256GCM(key: Self.key))
        for index in Self.sealed.indices {
            var sealed = Self.sealed
            sealed[index] ^= 1
            let opened = cipher.open(
                sealed, nonce: Self.nonce, authenticating: Self.associated)
            #expect(opened == nil)
        }
        var nonce = Self.nonce
        nonce[3] ^= 1
        #expect(
            cipher.open(Self.sealed, nonce: nonce, authenticating: Self.associated) == nil)
        #expect(cipher.open(Self.sealed, nonce: Self.nonce, authenticating: []) == nil)
        #expect(cipher.open([1, 2, 3], nonce: Self.nonce, authenticating: []) == nil)
    }

    @Test("A key has 32 bytes, and is never printed")
    func keys() throws {
        #expect(AES256GCM(key: Array(Self.key.dropLast())) == nil)
        let cipher = try #require(AES256GCM(key: Self.key))
        #expect("\(cipher)" == "‹redacted›" && String(reflecting: cipher) == "‹redacted›")
        let empty = cipher.seal([], nonce: Self.nonce, authenticating: [])
        #expect(cipher.open(empty, nonce: Self.nonce, authenticating: []) == [])
    }

    @Test("Random bytes have the requested count, and differ each time")
    func random() {
        #expect(RandomBytes.make(12).count == 12)
        #expect(Set((0..<100).map { _ in RandomBytes.make(12) }).count == 100)
    }

    private static func hex(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
