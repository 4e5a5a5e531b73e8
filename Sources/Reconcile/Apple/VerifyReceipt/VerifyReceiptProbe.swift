/// Checks verifyReceipt without a receipt: reachability, clock, and an app's shared secret.
package struct VerifyReceiptProbe: Sendable {
    private let client: ProbeClient
    private let settings: ValidationSettings
    private let secrets: SharedSecrets

    package init(
        _ settings: ValidationSettings, secrets: SharedSecrets,
        now: @escaping @Sendable () -> Instant
    ) throws(ValidationFailure) {
        self.settings = settings
        self.secrets = secrets
        client = try ProbeClient(settings, now: now)
    }

    /// Sends an empty JSON object: neither a receipt nor a secret.
    package func reach(_ server: AppleServer) async -> ServerProbe {
        await post(Array("{}".utf8), to: server)
    }

    /// Whether there is a shared secret for the app.
    package func hasSecret(for bundle: BundleID) -> Bool { secrets.secret(for: bundle) != nil }

    /// Sends text that is not a receipt: Apple answers 21004 only when the secret is not the app's.
    /// Nil for an app without a secret.
    package func trySecret(of bundle: BundleID) async -> ServerProbe? {
        guard let secret = secrets.secret(for: bundle) else { return nil }
        let nothing = Base64.encode(Array("This is deliberately no receipt.".utf8))
        return await post(
            VerifyReceiptRequest(base64: nothing, secret: secret).body, to: .production)
    }

    private func post(_ body: [UInt8], to server: AppleServer) async -> ServerProbe {
        let request = HTTPRequest(url: settings.url(of: server), body: body)
        return await client.probe(request, to: .verifyReceipt) { response in
            let answer = try? VerifyReceiptAnswer.read(response.body, from: server.environment)
            guard let status = answer?.status.rawValue else {
                return (.unexpected, "HTTP \(response.status)")
            }
            return (status == 21004 ? .refused : .expected, "status \(status)")
        }
    }
}
