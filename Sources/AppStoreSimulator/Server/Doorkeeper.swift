internal import Glibc
internal import Synchronization

/// Accepts clients for all threads of a server. Keeps a spare descriptor: when there are no others,
/// it is used to accept and close a client, which would otherwise stay in the backlog and make
/// `poll` return at once.
final class Doorkeeper: Sendable {
    enum Visit {
        case client(Int32)
        /// Accepted and closed at once.
        case sentAway
        /// Another thread was quicker, or the client has left.
        case nobody
        /// A client waits, but there is no descriptor to accept and close it with.
        case helpless
    }

    /// Under a mutex, so that no other thread takes the spare descriptor's place.
    private let spare = Mutex<Int32>(Doorkeeper.open())

    deinit { spare.withLock { if $0 >= 0 { Glibc.close($0) } } }

    func visit(to listener: Int32) -> Visit {
        spare.withLock { spare in
            let client = accept(listener, nil, nil)
            guard client < 0 else { return .client(client) }
            guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return .nobody }
            if spare >= 0 { Glibc.close(spare) }
            let unwelcome = accept(listener, nil, nil)
            if unwelcome >= 0 { Glibc.close(unwelcome) }
            spare = Self.open()
            return unwelcome >= 0 ? .sentAway : .helpless
        }
    }

    private static func open() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
