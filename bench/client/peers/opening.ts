/** What opening an app with many rows costs the main thread and the memory of its page, beside Dexie. */
import { join } from "node:path";
import { build } from "esbuild";
import { median } from "../../measure.ts";
import type { Benchmark } from "../../run-benchmark.ts";
import { openPage } from "../browser.ts";
import type { OpeningReport } from "../report-client.ts";
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
  documents: number,
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
  const libraries = [];
  for (const name of await page.evaluate(() => window.opening.names)) {
    benchmark.progress(`Storing ${documents} rows with ${name}`);
    const importSeconds = await page.evaluate(
      ([library, count]) => window.opening.fill(library, count),
      [name, documents] as const,
    );
    const measured = { all: [] as Opened[], first: [] as Opened[] };
    libraries.push({ name, importSeconds, measured });
  }
  const rounds = benchmark.isQuick ? 3 : 9;
  // The first time, the browser also compiles the code of the page, and the client stores what opens faster.
  for (let round = 0; round <= rounds; round++) {
    benchmark.progress(`Opening ${documents} rows`);
    for (const { name, measured } of libraries) {
      const all = await openOnce(page, name, "all", documents);
      const first = await openOnce(page, name, "first", FIRST);
      if (round === 0) continue;
      measured.all.push(all);
      measured.first.push(first);
    }
  }
  const rows = libraries.map(({ name, importSeconds, measured: { all, first } }) => ({
    name,
    importSeconds,
    allMs: median(all.map(({ ms }) => ms)),
    firstMs: median(first.map(({ ms }) => ms)),
    megabytes: median(all.map(({ megabytes }) => megabytes)),
  }));
  return { documents, rows };
}

interface Opened {
  readonly ms: number;
  readonly megabytes: number;
}

const FIRST = 100;

/** In a new page: how long its main thread worked until the rows are there, and what they take in memory. */
async function openOnce(
  page: Page,
  name: string,
  wanted: "all" | "first",
  expected: number,
): Promise<Opened> {
  await page.reload();
  await page.waitForFunction(() => "opening" in window);
  const devtools = await page.context().newCDPSession(page);
  // Processor time, so that what else the machine does counts little.
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
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
