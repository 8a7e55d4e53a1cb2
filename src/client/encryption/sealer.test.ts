import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countedKey, countedNonces, fixedKeys } from "../../../test/fixtures/encryption-keys.ts";
import {
  createOperation,
  createParsedOperation,
  type OperationOptions,
} from "../../../test/fixtures/sync-operation.ts";
import type { Operation as WireOperation } from "../../contract/sync/operation.ts";
import {
  parseOperation,
  scanOperation,
  type ParsedOperation,
} from "../../rules/sync/operation-text.ts";
import { validateOperation } from "../../rules/sync/validate-operation.ts";
import type { AccountKeys } from "../sync/encryption.ts";
import { rotateAccountKeys } from "./account-keys.ts";
import { createSealer } from "./sealer.ts";

/** Its document has metadata. */
type Operation = WireOperation & { document: Record<string, unknown> };

const KEYS = fixedKeys();
const sealer = createSealer(KEYS);

const NOTE: OperationOptions = {
  deviceId: "phone",
  sequence: 7,
  entityId: "note/1",
  payload: { title: "Milk", done: false },
  metadata: { by: "ada" },
};

/** Opens a sealed operation after a change to what the server sends. */
function openChanged(
  change: (operation: Operation) => unknown,
  options: OperationOptions = NOTE,
  keys: AccountKeys = KEYS,
) {
  const operation = JSON.parse(sealer.seal(createParsedOperation(options))) as Operation;
  change(operation);
  const { deviceId, sequence } = operation.revision;
  operation.operationId = `operation/${deviceId}/${sequence}`;
  const result = createSealer(keys).open(parseOperation(JSON.stringify(operation)));
  return result.kind === "opened" ? "opened" : result.reason;
}

const patched: OperationOptions = { ...NOTE, kind: "patch" };

/** The names of the sealed fields, of which the lifecycle is one of the metadata. */
function namesOf({ document, changedMetadataFields }: Operation) {
  const payload = Object.keys(document.payload ?? {});
  return { payload, metadata: changedMetadataFields };
}

test("what is sealed obeys the profile sealed and opens as it was, in every kind of operation", () => {
  const fields = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 6,
  });
  const kinds = fc.constantFrom("create", "restore", "patch", "delete");
  fc.assert(
    fc.property(kinds, fields, fields, (kind, payload, { "": _lifecycle, ...metadata }) => {
      fc.pre(kind !== "patch" || Object.keys({ ...payload, ...metadata }).length > 0);
      const operation = createParsedOperation({ ...NOTE, kind, payload, metadata });
      const text = sealer.seal(operation);
      assert.equal(validateOperation(scanOperation(text), "sealed").kind, "valid");
      const result = sealer.open(parseOperation(text));
      assert.ok(result.kind === "opened");
      assert.equal(result.operation.entityId, kind === "patch" ? null : "note/1");
      assert.deepEqual(sorted(result.operation.payloadFields), sorted(operation.payloadFields));
      assert.deepEqual(sorted(result.operation.metadataFields), sorted(operation.metadataFields));
    }),
    { numRuns: 60 },
  );
});

function sorted(fields: ParsedOperation["payloadFields"]) {
  return fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

test("a number that JSON.parse would round opens as it was written", () => {
  const text = JSON.stringify(createOperation(NOTE)).replace('"Milk"', "9007199254740993.10");
  const result = sealer.open(parseOperation(sealer.seal(parseOperation(text))));
  assert.ok(result.kind === "opened");
  const title = result.operation.payloadFields.find(({ name }) => name === "title");
  assert.equal(title?.json, "9007199254740993.10");
});

test("the wire text has no word of the app", () => {
  const text = sealer.seal(createParsedOperation(NOTE));
  for (const word of ["note", "title", "done", "Milk", "ada", "by"]) {
    assert.ok(!text.includes(`"${word}"`), word);
  }
});

test("a patch has exactly the fields that it changes", () => {
  const changedFields = ["done"];
  const operation = createParsedOperation({ ...patched, changedFields, changedMetadataFields: [] });
  const { document, changedFields: sealed } = JSON.parse(sealer.seal(operation)) as Operation;
  assert.deepEqual(Object.keys(document.payload ?? {}), sealed);
  assert.equal(sealed.length, 1);
});

test("equal fields of two entities, and of both parts, have different names", () => {
  const names = (entityId: string) =>
    namesOf(
      JSON.parse(
        sealer.seal(createParsedOperation({ ...patched, entityId, metadata: { title: 1 } })),
      ) as Operation,
    );
  const all = [names("note/1"), names("note/2")].flatMap(({ payload, metadata }) => [
    ...payload,
    ...metadata,
  ]);
  assert.equal(new Set(all).size, all.length);
});

test("a value opens only at its entity, part, field and revision, and under its key", () => {
  assert.equal(
    openChanged(() => {}, patched),
    "opened",
  );
  const changes: Readonly<Record<string, (operation: Operation) => unknown>> = {
    "another entity": ({ document }) => (document.entityId = sealer.sealedId("note/2")),
    "another device": ({ revision }) => (revision.deviceId = "laptop"),
    "another sequence": ({ revision }) => revision.sequence++,
    "the fields of one part in the other": (operation) => {
      const { document, changedFields, changedMetadataFields } = operation;
      for (const name of changedMetadataFields) {
        document.payload = { ...document.payload, [name]: document[name] };
        delete document[name];
      }
      operation.changedFields = [...changedFields, ...changedMetadataFields];
      operation.changedMetadataFields = [];
    },
    "two values swapped": ({ document: { payload = {} }, changedFields: [a = "", b = ""] }) =>
      ([payload[a], payload[b]] = [payload[b], payload[a]]),
    "a field with another name": (operation) => {
      const { document, changedFields } = operation;
      const [from = "", ...rest] = changedFields;
      const to = `A${from.slice(1)}`;
      const { [from]: value, ...others } = document.payload ?? {};
      document.payload = { ...others, [to]: value };
      operation.changedFields = [...rest, to];
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    assert.equal(openChanged(change, patched), "damaged", name);
  }
});

test("every flipped bit of a value is noticed", () => {
  const text = sealer.seal(createParsedOperation({ ...patched, payload: { a: 1 }, metadata: {} }));
  const { payload } = (JSON.parse(text) as Operation).document;
  const [value = ""] = Object.values(payload ?? {}) as string[];
  const bytes = Buffer.from(value.slice(11), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const changed = text.replace(value.slice(11), flipped.toString("base64url"));
    const result = sealer.open(parseOperation(changed));
    assert.equal(result.kind === "unreadable" && result.reason, "damaged", `bit ${bit}`);
  }
});

test("truncated, lengthened and differently spelled values are unreadable", () => {
  const change = (edit: (value: string) => unknown) =>
    openChanged(({ document: { payload = {} }, changedFields: [name = ""] }) => {
      payload[name] = edit(String(payload[name]));
    }, patched);
  const resize = (size: number) =>
    change((value) => {
      const resized = Buffer.alloc(size, Buffer.from(value.slice(11), "base64url"));
      return value.slice(0, 11) + resized.toString("base64url");
    });
  assert.equal(resize(104), "opened");
  for (const size of [40, 41, 87, 88, 103, 105, 208]) assert.equal(resize(size), "damaged");
  assert.equal(resize(39), "not-sealed");
  for (const edit of [
    (value: string) => `${value}=`,
    // The last of 139 characters has two unused bits.
    (value: string) => `${value.slice(0, -1)}B`,
    (value: string) => value.replace("1.", "2."),
    (value: string) => [value],
    () => "Milk",
    () => 7,
    () => null,
  ]) {
    assert.equal(change(edit), "not-sealed", String(edit));
  }
});

test("a value that a server would refuse in the clear is unreadable, so that no key can break a device", () => {
  const values = {
    deep: `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    "a member twice": `{"a":1,"a":2}`,
  };
  for (const [what, json] of Object.entries(values)) {
    const payloadFields = [{ name: "title", json }];
    const sealed = sealer.seal({ ...createParsedOperation(NOTE), payloadFields });
    const result = sealer.open(parseOperation(sealed));
    assert.equal(result.kind === "unreadable" && result.reason, "damaged", what);
  }
});

test("names and ids that are no opaque ones are not sealed", () => {
  const named = ({ document }: Operation) => (document.entityId = "note/1");
  assert.equal(openChanged(named), "not-sealed");
  const clear = createParsedOperation({ ...patched, entityId: sealer.sealedId("note/1") });
  assert.deepEqual(sealer.open(clear), {
    kind: "unreadable",
    reason: "not-sealed",
    field: "title",
  });
});

test("a value of an unknown key says so, and one of another key with that id is damaged", () => {
  const other = fixedKeys(100);
  assert.equal(
    openChanged(() => {}, patched, other),
    "unknown-key",
  );
  assert.equal(
    openChanged(() => {}, patched, { ...other, keyId: KEYS.keyId }),
    "damaged",
  );
  assert.equal(
    openChanged(() => {}, NOTE, other),
    "lifecycle",
  );
  const otherNames = { ...KEYS, nameKey: countedKey(65) };
  assert.equal(
    openChanged(() => {}, patched, otherNames),
    "damaged",
  );
});

test("values of a former key open after a rotation, and new ones are of the new key", () => {
  const rotated = rotateAccountKeys(KEYS, countedKey(100));
  assert.equal(
    openChanged(() => {}, NOTE, rotated),
    "opened",
  );
  const text = createSealer(rotated).seal(createParsedOperation(NOTE));
  assert.equal(text.split(`"1.${rotated.keyId}.`).length - 1, 4);
  const result = sealer.open(parseOperation(text));
  assert.equal(result.kind === "unreadable" && result.reason, "lifecycle");
});

test("a lifecycle that is missing, forged or of another operation is not believed", () => {
  const remove = ({ document, changedMetadataFields }: Operation) => {
    for (const name of changedMetadataFields.splice(0)) delete document[name];
  };
  const toDelete = (operation: Operation) => {
    const { payload: _, ...document } = operation.document;
    Object.assign(operation, { kind: "delete", document: { ...document, deleted: true } });
    operation.changedFields = [];
  };
  const toCreate = (operation: Operation) => {
    operation.kind = "create";
    operation.document.deleted = false;
    operation.document.payload = {};
  };
  const noMetadata: OperationOptions = { ...NOTE, metadata: {} };
  assert.equal(openChanged(remove), "lifecycle", "missing");
  assert.equal(openChanged(toDelete), "lifecycle", "a create as a deletion");
  assert.equal(openChanged(toCreate, { ...NOTE, kind: "delete" }), "lifecycle", "a revival");
  assert.equal(
    openChanged((one) => (one.kind = "patch")),
    "lifecycle",
    "a create as a patch",
  );
  assert.equal(
    openChanged((one) => (one.kind = "create"), patched),
    "lifecycle",
    "invented",
  );
  const moved = ({ document }: Operation) => (document.entityId = sealer.sealedId("note/2"));
  assert.equal(openChanged(moved, noMetadata), "lifecycle", "of another entity");
  const replayed = ({ revision }: Operation) => revision.sequence++;
  assert.equal(openChanged(replayed, noMetadata), "lifecycle", "of another revision");
  const clear = ({ document, changedMetadataFields: [name = ""] }: Operation) =>
    (document[name] = { entityId: "note/1", deleted: false });
  assert.equal(openChanged(clear, noMetadata), "lifecycle", "in the clear");
  assert.equal(
    openChanged((one) => (one.kind = "restore")),
    "opened",
    "a restore says the same",
  );
});

test("names that UTF-8 cannot carry, and the name of the lifecycle, are not sealed", () => {
  for (const fields of [
    { payload: { "\ud800": 1 } },
    { metadata: { "a\udc00": 1 } },
    { metadata: { "": 1 } },
  ]) {
    const operation = createParsedOperation({ ...NOTE, ...fields });
    assert.throws(() => sealer.seal(operation), /cannot have this name$/);
  }
  assert.equal(
    openChanged(() => {}, { ...NOTE, payload: { "": 1 } }),
    "opened",
  );
});

test("a value is sealed with another nonce each time, also by a copy of the device", () => {
  const operation = createParsedOperation(NOTE);
  const texts = Array.from({ length: 50 }, () => createSealer(KEYS).seal(operation));
  const nonces = texts.flatMap((text) => text.match(/(?<="1\..{8}\.).{32}/g) ?? []);
  assert.equal(nonces.length, 200);
  assert.equal(new Set(nonces).size, 200);
  const fixed = createSealer(KEYS, countedNonces()).seal(operation);
  assert.equal(fixed, createSealer(KEYS, countedNonces()).seal(operation));
});
