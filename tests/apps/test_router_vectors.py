"""The router against the recorded answers of the one that it replaces."""

from __future__ import annotations

import json

from sparsebm25.apps import Router

SETTINGS = {
    "nameWeight": "name_weight",
    "k1": "k1",
    "b": "b",
    "synonyms": "synonyms",
    "expansionWeight": "expansion_weight",
    "stopwords": "stopwords",
    "marginThreshold": "margin_threshold",
    "minTopScore": "min_top_score",
    "hintBoost": "hint_boost",
}
"""The recorded names of settings, and ours."""


def words_of(text, **settings):
    """Return the words that a compatible router finds in a text, in their order."""
    router = Router([{"name": text}], True, name_weight=1, hint_boost=0, k1=0, **settings)
    return [term for term, _ in router.search(text, explain=True)[0].matches]


def test_recorded_answers(shared_data):
    """Every recorded answer of both builds is reproduced: candidates, contributions, route and guidance."""
    record = json.loads((shared_data.parent / "behaviours" / "router_vectors.json").read_text("utf-8"))
    wrong = []
    for row in record["vectors"]:
        for build, hint in (("seed", {"hint_boost": 0}), ("head", {})):
            expected = row["seed"] if row[build] == "same as seed" else row[build]
            if "throws" in expected:  # a defect: the right answer is that nothing is found
                expected = {"search": [], "route": {"confidence": "none", "tools": []}}
            config = {SETTINGS[name]: value for name, value in row["config"].items()}
            router = Router(record["corpora"][row["corpus"]], True, **{**config, **hint})
            described = row["opts"].get("includeDescription", False)
            search = router.search(row["query"], row["k"], explain=True, include_description=described)
            route = router.route(row["query"], row["k"]).to_dict()
            tools = [candidate["tool"] for candidate in route["candidates"]]
            if [candidate.to_dict() for candidate in search] != without_unrounded(expected["search"]) or {
                "confidence": route["confidence"],
                "guidance": route["guidance"],
                "tools": tools,
            } != {"guidance": route["guidance"], **expected["route"]}:
                wrong.append((row["id"], build))

    assert len(record["vectors"]) == 40
    assert not wrong


def without_unrounded(candidates):
    """Return recorded candidates without the figures that the package does not return."""
    return [
        {
            **{key: value for key, value in candidate.items() if key != "score_unrounded"},
            "matches": [
                {key: match[key] for key in ("term", "contribution")} for match in candidate["matches"]
            ],
        }
        for candidate in candidates
    ]


def test_recorded_words(shared_data):
    """Every recorded text gives the recorded words, each as often as it occurs."""
    record = json.loads((shared_data.parent / "behaviours" / "router_vectors.json").read_text("utf-8"))
    for row in record["tokenizer_vectors"]:
        if row["tokens"]:
            assert words_of(row["text"]) == list(dict.fromkeys(row["tokens"]))
        else:
            assert not Router([{"name": row["text"]}], True, hint_boost=0).search(row["text"])
    stop = record["default_stopwords"]
    assert not Router([{"name": " ".join(stop)}], True, hint_boost=0).search(" ".join(stop))
    assert len(stop) == 63
