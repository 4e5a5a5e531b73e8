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

        let chain = X509_STORE_CTX_get0_chain(context)
        let certificates = (0..<max(0, OPENSSL_sk_num(chain))).compactMap { index in
            OPENSSL_sk_value(chain, index).map { OpaquePointer($0) }
        }
        let from = certificates.map { Self.seconds(X509_get0_notBefore($0), orElse: .max) }.max()
        let until = certificates.map { Self.seconds(X509_get0_notAfter($0), orElse: .min) }.min()
        guard let from, let until, from <= until else {
            throw SignatureError(.notValidThen("their times do not overlap"))
        }
        return CertificateChain(
            names: certificates.map(Certificate.name), validity: from...until,
            signerIsMarked: isMarked(byAny: markers))
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
        for marker in markers {
            let object = OBJ_txt2obj(marker, 1)
            defer { ASN1_OBJECT_free(object) }
            if X509_get_ext_by_OBJ(signer, object, -1) >= 0 { return true }
        }
        return false
    }

    /// Seconds since 1970. Avoids C's `tm`, which would become a dependency of this module.
    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?, orElse: Int64) -> Int64 {
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return orElse }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
