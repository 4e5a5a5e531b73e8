internal import CCrypto

enum RandomBytes {
    static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_bytes(&bytes, Int32(count)) == 1 else {
            preconditionFailure("OpenSSL has no source of randomness")
        }
        return bytes
    }
}
