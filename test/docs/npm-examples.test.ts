/** The examples of the npm reference compile as printed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { listNpmPages } from "../../scripts/reference/npm-api.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A program for Node and the browser alike, with the sources in place of the package. */
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: "es2024",
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
};

test("the compiler accepts every example of the npm reference", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-npm-examples-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const pages = await listNpmPages();
  const paths = Object.fromEntries(pages.map(({ entry, file }) => [entry, [file]]));
  const compilerOptions = { ...COMPILER_OPTIONS, paths };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const examples = pages.flatMap(({ declarations }) =>
    declarations.flatMap(({ name, comment }) => {
      const [, example] = /^```ts\n(.*)```$/s.exec(comment.example) ?? [];
      return example === undefined ? [] : [{ name, example }];
    }),
  );
  assert.ok(examples.length >= pages.length, "each page has an example");
  for (const { name, example } of examples) await writeFile(join(folder, `${name}.ts`), example);
  assert.deepEqual(await compile(folder), []);
});

/**
 * The errors of the examples, as `file(line,column): error TS…`; `npm run types` checks the sources, each with the
 * libraries of its own program.
 */
function compile(folder: string): Promise<readonly string[]> {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--pretty", "false"], { cwd: folder }, (_, stdout) =>
      resolve(stdout.split("\n").filter((line) => /^(?!\.\.).*error TS/.test(line))),
    );
  });
}
