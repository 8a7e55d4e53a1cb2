/** Releases, files and manifests that the cases make up. */
import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../../../src/contract/durations.ts";
import type {
  ManifestPayload,
  Release,
  ReleaseArtifact,
} from "../../../src/contract/release/schemas.ts";

export const PRODUCT = "habits";

/** The files of releases are on a host of their own, which has no address: `.example` is reserved (RFC 2606). */
const FILE_HOST = "https://files.example";

export type MadeArtifact = Partial<ReleaseArtifact> & Pick<ReleaseArtifact, "fileName">;

/** For linux and x64, unless it says otherwise. */
export function createArtifact(changes: MadeArtifact): ReleaseArtifact {
  const bytes = contentOf(changes.fileName);
  return {
    platform: "linux",
    architecture: "x64",
    signed: true,
    url: `${FILE_HOST}/${changes.fileName}`,
    sha256: sha256Of(bytes),
    size: bytes.length,
    ...changes,
  };
}

/** Big enough to come in several pieces. */
const FILE_BYTES = 200_000;

export function contentOf(fileName: string): Buffer {
  return Buffer.alloc(FILE_BYTES, `The file ${fileName}. `);
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export type MadeRelease = Partial<Omit<Release, "artifacts">> &
  Pick<Release, "version" | "buildNumber"> & { readonly artifacts?: readonly MadeArtifact[] };

/** A stable release with one file, unless it says otherwise. */
export function createRelease({ artifacts, ...changes }: MadeRelease): Release {
  const made = artifacts ?? [{ fileName: `habits-${changes.version}.AppImage` }];
  return {
    channel: "stable",
    status: "published",
    publishedAt: "2026-01-31T12:00:00Z",
    minimumSupportedVersion: "1.0.0",
    mandatoryAfter: null,
    notes: { added: ["Something new"], changed: [], fixed: [], security: [] },
    ...changes,
    artifacts: made.map(createArtifact),
  };
}

/** The running version of an installation, unless a case says otherwise. */
export const CURRENT = { version: "1.0.0", buildNumber: 10 };
export const CURRENT_RELEASE = createRelease(CURRENT);
/** The version that such an installation is offered. */
export const NEXT_RELEASE = createRelease({ version: "1.1.0", buildNumber: 11 });

/** A valid payload, issued an hour ago; by default it offers an update to an installation. */
export function createPayload(changes: Partial<ManifestPayload> = {}): ManifestPayload {
  return {
    schemaVersion: 1,
    product: PRODUCT,
    sequence: 7,
    issuedAt: inMs(-HOUR_MS),
    expiresAt: inMs(30 * DAY_MS),
    previous: null,
    releases: [NEXT_RELEASE, CURRENT_RELEASE],
    withdrawn: [],
    ...changes,
  };
}

/** The time `ms` milliseconds from now. */
export function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

/** The times of a manifest that expired an hour ago. */
export const EXPIRED = { issuedAt: inMs(-31 * DAY_MS), expiresAt: inMs(-HOUR_MS) };
