internal import CCurl

extension CurlTransfer {
    /// Header lines of every request. `Expect` without a value keeps libcurl from waiting up to a
    /// second before it sends a large body. The others are not set as options, from which libcurl
    /// would format them for each request: a twentieth of its time.
    static func makeFixedHeaders(
        _ configuration: HTTPConfiguration, authorization: String? = nil
    ) -> UnsafeMutablePointer<curl_slist>? {
        makeList(
            [
                "Content-Type: application/json", "Accept-Encoding: \(encoding)",
                userAgent(configuration), "Expect:",
            ] + (authorization.map { ["Authorization: \($0)"] } ?? []))
    }

    /// Header lines for the proxy. Those of `makeFixedHeaders` go to the server only.
    static func makeProxyHeaders(
        _ configuration: HTTPConfiguration
    ) -> UnsafeMutablePointer<curl_slist>? {
        makeList([userAgent(configuration)])
    }

    private static func userAgent(_ configuration: HTTPConfiguration) -> String {
        "User-Agent: \(configuration.userAgent)"
    }

    private static func makeList(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                return nil
            }
            list = longer
        }
        return list
    }

    /// Not "", which would offer every encoding that libcurl was built with.
    private static let encoding = "gzip"

    /// Sets the options that are the same for every post, once per handle.
    ///
    /// Not `CURLOPT_LOW_SPEED_TIME`: it would abort when a server takes longer before its first
    /// byte, and every post has a timeout.
    func setFixedOptions(
        _ configuration: HTTPConfiguration, headers: UnsafeMutablePointer<curl_slist>,
        proxyHeaders: UnsafeMutablePointer<curl_slist>, errorText: UnsafeMutablePointer<CChar>,
        context: UnsafeMutableRawPointer
    ) throws(HTTPError) {
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_POST, 1)
        try set(CURLOPT_HTTPHEADER, headers)
        try set(CURLOPT_PROXYHEADER, proxyHeaders)
        try set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        try set(CURLOPT_ERRORBUFFER, errorText)
        try set(CURLOPT_PRIVATE, context)
        try setTrust(configuration)
        try setConnection(configuration)
        try setBody(configuration, context: context)
    }

    private func setTrust(_ configuration: HTTPConfiguration) throws(HTTPError) {
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.certificateFile { try set(CURLOPT_CAINFO, file) }
    }

    private func setConnection(_ configuration: HTTPConfiguration) throws(HTTPError) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.curlMilliseconds)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        // A load balancer drops idle connections sooner than libcurl would, and its address may
        // change.
        try set(CURLOPT_MAXAGE_CONN, 60)
        try set(CURLOPT_MAXLIFETIME_CONN, 600)
        let code = ccurl_set_prerequest(easy) { context, _, _, _, _ in
            guard let context else { return CURL_PREREQFUNC_ABORT }
            return CurlTransfer.at(context).maySend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        guard code == CURLE_OK else { throw HTTPError(code) }
        try set(CURLOPT_PREREQDATA, Unmanaged.passUnretained(self).toOpaque())
    }

    private func setBody(
        _ configuration: HTTPConfiguration, context: UnsafeMutableRawPointer
    ) throws(HTTPError) {
        try set(CURLOPT_ACCEPT_ENCODING, Self.encoding)
        try set(CURLOPT_BUFFERSIZE, 32 << 10)
        let limit = ccurl_set_offset(
            easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(configuration.maxBodyBytes))
        guard limit == CURLE_OK else { throw HTTPError(limit) }
        try set(CURLOPT_HEADERDATA, context)
        let headers = ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION) { _, size, count, context in
            guard let context else { return 0 }
            return CurlTransfer.at(context).receive(headerBytes: size * count) ? size * count : 0
        }
        guard headers == CURLE_OK else { throw HTTPError(headers) }
        try set(CURLOPT_WRITEDATA, context)
        let code = ccurl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
                let piece = UnsafeBufferPointer(start: $0, count: size * count)
                return CurlTransfer.at(context).receive(piece) ? piece.count : 0
            }
        }
        guard code == CURLE_OK else { throw HTTPError(code) }
    }

    static func at(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        let code = ccurl_set_long(easy, option, value)
        guard code == CURLE_OK else { throw HTTPError(code) }
    }

    private func set(_ option: CURLoption, _ value: UnsafeRawPointer) throws(HTTPError) {
        let code = ccurl_set_pointer(easy, option, value)
        guard code == CURLE_OK else { throw HTTPError(code) }
    }
}
