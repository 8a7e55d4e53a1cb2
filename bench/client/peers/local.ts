/** Local edits and lists of other libraries in Chromium, where Dexie is at home. */
import { join } from "node:path";
import { build } from "esbuild";
import type { Benchmark } from "../../run-benchmark.ts";
import { openPage } from "../browser.ts";
import type { LocalReport, LocalResult } from "../report-client.ts";

declare global {
  interface Window {
    local: {
      readonly names: readonly string[];
      run(name: string, documents: number): Promise<LocalResult>;
    };
  }
}

const SCRIPT = `
  import { Dexie } from "dexie";
  import PouchDB from "pouchdb-browser";
  import { createStore } from "tinybase";
  import { createIndexedDbPersister } from "tinybase/persisters/persister-indexed-db";
  import { listLibraries, measureLocalStore } from ${JSON.stringify(join(import.meta.dirname, "local-page.ts"))};
  const libraries = listLibraries({ Dexie, PouchDB, createStore, createIndexedDbPersister });
  window.local = {
    names: Object.keys(libraries),
    run: async (name, documents) => measureLocalStore(await libraries[name](), documents),
  };
`;

/** `folder` has the packages. */
export async function measureLocal(benchmark: Benchmark, folder: string): Promise<LocalReport> {
  const documents = benchmark.isQuick ? 500 : 2000;
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: folder },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    write: false,
    logLevel: "error",
  });
  const { page } = await openPage(benchmark, outputFiles[0]?.text ?? "", "local");
  const rows = [];
  for (const name of await page.evaluate(() => window.local.names)) {
    benchmark.progress(`Measuring local edits of ${name}`);
    const result = await page.evaluate(([library, count]) => window.local.run(library, count), [
      name,
      documents,
    ] as const);
    rows.push({ name, ...result });
  }
  return { documents, rows };
}
