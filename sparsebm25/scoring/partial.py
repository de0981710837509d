"""Which terms hold a part of a word, and what is the best of their matches worth to each document?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sparsebm25.counts import Counts
from sparsebm25.protocols import Floats, Ints
from sparsebm25.string_table import StringTable


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
    All terms are read as one block of bytes, once for the first byte of the
    part; each further byte is compared only where those before it agreed.
    That is linear in the bytes of the vocabulary, whatever is looked for.
    Characters cannot be taken apart, because no UTF-8 character begins inside
    of another one.

    Examples
    --------
    >>> from sparsebm25.scoring.partial import terms_holding
    >>> from sparsebm25.string_table import StringTable
    >>> terms_holding(StringTable.of(["complexheatmap", "heatmap", "map", "tidy"]), "heat")
    array([0, 1])
    """
    wanted = StringTable.of([part]).blob
    if not wanted.size:
        return np.arange(len(terms))
    places = np.flatnonzero(terms.blob[: max(terms.blob.size - wanted.size + 1, 0)] == wanted[0])
    for step, byte in enumerate(wanted[1:].tolist(), start=1):
        places = places[terms.blob[places + step] == byte]
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
    return csr_array(
        (best, counts.indices, counts.indptr), shape=(counts.n_terms, counts.n_docs), copy=False
    )


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


def order_by(keys: Sequence[Floats | Ints]) -> Ints:
    """
    Return positions in descending order of several keys.

    Parameters
    ----------
    keys : sequence of ndarray of shape (n,)
        The most important first; at least one, numbers without NaN.

    Returns
    -------
    ndarray of shape (n,), dtype int64
        Where one key is equal, the next decides; where all are, the position.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsebm25.scoring.partial import order_by
    >>> order_by([np.array([1, 2, 2, 1]), np.array([0.5, 0.1, 0.7, 0.5])])
    array([2, 1, 0, 3])
    """
    return np.lexsort([-key for key in reversed(keys)])
