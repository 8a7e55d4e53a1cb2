"""Fields whose shape changed of docs/protocol/sync.md, with the `read` and `write` that the vectors describe."""

FAILED = object()


class Shapes:
    def __init__(self, evolve, registers):
        self.evolve = evolve
        self.registers = registers
        self.older = {name for change in evolve.values() for name in change["from"]}

    def see(self, field):
        """What a field counts as: its revision, its value or FAILED, and whether it was read; None without a register."""
        own = self.registers.get(field)
        mine = own and (order(own["revision"]), own["value"], False)
        change = self.evolve.get(field, {"from": []})
        found = {name: self.see(name) for name in change["from"]}
        found = {name: one for name, one in found.items() if one}
        latest = max((one[0] for one in found.values()), default=None)
        if latest is None or (mine and mine[0] >= latest):
            return mine
        values = {name: one[1] for name, one in found.items() if one[1] is not None}
        if change.get("fails") or FAILED in values.values():
            return latest, FAILED, True
        return latest, {"read": field, "of": values}, True

    def today(self):
        return {field: self.see(field) for field in self.evolve if field not in self.older and self.see(field)}

    def written_back(self, fields):
        written = {}
        for field, value in fields.items():
            change = self.evolve.get(field, {})
            if change.get("writes"):
                back = {
                    name: None if value is None else {"written": name, "of": value} for name in change["from"]
                }
                written |= back | self.written_back(back)
        return written

    def reads(self, field, names):
        older = self.evolve.get(field, {"from": []})["from"]
        return any(name in names or self.reads(name, names) for name in older)

    def patch(self, fields):
        written = self.written_back(fields) | fields
        for field in self.evolve:
            if field in written or field in self.older or not self.reads(field, set(written)):
                continue
            seen = self.see(field)
            if seen is None or seen[1] is not FAILED:
                written = written | {field: seen and seen[1]}
        return written

    def restore(self):
        written = {name: register["value"] for name, register in self.registers.items()}
        for field in self.evolve:
            seen = self.see(field)
            if seen and seen[1] is FAILED:
                written.pop(field, None)
            elif seen:
                written[field] = seen[1]
        return written

    def settle(self):
        return {field: seen[1] for field, seen in self.today().items() if seen[2] and seen[1] is not FAILED}


def order(revision):
    return revision["sequence"], revision["deviceId"].encode("utf-16-be")


def check(evolve, registers, edit=None):
    shapes = Shapes(evolve, registers)
    today = shapes.today()
    result = {
        "shown": {name: one[1] for name, one in today.items() if one[1] is not FAILED and one[1] is not None},
        "failed": sorted(name for name, one in today.items() if one[1] is FAILED),
    }
    if edit and edit["kind"] == "patch":
        return result | {"written": shapes.patch(edit["fields"])}
    return result | {"written": getattr(shapes, edit["kind"])()} if edit else result
