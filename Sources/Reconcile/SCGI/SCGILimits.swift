package struct SCGILimits: Sendable {
    var headerBytes = 64 << 10
    /// What a header has beyond it counts like a body. nginx sends a quarter of it.
    var freeHeaderBytes = 4 << 10
    var bodyBytes = 16 << 20
    /// A body of at most so many bytes counts as a small one.
    var smallBodyBytes = 256 << 10
    /// Sums of the bodies that arrive or are read, the small ones' with headers. Of bodies that do
    /// not fit into it together, the one that began first gets 503.
    var largeBodiesBytes = 64 << 20
    var smallBodiesBytes = 64 << 20
    /// Most clients at one time; others wait in the socket's backlog.
    var connections = 12_000
    /// Most requests in progress, without those that wait for another server; further ones get 503.
    var requests = 2_000
    /// From the connection to the end of the header.
    var headerPatience = Duration.seconds(10)
    /// From the header to the end of the body, which nginx sends when it has all of it.
    var bodyPatience = Duration.seconds(10)
    /// From the beginning of the answer to its end.
    var answerPatience = Duration.seconds(30)
}
