/** Compares what an address serves to apps with the catalogue of this machine. */
import { isObject } from "../../contract/is-object.ts";
import { parseDateTime } from "../../contract/date-time.ts";
import type { FeedSettings } from "../../contract/release/feed-values.ts";
import { RELEASE_CHANNELS, type ReleaseChannel } from "../../contract/release/values.ts";
import type { LoadedManifest } from "../../release/catalog/opened-catalog.ts";
import { readCatalog } from "../../release/catalog/read-catalog.ts";
import { isPublished, latestOf, type Catalog } from "../../rules/release/catalog.ts";
import { checkSigner } from "../../rules/release/check-signer.ts";
import {
  openManifest,
  type GenuineManifest,
  type ManifestError,
} from "../../rules/release/verify-manifest.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { explainManifestError } from "../../release/catalog/explain-manifest.ts";
import { errorFinding, ok, warning, type Finding } from "../doctor/finding.ts";
import { compareServedFeeds } from "./compare-feeds.ts";
import { fetchServedManifest, fetchServed, REDEPLOY } from "./fetch-served.ts";

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
  const served = await fetchServedManifest(address);
  if (served.kind !== "fetched") {
    if (served.kind === "unreachable" && isChecked) return [];
    // Before the first publication there is no manifest to serve.
    if (manifest === null && served.kind === "status" && served.status === 404) return [];
    const tell = served.kind === "unreachable" ? warning : errorFinding;
    return [tell(MANIFEST, `${address.href} ${served.problem}`, served.remedy)];
  }
  if (manifest?.envelope.toString("utf8") === served.text) {
    const { sequence } = manifest.payload;
    return [
      ok(MANIFEST, `${address.href} serves this catalogue's manifest, sequence ${sequence}`),
      ...(await compareLatest(base, catalog)),
      ...(await compareServedFeeds(base, catalog, feeds, now)),
    ];
  }
  return [await explainOther(address.href, served.text, catalog, manifest, now)];
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
  if (opened.kind !== "genuine") return explainUntrusted(address, opened);
  const error = checkSigner(opened, settings.signing);
  if (error !== null) return explainUntrusted(address, error);
  return explainSequence(address, opened, manifest, now);
}

function explainUntrusted(address: string, error: ManifestError): Finding {
  const { problem } = explainManifestError(error);
  return errorFinding(
    MANIFEST,
    `${address} ${problem}`,
    UNTRUSTED_REMEDIES[error.kind] ?? OTHER_REMEDY,
  );
}

const OTHER_REMEDY =
  "check the address and the proxy; if they are right, find out who changed the file, and deploy this catalogue again";
const THEFT_REMEDY = "deploy this catalogue at once, and see docs/guides/lost-or-stolen.md";
const UNTRUSTED_REMEDIES: Partial<Record<ManifestError["kind"], string>> = {
  "unknown-key":
    "if the key was rotated on another machine, update this catalogue from version control; otherwise another catalogue is served there: check the address, and see docs/guides/lost-or-stolen.md",
  "revoked-key": THEFT_REMEDY,
  "conflicting-revocations": THEFT_REMEDY,
};

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
      `${address} serves sequence ${payload.sequence}, newer than ${here === 0 ? "this catalogue, which has no manifest" : `${here} of this catalogue`}: apps would refuse manifests that are signed here`,
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
  if (missing.length > 0) {
    return errorFinding(MANIFEST, `${state}: apps do not see ${missing.join(", ")}`, REDEPLOY);
  }
  return (parseDateTime(payload.expiresAt) ?? 0) <= now
    ? errorFinding(MANIFEST, `${state}, and it expired at ${payload.expiresAt}`, REDEPLOY)
    : warning(MANIFEST, state, REDEPLOY);
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
  const result = await fetchServed(address, MAX_RELEASE_BYTES);
  if (result.kind === "status" && result.status === 404 && expected === null) return null;
  if (result.kind !== "fetched")
    return errorFinding(LATEST, `${address.href} ${result.problem}`, result.remedy);
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
    REDEPLOY,
  );
}
