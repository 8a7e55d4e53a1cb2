"""Seals the operations of its input under the keys of its input, with random nonces, for another implementation."""

import json
import sys

import sealed_rules


def main(given):
    keys, nonces = sealed_rules.Keys(**given["keys"]), sealed_rules.random_nonces()
    operations = [sealed_rules.seal(keys, operation, nonces) for operation in given["operations"]]
    created = sealed_rules.create_key(keys, given["revision"], nonces)
    print(json.dumps({"operations": operations, "created": created}))


main(json.load(sys.stdin))
