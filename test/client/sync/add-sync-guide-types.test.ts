/** The TypeScript samples of the guides compile as printed, and the mistakes that one lists do not. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readBlocks, readGuide } from "./read-add-sync-guide.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** An app with a bundler, and nothing beyond `strict`. */
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: "es2024",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["es2024", "dom", "dom.iterable"],
  types: [],
  jsx: "react-jsx",
  jsxImportSource: "preact",
  skipLibCheck: true,
  // The sources of the client stand for the package.
  allowImportingTsExtensions: true,
  paths: {
    "trellis/client": [join(ROOT, "src/client/index.ts")],
    "trellis/client/encryption": [join(ROOT, "src/client/encryption/index.ts")],
    "trellis/react": [join(ROOT, "src/client/react/index.ts")],
    "trellis/tanstack-db": [join(ROOT, "src/client/tanstack-db/index.ts")],
    // It has all of `@tanstack/db`, and hooks.
    "@tanstack/react-db": [join(ROOT, "node_modules/@tanstack/db")],
    react: [join(ROOT, "node_modules/preact/compat")],
  },
};

/** The errors, as `file(line,column): error TS…`. */
function compile(folder: string): Promise<readonly string[]> {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--pretty", "false"], { cwd: folder }, (_, stdout) =>
      resolve(stdout.split("\n").filter((line) => line.includes("error TS"))),
    );
  });
}

test("the compiler accepts the samples of the guides as printed, and refuses each mistake", async (t) => {
  const { tasks, edits, asks, joins, evolve, component, mistakes } = await readGuide();
  const [client = "", ...encrypted] = await readBlocks("encrypt-your-data.md", "ts");
  assert.equal(encrypted.length, 2);
  const folder = await mkdtemp(join(tmpdir(), "trellis-guide-types-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const wrong = mistakes.map(({ code }, index) => [
    `mistake-${index}.ts`,
    `import { tasks } from "./tasks";\nconst id = "milk";\nexport const result =\n${code};\nvoid id;\n`,
  ]);
  const files: [string, string][] = [
    ["tasks.ts", tasks],
    ["edits.ts", edits],
    ["asks.ts", asks],
    ["joins.ts", joins],
    ["evolve.ts", evolve],
    ["task-list.tsx", component],
    ["client.ts", client],
    ...encrypted.map((text, index): [string, string] => [`encrypted-${index}.ts`, text]),
    ["tsconfig.json", JSON.stringify({ compilerOptions: COMPILER_OPTIONS })],
    ...(wrong as [string, string][]),
  ];
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  const errors = await compile(folder);
  // One error each, on the line of the mistake, and none anywhere else.
  assert.deepEqual(
    errors.map((error) => /^(.+?)\((\d+),/.exec(error)?.slice(1).join(":") ?? error).sort(),
    mistakes.map((_, index) => `mistake-${index}.ts:4`).sort(),
    errors.join("\n"),
  );
});
