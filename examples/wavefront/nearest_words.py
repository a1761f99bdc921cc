"""The nearest word of a dictionary, for several words in one call.

usage: nearest_words.py
"""

import itertools

import wale

typed = ["wavefornt", "distnace", "subsequence", "scheduel"]
known = ["distance", "instance", "schedule", "shuttle", "subsequence", "wavefront"]
distances = wale.edit_distances(*zip(*itertools.product(typed, known))).reshape(len(typed), len(known))
nearest = [known[k] for k in distances.argmin(axis=1)]
for word, entry, distance in zip(typed, nearest, distances.min(axis=1)):
    print(f"{word} -> {entry} ({distance} edits)")
assert nearest == ["wavefront", "distance", "subsequence", "schedule"]
