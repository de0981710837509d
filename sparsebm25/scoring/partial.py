"""Which terms hold a part of a word, and what is the best of their matches worth to each document?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sparsebm25.counts import Counts
from sparsebm25.protocols import Bools, Floats, Ints
from sparsebm25.string_table import StringTable


def agreeing_places(
    blob: NDArray[np.uint8], wanted: NDArray[np.uint8], places: Ints, known: range = range(0)
) -> Ints:
    """
    Return the places at which `wanted` stands in a block of bytes.

    Parameters
    ----------
    blob : ndarray of shape (n_bytes,), dtype uint8
        The block that is searched.
    wanted : ndarray of shape (n_wanted,), dtype uint8
        What is looked for.
    places : ndarray of shape (n_places,), dtype int
        Where it may begin; those that leave no room for it are passed over.
    known : range, default range(0)
        Which bytes of `wanted` are known to stand at every place.

    Returns
    -------
    ndarray of shape (n_found,), dtype int
        In the order of `places`.

    Notes
    -----
    Each byte is compared only at the places where those before it agreed.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.scoring.partial import agreeing_places
    >>> blob, wanted = (np.frombuffer(text, np.uint8) for text in (b"boathouse house", b"house"))
    >>> agreeing_places(blob, wanted, np.arange(15))
    array([ 4, 10])
    """
    places = places[(places >= 0) & (places <= blob.size - wanted.size)]
    for step, byte in enumerate(wanted.tolist()):
        if step not in known:
            places = places[blob[places + step] == byte]
    return places


def terms_holding(terms: StringTable, part: str) -> Ints:
    """
    Return the ordinals of the terms that contain `part`, anywhere.

    Parameters
    ----------
    terms : StringTable
        The terms; may be memory-mapped.
    part : str
        The empty part is in every term.

    Returns
    -------
    ndarray of shape (n_found,), dtype int64
        Ascending.

    See Also
    --------
    sparsebm25.vocabulary.Vocabulary.starting_with : The terms that begin with a prefix.

    Notes
    -----
    All terms are read as one block of bytes: linear in its size, whatever is
    looked for. Characters cannot be taken apart, because no UTF-8 character
    begins inside of another one.

    Examples
    --------
    >>> from sparsebm25.scoring.partial import terms_holding
    >>> from sparsebm25.string_table import StringTable
    >>> terms_holding(StringTable.of(["boathouse", "houses", "mug", "warehouse"]), "house")
    array([0, 1, 3])
    """
    wanted = StringTable.of([part]).blob
    if not wanted.size:
        return np.arange(len(terms))
    places = agreeing_places(terms.blob, wanted, np.flatnonzero(terms.blob == wanted[0]), range(1))
    ords = np.searchsorted(terms.offsets, places, side="right") - 1
    ords = ords[places + wanted.size <= terms.offsets[ords + 1]]  # not from one term into the next
    return ords[np.diff(ords, prepend=-1) > 0]


def best_fields(counts: Counts, weights: NDArray[np.number]) -> csr_array:
    """
    Return the largest weight of the fields in which each document holds each term.

    Parameters
    ----------
    counts : Counts
        Counts of n_fields fields.
    weights : ndarray of shape (n_fields,)
        Weight of each field, above 0.

    Returns
    -------
    csr_array of shape (n_terms, n_docs), dtype of `weights`
        New values on the structure of the counts; how often a term occurs
        does not matter.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.counting import count_documents
    >>> from sparsebm25.scoring.partial import best_fields
    >>> documents = [{"name": ["kite"], "text": ["red", "kite"]}, {"text": ["kite"]}]
    >>> vocabulary, counts = count_documents(documents, None, ["name", "text"])
    >>> list(vocabulary), best_fields(counts, np.array([3, 1])).toarray().tolist()
    (['kite', 'red'], [[3, 1], [1, 0]])
    """
    best = np.zeros(counts.n_postings, weights.dtype)
    for tf, weight in zip(counts.field_tf, weights, strict=True):
        np.maximum(best, weight, out=best, where=tf > 0)
    return csr_array((best, counts.indices, counts.indptr), shape=(counts.n_terms, counts.n_docs), copy=False)


def best_matches(values: csr_array, term_ords: Ints, strengths: NDArray[np.number]) -> NDArray[np.number]:
    """
    Return the best match of each document among some terms.

    One word of a query may match many terms of a vocabulary, each more or
    less well. The best counts, the others add nothing: a document does not
    gain by holding many forms of a word.

    Parameters
    ----------
    values : csr_array of shape (n_terms, n_docs)
        What a full match of the term is worth in the document, above 0.
    term_ords : ndarray of shape (n_matches,), dtype int
        The matched terms.
    strengths : ndarray of shape (n_matches,)
        How well each matches, above 0.

    Returns
    -------
    ndarray of shape (n_docs,), dtype of the products
        ``max(strength * value)`` over the matched terms that the document
        holds; 0 for documents without one.

    Notes
    -----
    Linear in the number of documents and of the postings of the terms.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> from sparsebm25.scoring.partial import best_matches
    >>> values = csr_array([[1, 0, 0], [2, 3, 0]])
    >>> best_matches(values, np.array([0, 1]), np.array([3, 1]))
    array([3, 3, 0])
    """
    rows = values[term_ords]
    matches = rows.data * np.repeat(strengths, np.diff(rows.indptr))
    best = np.zeros(values.shape[1], matches.dtype)
    np.maximum.at(best, rows.indices, matches)
    return best


def order_by(keys: Sequence[Floats | Ints | Bools], k: int | None = None) -> Ints:
    """
    Return the first positions in descending order of several keys.

    Parameters
    ----------
    keys : sequence of ndarray of shape (n,)
        The most important first; at least one, booleans or numbers without
        NaN.
    k : int or None, default None
        How many; None for all.

    Returns
    -------
    ndarray of shape (min(k, n),), dtype int64
        Where one key is equal, the next decides; where all are, the position.

    See Also
    --------
    sparsebm25.scoring.topk.top_k : The same for a single key.

    Notes
    -----
    Only what can be among the first k is sorted: O(n) for each key, and
    O(k log k).

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.scoring.partial import order_by
    >>> order_by([np.array([1, 2, 2, 1]), np.array([0.5, 0.1, 0.7, 0.5])], 3)
    array([2, 1, 0])
    """
    n = keys[0].size
    chosen = np.arange(n) if k is None or k >= n else _first_by(keys, max(k, 0))
    return chosen[np.lexsort([0 - key[chosen] for key in reversed(keys)])]


def _first_by(keys: Sequence[Floats | Ints | Bools], k: int) -> Ints:
    """Return which `k` positions come first, ascending; `k` is less than there are."""
    chosen = np.empty(0, np.int64)
    tied = np.arange(keys[0].size)
    for key in keys:
        left = k - chosen.size
        if left == 0:
            return chosen
        values = key[tied]
        kth = np.partition(values, -left)[-left]
        chosen = np.sort(np.concatenate((chosen, tied[values > kth])))
        tied = tied[values == kth]
    return np.sort(np.concatenate((chosen, tied[: k - chosen.size])))
