internal import CEpoll
internal import Glibc

struct SCGISocket {
    let descriptor: Int32
    let path: String
    /// Inode of the created socket file, so that another server's file is not removed.
    private let inode: ino_t

    init(at path: String) throws(SCGIError) {
        self.path = path
        guard let address = Self.address(path) else {
            throw SCGIError(
                reason: .failed,
                description: "The path of a socket has at most 107 bytes. Choose a shorter one.")
        }
        try Self.removeLeftOver(address, path)
        let socket = Glibc.socket(AF_UNIX, cepoll_stream, 0)
        guard socket >= 0 else { throw Self.failure("create a socket at", path) }
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        // Before it listens no client can connect, so the permissions are set in time.
        var status = stat()
        guard Self.with(address, { bind(socket, $0, $1) == 0 }),
            fchmodat(AT_FDCWD, path, 0o660, AT_SYMLINK_NOFOLLOW) == 0,
            listen(socket, 4_096) == 0, stat(path, &status) == 0
        else {
            let failure = Self.failure("take requests at", path)
            Glibc.close(socket)
            throw failure
        }
        descriptor = socket
        inode = status.st_ino
    }

    func close() {
        Glibc.close(descriptor)
        var status = stat()
        if lstat(path, &status) == 0, status.st_ino == inode { unlink(path) }
    }

    /// Removes the socket file of a killed server. Throws for a live one's, and for another file.
    private static func removeLeftOver(
        _ address: sockaddr_un, _ path: String
    ) throws(SCGIError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SCGIError(
                reason: .failed,
                description: "\(path) exists and is not a socket. Choose another path.")
        }
        let probe = Glibc.socket(AF_UNIX, cepoll_stream, 0)
        defer { Glibc.close(probe) }
        guard probe >= 0 else { throw failure("create a socket at", path) }
        // A server with a full queue would let a blocking socket wait.
        _ = fcntl(probe, F_SETFL, O_NONBLOCK)
        let isAnswered = with(address) { connect(probe, $0, $1) == 0 }
        if let refusal = refusal(ofProbe: isAnswered ? 0 : errno, path) { throw refusal }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw failure("remove the socket that an ended server left at", path)
        }
    }

    /// Nil when no server listens at `path`. `code` is the error of a connection to it; 0 for none.
    static func refusal(ofProbe code: Int32, _ path: String) -> SCGIError? {
        switch code {
        case ECONNREFUSED, ENOENT: return nil
        case 0, EAGAIN:
            return SCGIError(
                reason: .occupied,
                description: "Another server listens at \(path). Stop it, or choose another path.")
        case EACCES, EPERM:
            return SCGIError(
                reason: .notPermitted,
                description: "This account may not connect to the socket at \(path), so whether a"
                    + " server listens there is not known. Start the service with the account that"
                    + " owns the socket, or choose another path.")
        default:
            return SCGIError(
                reason: .failed,
                description: "Cannot tell whether a server listens at \(path):"
                    + " \(String(cString: strerror(code))). Check it, or choose another path.")
        }
    }

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    private static func with<R>(
        _ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func failure(_ what: String, _ path: String) -> SCGIError {
        let code = errno
        return SCGIError(
            reason: code == EACCES || code == EPERM ? .notPermitted : .failed,
            description: "Cannot \(what) \(path): \(String(cString: strerror(code))). Check the"
                + " folder and its permissions.")
    }
}
