/// The certificates of the simulator's JWS: a root and an intermediate on P-384 and a signer on
/// P-256, with Apple's markers 1.2.840.113635.100.6.2.1 and 1.2.840.113635.100.6.11.1. Everybody
/// can compute the signer's key, so the root must never be trusted outside tests. Created once with
/// OpenSSL 3.0, valid from 2008 to 2099; the keys of root and intermediate were deleted. Base64 of
/// DER.
enum ThrowAwayChain {
    static let signerKey = P256Key(derivedFrom: "Signer of the simulated App Store, throw-away")

    static let certificates = [signer, intermediate, root]

    static let signer = Base64Text.decoded(
        """
        MIICHzCCAaagAwIBAgIBAzAKBggqhkjOPQQDAzBTMTMwMQYDVQQDDCpTaW11bGF0ZWQgSW50ZXJt
        ZWRpYXRlIGZvciBKV1MsIHRocm93LWF3YXkxHDAaBgNVBAoME1NpbXVsYXRlZCBBcHAgU3RvcmUw
        IBcNMDgwMTAxMDAwMDAwWhgPMjA5OTEyMzEyMzU5NTlaMEoxKjAoBgNVBAMMIVNpbXVsYXRlZCBK
        V1MgU2lnbmluZywgdGhyb3ctYXdheTEcMBoGA1UECgwTU2ltdWxhdGVkIEFwcCBTdG9yZTBZMBMG
        ByqGSM49AgEGCCqGSM49AwEHA0IABIUd8rsaHJjdLrhiUUl3sIQYXtLDtp9JVtWGAyZbpQv0TZ1R
        vnFmWDFFLzhWNRI1Xjw6igaEUYkxMoW3/GUv+R+jcjBwMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/
        BAQDAgeAMB0GA1UdDgQWBBSGqOgtMtrl3D9ANLhvRkBV7tjpPjAfBgNVHSMEGDAWgBQ5j2KS6YLf
        mt1VJ6a+tix+5AtuMzAQBgoqhkiG92NkBgsBBAIFADAKBggqhkjOPQQDAwNnADBkAjB0/EK/9zyo
        av55RoHbnYIFSZuBy/g1cJTTCDVGRliUAerPvKXBQ2kYceUm+qh7XCACMGrx2TarXtHCcTHDjgQG
        ozNryAz+Lx6hX9m/TfOQlWHS+h3xQfbcKWeBOm9lCW8evQ==
        """)

    static let intermediate = Base64Text.decoded(
        """
        MIICQTCCAcegAwIBAgIBAjAKBggqhkjOPQQDAzBLMSswKQYDVQQDDCJTaW11bGF0ZWQgUm9vdCBm
        b3IgSldTLCB0aHJvdy1hd2F5MRwwGgYDVQQKDBNTaW11bGF0ZWQgQXBwIFN0b3JlMCAXDTA4MDEw
        MTAwMDAwMFoYDzIwOTkxMjMxMjM1OTU5WjBTMTMwMQYDVQQDDCpTaW11bGF0ZWQgSW50ZXJtZWRp
        YXRlIGZvciBKV1MsIHRocm93LWF3YXkxHDAaBgNVBAoME1NpbXVsYXRlZCBBcHAgU3RvcmUwdjAQ
        BgcqhkjOPQIBBgUrgQQAIgNiAAQrM0uEUWtRTpx7sakRKMSVckxVxqoIpU1P9SJ6QIi4h9Cl5zux
        Rja/LhDNuDL0P/iKac/3vEh7nW9zJiluxm2ChGtVHYsq7DAlnlJTW21Zrb7LMds2i4UbqMiRQ1bZ
        HISjdTBzMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBQ5j2KS6YLf
        mt1VJ6a+tix+5AtuMzAfBgNVHSMEGDAWgBRO+qRdCZJBi9FbmP757emoWFLF6jAQBgoqhkiG92Nk
        BgIBBAIFADAKBggqhkjOPQQDAwNoADBlAjEAuzciXIgY77XXXBUrRQvy/tE297LXhABqVJMF3LK0
        LJdm9gxJbttCz5p2VIxrO+ZMAjBBgfhQRFH7yqSLpJS/nMUjtZe+e8WMgeIFvd6qEuYKVxHvy1IV
        DHQCcWTD2yat7DE=
        """)

    static let root = Base64Text.decoded(
        """
        MIICBjCCAYygAwIBAgIBATAKBggqhkjOPQQDAzBLMSswKQYDVQQDDCJTaW11bGF0ZWQgUm9vdCBm
        b3IgSldTLCB0aHJvdy1hd2F5MRwwGgYDVQQKDBNTaW11bGF0ZWQgQXBwIFN0b3JlMCAXDTA4MDEw
        MTAwMDAwMFoYDzIwOTkxMjMxMjM1OTU5WjBLMSswKQYDVQQDDCJTaW11bGF0ZWQgUm9vdCBmb3Ig
        SldTLCB0aHJvdy1hd2F5MRwwGgYDVQQKDBNTaW11bGF0ZWQgQXBwIFN0b3JlMHYwEAYHKoZIzj0C
        AQYFK4EEACIDYgAEmDjTBAtt4uKev1HGJtiYTtWfYaU41H9iEVTYJX+zHs8+NAwHhv8qrNAveDWZ
        08dqNeEU3qfK3TJsU01xf8xTgvVO5GzZxpVNWq8U84xHeA5Cj1sQL8amfleHAPfhl+ydo0IwQDAP
        BgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIBBjAdBgNVHQ4EFgQUTvqkXQmSQYvRW5j++e3p
        qFhSxeowCgYIKoZIzj0EAwMDaAAwZQIwWf+yulCUD20nUZXtwUwFuqs7pJf8HCHY4wW0uOAZSYUt
        wcSNguA59vGLQoa/NYp4AjEAq85M5jr/6JcCeHxiH9StttW1D/8r11yxwRuUvNfazFqkNMyP4PM1
        hLDvIoH+naMj
        """)
}
