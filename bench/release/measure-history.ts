/** What a long history costs: the manifest that every copy downloads, a client's check of it, and the commands. */
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createMemoryStorage, createUpdateClient } from "../../src/client/index.ts";
import { createCatalogFixture, type CatalogFixture } from "../../test/fixtures/catalog.ts";
import { median } from "../measure.ts";
import { cpuSecondsOfEnded, productCommand } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import { count } from "../tables.ts";

export interface HistoryCost {
  readonly releases: string;
  readonly manifestBytes: number;
  readonly gzipBytes: number;
  /** The processor time of an update check, without the network. */
  readonly checkMilliseconds: number;
}

export interface CommandCost {
  readonly command: string;
  readonly cpuSeconds: number;
  /** It compares every line of the archive. */
  readonly readsAll: boolean;
}

export interface HistoryReport {
  readonly histories: readonly HistoryCost[];
  /** On the longest history. */
  readonly commands: readonly CommandCost[];
}

/** A command takes about a second: one that falls into a busy moment of the machine must not be the result. */
const RUNS = 3;

const HISTORIES = [3, 100, 1400, 10_000];

export async function measureHistory({ defer, progress }: Benchmark): Promise<HistoryReport> {
  const histories: HistoryCost[] = [];
  for (const releases of HISTORIES) {
    progress(`Measuring a history of ${count(releases)} releases`);
    const fixture = await createCatalogFixture({
      releases,
      drafts: RUNS,
      betaEvery: 0,
      forUpdaters: true,
    });
    defer(fixture.remove);
    const envelope = await readFile(join(fixture.folder, "manifest.json"));
    histories.push({
      releases: count(releases),
      manifestBytes: envelope.length,
      gzipBytes: gzipSync(envelope).length,
      checkMilliseconds: await measureChecks(fixture, envelope),
    });
    if (releases === HISTORIES.at(-1))
      return { histories, commands: await measureCommands(fixture) };
  }
  return { histories, commands: [] };
}

const CHECKS = 200;

async function measureChecks(
  { settings, keys }: CatalogFixture,
  envelope: Buffer<ArrayBuffer>,
): Promise<number> {
  const client = createUpdateClient({
    baseUrl: "https://releases.example.com",
    product: settings.product,
    keys,
    platform: "linux",
    current: { version: "1.0.1", buildNumber: 1 },
    storage: createMemoryStorage(),
    fetch: async () => new Response(envelope, { headers: { "Content-Type": "application/json" } }),
  });
  const samples: number[] = [];
  while (samples.length < CHECKS) {
    const before = process.cpuUsage();
    const { kind } = await client.check();
    const { user, system } = process.cpuUsage(before);
    if (kind !== "update-available") throw new Error(`A check found ${kind}`);
    samples.push((user + system) / 1000);
  }
  return median(samples);
}

async function measureCommands(fixture: CatalogFixture): Promise<CommandCost[]> {
  const config = join(fixture.folder, "../trellis.config.json");
  const section = { dataDir: join(fixture.keysDir, ".."), release: { catalog: fixture.folder } };
  await writeFile(config, JSON.stringify(section));
  const cost = (command: string, readsAll: boolean, runs: readonly string[]): CommandCost => ({
    command,
    cpuSeconds: median(runs.map((one) => runCommand(one, config))),
    readsAll,
  });
  // Builds are published in their order.
  const drafts = fixture.releases.filter(({ status }) => status === "draft").toReversed();
  return [
    ...["list", "status", "show 1.0.1"].map((words) => cost(words, false, repeat(words))),
    cost("check", true, repeat("check")),
    cost(
      "publish",
      true,
      drafts.map(({ version }) => `publish ${version} --allow-lost-coverage`),
    ),
  ];
}

function repeat(words: string): string[] {
  return Array.from({ length: RUNS }, () => words);
}

function runCommand(command: string, config: string): number {
  const [program = "", ...words] = productCommand("release", ...command.split(" "));
  const before = cpuSecondsOfEnded();
  const { status, stderr } = spawnSync(program, [...words, "--config", config], {
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`\`trellis release ${command}\` failed: ${stderr}`);
  return cpuSecondsOfEnded() - before;
}
