internal import Glibc
internal import Synchronization

/// Accepts clients for all threads of a server, and has a descriptor to spare for the time when
/// there are no more: with it, a client that cannot be served is at least sent away. Otherwise it
/// would stay at the door, and `poll` would tell of it without end.
final class Doorkeeper: Sendable {
    enum Visit {
        case client(Int32)
        /// Accepted and closed at once.
        case sentAway
        /// Somebody else was quicker, or the client has left.
        case nobody
        /// There is somebody, and no descriptor to send them away with.
        case helpless
    }

    /// One at a time, so that nobody else takes the spare descriptor's place.
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
