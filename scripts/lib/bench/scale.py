"""Checks that the cost of a receipt and the memory do not grow with 10 and 100 times the receipts."""

from cost import median

# The allowed factor of the cost a receipt and of the peak memory, relative to the smallest run.
MORE_CPU, MORE_MEMORY = 1.05, 1.10
MOST_MEMORY = 100 * 1024


# Numbers of receipts, and of runs, whose median counts: short runs are cheap and noisy.
STEPS = [(10_000, 5), (100_000, 3), (1_000_000, 1)]


def run(world, options):
    return measure(world, [step for step in STEPS if step[0] <= options.most], MORE_CPU)


def quick(world):
    # The cost of one short run depends on the machine's other work.
    return measure(world, [(5_000, 5), (50_000, 1)], 1.25)


def measure(world, steps, more_cpu):
    """Default settings except the rate: at the default, a million receipts take 28 hours."""
    print("\nScale: default settings, but --rate 100000; 12 transactions, medians")
    print("  receipts   runs   CPU a receipt   PostgreSQL's   wall   receipts/s   peak RSS")
    broken, first = [], None
    for count, times in steps:
        with world.customers(count) as url, world.apple(12) as apple:
            costs = [world.night(url, apple.url, "--rate", "100000", count=count)[0]
                     for _ in range(times)]
        cpu, peak = median(costs, "cpu") / count * 1e6, median(costs, "peak")
        wall = median(costs, "wall")
        database = median(costs, "database") / count * 1e6
        print(f"{count:10,}{times:7}{cpu:13.1f} us{database:12.1f} us"
              f"{wall:7.1f} s{count / wall:11,.0f}{peak / 1024:8.1f} MiB", flush=True)
        first = first or (cpu, peak)
        if cpu > first[0] * more_cpu:
            broken.append(f"{count:,} receipts: {cpu / first[0]:.3f} times the CPU a receipt.")
        if peak > first[1] * MORE_MEMORY:
            broken.append(f"{count:,} receipts: {peak / first[1]:.3f} times the memory.")
        if peak > MOST_MEMORY:
            broken.append(f"{count:,} receipts: {peak / 1024:.0f} MiB of memory.")
    return broken
