/// `reconcile-job generate`: prints the manual page or a shell completion script on stdout.
struct GenerateCommand: Sendable {
    enum What: String, CaseIterable, Sendable { case man, bash, zsh, fish }

    private let what: What

    init(_ configuration: Configuration) { what = configuration.generated }

    func run() throws(Ending) -> Ending {
        let text = Completions.Shell(rawValue: what.rawValue).map(Completions.text) ?? Manual.text
        try StandardStream.print(text)
        return Ending(.complete, "Printed.")
    }
}
