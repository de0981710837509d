"""The choices of an index, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sparsebm25._callables import callable_name
from sparsebm25._checks import choice, finite, shown
from sparsebm25.protocols import TextAnalyzer
from sparsebm25.scoring.backends import backend_named
from sparsebm25.weighting.schemes import Scheme, scheme_named
from sparsebm25.weighting.weigh import Weighting

DTYPES = ("float32", "float64")
QUERY_TF = ("count", "set")
MAX_BOOST = 1e9
MAX_DELTA = 1e6
"""Far above any use; beyond them sums could leave the range of float32."""


@dataclass(frozen=True)
class Settings:
    """
    Return the checked choices of an index.

    Parameters
    ----------
    scheme : Scheme
        How counts become weights.
    k1 : float
        Saturation. Unit: tokens.
    b : float
        Length normalization of fields that have none of their own.
    delta : float or None
        Lower bound; None for the scheme's own.
    analyzer : callable or None
        Text to tokens; None for an index of token lists.
    fields : tuple of (str, float)
        Field names with their boosts; () without fields.
    field_b : tuple of (str, float)
        Length normalization of single fields.
    dtype : str
        Of weights and scores.
    query_tf : str
        Whether repeated words of a query count.
    backend : str
        What adds up the scores.
    """

    scheme: Scheme
    k1: float
    b: float
    delta: float | None
    analyzer: TextAnalyzer | None
    fields: tuple[tuple[str, float], ...]
    field_b: tuple[tuple[str, float], ...]
    dtype: str
    query_tf: str
    backend: str

    @property
    def field_names(self) -> tuple[str, ...]:
        """Return the names of the fields, in their order."""
        return tuple(name for name, _ in self.fields)

    @property
    def n_fields(self) -> int:
        """Return the number of counted fields: 1 for documents without fields."""
        return max(len(self.fields), 1)

    @property
    def weighting(self) -> Weighting:
        """Return what weighing needs to know."""
        own_b = dict(self.field_b)
        return Weighting(
            self.scheme,
            self.k1,
            tuple(own_b.get(name, self.b) for name in self.field_names) or (self.b,),
            self.scheme.delta if self.delta is None else self.delta,
            tuple(boost for _, boost in self.fields) or (1.0,),
        )

    def changed(self, changes: Mapping[str, Any]) -> Settings:
        """
        Return these settings with some of them set anew, checked.

        Parameters
        ----------
        changes : mapping
            New values by name; None keeps the present one.

        Returns
        -------
        Settings
            The new choices.
        """
        given = {name: value for name, value in changes.items() if value is not None}
        if "fields" in given and "field_b" not in given and isinstance(given["fields"], Mapping):
            given["field_b"] = {name: b for name, b in self.field_b if name in given["fields"]} or None
        new = checked_settings(**{**self._arguments(), **given})
        missing = set(new.field_names) - set(self.field_names)
        if missing or (self.fields and not new.fields):
            raise ValueError(
                f"fields must be among {', '.join(map(repr, self.field_names)) or 'none'}, "
                f"got {', '.join(map(repr, new.field_names)) or 'none'}"
            )
        return new

    def _arguments(self) -> dict[str, Any]:
        """Return the settings as the arguments that make them."""
        return {
            "scheme": self.scheme,
            "k1": self.k1,
            "b": self.b,
            "delta": self.delta,
            "analyzer": self.analyzer,
            "fields": dict(self.fields) or None,
            "field_b": dict(self.field_b) or None,
            "dtype": self.dtype,
            "query_tf": self.query_tf,
            "backend": self.backend,
        }

    def to_json(self) -> dict[str, Any]:
        """
        Return the settings as plain values.

        Returns
        -------
        dict
            The scheme by its name, the analyzer by its own settings.

        Raises
        ------
        ValueError
            If the scheme is not one that a name stands for.
        """
        plain = self._arguments()
        plain["scheme"] = _saved_name(self.scheme)
        plain["analyzer"] = saved_analyzer(self.analyzer)
        return plain


def _saved_name(scheme: Scheme) -> str:
    """Return the name that stands for a scheme on disk."""
    try:
        known = scheme_named(scheme.name)
    except ValueError:
        known = None
    if known != scheme:
        raise ValueError(f"cannot save: {scheme.name!r} is a scheme of your own: only names are saved")
    return scheme.name


def saved_analyzer(analyzer: TextAnalyzer | None) -> dict[str, Any] | None:
    """
    Return an analyzer as plain values.

    Parameters
    ----------
    analyzer : callable or None
        Turns text into tokens.

    Returns
    -------
    dict or None
        Its settings, or the name of a callable.
    """
    if analyzer is None:
        return None
    describe = getattr(analyzer, "settings", None)
    return describe() if describe else {"callable": callable_name(analyzer)}


def checked_settings(
    *,
    scheme: str | Scheme,
    k1: float,
    b: float,
    delta: float | None,
    analyzer: TextAnalyzer | None,
    fields: Mapping[str, float] | None,
    field_b: Mapping[str, float] | None,
    dtype: Any,
    query_tf: str,
    backend: str,
) -> Settings:
    """
    Return the settings, or say which one is wrong and what is allowed.

    Parameters
    ----------
    scheme, k1, b, delta, analyzer, fields, field_b, dtype, query_tf, backend : object
        See `BM25Index`.

    Returns
    -------
    Settings
        Checked.

    Raises
    ------
    ValueError, TypeError
        Names the argument, the value and what is allowed.
    """
    if analyzer is not None and not callable(analyzer):
        raise TypeError(f"analyzer must be callable or None, got {shown(analyzer)}")
    try:
        dtype_name = shown(dtype) if dtype is None else np.dtype(dtype).name
    except TypeError:
        dtype_name = shown(dtype)
    choice("dtype", dtype_name, DTYPES)
    choice("query_tf", query_tf, QUERY_TF)
    backend_named(backend)
    boosts = _field_numbers("fields", fields, low=0.0, high=MAX_BOOST)
    if any(boost == 0 for _, boost in boosts):
        raise ValueError(
            f"fields must have boosts > 0, got {dict(boosts)}: leave out a field that shall not count"
        )
    own_b = _field_numbers("field_b", field_b, low=0.0, high=1.0)
    unknown = [name for name, _ in own_b if name not in dict(boosts)]
    if unknown:
        raise ValueError(f"field_b names {unknown[0]!r}, which is not one of the fields {list(dict(boosts))}")
    return Settings(
        scheme_named(scheme),
        finite("k1", k1, low=0.0),
        finite("b", b, low=0.0, high=1.0),
        None if delta is None else finite("delta", delta, low=0.0, high=MAX_DELTA),
        analyzer,
        boosts,
        own_b,
        dtype_name,
        query_tf,
        backend,
    )


def _field_numbers(
    name: str, numbers: Mapping[str, float] | None, *, low: float, high: float
) -> tuple[tuple[str, float], ...]:
    """Return a mapping from field to number as checked pairs."""
    if numbers is None:
        return ()
    if not isinstance(numbers, Mapping):
        raise TypeError(f"{name} must be a mapping from field to number, got {shown(numbers)}")
    if name == "fields" and not numbers:
        raise ValueError("fields must name at least one field, or be None for documents without fields")
    wrong = [field for field in numbers if not isinstance(field, str)]
    if wrong:
        raise TypeError(f"{name} must have str keys, got {shown(wrong[0])}")
    return tuple(
        (field, finite(f"{name}[{field!r}]", number, low=low, high=high)) for field, number in numbers.items()
    )
