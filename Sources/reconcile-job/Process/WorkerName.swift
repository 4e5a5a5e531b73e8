internal import Glibc

/// Identifies this process among a run's workers: host (for example a pod) and process id.
enum WorkerName {
    static var text: String {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, however long the name is.
        let isKnown = gethostname(&name, name.count - 1) == 0
        let host = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "\(isKnown ? String(decoding: host, as: UTF8.self) : "unknown")/\(getpid())"
    }
}
