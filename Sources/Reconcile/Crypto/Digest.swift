internal import CCrypto

/// A SHA-256 digest: 32 bytes.
struct Digest: Hashable, Sendable {
    /// The bytes in order, on any endianness. Not a SIMD vector, which is aligned to 32 bytes: more
    /// than the frame of an async function guarantees (decision 90).
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    fileprivate init() {}

    /// Nil unless there are 32 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == MemoryLayout<Self>.size else { return nil }
        write { $0.copyBytes(from: bytes) }
    }

    fileprivate mutating func write(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        withUnsafeMutableBytes(of: &self, body)
    }

    /// The digest of a byte sequence in memory. Use `DigestStream` for files.
    static func sha256(_ bytes: some Collection<UInt8>) -> Digest {
        var stream = DigestStream()
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
            stream.update(UnsafeRawBufferPointer($0))
        }
        if isContiguous == nil { Array(bytes).withUnsafeBytes { stream.update($0) } }
        return stream.finish()
    }

    var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }

    /// 64 lower-case hexadecimal digits, as `sha256sum` prints them.
    var hexadecimal: String {
        withUnsafeBytes(of: self) { bytes in
            String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
                for index in bytes.indices {
                    text[2 * index] = bytes[index].highDigit
                    text[2 * index + 1] = (bytes[index] << 4).highDigit
                }
                return 2 * bytes.count
            }
        }
    }
}

struct DigestStream: ~Copyable {
    private let context: OpaquePointer

    init() {
        // Both fail only when out of memory, or if OpenSSL is configured without SHA-256.
        guard let context = EVP_MD_CTX_new(),
            EVP_DigestInit_ex(context, OpaquePointer(bitPattern: Self.algorithm), nil) == 1
        else { preconditionFailure("OpenSSL offers no SHA-256: check its configuration") }
        self.context = context
    }

    /// OpenSSL 3 would look the algorithm up at each use, which takes a microsecond. An address,
    /// because a pointer is not Sendable; OpenSSL never changes the object.
    private static let algorithm = Int(bitPattern: EVP_MD_fetch(nil, "SHA256", nil))

    deinit { EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    consuming func finish() -> Digest {
        var digest = Digest()
        digest.write { buffer in
            _ = EVP_DigestFinal_ex(
                context, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
        }
        return digest
    }
}

extension UInt8 {
    fileprivate var highDigit: UInt8 {
        self >> 4 < 10 ? UInt8(ascii: "0") + self >> 4 : UInt8(ascii: "a") - 10 + self >> 4
    }
}
