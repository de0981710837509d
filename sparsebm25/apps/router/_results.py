"""What a router hands back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sparsebm25.apps._matches import Matches

GUIDANCE: Mapping[str, str] = MappingProxyType(
    {
        "none": "No tools look relevant to this request. Rephrase it, broaden the synonyms map, "
        "or tell the user the capability may not exist.",
        "low": "The top candidates are close, so the request may be ambiguous. "
        "Read the top few, pick deliberately, or ask the user to clarify.",
        "high": "These are the most relevant tools, ranked. Read them and choose; "
        "call again with a refined query if none fit.",
    }
)
"""Confidence -> what the reader of a route should do."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """
    Return one tool that may fit a request.

    Parameters
    ----------
    tool : str
        Its name.
    score : float
        Higher is better; the scale is that of the ranker.
    category : str or None
        Its category, as given.
    matches : tuple of (str, float), or None
        The words of the request, synonyms included, that it matches and what
        each adds to the score, largest first; None if not asked for.
    description : str or None
        Its description, if asked for.

    Examples
    --------
    >>> from sparsebm25.apps.router import Candidate
    >>> Candidate("mail.send", 1.5, None).to_dict()
    {'tool': 'mail.send', 'score': 1.5, 'category': None}
    """

    tool: str
    score: float
    category: str | None
    matches: Matches | None = None
    description: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """
        Return the candidate in the form that JSON can hold.

        Returns
        -------
        dict
            ``tool``, ``score`` and ``category``; ``description`` and ``matches``
            where there are any.
        """
        record: dict[str, Any] = {"tool": self.tool, "score": self.score, "category": self.category}
        if self.description is not None:
            record["description"] = self.description
        if self.matches is not None:
            record["matches"] = [
                {"term": term, "contribution": contribution} for term, contribution in self.matches
            ]
        return record


@dataclass(frozen=True, slots=True)
class Route:
    """
    Return the candidates for a request, and how clear the case is.

    Parameters
    ----------
    candidates : tuple of Candidate
        Best first.
    confidence : {"none", "low", "high"}
        ``"none"``: nothing fits, there are no candidates. ``"low"``: the best
        two are close. ``"high"``: the best one stands out.
    guidance : str
        What to do with that, in a sentence or two.

    Examples
    --------
    >>> from sparsebm25.apps.router import Router
    >>> Router([{"name": "mail.send"}]).route("mail the report").confidence
    'high'
    """

    candidates: tuple[Candidate, ...]
    confidence: str
    guidance: str

    def to_dict(self) -> dict[str, Any]:
        """
        Return the route in the form that JSON can hold.

        Returns
        -------
        dict
            ``candidates``, ``confidence`` and ``guidance``.
        """
        return {
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "confidence": self.confidence,
            "guidance": self.guidance,
        }
