/** The commands that manage instances, and a server beside them. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { runInside } from "../../fixtures/run-inside.ts";
import { runTrellis } from "../../service/start-trellis.ts";
import { askByHost } from "../ask-by-host.ts";
import type { Ask } from "../sync-client.ts";
import { addAccount, type HostPlace } from "./serve-host.ts";

export async function createServer(
  t: TestContext,
  place: HostPlace,
  sync: object = {},
  others: object = {},
) {
  const { dataDir: folder, store } = place;
  const config = join(folder, "trellis.config.json");
  const settings = { listen: { port: 0 }, ...(store !== undefined && { store }), ...sync };
  await writeFile(config, JSON.stringify({ dataDir: "./data", sync: settings, ...others }));
  const run = (words: string, input = "") =>
    runInside(folder, ["sync", ...words.split(" ")], { input });
  const ask = async <T = Record<string, unknown>>(words: string, input = ""): Promise<T> => {
    const { code, stdout, stderr } = await run(`${words} --json`, input);
    assert.equal(code, 0, `${words}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as T;
  };
  const fails = async (words: string, message: RegExp, input = "") => {
    const { code, stderr } = await run(words, input);
    assert.notEqual(code, 0, words);
    assert.match(stderr, message);
  };
  const serve = async () => {
    const process = runTrellis(t, ["serve", "--config", config]);
    const line = await process.line((text) => text.startsWith('{"event":"ready"'));
    const { sync: address, operator } = JSON.parse(line) as { sync: string; operator?: string };
    return { process, operator, askAt: (host: string): Ask => askByHost(address, host) };
  };
  const dataDir = join(folder, "data");
  return {
    folder,
    config,
    dataDir,
    run,
    ask,
    fails,
    serve,
    addAccount: (name: string) => addAccount({ dataDir, store }, name),
  };
}

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    if (await isTrue()) return;
    await wait(100);
  }
  assert.fail("It did not happen in time");
}
