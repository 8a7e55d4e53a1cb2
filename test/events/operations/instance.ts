/** An events service with a configuration, commands and processes. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openServiceStore } from "../../../src/identity/open-service-store.ts";
import { EVENTS_STORE } from "../../../src/events/sql/open-store.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { runTrellis } from "../../fixtures/run-trellis.ts";
import { startTrellis, type Ending } from "../../fixtures/run-trellis.ts";
import { runTrellis as startService, type TrellisProcess } from "../../service/start-trellis.ts";
import { addEventsAccount } from "../add-account.ts";
import { createTestBrowser, type Ask, type TestBrowser } from "../service/test-browser.ts";
import type { EventsPlace } from "../store/on-both-stores.ts";
import type { Person } from "./person.ts";

export interface OperatedInstance {
  readonly place: EventsPlace;
  /** In this process; file names are relative to the instance's folder. */
  run(words: string, input?: string): Promise<Ending>;
  /** In another process. */
  runApart(words: string, input?: string): Promise<Ending>;
  startApart(words: string): ReturnType<typeof startTrellis>;
  /** Expects success, and returns the output of --json. */
  tell<T = Readonly<Record<string, unknown>>>(words: string, input?: string): Promise<T>;
  /** As `account create`, but derives no key that the run of tests has. */
  addAccount(person: Person): Promise<void>;
  file(name: string, content: string): Promise<void>;
  serve(...words: string[]): Promise<ServedEvents>;
}

export interface ServedEvents {
  readonly process: TrellisProcess;
  readonly ask: Ask;
  createBrowser(): TestBrowser;
}

export interface OperatedOptions {
  /** Of the section `events`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Of processes. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function createOperated(
  t: TestContext,
  place: EventsPlace,
  { settings = {}, env = {} }: OperatedOptions = {},
): Promise<OperatedInstance> {
  const { folder, store, dataDir } = place;
  const events = { listen: { port: 0 }, store, ...settings };
  const configPath = join(folder, "trellis.config.json");
  await writeFile(configPath, JSON.stringify({ events }));
  const isFile = (word: string) => /^[\w.-]+\.(backup|json|csv|ics|txt)$/.test(word);
  const wordsOf = (text: string) =>
    text.split(" ").map((word) => (isFile(word) ? join(folder, word) : word));
  const run = (words: string, input = "") =>
    runInside(folder, ["events", ...wordsOf(words)], { input });
  return {
    place,
    run,
    runApart: (words, input = "") =>
      runTrellis(folder, ["events", ...wordsOf(words)], { input, env }),
    startApart: (words) => startTrellis(folder, ["events", ...wordsOf(words)], env),
    async tell<T>(words: string, input?: string) {
      const { code, stdout, stderr } = await run(`${words} --json`, input);
      assert.equal(code, 0, stdout + stderr);
      return JSON.parse(stdout) as T;
    },
    async addAccount(person) {
      const instanceKeyFile = join(dataDir, "instance.key");
      const opened = await openServiceStore(EVENTS_STORE, { store, instanceKeyFile }, dataDir);
      await addEventsAccount(opened, opened.instanceKey, person);
      await opened.close();
    },
    file: (name, content) => writeFile(join(folder, name), content),
    async serve(...more) {
      const words = ["serve", "events", "--config", configPath, ...more];
      const process = startService(t, words, { env });
      const line = await process.line((text) => text.startsWith('{"event":"ready"'));
      const { events: origin } = JSON.parse(line) as { events: string };
      const ask: Ask = (path, init) => fetch(`${origin}${path}`, { redirect: "manual", ...init });
      return { process, ask, createBrowser: () => createTestBrowser(ask) };
    },
  };
}
