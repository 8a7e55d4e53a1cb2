/** What opening an app with many rows costs the main thread and the memory of its page, beside Dexie. */
import { join } from "node:path";
import { build } from "esbuild";
import { median } from "../../measure.ts";
import type { Benchmark } from "../../run-benchmark.ts";
import { openPage } from "../browser.ts";
import type { OpeningReport, OpeningResult } from "../report-client.ts";
import type { OpeningPage } from "./opening-page.ts";

declare global {
  interface Window {
    opening: OpeningPage;
  }
}

const SCRIPT = `
  import { Dexie } from "dexie";
  import { createOpeningPage } from ${JSON.stringify(join(import.meta.dirname, "opening-page.ts"))};
  window.opening = createOpeningPage(Dexie);
`;

type Page = Awaited<ReturnType<typeof openPage>>["page"];

/** `folder` has the package. */
export async function measureOpening(
  benchmark: Benchmark,
  folder: string,
  rows: number,
): Promise<OpeningReport> {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: folder },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    write: false,
    logLevel: "error",
  });
  const { page } = await openPage(benchmark, outputFiles[0]?.text ?? "", "opening");
  const names = await page.evaluate(() => window.opening.names);
  const results: OpeningResult[] = [];
  for (const name of names) {
    benchmark.progress(`Storing ${rows} rows with ${name}`);
    const importSeconds = await page.evaluate(
      ([library, count]) => window.opening.fill(library, count),
      [name, rows] as const,
    );
    results.push({ name, importSeconds, allMs: [], firstMs: [], megabytes: [] });
  }
  const rounds = benchmark.isQuick ? 3 : 9;
  // The first time, a page also compiles its code.
  for (let round = 0; round <= rounds; round++) {
    benchmark.progress(`Opening ${rows} rows`);
    for (const result of results) {
      const all = await openOnce(page, result.name, "all", rows);
      const first = await openOnce(page, result.name, "first", FIRST);
      if (round === 0) continue;
      result.allMs.push(all.ms);
      result.firstMs.push(first.ms);
      result.megabytes.push(all.megabytes);
    }
  }
  return {
    rows,
    libraries: results.map(({ name, importSeconds, allMs, firstMs, megabytes }) => ({
      name,
      importSeconds,
      allMs: median(allMs),
      firstMs: median(firstMs),
      megabytes: median(megabytes),
    })),
  };
}

const FIRST = 100;

/** In a new page: how long its main thread worked until the rows are there, and what they take in memory. */
async function openOnce(page: Page, name: string, wanted: "all" | "first", expected: number) {
  await page.reload();
  await page.waitForFunction(() => "opening" in window);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const collect = () => devtools.send("HeapProfiler.collectGarbage");
  const read = async (metric: string) => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find((one) => one.name === metric)?.value ?? Number.NaN;
  };
  await collect();
  const heapBefore = await read("JSHeapUsedSize");
  const before = await read("TaskDuration");
  const shown = await page.evaluate(([library, which]) => window.opening.open(library, which), [
    name,
    wanted,
  ] as const);
  const after = await read("TaskDuration");
  if (shown !== expected) throw new Error(`${name} shows ${shown} of ${expected} rows`);
  await collect();
  const heap = await read("JSHeapUsedSize");
  await page.evaluate(() => window.opening.close());
  await devtools.detach();
  return { ms: (after - before) * 1000, megabytes: (heap - heapBefore) / 2 ** 20 };
}
