/** A program in Python, written from the protocol pages alone, agrees with the vectors: both say enough. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { findPython } from "./find-python.ts";

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, "check_vectors.py");
const VECTORS = join(import.meta.dirname, "../../vectors");

interface Report {
  /** The number of cases by file. */
  readonly counts: Readonly<Record<string, number>>;
  readonly differing: readonly { readonly file: string; readonly name: string }[];
}

async function check(folder: string): Promise<Report> {
  const python = findPython();
  assert.ok(
    python,
    "Install Python 3 with its package cryptography (Debian: python3-cryptography)",
  );
  // -B: no compiled files beside the sources.
  const { stdout } = await run(python, ["-B", PROGRAM, folder]);
  return JSON.parse(stdout) as Report;
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
