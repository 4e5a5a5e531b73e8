internal import CCrypto

enum Certificate {
    /// The caller releases it with `X509_free`. Nil when `der` is invalid or has trailing bytes.
    static func parsed(_ der: ArraySlice<UInt8>) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            let certificate = d2i_X509(nil, &position, bytes.count)
            guard position == bytes.baseAddress?.advanced(by: bytes.count) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
    }

    /// The subject in RFC 2253 form.
    static func name(_ certificate: OpaquePointer) -> String {
        let buffer = BIO_new(BIO_s_mem())
        defer { BIO_free(buffer) }
        X509_NAME_print_ex(buffer, X509_get_subject_name(certificate), 0, ccrypto_rfc2253)
        return String(
            decoding: [UInt8](unsafeUninitializedCapacity: 1_024) { bytes, count in
                count = max(0, Int(BIO_read(buffer, bytes.baseAddress, Int32(bytes.count))))
            }, as: UTF8.self)
    }

    static func name(of der: ArraySlice<UInt8>) -> String? {
        guard let certificate = parsed(der) else { return nil }
        defer { X509_free(certificate) }
        return name(certificate)
    }

    /// Whether it has the extension with this object identifier, written with dots.
    static func isMarked(_ certificate: OpaquePointer, _ marker: String) -> Bool {
        let object = OBJ_txt2obj(marker, 1)
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(certificate, object, -1) >= 0
    }

    /// In seconds since 1970. Nil when it ends before it begins, or when a time is unreadable.
    static func validity(_ certificate: OpaquePointer) -> ClosedRange<Int64>? {
        guard let from = seconds(X509_get0_notBefore(certificate)),
            let until = seconds(X509_get0_notAfter(certificate)), from <= until
        else { return nil }
        return from...until
    }

    /// Seconds since 1970. Avoids C's `tm`, which would become a dependency of this module.
    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        let epoch = ASN1_TIME_set(nil, 0)
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }

    static func isReadable(_ der: ArraySlice<UInt8>) -> Bool {
        defer { ERR_clear_error() }
        guard let certificate = parsed(der) else { return false }
        X509_free(certificate)
        return true
    }

    static func keyIdentifier(of der: ArraySlice<UInt8>) -> [UInt8]? {
        guard let certificate = parsed(der) else { return nil }
        defer { X509_free(certificate) }
        guard let identifier = X509_get0_subject_key_id(certificate) else { return nil }
        let bytes = UnsafeBufferPointer(
            start: ASN1_STRING_get0_data(identifier), count: Int(ASN1_STRING_length(identifier)))
        return Array(bytes)
    }
}
