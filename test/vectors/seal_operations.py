"""Seals the operations of its input under the keys of its input, for another implementation."""

import json
import sys

import sealed_rules


def main(given):
    keys = sealed_rules.decode_all(given["keys"])
    operations = [sealed_rules.seal_operation(keys, text)["operation"] for text in given["texts"]]
    record = sealed_rules.make_record(keys, given["origin"])
    print(json.dumps({"operations": operations, "record": record}))


main(json.load(sys.stdin))
