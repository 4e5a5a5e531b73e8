internal import CLinux
internal import Glibc

enum Environment {
    static var names: [String] {
        var names: [String] = []
        var entry = clinux_environment()
        while let text = entry?.pointee {
            names.append(String(String(cString: text).prefix { $0 != "=" }))
            entry = entry.map { $0 + 1 }
        }
        return names
    }

    /// Nil when the variable is unset or empty.
    static func value(of name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
            return nil
        }
        return value
    }
}
