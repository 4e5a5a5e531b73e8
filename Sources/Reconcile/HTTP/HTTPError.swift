internal import CCurl

/// Why a post got no answer. Never contains a URL's query, a header or a part of a body.
struct HTTPError: Error, Equatable {
    enum Reason: Equatable, Sendable {
        case resolve
        case connect
        /// The server's certificate is not trusted, or the file of trusted roots cannot be used.
        case certificate
        /// The TLS handshake failed otherwise; for example the server offers at most TLS 1.1.
        case tls
        case timeout
        case tooLarge
        /// The answer is not encoded as it claims, or is not HTTP.
        case undecodable
        /// This machine is out of descriptors, memory or threads. Says nothing about the server.
        case shortage
        case interrupted
        case other
    }

    let reason: Reason
    /// The `CURLcode`: <https://curl.se/libcurl/c/libcurl-errors.html>.
    let code: Int32
    let detail: String
    /// False when no connection was made that the request could be sent on.
    var wasSent = true

    init(_ code: CURLcode, reason: Reason? = nil, detail: String? = nil) {
        self.reason = reason ?? Reason(curlCode: code.rawValue)
        self.code = Int32(bitPattern: code.rawValue)
        self.detail = detail ?? String(cString: curl_easy_strerror(code))
    }
}

extension HTTPError.Reason {
    init(curlCode: UInt32) {
        self =
            switch CURLcode(rawValue: curlCode) {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
            case CURLE_COULDNT_CONNECT: .connect
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
                CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
                .certificate
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .tls
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY: .shortage
            case CURLE_FILESIZE_EXCEEDED: .tooLarge
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
                CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_WRITE_ERROR:
                .interrupted
            case CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY: .undecodable
            default: .other
            }
    }
}

extension HTTPError: CustomStringConvertible {
    /// libcurl's error number and text, for example `curl 7: Couldn't connect to server`.
    var cause: String { "curl \(code): \(detail)" }

    var description: String {
        let (event, remedy) = reason.inWords
        return "\(event) (\(cause)). \(remedy)"
    }
}

extension HTTPError.Reason {
    fileprivate var inWords: (event: String, remedy: String) {
        switch self {
        case .resolve: ("The host name was not found", "Check the URL and the machine's DNS.")
        case .connect:
            (
                "No connection was made",
                "Check the URL, the firewall and the proxy (https_proxy)."
            )
        case .certificate:
            (
                "The server's certificate is not trusted",
                "Check the clock, --ca-file, and any proxy between this machine and the server."
            )
        case .tls:
            ("The TLS handshake failed", "The server must offer TLS 1.2 or later; check the proxy.")
        case .timeout: ("The answer took too long", "Try again later or allow a longer timeout.")
        case .tooLarge:
            ("The answer is larger than allowed", "Check that the URL is the right one.")
        case .undecodable:
            (
                "The answer cannot be decoded",
                "It is not from Apple: check the URL and any proxy on the way."
            )
        case .shortage:
            (
                "This machine is out of open files, memory or threads",
                "Raise its limits (ulimit -n, LimitNOFILE) or lower --in-flight; then run again."
            )
        case .interrupted: ("The connection broke before the answer was complete", "Try again.")
        case .other: ("The request failed", "Check the URL and the HTTP settings.")
        }
    }
}
