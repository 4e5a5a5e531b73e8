internal import CCurl
internal import Glibc
internal import Synchronization

/// The only thread that calls libcurl. It is a `SerialExecutor`, so the compiler checks this.
///
/// Each iteration runs pending jobs, lets the actor advance its transfers, and sleeps in
/// `curl_multi_poll` until a socket is ready or another thread wakes it.
final class CurlLoop: SerialExecutor {
    private struct Inbox {
        var jobs: [Job] = []
        var cancelled: [Int] = []
        var isStopping = false
        var isAsleep = false
    }

    private struct Job {
        var job: UnownedJob
        var preferring: UnownedTaskExecutor?
    }

    private let inbox = Mutex(Inbox())
    private let thread = Atomic<pthread_t>(0)
    /// `nonisolated(unsafe)` because a pointer is not Sendable. Only `curl_multi_wakeup` is called
    /// from other threads, which libcurl allows.
    nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    init(maxConnections: Int) throws(HTTPError) {
        guard libcurlReadiness == CURLE_OK else { throw HTTPError(libcurlReadiness) }
        guard let multi = curl_multi_init() else { throw HTTPError(CURLE_FAILED_INIT) }
        self.multi = multi
        ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maxConnections)
        // By default, libcurl caches four connections for each *current* transfer, and so closes
        // most of them when few transfers are running. A client usually calls two hosts.
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 2 * maxConnections)
        ccurl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 20)
    }

    deinit { curl_multi_cleanup(multi) }

    /// `perform` runs on the thread after the jobs of each iteration, with the transfers to cancel.
    func start(_ perform: @escaping @Sendable (_ cancelled: [Int]) -> Void) throws(HTTPError) {
        let body = Unmanaged.passRetained(ThreadBody { [self] in run(perform) })
        // Signals are handled by the main thread. A SIGPIPE from OpenSSL must not end the process.
        var all = sigset_t()
        var former = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        var handle = pthread_t()
        let failure = pthread_create(&handle, nil, threadMain, body.toOpaque())
        guard failure == 0 else {
            body.release()
            throw HTTPError(CURLE_FAILED_INIT, detail: String(cString: strerror(failure)))
        }
        thread.store(handle, ordering: .releasing)
    }

    /// Stops the thread and waits for its end, unless called on it.
    func stop() {
        updateInbox { $0.isStopping = true }
        switch thread.load(ordering: .acquiring) {
        case 0: break
        case pthread_self(): pthread_detach(pthread_self())
        case let other: pthread_join(other, nil)
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = Job(job: UnownedJob(job))
        updateInbox { $0.jobs.append(job) }
    }

    fileprivate func enqueue(_ job: UnownedJob, of tasks: UnownedTaskExecutor) {
        let job = Job(job: job, preferring: tasks)
        updateInbox { $0.jobs.append(job) }
    }

    func cancel(_ transfer: Int) { updateInbox { $0.cancelled.append(transfer) } }

    // On Linux, `Thread.current.name` is the process's name.
    func isIsolatingCurrentContext() -> Bool? {
        thread.load(ordering: .acquiring) == pthread_self()
    }

    func checkIsolated() {
        precondition(isIsolatingCurrentContext() == true, "not on libcurl's thread")
    }

    private func updateInbox(_ change: (inout sending Inbox) -> Void) {
        let mustWake = inbox.withLock { box in
            change(&box)
            defer { box.isAsleep = false }
            return box.isAsleep
        }
        if mustWake { curl_multi_wakeup(multi) }
    }

    private func run(_ perform: (_ cancelled: [Int]) -> Void) {
        thread.store(pthread_self(), ordering: .releasing)
        var isStopping = false
        var jobs: [Job] = []
        while !isStopping {
            perform(runJobs(&jobs))
            isStopping = sleep()
        }
    }

    /// Runs jobs for a limited time: a call of libcurl costs as much for one answer as for many.
    /// Returns the ids of the transfers to cancel.
    /// - Parameter jobs: room for them, which is exchanged with that of the inbox.
    private func runJobs(_ jobs: inout [Job]) -> [Int] {
        let executor = asUnownedSerialExecutor()
        let end = ContinuousClock.now + Self.longestRound
        var cancelled: [Int] = []
        var isLate = false
        while !isLate {
            jobs.removeAll(keepingCapacity: true)
            inbox.withLock { box in
                swap(&box.jobs, &jobs)
                cancelled += box.cancelled
                box.cancelled = []
            }
            guard !jobs.isEmpty else { break }
            var done = 0
            while !isLate, done < jobs.count {
                let job = jobs[done]
                if let tasks = job.preferring {
                    job.job.runSynchronously(on: tasks)
                } else {
                    job.job.runSynchronously(on: executor)
                }
                done += 1
                isLate = ContinuousClock.now >= end
            }
            if done < jobs.count {
                inbox.withLock { $0.jobs.insert(contentsOf: jobs[done...], at: 0) }
            }
        }
        return cancelled
    }

    /// A request is sent in the iteration after its job; the rate limiter allows 10 ms for this.
    private static let longestRound = Duration.milliseconds(5)

    /// Sleeps until there is work. Returns whether the loop must stop.
    private func sleep() -> Bool {
        let (mayRest, isStopping) = inbox.withLock { box in
            box.isAsleep = box.jobs.isEmpty && box.cancelled.isEmpty && !box.isStopping
            return (box.isAsleep, box.isStopping)
        }
        guard mayRest else { return isStopping }
        curl_multi_poll(multi, nil, 0, 60_000, nil)
        return inbox.withLock { box in
            box.isAsleep = false
            return box.isStopping
        }
    }
}

/// Runs tasks on libcurl's thread, so that an answer is parsed where it arrives. A type of its own:
/// a task on the actor's executor would be enqueued again at each call to other code.
final class CurlLoopTasks: TaskExecutor {
    private let loop: CurlLoop

    init(_ loop: CurlLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(UnownedJob(job), of: asUnownedTaskExecutor())
    }
}

/// libcurl's global initialization, which must happen once in a process.
private let libcurlReadiness = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private let threadMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    if let body = $0 { Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
    return nil
}
