internal import CCrypto

/// SHA-1, for what Apple hashed with it: the device hash of a receipt. Nothing of ours does.
enum SHA1 {
    /// 20 bytes.
    static func value(of bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var size: UInt32 = 0
            let done = EVP_Digest(
                bytes, bytes.count, buffer.baseAddress, &size, EVP_sha1(), nil)
            count = done == 1 ? Int(size) : 0
        }
    }
}
