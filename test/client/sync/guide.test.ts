/** The storage of the guide, as written, keeps what the guide promises. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { RunnableStorageCase } from "../../../src/client/storage-contract/index.ts";

const ROOT = join(import.meta.dirname, "../../..");

test("the storage of the guide passes every case that the guide runs", async (t) => {
  const guide = await readFile(join(ROOT, "docs/guides/write-a-storage.md"), "utf8");
  const blocks = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, block = ""]) => block);
  assert.equal(blocks.length, 2);
  const contract = pathToFileURL(join(ROOT, "src/client/storage-contract/index.ts")).href;
  const source = blocks
    .join("\n")
    .replace('"trellis/client/storage-contract"', `"${contract}"`)
    .replace('import { test } from "node:test";\n', "")
    .replace("for (const { name, run } of cases) test(name, run);", "export { cases };");
  const folder = await mkdtemp(join(tmpdir(), "trellis-guide-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "storage.mjs"), source);
  const { cases } = (await import(pathToFileURL(join(folder, "storage.mjs")).href)) as {
    cases: RunnableStorageCase[];
  };
  assert.ok(cases.length >= 14);
  for (const { name, run } of cases) await t.test(name, run);
});
