internal import Glibc

package enum AccountName {
    /// The name of the account with this number; the number where it has none on this machine.
    package static func of(_ account: UInt32) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(account, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return String(account) }
        return String(cString: name)
    }
}
