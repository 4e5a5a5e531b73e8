"""Compares the job with a bare request loop."""

from cost import median

IN_FLIGHT = 64


def run(world, options):
    """Prints the table; returns the violated limits."""
    count = options.receipts or 10_000
    print(f"\nCPU: {count:,} receipts, {IN_FLIGHT} in flight, medians of {options.runs}")
    print("              transactions   answer   CPU a receipt   PostgreSQL's   wall"
          "   receipts/s   peak RSS")
    with world.customers(count) as url:
        for transactions in (12, 60):
            with world.apple(transactions) as apple:
                jobs, loops = [], []
                for _ in range(options.runs):
                    # Alternating, so that other load on the machine affects both.
                    seen, _ = world.night(
                        url, apple.url, "--rate", "100000", "--in-flight", str(IN_FLIGHT),
                        count=count)
                    jobs.append(seen)
                    loops.append(world.floor(apple.url, count, IN_FLIGHT))
                for name, costs in (("the job", jobs), ("bare loop", loops)):
                    show(name, transactions, apple.answer_bytes, count, costs)
                ratio = median(jobs, "cpu") / median(loops, "cpu")
                print(f"the job takes {ratio:.2f} times the CPU of the bare loop")
    return []


def show(name, transactions, answer_bytes, count, costs):
    wall = median(costs, "wall")
    database = median(costs, "database") / count * 1e6
    print(f"{name:14}{transactions:12}{answer_bytes / 1000:6.1f} KB"
          f"{median(costs, 'cpu') / count * 1e6:13.1f} us"
          + (f"{database:12.1f} us" if database else " " * 15)
          + f"{wall:6.2f} s{count / wall:13,.0f}{median(costs, 'peak') / 1024:7.1f} MiB",
          flush=True)
