internal import Glibc
internal import Synchronization

/// Accepts clients for all threads. When descriptors run out, a spare one serves to accept and
/// close a client, which would otherwise make `poll` return at once again and again.
final class ConnectionAcceptor: Sendable {
    enum Acceptance {
        case client(Int32)
        /// Accepted and closed at once.
        case closedAtOnce
        /// Another thread was quicker, or the client has left.
        case noClient
        /// A client waits, but there is no descriptor to accept and close it with.
        case outOfDescriptors
    }

    /// Under a mutex: no other thread may take the spare descriptor's place.
    private let spare = Mutex<Int32>(ConnectionAcceptor.open())

    deinit { spare.withLock { if $0 >= 0 { Glibc.close($0) } } }

    func acceptClient(of listener: Int32) -> Acceptance {
        spare.withLock { spare in
            let client = accept(listener, nil, nil)
            guard client < 0 else { return .client(client) }
            guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return .noClient }
            if spare >= 0 { Glibc.close(spare) }
            let rejected = accept(listener, nil, nil)
            if rejected >= 0 { Glibc.close(rejected) }
            spare = Self.open()
            return rejected >= 0 ? .closedAtOnce : .outOfDescriptors
        }
    }

    private static func open() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
