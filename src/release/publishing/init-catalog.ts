/** Creates a catalogue in an empty or new folder. */
import { existsSync, lstatSync, mkdirSync } from "node:fs";
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
import { isLink, replaceCatalogFile } from "../catalog/file-port.ts";
import { commitChange } from "../catalog/journal.ts";
import {
  explainSystemError,
  formatJson,
  isSystemError,
  publishingError,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import { nextKeyId } from "./key-ring.ts";
import { GIT_ATTRIBUTES } from "./warn-of-merges.ts";

export interface NewCatalog {
  readonly product: string;
  readonly targets: readonly CatalogTarget[];
  readonly artifactHosts: readonly string[];
}

const settingsChecker = createChecker(CatalogFile);

export function initCatalog(
  context: CatalogContext,
  catalog: NewCatalog,
): { readonly kind: "done"; readonly result: CatalogFile } | PublishingError {
  const { folder } = context;
  if (existsSync(join(folder, CATALOG_FILE))) {
    return publishingError(
      `There is already a catalogue in "${folder}": edit ${CATALOG_FILE} to change it`,
    );
  }
  const releases = join(folder, RELEASES_FOLDER);
  if (isLink(releases)) return publishingError(`"${releases}" is a link: put a folder there`);
  const year = new Date(context.now()).getUTCFullYear();
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
    const errors = settingsChecker.errors(settings);
    return publishingError(errors.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  }
  try {
    mkdirSync(releases, { recursive: true });
    replaceCatalogFile(join(folder, ".gitignore"), GIT_IGNORE, context.files);
    const attributes = join(folder, ".gitattributes");
    // A folder of a repository may have its own.
    if (lstatSync(attributes, { throwIfNoEntry: false }) === undefined) {
      replaceCatalogFile(attributes, GIT_ATTRIBUTES, context.files);
    }
    commitChange(
      folder,
      [
        { file: KEYS_FILE, content: formatJson({}) },
        { file: CATALOG_FILE, content: formatJson(settings) },
      ],
      context.files,
    );
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return publishingError(`Cannot create a catalogue: ${explainSystemError(error)}`);
  }
  return { kind: "done", result: settings };
}

/** The lock, the journal and temporary files belong to the machine, not into version control. */
const GIT_IGNORE = `${LOCK_FILE}*\n${JOURNAL_FILE}\n.*${TEMPORARY_SUFFIX}\n`;
