/** Writes every generated file, or with --check names those that differ from their source. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EVENTS_CONTRACT } from "../src/contract/events/routes.ts";
import { contractToOpenApi } from "../src/contract/openapi.ts";
import { RELEASE_API } from "../src/contract/release/feed-routes.ts";
import { SYNC_CONTRACT } from "../src/contract/sync/routes.ts";
import { ConfigurationFile } from "../src/configuration/configuration-schema.ts";
import { bundleAppTemplates } from "./app-templates.ts";
import { generateBenchmarksPage } from "./benchmarks-page.ts";
import { bundleHabits, bundleNotes } from "./bundle-examples.ts";
import { bundleAppStyle, bundleWebScripts, type GeneratedFile } from "./bundle-web.ts";
import { generateClientSizes } from "./client-sizes.ts";
import { generateDriverTables } from "./driver-tables.ts";
import { generateImportTable } from "./import-table.ts";
import { generateProtocolPages } from "./protocol-pages.ts";
import { generateBrowsersPage } from "./reference/browsers.ts";
import { generateCommandPages } from "./reference/commands.ts";
import { generateConfigurationPages } from "./reference/configuration.ts";
import { generateErrorPages } from "./reference/errors.ts";
import { generateHttpApiPage } from "./reference/http-api.ts";
import { generateNpmApiPages } from "./reference/npm-api.ts";
import { generateScalingPage } from "./scaling/scaling-page.ts";
import { generateSecurityPages } from "./security-pages.ts";
import { generateStorageColumns } from "./storage-columns.ts";
import { generateVectors } from "./vectors/generate-vectors.ts";
import { drawWhole, WHOLE_PICTURE } from "../site/whole-picture.ts";

const ROOT = join(import.meta.dirname, "..");

export async function generateFiles(): Promise<GeneratedFile[]> {
  const json = (path: string, value: unknown) => ({
    path,
    content: `${JSON.stringify(value, null, 2)}\n`,
  });
  return [
    json("openapi/release.json", contractToOpenApi(RELEASE_API)),
    json("openapi/sync.json", contractToOpenApi(SYNC_CONTRACT)),
    json("openapi/events.json", contractToOpenApi(EVENTS_CONTRACT)),
    json("trellis.config.schema.json", {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Trellis configuration",
      ...ConfigurationFile,
    }),
    ...(await bundleWebScripts()),
    ...(await generateProtocolPages()),
    ...(await generateDriverTables()),
    ...(await generateImportTable()),
    ...(await generateStorageColumns()),
    ...(await generateClientSizes()),
    ...(await generateBenchmarksPage()),
    ...(await generateScalingPage()),
    ...generateConfigurationPages(),
    ...(await generateCommandPages()),
    ...(await generateNpmApiPages()),
    generateHttpApiPage(),
    { path: WHOLE_PICTURE.path, content: drawWhole(WHOLE_PICTURE) },
    ...generateErrorPages(),
    generateBrowsersPage(),
    ...(await generateSecurityPages()),
    ...(await bundleHabits()),
    ...(await generateVectors()),
    ...(await bundleNotes()),
    await bundleAppStyle(),
    await bundleAppTemplates(),
  ];
}

/** The paths whose files differ from what their source gives. */
async function findDrift(): Promise<string[]> {
  const drifted: string[] = [];
  for (const { path, content } of await generateFiles()) {
    const found = await readFile(join(ROOT, path), "utf8").catch(() => null);
    if (found !== content) drifted.push(path);
  }
  return drifted;
}

if (import.meta.main) {
  if (process.argv.includes("--check")) {
    const drifted = await findDrift();
    for (const path of drifted) console.error(`${path} is out of date: run \`npm run generate\``);
    process.exitCode = drifted.length > 0 ? 1 : 0;
  } else {
    for (const { path, content } of await generateFiles()) {
      await mkdir(dirname(join(ROOT, path)), { recursive: true });
      await writeFile(join(ROOT, path), content);
    }
  }
}
