"""
Which engine is fastest, on the same tokens, with the same hits?

Run as ``python -m benchmarks.peers --shared-data PATH`` from the top of the checkout, in an environment that
has the peers; one that is missing is named in the results. Each section answers one question, is chosen by
``--only``, and is written to ``benchmarks/RESULTS.md`` in place of what was there. Linux only: memory is read
from ``/proc``.
"""
