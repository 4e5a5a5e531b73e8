/// A value of each server. A dictionary would hash the server's name several times a request.
struct PerServer<Value> {
    private var production: Value
    private var sandbox: Value
    private var serverAPI: Value
    private var serverAPISandbox: Value

    init(_ value: (AppleServer) -> Value) {
        production = value(.production)
        sandbox = value(.sandbox)
        serverAPI = value(.serverAPI)
        serverAPISandbox = value(.serverAPISandbox)
    }

    subscript(server: AppleServer) -> Value {
        get {
            switch server {
            case .production: production
            case .sandbox: sandbox
            case .serverAPI: serverAPI
            case .serverAPISandbox: serverAPISandbox
            }
        }
        set {
            switch server {
            case .production: production = newValue
            case .sandbox: sandbox = newValue
            case .serverAPI: serverAPI = newValue
            case .serverAPISandbox: serverAPISandbox = newValue
            }
        }
    }
}

extension PerServer: Sendable where Value: Sendable {}
