internal import Glibc

extension AnswerBody {
    /// The body with `secret` replaced by asterisks; nil when the body does not contain it.
    func without(_ secret: SharedSecret) -> AnswerBody? {
        let secret = Array(secret.text.utf8)
        // Replacing a secret of asterisks by asterisks would never end.
        guard secret.contains(where: { $0 != UInt8(ascii: "*") }) else { return nil }
        var bytes = bytes
        var isFound = false
        while let index = bytes.index(of: secret) {
            isFound = true
            bytes.replaceSubrange(
                index..<index + secret.count, with: secret.map { _ in UInt8(ascii: "*") })
        }
        return isFound ? AnswerBody(bytes: bytes, server: server) : nil
    }
}

extension [UInt8] {
    /// `word` must not be empty. `memchr`: the standard library's search took a quarter of a run.
    fileprivate func index(of word: [UInt8]) -> Int? {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var index = 0
            while index + word.count <= bytes.count,
                let found = memchr(start + index, Int32(word[0]), bytes.count - index)
            {
                index = start.distance(to: found)
                guard index + word.count <= bytes.count else { return nil }
                if memcmp(found, word, word.count) == 0 { return index }
                index += 1
            }
            return nil
        }
    }
}
