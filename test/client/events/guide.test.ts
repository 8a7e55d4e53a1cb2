/** The program of the guide to the events client, as written, against the real service. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import type { ImportedHabit } from "../../../src/client/index.ts";
import { put } from "../../events/store/samples.ts";
import { ORIGIN } from "./connect.ts";
import { allow, createWorld } from "./world.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** One function of all its code blocks, in order; its argument is the app's state. */
async function loadProgram(t: TestContext): Promise<(app: object) => Promise<void>> {
  const guide = await readFile(join(ROOT, "docs/guides/use-the-events-client.md"), "utf8");
  const blocks = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block = ""]) => block);
  assert.equal(blocks.length, 7);
  const lines = blocks.join("\n").split("\n");
  const isImport = (line: string) => line.startsWith("import ");
  const client = pathToFileURL(join(ROOT, "src/client/index.ts")).href;
  const source = [
    ...lines.filter(isImport).map((line) => line.replace('"trellis/client"', `"${client}"`)),
    "export async function run(app) {",
    ...lines.filter((line) => !isImport(line)),
    "}",
  ].join("\n");
  const folder = await mkdtemp(join(tmpdir(), "trellis-guide-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "program.mjs"), source);
  const { run } = (await import(pathToFileURL(join(folder, "program.mjs")).href)) as {
    run: (app: object) => Promise<void>;
  };
  return run;
}

function createApp(openBrowser: (url: string) => Promise<string>) {
  const places = { keychain: new Map<string, unknown>(), storage: new Map<string, unknown>() };
  const habits: ImportedHabit[] = [];
  let callback = "";
  const placeOf = (values: Map<string, unknown>) => ({
    get: async (name: string): Promise<unknown> => structuredClone(values.get(name) ?? null),
    set: async (name: string, value: unknown) => void values.set(name, structuredClone(value)),
  });
  return {
    places,
    habits,
    app: {
      askForAddress: async () => `${ORIGIN}/`,
      openBrowser: async (url: string) => {
        callback = await openBrowser(url);
      },
      nextCallback: async () => callback,
      keychain: placeOf(places.keychain),
      storage: placeOf(places.storage),
      habits: async () => habits,
      addHabits: async (imported: readonly ImportedHabit[]) => void habits.push(...imported),
    },
  };
}

test("an app made of the guide's pieces connects, syncs and imports", async (t) => {
  const world = await createWorld(t);
  await world.write([
    put("exam", "2026-09-02", { type: "exam", title: "Algebra" }),
    put("lesson", "2026-09-02", { type: "info" }),
  ]);
  t.mock.method(globalThis, "fetch", world.fetch);
  const lines: string[] = [];
  t.mock.method(console, "log", (line: string) => void lines.push(line));
  const run = await loadProgram(t);
  const { app, habits, places } = createApp((url) => allow(world, url));
  await run(app);
  const imported = {
    name: "Algebra",
    icon: "exam",
    category: "Maths",
    source: { eventId: "exam", occursOn: "2026-09-02" },
  };
  assert.deepEqual(habits, [imported]);
  assert.deepEqual(lines, ["lesson was not imported: info"]);
  assert.ok(places.keychain.has("token") && places.storage.get("events") !== null);
  await run(app);
  assert.deepEqual(habits, [imported]);
  assert.ok(lines.includes("exam was not imported: already-imported"));
});
