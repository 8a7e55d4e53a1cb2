/**
 * Reads a catalogue for the service, which needs of a long history only a sketch: the public bodies
 * are all in the signed envelope that it serves anyway, and are cut from there when asked for.
 */
import { hash } from "node:crypto";
import type { SourceRelease } from "../../contract/release/catalog.ts";
import {
  isPublished,
  isSettled,
  publishedReleases,
  toPublicRelease,
  type Catalog,
  type ReleaseRecord,
} from "../../rules/release/catalog.ts";
import { holdBodies, serialiseRelease, type PublishedBodies } from "../release-body.ts";
import {
  createCatalogMemory,
  openCatalog,
  type InvalidCatalog,
  type ReleaseKeeper,
} from "./open-catalog.ts";
import { readCatalog, warnExpiry } from "./read-catalog.ts";
import type { SignedPayload } from "./verify-envelope.ts";

export type ServedCatalog =
  | {
      readonly kind: "loaded";
      readonly published: PublishedBodies;
      readonly manifest: ServedManifest | null;
      readonly warnings: readonly string[];
    }
  | InvalidCatalog;

export interface ServedManifest {
  readonly envelope: Buffer<ArrayBuffer>;
  readonly sequence: number;
}

/** Each reading remembers the releases, so that the next one reads only what has changed. */
export function createCatalogReader(folder: string): (now: number) => Promise<ServedCatalog> {
  const memory = createCatalogMemory<ReleaseSketch>();
  return async (now) => {
    const opened = await openCatalog(folder, SKETCHES, memory);
    if (opened.kind === "invalid") return opened;
    const { catalog, manifest } = opened;
    // Unsigned, or signed in another form: then the bodies have to be held apart.
    if (!manifest?.recognized || !manifest.signed.payload.isInEnvelope) {
      return readWhole(folder, now);
    }
    const { envelope, signed, recognized } = manifest;
    return {
      kind: "loaded",
      published: findBodies(catalog, signed.payload, recognized.starts),
      manifest: { envelope, sequence: recognized.head.sequence },
      warnings: warnExpiry(recognized.head, now),
    };
  };
}

type ReleaseSketch = ReleaseRecord & {
  /** Of a release that was published: its public body, without the body itself. */
  readonly body: BodySketch | null;
};

interface BodySketch {
  readonly digest: string;
  readonly bytes: number;
  readonly artifactsAt: number;
}

const SKETCHES: ReleaseKeeper<ReleaseSketch> = {
  keep: (source) => ({
    ...recordOf(source),
    body: isPublished(source) ? sketchBody(source) : null,
  }),
  measure: ({ body }, next) =>
    body !== null && digestOf(next(body.bytes)) === body.digest ? body.bytes : null,
};

function recordOf(source: SourceRelease): ReleaseRecord {
  const { version, buildNumber, channel } = source;
  if (!isSettled(source)) return { version, buildNumber, channel, status: source.status };
  const { publishedAt } = source;
  return source.status === "published"
    ? { version, buildNumber, channel, status: source.status, publishedAt }
    : {
        version,
        buildNumber,
        channel,
        status: source.status,
        publishedAt,
        withdrawal: source.withdrawal,
      };
}

function sketchBody(source: Parameters<typeof toPublicRelease>[0]): BodySketch {
  const { text, artifactsAt } = serialiseRelease(toPublicRelease(source));
  return { digest: digestOf(text), bytes: Buffer.byteLength(text), artifactsAt };
}

function digestOf(data: string | Uint8Array): string {
  return hash("sha256", data, "base64");
}

async function readWhole(folder: string, now: number): Promise<ServedCatalog> {
  const reading = await readCatalog(folder, now);
  if (reading.kind === "invalid") return reading;
  const { catalog, manifest, warnings } = reading;
  return {
    kind: "loaded",
    published: holdBodies(publishedReleases(catalog)),
    manifest: manifest && { envelope: manifest.envelope, sequence: manifest.payload.sequence },
    warnings,
  };
}

function findBodies(
  catalog: Catalog<ReleaseSketch>,
  payload: SignedPayload,
  starts: readonly number[],
): PublishedBodies {
  const summaries = catalog.releases.filter(isPublished);
  const indexes = new Map(summaries.map(({ version }, index) => [version, index]));
  return {
    summaries,
    find: (version) => {
      const index = indexes.get(version) ?? -1;
      const [start, body] = [starts[index], summaries[index]?.body];
      if (start === undefined || !body) return undefined;
      const text = payload.read(start, body.bytes).toString("utf8");
      return { text, artifactsAt: body.artifactsAt };
    },
  };
}
