/// The certificate authority of simulated receipts. Its signing key is public, so it must never be
/// trusted outside tests. Created once with OpenSSL 3.0 (`openssl genrsa 2048`, `openssl ca`),
/// valid from 2008 to 2099, so that receipts of any date verify. The root's key was deleted. The
/// signer's certificate has Apple's marker 1.2.840.113635.100.6.11.1, like that of a real receipt.
/// Base64 of DER.
enum ThrowAwayAuthority {
    /// PKCS#8, RSA of 2048 bits.
    static let signerKey = Base64Text.decoded(
        """
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCwCiF8B0MSd2vKaoPiwMakzSm8
        qXxulWCtORRd1iqKD4c0U0vfqRPcUJk4VC7rNTmJjncNJt03hQdVqmHA7MfPsFqDsst8krX9Jzbt
        /v8ay2Ew06ffsQGW+N0irqo6M8/aUdhijt5VIn1q2u0XCP9yJL3RsBHsriub1+hkppoSoZM9b1HI
        8rOBldcawuLvnxOnfoHlM82zdqV/APFSiuFfvu2x3GLzPTP2s+nPN7xFvNFZxoH8ZML19V5hM81p
        a5BUWlmYC7eGWeW/hncfXdDWklHOf5D4ea3Q3nv0VZhjjyb0xjzhv9zTe2/HjAcN6LnHvGwukoGp
        LhBKJFRBA48pAgMBAAECggEADMVKCpJdoPBS5zCforUzc+8s8PJ8BBWyxBOY+6Rhb6SSvWQG5BHY
        TqpLgz+a1mtaYjVDQ7anDl5d2tltFVmCtqQSMkL9P2tGko05ZJM+ycspS35/S4YEGddcoNB6VECV
        T+mSFgxL6scsFrK3x8JaWFsmqMM/eaO6UX2cmU37bWXL2KGngdNdkaGMyTHBgMBoQ85EEay/FzNZ
        Aw9LkBTZJO8WTd2l+MPb0TbCt0QGp3glWagiqXzv6QAN2gm2tXg/g3r6Is/BgMb0f4qPFmX5dtxw
        dyrllCxYStiq/qZRA89MsCHZbh7BJEtASYx8sTElmyY/ly1QpnGmATSq8VfOBQKBgQDUVeU/z3ve
        IICWwLWEuKMndhGmZ13NUN91ihR2pYu93OkIUreScYg+w5dYNEQQqqH24o4uDMFFzEUMu8SbQ1uO
        CcGw0QY372o3i35AjGI08u9LWo3j5rTCYN919OwBXEpsS2sSiUBiKz2sIKujyYEjYMkLkuNTa/Q+
        I0YtB/lu1wKBgQDUPXxizonEE7fqGtgc8cwbWbDszBDLrFFIxovPjVTLgNAV9fximnwnvSQA1Llg
        t0JLyRM6oYe8qwu4ik03CevqU6bgkqdJm4rUrReGe7x0lzwuMbZeqprpuNn334BLgxixSX/7xViN
        dvONOYc5ckouREguJlwbLD+YGJ3IIYEx/wKBgQCkZOxc/xLz404raYAgBaOsBamcoCLrt1WK9yDo
        yzrqAIMbQo+F/ghyL5SZYb3g+Xr0XmueE5n/pCtBtI5/dyMHUV54uxyJaf9eic1xxD60p/HE8ZMx
        g4knhUD9Xmbqlr24Ipv/eewzFS9meNTqtjQZY/HD2DHQgKBVC5JlgusHeQKBgQCQjyiPrBnNwZh9
        DbexT0g0QMzvHLc74qyiowlLXvooeh5BNwCmsI5sCrnhDwMMywWO1PAR+T+Y0+/xy9F38XwMaNm7
        EGh9DEJtRVBGuzTLPM8yr42FwTIui0d7O3II/MvuxR80/1+nSyPsRwjBqgS4qq13MY1+vI68K9gc
        HiX/RQKBgFOWf/SLJy7h4+ShGEW9dwjNzDV201Aw9T8bFGg5WVqtF16iEtx5xjK66/PuO91V8Vu6
        +G6tjN8frue8mg6t67tCOuMqPmPhq1vbqV9XhnxHoDs58muSJlYjK6tva1o/citKxhbpjz9s8O9V
        nzIud0S00LBtiBdS3tqI6x/rlQin
        """)

    static let signerCertificate = Base64Text.decoded(
        """
        MIIDgDCCAmigAwIBAgIBAjANBgkqhkiG9w0BAQsFADBDMSMwIQYDVQQDDBpTaW11bGF0ZWQgUm9v
        dCwgdGhyb3ctYXdheTEcMBoGA1UECgwTU2ltdWxhdGVkIEFwcCBTdG9yZTAgFw0wODAxMDEwMDAw
        MDBaGA8yMDk5MTIzMTIzNTk1OVowTjEuMCwGA1UEAwwlU2ltdWxhdGVkIFJlY2VpcHQgU2lnbmlu
        ZywgdGhyb3ctYXdheTEcMBoGA1UECgwTU2ltdWxhdGVkIEFwcCBTdG9yZTCCASIwDQYJKoZIhvcN
        AQEBBQADggEPADCCAQoCggEBALAKIXwHQxJ3a8pqg+LAxqTNKbypfG6VYK05FF3WKooPhzRTS9+p
        E9xQmThULus1OYmOdw0m3TeFB1WqYcDsx8+wWoOyy3yStf0nNu3+/xrLYTDTp9+xAZb43SKuqjoz
        z9pR2GKO3lUifWra7RcI/3IkvdGwEeyuK5vX6GSmmhKhkz1vUcjys4GV1xrC4u+fE6d+geUzzbN2
        pX8A8VKK4V++7bHcYvM9M/az6c83vEW80VnGgfxkwvX1XmEzzWlrkFRaWZgLt4ZZ5b+Gdx9d0NaS
        Uc5/kPh5rdDee/RVmGOPJvTGPOG/3NN7b8eMBw3ouce8bC6SgakuEEokVEEDjykCAwEAAaNyMHAw
        DAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEAYKKoZIhvdjZAYLAQQCBQAwHQYDVR0OBBYE
        FLI3/adgQP30pNRqUZrC/vqUAVNoMB8GA1UdIwQYMBaAFC1UVmM7efkPonMW1yREdNzH1U/OMA0G
        CSqGSIb3DQEBCwUAA4IBAQBXsSqFtRHVUMfV0uKHxB0BqCCovCqOnH+k9A6AovwZ3REm+exXtGoL
        71rbMIgvhNlv/sQw/LU8bX0uRfkbgZhbGS1RTK4SQ5fTISudWWxE3a1KdiBM4SkjQ5a57WsAwQ0t
        S57l3WyTLLeS8BgLRy9ymsjeMYlJQ05asIGjZJy4bBlK87C8N+XE0Z0Y1WtjuKBeV0vNjne56KX4
        Dk001Q2zwvLViRq18XaYka1xggWupsvNvwciZenBezTFNVFO1DiqBOHm53xmV9f2toyo8tK+k7+2
        LlSscfpyT6LgKV3fD3vNAIleUfipQUUB3cUcpCLygq3ylw5UXNMBoeelPOLY
        """)

    static let rootCertificate = Base64Text.decoded(
        """
        MIIDRTCCAi2gAwIBAgIBATANBgkqhkiG9w0BAQsFADBDMSMwIQYDVQQDDBpTaW11bGF0ZWQgUm9v
        dCwgdGhyb3ctYXdheTEcMBoGA1UECgwTU2ltdWxhdGVkIEFwcCBTdG9yZTAgFw0wODAxMDEwMDAw
        MDBaGA8yMDk5MTIzMTIzNTk1OVowQzEjMCEGA1UEAwwaU2ltdWxhdGVkIFJvb3QsIHRocm93LWF3
        YXkxHDAaBgNVBAoME1NpbXVsYXRlZCBBcHAgU3RvcmUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAw
        ggEKAoIBAQCeDB+aT4Z2LdIR5o4ObVYU8KuLiQ4lvUkC5RaXRFyHRG+rotfAuE9qupGOQShzaon0
        r9eLPPVVDPPKE6H48ZZtnvyWmTjFq99Xvkm2yT76EfYncil3tw2UnGqesGh111LwCwh21E+2SNq6
        Rait+MINLmpCUfNiPWIM55i/mryFT+/dkUoKaqadc5kIc7DJdAzez9MvKrBls1yIqwJiC44o3vdB
        RNH4YjywulubZ15Mj+vEX8GCNggYtf3Tz2IRUyoSeR8wdWpU/O+/+4NfOiJTb6HayjIJCsIySq1M
        NrIFpkoCYEjvJykWjQvr/fO7Iuq2o8AxT5Ozgb5gqoylbPUlAgMBAAGjQjBAMA8GA1UdEwEB/wQF
        MAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBQtVFZjO3n5D6JzFtckRHTcx9VPzjANBgkq
        hkiG9w0BAQsFAAOCAQEAQOyS9qBauXzubIBg9uE4ra0UO+p1F5No4gZgeMPsEl6Ttivf5Nwxa7FO
        AEhdKpMPh8vNIRELzKH/KQt+g9o+pMyRqf3Md+NkZOMGM79F6Uw3GJqTzfVe6iVf6v1UGUfmCvEZ
        CK5zsBbpuMDdMIb9Y8iTmweiRCugXQI7cG8P6jjzjm/Vudu+adgcJYD78xYpNv/adO4G63bhYZlz
        iPZz8LhI429K97PYcdnJ34o5YymB4V1CnGEoe817OrtWZTkx4h51lsW/GGkugbDF1TjmZb/WsuTN
        nZpeW4xxPKp06IX77CkbEGdQ0hNptWXG2vCybhDE7eXDN81TfrV17Cu6iQ==
        """)
}
