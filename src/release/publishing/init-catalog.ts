/** Begins a catalogue in an empty or new folder. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CATALOG_SCHEMA_VERSION,
  CatalogFile,
  DEFAULT_MANIFEST_LIFETIME_DAYS,
  type CatalogTarget,
} from "../../contract/release/catalog.ts";
import { createChecker } from "../../contract/check.ts";
import {
  CATALOG_FILE,
  JOURNAL_FILE,
  KEYS_FILE,
  LOCK_FILE,
  RELEASES_FOLDER,
  TEMPORARY_SUFFIX,
} from "../../rules/release/catalog-files.ts";
import { commitChange } from "../catalog/journal.ts";
import {
  explainSystemError,
  formatJson,
  isSystemError,
  refuse,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import { nextKeyId } from "./create-keys.ts";

export interface NewCatalog {
  readonly product: string;
  readonly targets: readonly CatalogTarget[];
  readonly artifactHosts: readonly string[];
}

const settingsChecker = createChecker(CatalogFile);

export function initCatalog(
  bench: CatalogContext,
  catalog: NewCatalog,
): { readonly kind: "done"; readonly result: CatalogFile } | PublishingError {
  const { folder } = bench;
  if (existsSync(join(folder, CATALOG_FILE))) {
    return refuse(`There is already a catalogue in "${folder}": edit ${CATALOG_FILE} to change it`);
  }
  const year = new Date(bench.now()).getUTCFullYear();
  const active = nextKeyId(new Set(), year);
  const settings: CatalogFile = {
    schemaVersion: CATALOG_SCHEMA_VERSION,
    product: catalog.product,
    targets: [...catalog.targets],
    artifactHosts: [...catalog.artifactHosts],
    signing: { active, standby: nextKeyId(new Set([active]), year) },
    manifestLifetimeDays: DEFAULT_MANIFEST_LIFETIME_DAYS,
  };
  if (!settingsChecker.is(settings)) {
    const faults = settingsChecker.faults(settings);
    return refuse(faults.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  }
  try {
    mkdirSync(join(folder, RELEASES_FOLDER), { recursive: true });
    writeFileSync(join(folder, ".gitignore"), GIT_IGNORE);
    commitChange(
      folder,
      [
        { file: KEYS_FILE, content: formatJson({}) },
        { file: CATALOG_FILE, content: formatJson(settings) },
      ],
      bench.files,
    );
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refuse(`Cannot begin a catalogue: ${explainSystemError(error)}`);
  }
  return { kind: "done", result: settings };
}

/** What a running change leaves beside the catalogue belongs to the machine, not to its history. */
const GIT_IGNORE = `${LOCK_FILE}*\n${JOURNAL_FILE}\n.*${TEMPORARY_SUFFIX}\n`;
