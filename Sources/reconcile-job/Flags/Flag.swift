/// A command-line flag and its environment variable. Parsing, `--help` and error messages are
/// generated from `Flag.all`.
struct Flag: Sendable {
    enum Form: Equatable, Sendable {
        /// `--name VALUE`, once.
        case value(placeholder: String)
        /// `--name VALUE`, any number of times; in the environment separated by commas.
        case list(placeholder: String)
        /// `--name`; in the environment `true` or `false`.
        case bare
    }

    enum Fallback: Equatable, Sendable {
        /// Written as an operator would write it; a test compares it with `Configuration`.
        case value(String)
        case described(String)
        case nothing
    }

    enum Origin: Equatable, Sendable { case commandLine, environment }

    typealias Store =
        @Sendable (String, Origin, inout Configuration) throws -> Void

    /// Without the dashes.
    let name: String
    let form: Form
    let help: String
    let fallback: Fallback
    let commands: [CommandName]
    /// Fallback environment variable, read when `variable` is not set.
    let otherVariable: String?
    let store: Store

    init(
        _ name: String, _ form: Form, _ help: String, default fallback: Fallback = .nothing,
        of commands: [CommandName] = [.run], otherVariable: String? = nil, store: @escaping Store
    ) {
        self.name = name
        self.form = form
        self.help = help
        self.fallback = fallback
        self.commands = commands
        self.otherVariable = otherVariable
        self.store = store
    }

    /// For example `RECONCILE_MAX_RUNTIME` for `max-runtime`.
    var variable: String {
        "RECONCILE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    static func value<Value>(
        _ name: String, _ placeholder: String, _ help: String,
        default fallback: Fallback = .nothing, of commands: [CommandName] = [.run],
        to target: any WritableKeyPath<Configuration, Value> & Sendable,
        _ read: @escaping @Sendable (String) throws -> Value
    ) -> Flag {
        Flag(name, .value(placeholder: placeholder), help, default: fallback, of: commands) {
            text, _, configuration in
            configuration[keyPath: target] = try read(text)
        }
    }

    static func bare(
        _ name: String, _ help: String, of commands: [CommandName] = [.run],
        to target: any WritableKeyPath<Configuration, Bool> & Sendable
    ) -> Flag {
        Flag(name, .bare, help, of: commands) { text, _, configuration in
            configuration[keyPath: target] = try FlagValue.bool(text)
        }
    }
}
