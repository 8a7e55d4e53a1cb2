import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { commitChange } from "./journal.ts";
import { nodeFiles } from "./file-port.ts";
import { createFolderReader, readFolder } from "./read-folder.ts";

/** Reading this number of files takes several turns, with the writer in between. */
const FILES = [
  "catalog.json",
  "keys.json",
  ...Array.from({ length: 600 }, (_, index) => `releases/1.0.${index}.json`),
];

test("a reader during writes never sees a part of a change", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "trellis-read-"));
  const changes = (state: number) => FILES.map((file) => ({ file, content: String(state) }));
  commitChange(folder, changes(0), nodeFiles);

  // One file at the front and one at the back are changed together, again and again.
  const writer = new Worker(
    `const { workerData } = require("node:worker_threads");
     (async () => {
       const { commitChange } = await import(workerData.commit);
       const { nodeFiles } = await import(workerData.files);
       for (let state = 1; ; state++) {
         const content = String(state);
         commitChange(workerData.folder, [
           { file: "catalog.json", content },
           { file: "releases/1.0.599.json", content },
         ], nodeFiles);
         // About as long as two passes of the reader, which are all it needs.
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
       }
     })();`,
    {
      eval: true,
      workerData: {
        folder,
        commit: new URL("./journal.ts", import.meta.url).href,
        files: new URL("./file-port.ts", import.meta.url).href,
      },
    },
  );
  t.after(async () => {
    await writer.terminate();
    rmSync(folder, { recursive: true, force: true });
  });

  const states = new Set<unknown>();
  const startedAt = performance.now();
  const hasTime = (milliseconds: number) => performance.now() - startedAt < milliseconds;
  while (hasTime(3000) || (states.size <= 2 && hasTime(60_000))) {
    const files = await readFolder(folder);
    const [front, back] = [files.get("catalog.json"), files.get("releases/1.0.599.json")];
    // On a busy machine the writer may be faster than every attempt; the reader then reports that.
    if (front?.kind === "unusable") continue;
    assert.deepEqual(front, back);
    states.add(front?.kind === "json" && front.value);
  }
  assert.ok(states.size > 2, `only ${states.size} states were seen`);
});

test("a folder that did not change has the same object, and a change at once is seen", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "trellis-read-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (value: number) => writeFileSync(join(folder, "catalog.json"), String(value));
  const read = createFolderReader(folder);
  for (let value = 1; value < 10; value++) {
    // The same length, and mostly within one tick of the file system's clock.
    write(value);
    assert.deepEqual((await read()).get("catalog.json"), { kind: "json", value });
  }
  // As soon as another change would be seen.
  let hasSame = false;
  for (let reads = 0; !hasSame && reads < 1_000_000; reads++) {
    hasSame = (await read()) === (await read());
  }
  assert.ok(hasSame);
  write(1);
  assert.deepEqual((await read()).get("catalog.json"), { kind: "json", value: 1 });
});
