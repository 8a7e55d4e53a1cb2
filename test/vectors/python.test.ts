/** A program in Python, written from the protocol pages alone, agrees with the vectors: both say enough. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createKeyRecord, takeOverList } from "../../src/client/encryption/account-key-list.ts";
import { createOperationSealer } from "../../src/client/encryption/operation-sealer.ts";
import type { AccountKey } from "../../src/contract/sync/schemas.ts";
import type { Operation } from "../../src/contract/sync/operation.ts";
import { encodeBase64Url } from "../../src/rules/base64url.ts";
import { parseOperation, scanOperation } from "../../src/rules/sync/operation-text.ts";
import { findEnvelope } from "../../src/rules/sync/sealed-operation.ts";
import { validateOperation } from "../../src/rules/sync/validate-operation.ts";
import { countedDataKey } from "../fixtures/data-keys.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { findPython } from "./find-python.ts";

const run = promisify(execFile);
const VECTORS = join(import.meta.dirname, "../../vectors");

interface Report {
  /** The number of cases by file. */
  readonly counts: Readonly<Record<string, number>>;
  readonly differing: readonly { readonly file: string; readonly name: string }[];
}

async function check(folder: string): Promise<Report> {
  return (await runPython("check_vectors.py", [folder])) as Report;
}

async function runPython(program: string, args: readonly string[], input = ""): Promise<unknown> {
  const python = findPython();
  assert.ok(
    python,
    "Install Python 3 with its package cryptography (Debian: python3-cryptography)",
  );
  // -B: no compiled files beside the sources.
  const running = run(python, ["-B", join(import.meta.dirname, program), ...args]);
  running.child.stdin?.end(input);
  return JSON.parse((await running).stdout);
}

interface Vectors {
  readonly cases: { name: string; expected: unknown }[];
}

async function readVectors(path: string): Promise<Vectors> {
  return JSON.parse(await readFile(path, "utf8")) as Vectors;
}

test("a program in Python that follows the protocol pages agrees with every vector", async () => {
  const { counts, differing } = await check(VECTORS);
  assert.deepEqual(differing, []);
  for (const file of await readdir(VECTORS)) {
    const { cases } = await readVectors(join(VECTORS, file));
    assert.ok(cases.length > 0);
    assert.equal(counts[file.replace(".json", "")], cases.length, file);
  }
});

test("the program in Python notices every vector that expects something else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-vectors-"));
  try {
    await cp(VECTORS, folder, { recursive: true });
    const changed: string[] = [];
    for (const file of await readdir(folder)) {
      const vectors = await readVectors(join(folder, file));
      const { cases } = vectors;
      // Each case expects what its neighbour does, or nothing when the two agree.
      const texts = cases.map(({ expected }) => JSON.stringify(expected));
      for (const [index, one] of cases.entries()) {
        const other = texts.at(index - 1) ?? "";
        one.expected = other === texts[index] ? "nothing" : JSON.parse(other);
        changed.push(`${file.replace(".json", "")}: ${one.name}`);
      }
      await writeFile(join(folder, file), JSON.stringify(vectors));
    }
    const { differing } = await check(folder);
    assert.deepEqual(differing.map(({ file, name }) => `${file}: ${name}`).sort(), changed.sort());
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("what the program in Python seals is valid and opens here", async () => {
  const keys = [countedDataKey(0), countedDataKey(100)] as const;
  const texts = (["create", "restore", "patch", "delete"] as const).map((kind, index) => {
    const text = "Gr\u00fc\u00dfe \u{1f40e}".repeat(30);
    const payload = { text, done: null, tags: ["a", { b: 1.5 }] };
    const metadata = { "by/\u{1f40e}": "ada" };
    const sequence = index + 1;
    return JSON.stringify(
      createOperation({ kind, sequence, entityId: "note/1", payload, metadata }),
    );
  });
  const input = {
    keys: keys.map(({ bytes }) => encodeBase64Url(bytes)),
    texts,
    origin: { deviceId: "phone", at: "2026-11-19T08:30:00Z" },
  };
  const output = await runPython("seal_operations.py", [], JSON.stringify(input));
  const { operations, record } = output as { operations: Operation[]; record: AccountKey };
  const sealer = createOperationSealer(keys);
  for (const [index, operation] of operations.entries()) {
    const scanned = scanOperation(JSON.stringify(operation));
    assert.equal(validateOperation(scanned, "sealed").kind, "valid");
    const envelope = findEnvelope(scanned.metadata) ?? assert.fail();
    const { kind, revision, document, changedFields, changedMetadataFields } = operation;
    const names = { payload: changedFields, metadata: changedMetadataFields };
    const place = { kind, revision, opaqueId: document.entityId, ...names };
    const clear = parseOperation(texts[index] ?? "");
    assert.deepEqual(sealer.open(place, envelope), sealer.toNamed(clear).plain);
  }
  const list = [createKeyRecord(keys[0], [], null), record];
  assert.deepEqual(
    takeOverList(list, keys[1])?.map(({ id }) => id),
    keys.map(({ id }) => id),
  );
});
