/** A page in Chromium that measures the client on IndexedDB. */
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { launchChromium } from "../../test/browser/launch-chromium.ts";
import type { Candidate, Slice } from "../measure.ts";
import { listenOnLoopback } from "../processes.ts";
import type { Benchmark } from "../run-benchmark.ts";
import { signInOnPage } from "../sync/sync-server.ts";
import type { PageBench } from "./page.ts";

declare global {
  interface Window {
    bench: PageBench;
  }
}

export interface BrowserBench {
  /** The server must allow this origin. */
  readonly origin: string;
  edits(count: number, isTogether: boolean): Promise<Candidates>;
  firstSync(port: number, count: number): Promise<Candidates>;
}

export type Candidates = readonly [client: Candidate, bare: Candidate];

/** Opens a page with the script, which sets the member of `window` when it is ready. */
export async function openPage({ defer }: Benchmark, script: string, member: string) {
  const server = createServer(({ url }, response) => {
    response.setHeader("Content-Type", url === "/page.js" ? "text/javascript" : "text/html");
    response.end(url === "/page.js" ? script : '<!doctype html><script src="/page.js"></script>');
  });
  const origin = `http://localhost:${await listenOnLoopback(server)}`;
  defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  const browser = await launchChromium();
  defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(origin);
  await page.waitForFunction((name) => name in window, member);
  return { page, origin };
}

export async function openBrowserBench(benchmark: Benchmark): Promise<BrowserBench> {
  const { page, origin } = await openPage(benchmark, await bundlePage(), "bench");

  /** Processor time of a browser is spread over several processes, and is not compared. */
  const candidate = (name: string, count: number, run: () => Promise<number>): Candidate => ({
    name,
    pid: process.pid,
    run: async (): Promise<Slice> => ({ count, seconds: await run() }),
  });
  const bare = (count: number) =>
    candidate("bare", count, () => page.evaluate(() => window.bench.bare()));
  const sync = async (port: number, count: number, isRecorded: boolean) => {
    const url = await page.evaluate(([at, recorded]) => window.bench.beginSync(at, recorded), [
      port,
      isRecorded,
    ] as const);
    const callback = await signInOnPage(url);
    return page.evaluate(([address, length]) => window.bench.firstSync(address, length), [
      callback,
      count,
    ] as const);
  };

  return {
    origin,
    async edits(count, isTogether) {
      const given = [count, isTogether] as const;
      await page.evaluate((edits) => window.bench.recordEdits(...edits), given);
      return [
        candidate("client", count, () =>
          page.evaluate((edits) => window.bench.edits(...edits), given),
        ),
        bare(count),
      ];
    },
    async firstSync(port, count) {
      await sync(port, count, true);
      return [candidate("client", count, () => sync(port, count, false)), bare(count)];
    },
  };
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "page.ts")],
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
