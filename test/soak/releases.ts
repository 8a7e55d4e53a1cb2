/** An honest maker who publishes releases, and an honest app that believes only signed manifests. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyManifest } from "../../src/rules/release/verify-manifest.ts";
import { PRODUCT, type Home } from "./prepare.ts";
import { describeFailure, describeResponse, type Tally } from "./tally.ts";

const PUBLISH_MS = 45_000;
const ASK_MS = 700;

export interface Releases {
  work(isOver: () => boolean): Promise<void>;
  check(): Promise<{ readonly published: number; readonly lost: readonly string[] }>;
}

export async function createReleases(home: Home, tally: Tally): Promise<Releases> {
  const at = ["--config", home.config];
  const published: string[] = [];
  const keys = JSON.parse(
    await readFile(join(home.folder, "catalog", "keys.json"), "utf8"),
  ) as Record<string, string>;
  let highestSequence = 0;

  async function publish(build: number): Promise<void> {
    const version = `1.${build}.0`;
    const file = join(home.folder, `habits-${version}.tar.gz`);
    await writeFile(file, `habits ${version}`);
    const place = ["--platform", "linux", "--architecture", "x64"];
    const url = `https://downloads.example.com/habits-${version}.tar.gz`;
    try {
      await home.run(["release", "new", version, "--build", String(build), ...at]);
      await home.run(["release", "add-artifact", version, file, ...place, "--url", url, ...at]);
      await home.run(["release", "publish", version, ...at]);
      published.push(version);
      tally.count("honest maker", "published");
    } catch (error) {
      tally.report(`A release was not published: ${String(error)}`);
    }
  }

  async function askOnce(): Promise<readonly string[]> {
    const response = await fetch(`http://127.0.0.1:${home.ports.release}/api/v1/manifest`, {
      signal: AbortSignal.timeout(20_000),
    });
    tally.count("honest app, manifest", await describeResponse(response.clone()));
    if (response.status !== 200) {
      if (response.status !== 503) tally.report(`The manifest was ${response.status}`);
      return [];
    }
    const trust = { keys, product: PRODUCT, highestSequence, now: Date.now() };
    const result = await verifyManifest(await response.text(), trust);
    if (result.kind !== "verified") {
      tally.report(`A manifest was refused: ${result.kind}`);
      return [];
    }
    highestSequence = result.payload.sequence;
    return result.payload.releases.map(({ version }) => version);
  }

  return {
    async work(isOver) {
      const publishing = (async () => {
        for (let build = 1; !isOver(); build++) {
          await publish(build);
          for (let waited = 0; waited < PUBLISH_MS && !isOver(); waited += 500) await sleep(500);
        }
      })();
      while (!isOver()) {
        await askOnce().catch((error: unknown) =>
          tally.count("honest app, manifest", describeFailure(error)),
        );
        await sleep(ASK_MS);
      }
      await publishing;
    },
    async check() {
      // The service reads a changed catalogue within seconds.
      let lost: readonly string[] = published;
      for (let attempt = 0; lost.length > 0 && attempt < 60; attempt++) {
        const served = await askOnce().catch((): readonly string[] => []);
        lost = published.filter((version) => !served.includes(version));
        await sleep(500);
      }
      return { published: published.length, lost: lost.map((version) => `release ${version}`) };
    },
  };
}
