"""rapidfuzz as a peer of bench/wavefront_cpu: METRIC FILE FILE -> median seconds, answer."""

import statistics
import sys
import time

from rapidfuzz.distance import LCSseq, Levenshtein


def main() -> None:
    metric = {"LCSseq": LCSseq.similarity, "Levenshtein": Levenshtein.distance}[sys.argv[1]]
    a, b = (open(name).read() for name in sys.argv[2:4])
    seconds = []
    while len(seconds) < 3 or (sum(seconds) < 0.5 and len(seconds) < 2001):
        start = time.thread_time()
        answer = metric(a, b)
        seconds.append(time.thread_time() - start)
    print(statistics.median(seconds), answer)


if __name__ == "__main__":
    main()
