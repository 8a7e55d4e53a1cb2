/** The start of the command line: what it loads, and what it says on a Node that is too old. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { findOldNode } from "../../test/fixtures/find-old-node.ts";

const ENTRY = join(import.meta.dirname, "trellis.ts");
const { engines } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"),
) as { engines: { node: string } };

test("the entry needs the Node that the package needs", () => {
  const [, major, minor] = /OLDEST_NODE = \[(\d+), (\d+)\]/.exec(readFileSync(ENTRY, "utf8")) ?? [];
  assert.equal(`>=${major}.${minor}`, engines.node);
});

test("the entry imports nothing before it has checked the version", () => {
  assert.doesNotMatch(readFileSync(ENTRY, "utf8"), /^import /m);
});

test("a command that uses no database loads none", async () => {
  const root = "src/cli/commands/root.ts";
  const { metafile } = await build({
    absWorkingDir: join(import.meta.dirname, "../.."),
    entryPoints: [root],
    outdir: "unwritten",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  const loaded = new Set([root]);
  for (const path of loaded) {
    for (const { path: imported, kind } of metafile.inputs[path]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(imported);
    }
  }
  assert.ok(loaded.has("src/cli/commands/sync/index.ts"));
  assert.deepEqual(
    [...loaded].filter((path) => path.startsWith("src/database/")),
    [],
  );
});

const oldNode = findOldNode();

test(
  "an old Node says in one line which Node is needed and how to get it",
  { skip: oldNode === null && "needs a Node older than 24.12 beside this one" },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "trellis-entry-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const outfile = join(folder, "trellis.mjs");
    await build({ entryPoints: [ENTRY], outfile, format: "esm", target: "es2024" });
    const { status, stdout, stderr } = spawnSync(oldNode ?? "", [outfile, "--version"], {
      encoding: "utf8",
    });
    assert.equal(status, 1);
    assert.equal(stdout, "");
    assert.match(
      stderr,
      /^Trellis needs Node 24\.12 or newer, this is [\d.]+: install it from https:\S+, or with `nvm install 24`\n$/,
    );
  },
);
