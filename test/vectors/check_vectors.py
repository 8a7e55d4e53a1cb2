"""
Checks the vectors of a folder against rules that were written from the pages in docs/protocol alone. It
prints one line of JSON: the number of cases by file, and the cases that differ.
"""

import itertools
import json
import sys
from pathlib import Path

import collection_rules
import evolve_rules
import events_rules
import iso_dates
import release_rules
import sealed_rules
import sign_in_rules
import sync_rules


def check_operation(profile, text, fill=None):
    filled = text.replace("%FILL%", fill["text"] * fill["times"]) if fill else text
    try:
        sync_rules.validate(filled, profile)
    except sync_rules.Refused as refused:
        return {"kind": "invalid", "code": str(refused)}
    return {"kind": "valid"}


def check_merge(operations):
    """The one result of every order; each order ends with a repetition of its first operation."""
    results = {}
    for order in itertools.permutations(operations):
        state = None
        for operation in (*order, order[0]):
            state = sync_rules.merge(state, operation)
        result = {"snapshot": state, "visible": sync_rules.visible(state)}
        results[to_text(result)] = result
    return next(iter(results.values())) if len(results) == 1 else {"differing": len(results)}


def check_manifests(keys, product, received):
    client = release_rules.Client(keys, product)
    return [client.receive(**one) for one in received]


RULES = {
    "events-dates": iso_dates.read_date,
    "events-import": lambda response, habits, serviceName, utcOffsetMinutes: events_rules.import_events(
        response, habits, serviceName, lambda _moment: utcOffsetMinutes
    ),
    "events-origin": events_rules.parse_origin,
    "password-proof": lambda clientNonce, **login: sign_in_rules.prove_password(client_nonce=clientNonce, **login),
    "pkce": lambda codeVerifier: {"codeChallenge": sign_in_rules.code_challenge(codeVerifier)},
    "release-archive": release_rules.receive_archive,
    "release-files": release_rules.receive_files,
    "release-manifest": check_manifests,
    "release-update": release_rules.evaluate_update,
    "sealed": lambda rule, **given: sealed_rules.CHECKS[rule](**given),
    "sync-counter": lambda field, payload: {"value": collection_rules.counter_value(field, payload)},
    "sync-evolve": evolve_rules.check,
    "sync-merge": check_merge,
    "sync-operations": check_operation,
    "sync-order": lambda field, payloads: {"ids": collection_rules.in_order(field, payloads)},
    "sync-pull": sync_rules.read_pull,
    "sync-push": lambda stored, push: sync_rules.push(stored, push),
    "sync-set": lambda field, payload: {"elements": collection_rules.set_elements(field, payload)},
    "sync-receipts": lambda offset, receipts: {"place": sync_rules.read_receipts(offset, receipts)},
}


def to_text(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def main(folder):
    counts, differing = {}, []
    for path in sorted(folder.glob("*.json")):
        cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
        counts[path.stem] = len(cases)
        for case in cases:
            found = RULES[path.stem](**case["input"])
            if to_text(found) != to_text(case["expected"]):
                one = {"file": path.stem, "name": case["name"], "expected": case["expected"], "found": found}
                differing.append(one)
    print(json.dumps({"counts": counts, "differing": differing}))


main(Path(sys.argv[1]))
