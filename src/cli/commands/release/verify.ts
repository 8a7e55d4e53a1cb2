import { readFile, stat } from "node:fs/promises";
import { verifyManifest, type ManifestResult } from "../../../rules/release/verify-manifest.ts";
import { createChecker } from "../../../contract/check.ts";
import { parseDateTime } from "../../../contract/date-time.ts";
import { CatalogFile, KeyRing } from "../../../contract/release/catalog.ts";
import {
  MAX_ACCEPTED_MANIFEST_BYTES,
  MAX_MANIFEST_BYTES,
} from "../../../contract/release/values.ts";
import { checkSigner } from "../../../rules/release/check-signer.ts";
import { CATALOG_FILE, KEYS_FILE, MANIFEST_FILE } from "../../../rules/release/catalog-files.ts";
import { explainManifestError } from "../../../release/catalog/explain-manifest.ts";
import { formatTimeLeft } from "../../../release/catalog/catalog-warnings.ts";
import { readFolder, type FolderContents } from "../../../release/catalog/read-folder.ts";
import {
  fetchServedManifest,
  manifestUrl,
  TOO_LARGE,
} from "../../../operate/served/fetch-served.ts";
import { CommandError, defineCommand, option } from "../../command.ts";
import { openCatalogContext } from "./catalog-context.ts";
import { explainOtherService, nameListener } from "./explain-other-service.ts";
import { expectSignedArchive, expectSignedCatalog, expectSignedFeeds } from "./expect-signed.ts";
import { formatCount, formatFileSize } from "../../format.ts";

export const command = defineCommand({
  description:
    "Checks the signature, product and expiry of the catalogue's manifest, of a file, or of the manifest that a service or a static export serves, and that the catalogue or the service has the files as they were signed.",
  arguments: {
    source: {
      description: "A file, the manifest's URL or a service's URL (default: the catalogue)",
    },
  },
  options: {
    keys: option("FILE", "The key ring that the app pins (default: keys.json of the catalogue)"),
    product: option("NAME", "The expected product (default: that of the catalogue)"),
  },
  examples: [
    "trellis release verify",
    "trellis release verify https://releases.example.com --keys pinned-keys.json --product habits",
  ],
  async run(context) {
    const catalog = await openCatalogContext(context);
    const files = await readFolder(catalog.folder);
    const source = context.args.source ?? `${catalog.folder}/${MANIFEST_FILE}`;
    const url = readUrl(context.args.source);
    const envelope = await readEnvelope(url ?? context.args.source, files, source);
    const keys = await readKeys(context.options.keys, files);
    const settings = readSettings(files);
    const product = context.options.product ?? settings?.product;
    const now = catalog.now();
    // Keys that the command line gives may belong to another catalogue.
    const signing = context.options.keys === undefined ? settings?.signing : undefined;
    const result = refuseRevoked(await verify(envelope, keys, product, now), signing);
    if (result.kind !== "verified") {
      const other = url === null ? null : explainOtherService(envelope, { keys, product });
      const { problem, remedy } = other ?? explainManifestError(result);
      const listener = url === null ? "" : nameListener(url);
      throw new CommandError(`${source} ${problem}; ${remedy}${listener}`, { problem: result });
    }
    const { keyId, payload } = result;
    if (signing !== undefined) expectKnownRevocations(source, result, keys, signing);
    if (context.args.source !== undefined) {
      await expectSignedFeeds(context.args.source, payload);
      await expectSignedArchive(context.args.source, payload);
    }
    if (context.args.source === undefined && signing !== undefined)
      await expectSignedCatalog(catalog.folder, now);
    const { revokedKeys = [], rollouts = [] } = payload;
    const left = (parseDateTime(payload.expiresAt) ?? 0) - now;
    context.print(
      `${source} is a valid manifest`,
      product === undefined
        ? `Product    ${payload.product} (not checked: give the expected one with --product)`
        : `Product    ${payload.product}`,
      `Signed     ${payload.issuedAt} with ${keyId}`,
      `Sequence   ${payload.sequence}`,
      `Expires    ${payload.expiresAt} (in ${formatTimeLeft(left)})`,
      `Releases   ${payload.releases.length} published, ${payload.withdrawn.length} withdrawn`,
      payload.archive !== undefined &&
        `Archive    ${formatCount(payload.archive.releases, "older release")}, ${formatFileSize(payload.archive.size)}`,
      ...rollouts.map(({ version, percent }) => `Rollout    ${version}: ${percent} percent`),
      revokedKeys.length > 0 && `Revoked    ${revokedKeys.join(", ")}`,
    );
    context.json({
      source,
      keyId,
      product: payload.product,
      sequence: payload.sequence,
      issuedAt: payload.issuedAt,
      expiresAt: payload.expiresAt,
      previous: payload.previous,
      revokedKeys,
      rollouts,
      archive: payload.archive ?? null,
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
  const result = await verifyManifest(envelope, { ...trust, product: product ?? "" });
  return product === undefined && result.kind === "wrong-product"
    ? verifyManifest(envelope, { ...trust, product: result.found })
    : result;
}

type Signing = CatalogFile["signing"];
type VerifiedManifest = Extract<ManifestResult, { kind: "verified" }>;

function refuseRevoked(result: ManifestResult, signing: Signing | undefined): ManifestResult {
  if (result.kind !== "verified" || signing === undefined) return result;
  return checkSigner(result, signing) ?? result;
}

/** Clients that see this manifest stop trusting these keys, whatever the catalogue says. */
function expectKnownRevocations(
  source: string,
  { keyId, payload }: VerifiedManifest,
  keys: KeyRing,
  { revoked = [] }: Signing,
): void {
  const unknown = payload.revokedKeys?.find(
    (id) => id !== keyId && Object.hasOwn(keys, id) && !revoked.includes(id),
  );
  if (unknown === undefined) return;
  throw new CommandError(
    `${source} is signed with "${keyId}" and revokes the key "${unknown}", which this catalogue trusts; if this catalogue is older than the manifest, update it; if you did not revoke "${unknown}", then "${keyId}" is stolen: see docs/guides/lost-or-stolen.md`,
  );
}

/** Null for a path, and for the catalogue. */
function readUrl(source: string | undefined): URL | null {
  if (source === undefined || !/^https?:\/\//.test(source)) return null;
  if (!URL.canParse(source)) throw new CommandError(`"${source}" is not a valid address`);
  return manifestUrl(source);
}

async function readEnvelope(
  given: URL | string | undefined,
  files: FolderContents,
  source: string,
): Promise<string> {
  if (given === undefined) {
    // The catalogue's reader has read the manifest, and is consistent while a change is being written.
    const manifest = files.get(MANIFEST_FILE);
    if (manifest?.kind === "bytes") return expectAccepted(manifest.bytes, source);
    throw new CommandError(`There is no ${source}: publish a release, or give a file or a URL`);
  }
  if (typeof given === "string") return expectAccepted(await readBytes(given), given);
  const served = await fetchServedManifest(given);
  if (served.kind === "fetched") return served.text;
  throw new CommandError(`${given.href} ${served.problem}; ${served.remedy}${nameListener(given)}`);
}

/** A client refuses a longer one before it looks into it. */
function expectAccepted(bytes: Buffer, source: string): string {
  if (bytes.length <= MAX_ACCEPTED_MANIFEST_BYTES) return bytes.toString("utf8");
  throw new CommandError(`${source} ${TOO_LARGE.problem}; ${TOO_LARGE.remedy}`);
}

const catalogChecker = createChecker(CatalogFile);
const keysChecker = createChecker(KeyRing);

async function readKeys(path: string | undefined, files: FolderContents): Promise<KeyRing> {
  const value =
    path === undefined
      ? readJson(files, KEYS_FILE)
      : parseJson((await readBytes(path)).toString("utf8"), path);
  if (value === undefined)
    throw new CommandError("There is no key ring: give one with --keys FILE");
  if (keysChecker.is(value)) return value;
  const [error] = keysChecker.errors(value);
  const name = path ?? KEYS_FILE;
  throw new CommandError(`"${name}" is not a key ring: ${error?.path} ${error?.problem}`);
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_MANIFEST_BYTES) return await readFile(path);
  } catch (error) {
    throw new CommandError(`Cannot read "${path}": ${(error as Error).message}`);
  }
  throw new CommandError(
    `"${path}" has more than ${MAX_MANIFEST_BYTES} bytes: it is not a manifest`,
  );
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`"${path}" is not JSON: ${(error as Error).message}`);
  }
}

function readJson(files: FolderContents, name: string): unknown {
  const content = files.get(name);
  return content?.kind === "json" ? content.value : undefined;
}

function readSettings(files: FolderContents): CatalogFile | undefined {
  const catalog = readJson(files, CATALOG_FILE);
  return catalogChecker.is(catalog) ? catalog : undefined;
}
