/** What a release publishes about its files: the text whose digest a manifest signs, and texts that are received. */
import { hash } from "node:crypto";
import { createUpdateClient } from "../../src/client/update/create-update-client.ts";
import type { ReleaseFilesResult } from "../../src/client/update/fetch-release-files.ts";
import { createMemoryStorage } from "../../src/client/update/storage.ts";
import type { SourceArtifact } from "../../src/contract/release/catalog.ts";
import { releaseFilesText } from "../../src/rules/release/release-files.ts";
import { createPublishedRelease } from "../../test/fixtures/signed-envelope.ts";
import type { VectorSource } from "./vector-file.ts";

interface FilesInput {
  /** What the catalogue has, with its members in any order. */
  readonly signed: {
    readonly version: string;
    readonly appVersion?: string;
    readonly files: readonly SourceArtifact[];
  };
  readonly received: string;
}

export function createFilesVectors(): VectorSource<FilesInput> {
  return {
    name: "release-files",
    description:
      "What a release publishes about its files: docs/protocol/release.md, The files of a release. `expected.sha256` is what `files` of the manifest has for `input.signed`, and `expected.kind` what a client says of the text `input.received`.",
    inputs: FILES_INPUTS,
    expect: receiveFiles,
    codes: Object.keys({ files: true, "altered-files": true } satisfies Record<
      Exclude<ReleaseFilesResult["kind"], "not-signed" | "no-files">,
      true
    >),
  };
}

async function receiveFiles({ signed, received }: FilesInput): Promise<object> {
  const filesSha256 = hash("sha256", textOf(signed));
  const client = createUpdateClient({
    baseUrl: "https://releases.example.com",
    product: "habits",
    keys: { "release-2026-01": "A".repeat(43) },
    platform: "linux",
    current: { version: "1.0.0", buildNumber: 1 },
    storage: createMemoryStorage(),
    fetch: async () => new Response(received),
  });
  const release = createPublishedRelease({ version: signed.version });
  const { kind } = await client.files({ release, filesSha256 });
  return { kind, sha256: filesSha256 };
}

function textOf({ files, ...named }: FilesInput["signed"]): string {
  return releaseFilesText({ ...createPublishedRelease(), ...named, artifacts: [...files] });
}

const [artifact] = createPublishedRelease().artifacts;
if (artifact === undefined) throw new Error("The fixture has no artifact");
const sha512 = `${"Ab9+".repeat(21)}Ab==`;
const signatures = { sparkle: `${"x/Y0".repeat(21)}cQ==`, minisign: "dW50cnVzdGVk" };
const full = { ...artifact, sha512, signatures, blockMapSize: 812, minimumOs: "12.0" };
const reversed = Object.fromEntries(Object.entries(full).toReversed()) as typeof full;
const signed = { version: "1.2.0", files: [full] };
const text = textOf(signed);
const beta = { ...signed, appVersion: "1.3.0-beta.3" };

const FILES_INPUTS: Record<string, FilesInput> = {
  "the signed text": { signed, received: text },
  "the members of the catalogue in another order": {
    signed: { version: "1.2.0", files: [reversed] },
    received: text,
  },
  "files without anything for other updaters": {
    signed: { version: "1.2.0", files: [artifact] },
    received: textOf({ version: "1.2.0", files: [artifact] }),
  },
  "an architecture beyond ASCII": {
    signed: { version: "1.2.0", files: [{ ...artifact, architecture: 'größe "1"\u{1f331}\n' }] },
    received: text,
  },
  "two files in another order": {
    signed: { version: "1.2.0", files: [full, artifact] },
    received: textOf({ version: "1.2.0", files: [artifact, full] }),
  },
  "the same members in another spelling": { signed, received: `${text}\n` },
  "another SHA-512": { signed, received: text.replace("Ab9+", "Ac9+") },
  "another signature": { signed, received: text.replace("dW50", "dW51") },
  "a signature less": {
    signed,
    received: textOf({ version: "1.2.0", files: [{ ...full, signatures: {} }] }),
  },
  "another file name": { signed, received: text.replace("habits-1.2.0.", "habits-1.2.1.") },
  "another system": { signed, received: text.replace('"12.0"', '"11.0"') },
  "the list of another version": { signed, received: textOf({ ...signed, version: "1.1.0" }) },
  "the app's own version": { signed: beta, received: textOf(beta) },
  "another version of the app": {
    signed: beta,
    received: textOf({ ...beta, appVersion: "1.3.0-beta.4" }),
  },
  "no version of the app": { signed: beta, received: text },
  "a version of the app that was not signed": { signed, received: textOf(beta) },
  "no JSON": { signed, received: "<html>" },
};
