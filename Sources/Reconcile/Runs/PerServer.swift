/// A value of each server. A dictionary would hash the server's name several times a request.
struct PerServer<Value> {
    private var production: Value
    private var sandbox: Value

    init(_ value: (AppleServer) -> Value) {
        production = value(.production)
        sandbox = value(.sandbox)
    }

    subscript(server: AppleServer) -> Value {
        get {
            switch server {
            case .production: production
            case .sandbox: sandbox
            }
        }
        set {
            switch server {
            case .production: production = newValue
            case .sandbox: sandbox = newValue
            }
        }
    }
}

extension PerServer: Sendable where Value: Sendable {}
