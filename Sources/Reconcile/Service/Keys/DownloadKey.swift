/// The content of a download key (docs/decisions/0087).
package struct DownloadKey: Equatable, Sendable {
    let receipt: [UInt8]
    let product: ProductID
    /// The team's name of the downloadable asset.
    let productKey: String
    let environment: StoreEnvironment
    /// Whole seconds; the key is expired at this instant.
    let expiresAt: Instant

    enum Refusal: Error, Equatable, Sendable { case forged, unknownKey }

    private static let version: UInt8 = 1
    private static let associated = Array("reconcile-job download key 1".utf8)
    /// Far more than any key needs.
    private static let mostCharacters = 4_096
    private static let digestBytes = 32

    /// base64url of version ‖ length of the key id ‖ key id ‖ nonce ‖ ciphertext ‖ tag.
    func sealed(by ring: KeyRing) -> String {
        let id = Array(ring.sealing.id.utf8)
        let nonce = RandomBytes.make(AES256GCM.nonceBytes)
        let sealed = ring.sealing.cipher.seal(
            plaintext, nonce: nonce, authenticating: Self.associated)
        return Self.base64url([Self.version, UInt8(id.count)] + id + nonce + sealed)
    }
}

extension DownloadKey {
    init(_ text: String, with ring: KeyRing) throws(Refusal) {
        guard text.utf8.count <= Self.mostCharacters, let bytes = Self.bytes(text),
            bytes.count > 2, bytes[0] == Self.version
        else { throw .forged }
        let id = bytes.dropFirst(2).prefix(Int(bytes[1]))
        let rest = bytes.dropFirst(2 + Int(bytes[1]))
        guard id.count == Int(bytes[1]), !id.isEmpty, id.allSatisfy(KeyRing.isLetterOfID) else {
            throw .forged
        }
        guard let cipher = ring.cipher(named: String(decoding: id, as: UTF8.self)) else {
            throw .unknownKey
        }
        let nonce = Array(rest.prefix(AES256GCM.nonceBytes))
        let sealed = Array(rest.dropFirst(AES256GCM.nonceBytes))
        guard let plain = cipher.open(sealed, nonce: nonce, authenticating: Self.associated),
            let key = DownloadKey(plaintext: plain)
        else { throw .forged }
        self = key
    }

    // MARK: Plaintext

    /// Digest ‖ environment ‖ seconds since 1970 (eight bytes) ‖ length of the product id (two
    /// bytes) ‖ product id ‖ product key.
    private var plaintext: [UInt8] {
        let seconds = UInt64(bitPattern: expiresAt.milliseconds / 1_000)
        let product = Array(product.text.utf8)
        return receipt + [environment == .production ? 0 : 1]
            + withUnsafeBytes(of: seconds.bigEndian, Array.init)
            + withUnsafeBytes(of: UInt16(clamping: product.count).bigEndian, Array.init)
            + product + Array(productKey.utf8)
    }

    private init?(plaintext bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number(_ count: Int) -> UInt64? {
            take(count).map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        }
        guard let receipt = take(Self.digestBytes), let environment = number(1),
            let seconds = number(8), let length = number(2), let product = take(Int(length))
        else { return nil }
        self.init(
            receipt: Array(receipt), product: ProductID(String(decoding: product, as: UTF8.self)),
            productKey: String(decoding: rest, as: UTF8.self),
            environment: environment == 0 ? .production : .sandbox,
            expiresAt: Instant(milliseconds: Int64(bitPattern: seconds) &* 1_000))
    }

    // MARK: base64url (RFC 4648, 5), without padding

    private static func base64url(_ bytes: [UInt8]) -> String {
        let text = Base64.encode(bytes).compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil unless `base64url` would give the same text.
    private static func bytes(_ text: String) -> [UInt8]? {
        guard let decoded = Base64.decode(Array(text.utf8)),
            base64url(decoded.bytes).utf8.elementsEqual(text.utf8)
        else { return nil }
        return decoded.bytes
    }
}
