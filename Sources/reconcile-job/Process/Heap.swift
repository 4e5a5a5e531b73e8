internal import CLinux

/// How glibc's heap is kept.
enum Heap {
    /// An answer of 25 KB and all that is read from it come and go thousands of times a second.
    /// Left alone, glibc gives the top of the heap back each time, and asks for it again page by
    /// page. So a few megabytes are kept; a measured 4 % of a night's CPU (docs/performance.md).
    static func keepFreedMemory() {
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_TOP_PAD, 1 << 20)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        // Else each thread keeps memory of its own, and the more of it the longer a night lasts:
        // 49 MiB for 10,000 receipts, 53 for 100,000. So 43 for both.
        mallopt(M_ARENA_MAX, 2)
    }
}
