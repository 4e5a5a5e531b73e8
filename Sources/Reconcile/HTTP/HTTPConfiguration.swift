/// How a client connects, and its limits for answers. Fixed for the client's life.
struct HTTPConfiguration: Sendable {
    /// For name resolution, TCP and TLS handshake together; also limited by a post's timeout.
    var connectTimeout: Duration = .seconds(5)
    /// A PEM file of trusted roots that replaces the system's.
    var certificateFile: String?
    /// Largest answer body after decompression. Larger ones fail as `.tooLarge`.
    var maxBodyBytes: Int = 16 << 20
    /// Connections to one host. Further posts wait for a free one while their timeout runs.
    var maxConnections: Int
    var userAgent: String
    /// Names of headers that may contain the server's request id, in order of preference.
    var requestIDHeaders: [String] = []
    /// Whether to read `Date` of the first answer on each handle, not only with a `Retry-After`.
    var readsDate = false
    /// How long a post may continue after its task is cancelled.
    var drain = Duration.zero
}
