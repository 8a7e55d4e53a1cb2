import { readFile } from "node:fs/promises";
import { verifyManifest } from "../../../rules/release/open-manifest.ts";
import { createChecker } from "../../../contract/check.ts";
import { parseDateTime } from "../../../contract/date-time.ts";
import { KeyRing } from "../../../contract/release/catalog.ts";
import type { ManifestResult } from "../../../rules/release/open-manifest.ts";
import { CATALOG_FILE, KEYS_FILE } from "../../../rules/release/catalog-file-names.ts";
import { explainManifestError } from "../../../release/catalog/explain-manifest.ts";
import { MANIFEST_FILE } from "../../../release/catalog/files.ts";
import { formatTimeLeft } from "../../../release/catalog/read-catalog.ts";
import { readFolder, type FolderReadResult } from "../../../release/catalog/read-folder.ts";
import { CommandError, defineCommand } from "../../command.ts";
import { fetchManifest, manifestUrl } from "./fetch-manifest.ts";
import { openCatalogContext } from "./workbench.ts";

export const verifyCommand = defineCommand({
  summary: "Verify a signed manifest as an app does",
  description:
    "Checks signature, product and expiry of the catalogue's manifest, of a file, or of what a service or static export answers.",
  arguments: {
    source: {
      description: "A file, the manifest's URL or a service's URL (default: the catalogue)",
    },
  },
  options: {
    keys: {
      type: "string",
      value: "FILE",
      description: "The key ring that the app pins (default: keys.json of the catalogue)",
    },
    product: {
      type: "string",
      value: "NAME",
      description: "The product to expect (default: that of the catalogue)",
    },
  },
  examples: [
    "trellis release verify",
    "trellis release verify https://releases.example.com --keys pinned-keys.json --product habits",
  ],
  async run(context) {
    const bench = await openCatalogContext(context);
    const files = await readFolder(bench.folder);
    const source = context.args.source ?? `${bench.folder}/${MANIFEST_FILE}`;
    const envelope = await readEnvelope(context.args.source, files, source);
    const keys = await readKeys(context.options.keys, files);
    const product = context.options.product ?? productOf(files);
    const now = bench.now();
    const outcome = await verify(envelope, keys, product, now);
    if (outcome.kind !== "verified") {
      const { problem, remedy } = explainManifestError(outcome);
      throw new CommandError(`${source} ${problem}; ${remedy}`, { problem: outcome });
    }
    const { keyId, payload } = outcome;
    const left = (parseDateTime(payload.expiresAt) ?? 0) - now;
    context.print(`${source} is genuine`);
    context.print(
      product === undefined
        ? `Product    ${payload.product} (not compared: name it with --product)`
        : `Product    ${payload.product}`,
    );
    context.print(`Signed     ${payload.issuedAt} with ${keyId}`);
    context.print(`Sequence   ${payload.sequence}`);
    context.print(`Expires    ${payload.expiresAt} (in ${formatTimeLeft(left)})`);
    context.print(
      `Releases   ${payload.releases.length} published, ${payload.withdrawn.length} withdrawn`,
    );
    context.json({
      source,
      keyId,
      product: payload.product,
      sequence: payload.sequence,
      issuedAt: payload.issuedAt,
      expiresAt: payload.expiresAt,
      previous: payload.previous,
      releases: payload.releases.map(({ version }) => version),
      withdrawn: payload.withdrawn.map(({ version }) => version),
    });
  },
});

async function verify(
  envelope: string,
  keys: KeyRing,
  product: string | undefined,
  now: number,
): Promise<ManifestResult> {
  const trust = { keys, highestSequence: 0, now };
  const outcome = await verifyManifest(envelope, { ...trust, product: product ?? "" });
  return product === undefined && outcome.kind === "wrong-product"
    ? verifyManifest(envelope, { ...trust, product: outcome.found })
    : outcome;
}

async function readEnvelope(
  given: string | undefined,
  files: FolderReadResult,
  source: string,
): Promise<string> {
  if (given === undefined) {
    // As every reader sees it, also while a change is being written.
    const manifest = files.get(MANIFEST_FILE);
    if (manifest?.kind === "bytes") return Buffer.from(manifest.bytes).toString("utf8");
    throw new CommandError(`There is no ${source}: publish a release, or name a file or URL`);
  }
  if (/^https?:\/\//.test(given)) {
    if (!URL.canParse(given)) throw new CommandError(`"${given}" is no address`);
    return fetchManifest(manifestUrl(given));
  }
  return readText(given);
}

const keysChecker = createChecker(KeyRing);

async function readKeys(path: string | undefined, files: FolderReadResult): Promise<KeyRing> {
  const name = path ?? KEYS_FILE;
  let value: unknown;
  if (path === undefined) {
    const content = files.get(KEYS_FILE);
    if (content?.kind !== "json") {
      throw new CommandError("There is no key ring: name one with --keys FILE");
    }
    value = content.value;
  } else {
    try {
      value = JSON.parse(await readText(path));
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw new CommandError(`"${path}" is not JSON: ${(error as Error).message}`);
    }
  }
  if (keysChecker.is(value)) return value;
  const [fault] = keysChecker.faults(value);
  throw new CommandError(`"${name}" is no key ring: ${fault?.path} ${fault?.problem}`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CommandError(`Cannot read "${path}": ${(error as Error).message}`);
  }
}

function productOf(files: FolderReadResult): string | undefined {
  const content = files.get(CATALOG_FILE);
  const product =
    content?.kind === "json" ? (content.value as { product?: unknown } | null)?.product : undefined;
  return typeof product === "string" ? product : undefined;
}
