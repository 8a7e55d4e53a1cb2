/** The examples of the npm reference compile as printed, with the declarations that are published. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import about from "../../package.json" with { type: "json" };
import { listNpmPages } from "../../scripts/reference/npm-api.ts";
import { LANDING_SAMPLE } from "../../site/landing-sample.ts";
import { packPackage } from "../fixtures/packed-package.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A program for Node and the browser alike. */
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
};

test("the compiler accepts every example of the npm reference", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-npm-examples-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await packPackage();
  const pages = await listNpmPages();
  const paths = Object.fromEntries(pages.map(({ entry }) => [entry, [declarationsOf(entry)]]));
  const compilerOptions = { ...COMPILER_OPTIONS, paths };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const examples = pages.flatMap(({ declarations }) =>
    declarations.flatMap(({ name, comment }) => {
      const [, example] = /^```ts\n(.*)```$/s.exec(comment.example) ?? [];
      return example === undefined ? [] : [{ name, example }];
    }),
  );
  assert.ok(examples.length >= pages.length, "each page has an example");
  examples.push({ name: "landing-sample", example: LANDING_SAMPLE });
  for (const { name, example } of examples) await writeFile(join(folder, `${name}.ts`), example);
  assert.deepEqual(await compile(folder), []);
});

function declarationsOf(entry: string): string {
  const exported: Readonly<Record<string, unknown>> = about.exports;
  const { types } = exported[entry.replace(/^trellis/, ".")] as { readonly types: string };
  return join(ROOT, types);
}

/** The errors, as `file(line,column): error TS…`. */
function compile(folder: string): Promise<readonly string[]> {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--pretty", "false"], { cwd: folder }, (_, stdout) =>
      resolve(stdout.split("\n").filter((line) => line.includes("error TS"))),
    );
  });
}
