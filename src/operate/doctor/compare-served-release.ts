/** Compares what an address serves to apps with the catalogue of this machine. */
import { isObject } from "../../contract/is-object.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import { RELEASE_CHANNELS, type ReleaseChannel } from "../../contract/release/values.ts";
import { readCatalog, type LoadedManifest } from "../../release/catalog/read-catalog.ts";
import { isPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import { checkSigner } from "../../rules/release/check-signer.ts";
import { openManifest, type GenuineManifest } from "../../rules/release/verify-manifest.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { MAX_MANIFEST_BYTES } from "../../contract/release/values.ts";
import { fetchBoundedText, type FetchTextError } from "../../http/fetch-text.ts";
import { compareServedFeeds } from "./compare-served-feeds.ts";
import { errorFinding, ok, warning, type Finding } from "./finding.ts";

const MANIFEST = "served manifest";
const LATEST = "served release";

const MAX_RELEASE_BYTES = 4 * 1024 * 1024;

export interface ServedAddress {
  readonly url: string;
  /** Whether another check tells already that the address does not respond. */
  readonly isChecked: boolean;
}

export async function compareServedRelease(
  folder: string,
  { url, isChecked }: ServedAddress,
  feeds: FeedSettings,
  now: number,
): Promise<Finding[]> {
  const local = await readCatalog(folder, now);
  // What is wrong with the catalogue is another check's finding.
  if (local.kind === "invalid") return [];
  const { catalog, manifest } = local;
  const base = url.replace(/\/$/, "");
  const address = new URL(`${base}/api/v1/manifest`);
  const served = await fetchBoundedText(address, MAX_MANIFEST_BYTES);
  if (served.kind !== "fetched") {
    if (served.kind === "unreachable" && isChecked) return [];
    // Before the first publication there is no manifest to serve.
    if (manifest === null && served.kind === "status" && served.status === 404) return [];
    return [explainFailure(address.href, served)];
  }
  if (manifest?.envelope.toString("utf8") === served.text) {
    const { sequence } = manifest.payload;
    return [
      ok(MANIFEST, `${address.href} serves this catalogue's manifest, sequence ${sequence}`),
      ...(await compareLatest(base, catalog)),
      ...(await compareServedFeeds(base, catalog, feeds)),
    ];
  }
  return [await explainOther(address.href, served.text, catalog, manifest, now)];
}

function explainFailure(address: string, error: FetchTextError): Finding {
  switch (error.kind) {
    case "unreachable":
      return warning(
        MANIFEST,
        `${address} cannot be fetched: ${error.reason}`,
        "check the address, DNS, certificate and the server",
      );
    case "too-large":
      return errorFinding(
        MANIFEST,
        `${address} sends more than a manifest can have`,
        "check the address",
      );
    case "status":
      return errorFinding(
        MANIFEST,
        `${address} responded with status ${error.status}, so apps find no updates`,
        "deploy this catalogue or its export there, or correct the address",
      );
  }
}

/** Explains a served manifest that is another one than the catalogue's. */
async function explainOther(
  address: string,
  text: string,
  catalog: Catalog,
  manifest: LoadedManifest | null,
  now: number,
): Promise<Finding> {
  const { settings, keys } = catalog;
  const opened = await openManifest(text, { keys, product: settings.product });
  switch (opened.kind) {
    case "genuine":
      break;
    case "unknown-key":
      return errorFinding(
        MANIFEST,
        `${address} serves a manifest that is signed with "${opened.keyId}", a key that this catalogue does not know`,
        "if the key was rotated on another machine, update this catalogue from version control; otherwise another catalogue is served there: check the address, and see docs/guides/theft.md",
      );
    case "bad-signature":
      return errorFinding(
        MANIFEST,
        `${address} serves a manifest with a false signature, which apps refuse`,
        "deploy this catalogue again, and find out who changed the file",
      );
    case "wrong-product":
      return errorFinding(
        MANIFEST,
        `${address} serves the product "${opened.found}", not "${opened.expected}"`,
        "check the address, or deploy the catalogue of this product there",
      );
    default:
      return errorFinding(
        MANIFEST,
        `${address} serves something that is no manifest`,
        "check that the proxy forwards this address to Trellis, or that the export is complete",
      );
  }
  if (checkSigner(opened, settings.signing) !== null) {
    return errorFinding(
      MANIFEST,
      `${address} serves a manifest that is signed with the revoked key "${opened.keyId}"`,
      "deploy this catalogue at once, and see docs/guides/theft.md",
    );
  }
  return explainSequence(address, opened, manifest, now);
}

function explainSequence(
  address: string,
  { payload }: GenuineManifest,
  manifest: LoadedManifest | null,
  now: number,
): Finding {
  const here = manifest?.payload.sequence ?? 0;
  if (payload.sequence > here) {
    return errorFinding(
      MANIFEST,
      `${address} serves sequence ${payload.sequence}, newer than ${here === 0 ? "this catalogue, which has no manifest" : `${here} of this catalogue`}: apps would refuse what is signed here`,
      "update this catalogue from version control before you publish or sign",
    );
  }
  if (payload.sequence === here) {
    return errorFinding(
      MANIFEST,
      `${address} serves another manifest with the same sequence ${here}, so apps that saw one refuse the other`,
      "bring both catalogues together, run `trellis release sign` there and deploy the result",
    );
  }
  const served = new Set(payload.releases.map(({ version }) => version));
  const missing = (manifest?.payload.releases ?? [])
    .map(({ version }) => version)
    .filter((version) => !served.has(version));
  const state = `${address} serves sequence ${payload.sequence}, older than ${here} of this catalogue`;
  const remedy =
    "deploy this catalogue or its export there, and clear the cache of a CDN in front of it";
  if (missing.length > 0) {
    return errorFinding(MANIFEST, `${state}: apps do not see ${missing.join(", ")}`, remedy);
  }
  return (parseDateTime(payload.expiresAt) ?? 0) <= now
    ? errorFinding(MANIFEST, `${state}, and it expired at ${payload.expiresAt}`, remedy)
    : warning(MANIFEST, state, remedy);
}

/** A cache may serve an old release beside the new manifest. */
async function compareLatest(base: string, { releases }: Catalog): Promise<Finding[]> {
  const published = releases.filter(isPublished);
  const findings = await Promise.all(
    RELEASE_CHANNELS.map((channel) =>
      compareChannel(base, channel, latestOf(published, channel)?.version ?? null),
    ),
  );
  return findings.flatMap((finding) => finding ?? []);
}

async function compareChannel(
  base: string,
  channel: ReleaseChannel,
  expected: string | null,
): Promise<Finding | null> {
  const address = new URL(`${base}/api/v1/releases/latest?channel=${channel}`);
  const result = await fetchBoundedText(address, MAX_RELEASE_BYTES);
  if (result.kind === "status" && result.status === 404 && expected === null) return null;
  if (result.kind !== "fetched") return explainFailure(address.href, result);
  const release = parseJson(result.text);
  const { version, channel: found } = isObject(release) ? release : {};
  if (version === expected) return ok(LATEST, `${channel}: ${expected} is the latest there too`);
  if (typeof found === "string" && found !== channel) {
    return warning(
      LATEST,
      `${address.href} responds with a release of the channel "${found.slice(0, 40)}"`,
      "this host ignores the query: apps that ask for the channel decide from the manifest only",
    );
  }
  const there = typeof version === "string" ? `"${version.slice(0, 40)}"` : "no release";
  return errorFinding(
    LATEST,
    `${address.href} responds with ${there}, and the latest of this catalogue is ${expected ?? "none"}`,
    "deploy this catalogue or its export there, and clear the cache of a CDN in front of it",
  );
}
