"""Checks that the rate is reached and never exceeded: burst + rate * w requests in any w seconds."""

import bisect
import math
import re

# The share of the limit to reach, over the steady part.
STEADY = 0.99
# Seconds that certainly use up the burst, with 1.3 times the needed requests in flight.
START = 5
# The least number of requests in a steady part, which may lengthen it.
LEAST_REQUESTS = 300
# The longest time from a request's start to the kernel of the simulated Apple: under a millisecond
# on an idle machine, more with scheduling delays.
JITTER = 0.05
# The factor above rate * latency from which on --in-flight does not limit the run.
ROOM = 1.3
# The maximum of --in-flight.
MOST_IN_FLIGHT = 1_000
GRID = [(rate, latency) for rate in (10, 50, 200, 1_000) for latency in (50, 300, 800)]
# The pair that --in-flight limits.
NARROW = (200, 800, 64)


def run(world, options):
    """Prints the grid; returns the violated limits."""
    cells = [(rate, latency, room(rate, latency)) for rate, latency in GRID] + [NARROW]
    if options.rate or options.latency or options.in_flight:
        rate, latency = options.rate or 200, options.latency or 300
        cells = [(rate, latency, options.in_flight or room(rate, latency))]
    heading(options.seconds)
    return [each for cell in cells for each in measure(world, *cell, options.seconds)]


def quick(world):
    """One cell."""
    heading(12)
    return measure(world, 200, 300, room(200, 300), 12)


def heading(seconds):
    print(f"\nKeeping the rate: steady parts of {seconds:g} s or more. Excess: how many "
          "requests\nmore than burst + rate * window started in the worst window of any length")
    print("  rate   latency   --in-flight   reached   of the limit   in flight   expected"
          "          excess   held back by")


def room(rate, latency):
    return max(16, min(MOST_IN_FLIGHT, math.ceil(rate * latency / 1000 * ROOM)))


def measure(world, rate, latency, in_flight, seconds):
    # The smaller of the two limits.
    limit = min(rate, in_flight * 1000 / latency)
    burst = rate
    # One request more or less must not count for much.
    seconds = max(seconds, LEAST_REQUESTS / limit)
    count = math.ceil(burst + limit * (START + seconds))
    with world.customers(count) as url, world.apple(1, latency) as apple:
        night, _ = world.night(
            url, apple.url, "--rate", str(rate), "--in-flight", str(in_flight), count=count)
        arrivals = apple.arrivals()
    times = [at for at, _ in arrivals]
    first = bisect.bisect(times, START)
    steady = times[first:]
    span = steady[-1] - steady[0]
    reached = (len(steady) - 1) / span
    in_flight_now = (arrivals[-1][1] - arrivals[first][1]) / span
    excess = most_above(times, rate, burst)
    said = held_back_by(night.output)
    print(f"{rate:6g}{latency:7} ms{in_flight:14}{reached:8.1f}/s{reached / limit:14.2%}"
          f"{in_flight_now:12.1f}{limit * latency / 1000:11.1f}{excess:+16.1f}   {said}", flush=True)
    name = f"--rate {rate:g} at {latency} ms, {in_flight} in flight"
    if len(arrivals) != count:
        yield f"{name}: {len(arrivals)} requests for {count} receipts."
    if reached < limit * STEADY:
        yield f"{name}: {reached / limit:.2%} of the limit, not {STEADY:.0%}."
    if excess > rate * JITTER:
        yield f"{name}: {excess:.1f} requests above the limit."
    if said != ("--rate" if limit == rate else "--in-flight"):
        yield f"{name}: held back by {said}, says the summary."


def most_above(times, rate, burst):
    """The largest excess of any window over the rate limit; negative if all windows are below it."""
    # A window from arrival i to j has j - i + 1 requests, and burst + rate * (t_j - t_i) are allowed:
    # for each j the worst i is already known.
    worst, least = -math.inf, math.inf
    for index, at in enumerate(times):
        ahead = index - rate * at
        least = min(least, ahead)
        worst = max(worst, ahead - least + 1 - burst)
    return worst


def held_back_by(summary):
    """The limit that the printed summary names."""
    found = re.search(r"held back by (neither|--[a-z-]+)", summary)
    return found.group(1) if found else "nothing"
