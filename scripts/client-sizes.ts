/** What the guide says of the sizes of bundles, measured as an app's bundler builds them. */
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
  return [{ path: GUIDE, content: replaceBlock(page, "sizes", table) }];
}

function sizeOf({ code }: ClientBundle): number {
  return Math.ceil(gzipSync(code).length / 1024);
}
