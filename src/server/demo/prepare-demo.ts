/** Publishes the demo's catalogue the way a maker would: keys, drafts, signed releases. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { nodeFiles } from "../../release/catalog/file-port.ts";
import { RELEASES_FOLDER } from "../../rules/release/catalog-files.ts";
import type {
  ChangeResult,
  PublishingError,
  CatalogContext,
} from "../../release/publishing/change-catalog.ts";
import { createKeys } from "../../release/publishing/key-ring.ts";
import { initCatalog } from "../../release/publishing/init-catalog.ts";
import { publishRelease } from "../../release/publishing/publish-release.ts";

import { createDemoReleases, DEMO_HOST, DEMO_PRODUCT } from "./demo-releases.ts";

const DAY = 86_400_000;

export async function prepareDemo(catalog: string, keysFolder: string): Promise<void> {
  const now = Date.now();
  const bench: CatalogContext = {
    folder: catalog,
    keysFolder,
    files: nodeFiles,
    now: () => now,
    lockWaitMs: 1000,
  };
  const targets = [
    { platform: "android", architecture: "universal" },
    { platform: "windows", architecture: "x64" },
    { platform: "linux", architecture: "x64" },
    { platform: "macos", architecture: "universal" },
  ] as const;
  expectDone(initCatalog(bench, { product: DEMO_PRODUCT, targets, artifactHosts: [DEMO_HOST] }));
  expectDone(await createKeys(bench, undefined, undefined));
  for (const { draft, publishedDaysAgo } of createDemoReleases()) {
    await writeFile(
      join(catalog, RELEASES_FOLDER, `${draft.version}.json`),
      JSON.stringify(draft, null, 2),
    );
    const at = new Date(now - publishedDaysAgo * DAY).toISOString();
    expectDone(await publishRelease(bench, draft.version, at, async () => undefined));
  }
}

/** The demo's own data is right, so a refusal is a fault of ours. */
function expectDone(
  outcome: ChangeResult<unknown> | { readonly kind: "done" } | PublishingError,
): void {
  if (outcome.kind === "refused") throw new Error(outcome.message);
}
