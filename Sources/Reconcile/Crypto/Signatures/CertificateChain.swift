internal import CCrypto

/// Certificates from a signer to a trusted root, each signed by the next.
struct CertificateChain: Equatable, Sendable {
    /// Subject names in RFC 2253 form, signer first and root last.
    let names: [String]
    /// When all certificates are valid, in seconds since 1970. Includes the root's validity.
    let validity: ClosedRange<Int64>
    /// Whether the signer's certificate has one of the requested marker extensions.
    let signerIsMarked: Bool
}

/// One run of libcrypto's chain building.
struct ChainSearch: ~Copyable {
    private let context = X509_STORE_CTX_new()
    private let store = X509_STORE_new()
    private let signer: OpaquePointer
    private let others = OPENSSL_sk_new_null()

    /// Apple's chains have three certificates, so this limit is generous.
    private static let mostDepth: Int32 = 6

    init(
        _ roots: [[UInt8]], signer: ArraySlice<UInt8>, among others: [ArraySlice<UInt8>]
    ) throws(SignatureError) {
        let parsed = Certificate.parsed(signer)
        self.signer = parsed ?? X509_new()
        for root in roots {
            guard let certificate = Certificate.parsed(root[...]) else { continue }
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
        }
        for other in others {
            guard let certificate = Certificate.parsed(other) else { continue }
            OPENSSL_sk_push(self.others, UnsafeRawPointer(certificate))
        }
        X509_STORE_CTX_init(context, store, self.signer, self.others)
        guard parsed != nil else { throw SignatureError(.unreadable) }
        let parameters = X509_STORE_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
        X509_VERIFY_PARAM_set_depth(parameters, Self.mostDepth)
        X509_VERIFY_PARAM_set_auth_level(parameters, 0)
    }

    deinit {
        X509_STORE_CTX_free(context)
        while let certificate = OPENSSL_sk_pop(others) { X509_free(OpaquePointer(certificate)) }
        OPENSSL_sk_free(others)
        X509_free(signer)
        X509_STORE_free(store)
    }

    var isFound: Bool {
        X509_VERIFY_PARAM_set_flags(
            X509_STORE_CTX_get0_param(context), UInt(X509_V_FLAG_NO_CHECK_TIME))
        return X509_verify_cert(context) == 1
    }

    func chain(at seconds: Int64, markers: [String]) throws(SignatureError) -> CertificateChain {
        X509_STORE_CTX_set_time(context, 0, Int(seconds))
        guard X509_verify_cert(context) == 1 else { throw failure }

        let certificates = found
        let validities = certificates.map(Certificate.validity)
        let from = validities.map { $0?.lowerBound ?? .max }.max()
        let until = validities.map { $0?.upperBound ?? .min }.min()
        guard let from, let until, from <= until else {
            throw SignatureError(.notValidThen("their times do not overlap"))
        }
        return CertificateChain(
            names: certificates.map(Certificate.name), validity: from...until,
            signerIsMarked: isMarked(byAny: markers))
    }

    /// The subjects from the signer to the root, when they are three: the signer, the only other
    /// certificate, and a root. Their times are not checked, but weak algorithms are refused.
    func namesOfThree() throws(SignatureError) -> [String] {
        let parameters = X509_STORE_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
        X509_VERIFY_PARAM_set_auth_level(parameters, Self.strength)
        guard X509_verify_cert(context) == 1 else { throw failure }
        let certificates = found
        guard certificates.count == 3, let other = OPENSSL_sk_value(others, 0),
            X509_cmp(certificates[1], OpaquePointer(other)) == 0
        else { throw SignatureError(.untrusted("the chain is not one of three certificates")) }
        return certificates.map(Certificate.name)
    }

    /// 112 bits: neither SHA-1 nor RSA keys of 1,024 bits.
    private static let strength: Int32 = 2

    /// The certificates of the chain that was found.
    private var found: [OpaquePointer] {
        let chain = X509_STORE_CTX_get0_chain(context)
        return (0..<max(0, OPENSSL_sk_num(chain))).compactMap { index in
            OPENSSL_sk_value(chain, index).map { OpaquePointer($0) }
        }
    }

    private var failure: SignatureError {
        let code = X509_STORE_CTX_get_error(context)
        guard code != X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY else {
            return SignatureError(.issuerMissing)
        }
        let words = String(cString: X509_verify_cert_error_string(Int(code)))
        let isTime = [X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID].contains(code)
        return SignatureError(isTime ? .notValidThen(words) : .untrusted(words))
    }

    private func isMarked(byAny markers: [String]) -> Bool {
        // Not `contains(where:)`: a closure that borrows this type crashes the compiler.
        for marker in markers where Certificate.isMarked(signer, marker) { return true }
        return false
    }
}
