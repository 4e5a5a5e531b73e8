internal import CCurl
internal import Glibc

/// One easy handle and the answer that it receives; reused for one request after another.
///
/// Used on the loop's thread only. libcurl holds its address, so it must not be released while it
/// is added to the multi handle.
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    private(set) var id = 0

    private let fixedHeaders: UnsafeMutablePointer<curl_slist>
    private let proxyHeaders: UnsafeMutablePointer<curl_slist>
    /// The last request's, with the header lines that have it.
    private var authorized: (by: String, headers: UnsafeMutablePointer<curl_slist>)?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private let configuration: HTTPConfiguration
    private var isFirstAnswer = true
    private var continuation: CheckedContinuation<HTTPResponse, any Error>?
    private var url = ""
    private var received: [UInt8] = []
    private var hasOutgrownLimit = false
    private var headerBytes = 0
    private var requestsSent = 0

    init(_ configuration: HTTPConfiguration) throws(HTTPError) {
        guard let easy = curl_easy_init(), let headers = Self.makeFixedHeaders(configuration),
            let proxyHeaders = Self.makeProxyHeaders(configuration)
        else {
            throw HTTPError(CURLE_FAILED_INIT)
        }
        self.easy = easy
        self.proxyHeaders = proxyHeaders
        fixedHeaders = headers
        self.configuration = configuration
        try setFixedOptions(
            configuration, headers: headers, proxyHeaders: proxyHeaders, errorText: errorText,
            context: Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fixedHeaders)
        curl_slist_free_all(proxyHeaders)
        curl_slist_free_all(authorized?.headers)
        errorText.deallocate()
    }

    /// Prepares the handle for one request. `finish` resumes `continuation`.
    func prepare(
        _ request: HTTPRequest, timeout: Duration, id: Int,
        _ continuation: CheckedContinuation<HTTPResponse, any Error>
    ) {
        self.id = id
        self.continuation = continuation
        received = []
        hasOutgrownLimit = false
        requestsSent = 0
        headerBytes = 0
        errorText.pointee = 0
        setURL(request.url)
        ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, timeout.curlMilliseconds)
        authorize(request.authorization)
        // Each of the two sets the method, too; so does the release of a body.
        if let body = request.body {
            set(body)
        } else {
            ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
        }
    }

    /// Without libcurl's own options, which would send another scheme or a password.
    private func authorize(_ value: String?) {
        guard value != authorized?.by else { return }
        let former = authorized?.headers
        authorized = value.flatMap { value in
            Self.makeFixedHeaders(configuration, authorization: value).map { (value, $0) }
        }
        ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, authorized?.headers ?? fixedHeaders)
        curl_slist_free_all(former)
    }

    private func set(_ body: [UInt8]) {
        // libcurl copies the body, which stays valid for the whole transfer and is sent with the
        // head.
        ccurl_set_long(easy, CURLOPT_POSTFIELDSIZE, body.count)
        _ = body.withUnsafeBytes {
            // With a null pointer, libcurl would read the body from a callback.
            let address = $0.baseAddress ?? UnsafeRawPointer(errorText)
            return ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, address)
        }
    }

    func finish(_ code: CURLcode) {
        end(with: code == CURLE_OK ? .success(response()) : .failure(error(code)))
    }

    /// Ends the request. Releases the body, which may contain secrets.
    func end(with result: Result<HTTPResponse, any Error>) {
        ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, nil)
        received = []
        let waiting = continuation
        continuation = nil
        waiting?.resume(with: result)
    }

    /// False, which aborts the transfer, when the body exceeds the limit. libcurl's own limit
    /// checks only the announced length and, in 7.88, never the decompressed size.
    func receive(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
        guard piece.count <= configuration.maxBodyBytes - received.count else {
            hasOutgrownLimit = true
            return false
        }
        if received.isEmpty { received.reserveCapacity(max(piece.count, announcedBytes)) }
        received.append(contentsOf: piece)
        return true
    }

    /// False, which aborts the transfer, when header lines and trailers exceed the limit: libcurl
    /// 7.88 has none.
    func receive(headerBytes count: Int) -> Bool {
        headerBytes += count
        return headerBytes <= Self.mostHeaderBytes
    }

    private static let mostHeaderBytes = 64 << 10

    /// False, which aborts the transfer, when the request was already sent once. libcurl resends by
    /// itself when a reused connection closes before the answer begins, but the rate limiter and
    /// the record of attempts must know of every request.
    func maySend() -> Bool {
        requestsSent += 1
        return requestsSent == 1
    }

    /// The announced length, trusted up to 1 MiB.
    private var announcedBytes: Int {
        var length: curl_off_t = 0
        ccurl_get_offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        return min(max(0, Int(length)), 1 << 20, configuration.maxBodyBytes)
    }

    private func setURL(_ url: String) {
        guard url != self.url else { return }
        self.url = url
        let isPlain = url.prefix(7).lowercased() == "http://"
        ccurl_set_pointer(easy, CURLOPT_URL, url)
        // Plain HTTP is allowed to loopback hosts only; it must not go through a proxy.
        ccurl_set_pointer(easy, CURLOPT_PROXY, isPlain ? "" : nil)
        // Waits for a stream of a connection that is being made; HTTP/2 requires TLS for this.
        ccurl_set_long(easy, CURLOPT_PIPEWAIT, isPlain ? 0 : 1)
    }

    private func response() -> HTTPResponse {
        var status = 0
        ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        let retryAfter = headers("Retry-After")
        defer { isFirstAnswer = false }
        let wantsDate = !retryAfter.isEmpty || (configuration.readsDate && isFirstAnswer)
        return HTTPResponse(
            status: status, body: received, retryAfter: retryAfter,
            date: wantsDate ? headers("Date").first : nil,
            deprecation: isFirstAnswer ? headers("Deprecation").first : nil,
            sunset: isFirstAnswer ? headers("Sunset").first : nil, requestID: requestID)
    }

    private var requestID: String? {
        for name in configuration.requestIDHeaders {
            guard let value = headers(name).first else { continue }
            let isWord = value.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: true
                default: false
                }
            }
            if isWord, (1...100).contains(value.utf8.count) { return value }
        }
        return nil
    }

    private func headers(_ name: String) -> [String] {
        var values: [String] = []
        var header: UnsafeMutablePointer<curl_header>?
        while curl_easy_header(easy, name, values.count, UInt32(CURLH_HEADER), -1, &header)
            == CURLHE_OK, let value = header?.pointee.value
        {
            values.append(String(cString: value))
        }
        return values
    }

    private func error(_ code: CURLcode) -> HTTPError {
        if hasOutgrownLimit {
            return HTTPError(
                code, reason: .tooLarge,
                detail: "The body is over \(configuration.maxBodyBytes) bytes")
        }
        if headerBytes > Self.mostHeaderBytes {
            return HTTPError(
                code, reason: .tooLarge,
                detail: "The header lines are over \(Self.mostHeaderBytes) bytes")
        }
        if code == CURLE_OUT_OF_MEMORY, isReadingHead {
            // libcurl reports a head line of over 100 KB like this.
            return HTTPError(code, reason: .tooLarge, detail: "A header line is over 100 KB")
        }
        if requestsSent > 1 {
            return HTTPError(
                code, reason: .interrupted, detail: "The server closed a kept connection")
        }
        var verification = 0
        ccurl_get_long(easy, CURLINFO_SSL_VERIFYRESULT, &verification)
        // 1 is libcurl's initial value; OpenSSL's certificate errors are greater.
        let isCertificate = code == CURLE_SSL_CONNECT_ERROR && verification > 1
        let isOurs = code == CURLE_COULDNT_CONNECT && Self.isShortOfDescriptors
        var error = HTTPError(
            code, reason: isCertificate ? .certificate : isOurs ? .shortage : nil,
            detail: connectionDetail(code))
        error.wasSent = requestsSent > 0
        return error
    }

    /// Whether the answer has begun, and nothing of its body has come.
    private var isReadingHead: Bool {
        var microseconds: curl_off_t = 0
        ccurl_get_offset(easy, CURLINFO_STARTTRANSFER_TIME_T, &microseconds)
        return microseconds > 0 && received.isEmpty
    }

    /// Detects a shortage of descriptors, for which libcurl reports only a failed connection.
    private static var isShortOfDescriptors: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if descriptor >= 0 { close(descriptor) }
        return descriptor < 0
    }

    /// libcurl's text about a failed connection. After that, it may contain data from the server.
    private func connectionDetail(_ code: CURLcode) -> String? {
        switch HTTPError.Reason(curlCode: code.rawValue) {
        case .resolve, .connect, .certificate, .tls:
            let text = String(cString: errorText).map { $0.isPrintableASCII ? $0 : "?" }
            return text.isEmpty ? nil : String(text)
        default: return nil
        }
    }
}

extension Character {
    fileprivate var isPrintableASCII: Bool { (" "..."~").contains(self) }
}

extension Duration {
    /// Whole milliseconds, rounded up, at least 1, because 0 means no timeout in libcurl.
    var curlMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard (0..<1_000_000).contains(seconds) else { return seconds < 0 ? 1 : 1_000_000_000 }
        let fraction = Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return max(1, Int(seconds) * 1_000 + fraction)
    }
}
