/**
 * What the guide says of the sizes of bundles, measured as an app's bundler builds them, and of an app with many rows,
 * from a recorded run.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  bundleClient,
  bundleEncryptedClient,
  bundleReactHooks,
  bundleTanStackAdapter,
  type ClientBundle,
} from "../test/fixtures/bundle-client.ts";
import type { GeneratedFile } from "./bundle-web.ts";
import { formatMarkdownTable, replaceBlock } from "./page-blocks.ts";
import { findTable, readRecordedRun, type RecordedRun } from "./recorded-run.ts";

const GUIDE = "docs/guides/add-sync-to-your-app.md";
const PAGE = join(import.meta.dirname, "..", GUIDE);

export async function generateClientSizes(): Promise<GeneratedFile[]> {
  const client = sizeOf(await bundleClient("syncClient", "esm"));
  const encrypted = sizeOf(await bundleEncryptedClient());
  const table = formatMarkdownTable([
    ["In a bundle", "KB, minified and gzip"],
    ["`trellis/client`: sync with collections", String(client)],
    ["`trellis/react`, besides", String(sizeOf(await bundleReactHooks()))],
    ["`trellis/client/encryption`, besides", String(encrypted - client)],
    ["`trellis/tanstack-db`, besides", String(sizeOf(await bundleTanStackAdapter()))],
  ]);
  const page = await readFile(PAGE, "utf8");
  const sized = replaceBlock(page, "sizes", table);
  const content = replaceBlock(sized, "many rows", manyRowsTable(await readRecordedRun("client")));
  return [{ path: GUIDE, content }];
}

function sizeOf({ code }: ClientBundle): number {
  return Math.ceil(gzipSync(code).length / 1024);
}

function manyRowsTable(run: RecordedRun): string {
  const { rows } = findTable(run, "Opening 20,000 rows");
  return formatMarkdownTable([
    ["Library", "All rows, ms", "Latest 100 by date, ms", "Memory, MB", "Import, s"],
    ...rows.map((row) => [
      row["library"] ?? "",
      row["all, ms"] ?? "",
      row["first 100, ms"] ?? "",
      row["MB"] ?? "",
      row["import s"] ?? "",
    ]),
  ]);
}
