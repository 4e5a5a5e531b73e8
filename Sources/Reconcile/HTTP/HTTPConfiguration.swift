/// How a client connects and what it will bear from a server; fixed for the client's life.
struct HTTPConfiguration: Sendable {
    /// For the name, the TCP and the TLS handshake together; within a post's own timeout.
    var connectTimeout: Duration = .seconds(5)
    /// A PEM file of trusted roots in place of the system's.
    var certificateFile: String?
    /// The largest answer, counted after decompression. Larger ones end as `.tooLarge`.
    var maxBodyBytes: Int = 16 << 20
    /// Connections to one host. Further posts wait for a free one, while their timeout runs.
    var maxConnections: Int
    var userAgent: String
    /// Header lines in which a server names a request, in the order of preference.
    var requestIDHeaders: [String] = []
    /// Whether the `Date` line is read of the first answer over each handle, and not only beside a
    /// `Retry-After`.
    var readsDate = false
    /// How long a post under way may go on when its task is cancelled.
    var drain = Duration.zero
}
