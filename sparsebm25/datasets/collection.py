"""Documents, queries and judgments that belong together, in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sparsebm25._checks import choice
from sparsebm25.datasets._folders import BeirFolder, require_beir
from sparsebm25.datasets.readers import read_documents, read_queries
from sparsebm25.evaluation import read_qrels
from sparsebm25.protocols import DocId

__all__ = ["Collection", "load_collection"]


@dataclass(frozen=True, slots=True, repr=False)
class Collection:
    """
    Return documents with queries and judgments, ready to index, rank and measure.

    Parameters
    ----------
    name : str
        Name of the collection, for tables.
    ids : tuple of (str or int), length n_docs
        Document ids.
    fields : tuple of dict of str to str, length n_docs
        The documents with their fields kept apart, such as title and text.
    queries : dict of (str or int) to str
        Query id to text.
    qrels : dict of (str or int) to dict
        ``{query_id: {doc_id: relevance}}``.
    notes : tuple of str, optional
        What a reader of figures should know, such as a source that is missing.

    Examples
    --------
    >>> from sparsebm25.datasets import Collection
    >>> fields = ({"title": "Kites", "text": "red kite"}, {"title": "", "text": "blue mug"})
    >>> collection = Collection("tiny", ("d1", "d2"), fields, {"q": "kite"}, {"q": {"d1": 1}})
    >>> collection
    <Collection tiny: 2 documents, 1 query, 1 judgment>
    >>> collection.documents
    ['Kites red kite', 'blue mug']
    """

    name: str
    ids: tuple[DocId, ...]
    fields: tuple[dict[str, str], ...]
    queries: dict[DocId, str]
    qrels: dict[DocId, dict[DocId, int]]
    notes: tuple[str, ...] = ()

    @property
    def documents(self) -> list[str]:
        """
        Return the documents as one text each: their fields, a blank between them.

        Returns
        -------
        list of str, length n_docs
            A new list; a field that is empty adds nothing.
        """
        return [" ".join(filter(None, fields.values())) for fields in self.fields]

    def __repr__(self) -> str:
        judgments = sum(map(len, self.qrels.values()))
        return (
            f"<Collection {self.name}: {_counted(len(self.ids), 'document')}, "
            f"{_counted(len(self.queries), 'query')}, {_counted(judgments, 'judgment')}>"
        )


def load_collection(folder: str | Path, *, split: str = "test") -> Collection:
    r"""
    Return a BEIR folder as a collection.

    Parameters
    ----------
    folder : str or Path
        A folder with ``corpus.jsonl``, ``queries.jsonl`` (both may be packed
        as ``.gz``) and judgments: ``qrels/SPLIT.tsv``, ``qrels.SPLIT.tsv`` or,
        for "test", ``qrels.tsv``.
    split : str, default "test"
        Which judgments. Queries without a judgment among them are left out,
        as queries of other splits share the file.

    Returns
    -------
    Collection
        Documents with their fields ``title`` and ``text``, named like the
        folder. Ids in judgments, which files hold as text, become those of the
        documents and queries: ``"7"`` becomes 7 where 7 is the id.

    Raises
    ------
    ValueError
        If the folder lacks a part, has no such split, or a line is malformed.
    FileNotFoundError
        If there is no such folder.

    See Also
    --------
    read_documents : The documents one at a time, of any layout.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sparsebm25.datasets import load_collection
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "corpus.jsonl").write_text('{"_id": "d1", "title": "Kites", "text": "red kite"}')
    ...     _ = Path(folder, "queries.jsonl").write_text('{"_id": "q1", "text": "kite"}')
    ...     _ = Path(folder, "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1")
    ...     collection = load_collection(folder)
    >>> collection.qrels
    {'q1': {'d1': 1}}
    """
    documents = read_documents(folder, format="beir", joined=False)
    texts = dict(read_queries(folder, format="beir"))
    qrels_path = _qrels_path(require_beir(Path(folder)), split)
    records = list(documents)
    ids = tuple(record.id for record in records)
    doc_ids, query_ids = _by_text(ids), _by_text(texts)
    qrels = {
        query_ids.get(query_id, query_id): {doc_ids.get(name, name): grade for name, grade in grades.items()}
        for query_id, grades in read_qrels(qrels_path).items()
    }
    fields = tuple(record.text for record in records if isinstance(record.text, dict))
    queries = {query_id: text for query_id, text in texts.items() if query_id in qrels}
    return Collection(Path(folder).resolve().name, ids, fields, queries, qrels)


def _qrels_path(beir: BeirFolder, split: str) -> Path:
    """Return the judgments of a split, or say which splits there are."""
    if not beir.qrels:
        raise ValueError(f"{beir.folder} holds no judgments: it has no qrels.tsv and no qrels/SPLIT.tsv")
    choice("split", split, beir.qrels)
    return beir.qrels[split]


def _by_text(ids: Iterable[DocId]) -> dict[str, DocId]:
    """Return each id by its text; where 7 and ``"7"`` are both ids, the text means itself."""
    return {str(name): name for name in sorted(ids, key=lambda name: isinstance(name, str))}


def _counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"
