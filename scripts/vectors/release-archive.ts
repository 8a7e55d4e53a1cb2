/** The archive of a manifest: the text whose digest the manifest signs, and texts that are received. */
import { createHash, hash } from "node:crypto";
import type { HistoryResult } from "../../src/client/update/fetch-history.ts";
import type { ReleaseArchive } from "../../src/contract/release/schemas.ts";
import { canonicalJson } from "../../src/rules/canonical-json.ts";
import { archiveParts, readReleaseArchive } from "../../src/rules/release/archive-document.ts";
import { createPublishedRelease } from "../../test/fixtures/signed-envelope.ts";
import type { VectorSource } from "./vector-file.ts";

interface ArchiveInput {
  /** What the maker archived, with the members in any order. */
  readonly signed: ReleaseArchive;
  readonly received: string;
}

type Kind = Exclude<HistoryResult["kind"], "no-archive" | "cannot-confirm">;

export function createArchiveVectors(): VectorSource<ArchiveInput> {
  return {
    name: "release-archive",
    description:
      "The archive of a manifest: docs/protocol/release.md, The archive. `expected.archive` is what the manifest has for `input.signed`, and `expected.kind` what a client says of the text `input.received`.",
    inputs: ARCHIVE_INPUTS,
    expect: receiveArchive,
    codes: Object.keys({
      history: true,
      "altered-archive": true,
      "unreadable-archive": true,
    } satisfies Record<Kind, true>),
  };
}

async function receiveArchive({ signed, received }: ArchiveInput): Promise<object> {
  const text = textOf(signed);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const archive = { sha256, size: Buffer.byteLength(text), releases: signed.releases.length };
  return { archive, kind: kindOf(received, sha256, signed.product) };
}

function kindOf(received: string, sha256: string, product: string): Kind {
  if (hash("sha256", received) !== sha256) return "altered-archive";
  return readReleaseArchive(received, product) === null ? "unreadable-archive" : "history";
}

/** By the writer of the catalogue, which has the digests of the files beside the releases. */
function textOf({ product, releases, files, withdrawn, schemaVersion }: ReleaseArchive): string {
  const digests = new Map(files.map(({ version, sha256 }) => [version, sha256]));
  const parts = archiveParts({
    product,
    releases: releases.map((release) => ({
      version: release.version,
      text: () => canonicalJson(release),
      filesSha256: digests.get(release.version) ?? "",
    })),
    withdrawn,
  });
  const text = [...parts].join("");
  // A later form of the document, which this one cannot write.
  return schemaVersion === 1 ? text : text.replace('"schemaVersion":1', '"schemaVersion":2');
}

const newer = { ...createPublishedRelease(), version: "1.1.0", buildNumber: 11 };
const older = { ...createPublishedRelease(), version: "1.0.0", buildNumber: 10 };
const withdrawal = { version: "0.9.0", buildNumber: 9, reason: "Loses “everything” \u{1f331}\n" };
const signed: ReleaseArchive = {
  schemaVersion: 1,
  product: "habits",
  releases: [newer, older],
  files: [
    { version: "1.1.0", sha256: "ab".repeat(32) },
    { version: "1.0.0", sha256: "cd".repeat(32) },
  ],
  withdrawn: [withdrawal],
};
const text = textOf(signed);
const reversed = (value: object) => Object.fromEntries(Object.entries(value).toReversed());
const later = { ...signed, schemaVersion: 2 } as unknown as ReleaseArchive;

const ARCHIVE_INPUTS: Record<string, ArchiveInput> = {
  "the signed text": { signed, received: text },
  "the members of the catalogue in another order": {
    signed: {
      ...reversed(signed),
      releases: signed.releases.map(reversed),
      withdrawn: signed.withdrawn.map(reversed),
    } as unknown as ReleaseArchive,
    received: text,
  },
  "releases alone": {
    signed: { ...signed, withdrawn: [] },
    received: textOf({ ...signed, withdrawn: [] }),
  },
  "withdrawn releases alone": {
    signed: { ...signed, releases: [], files: [] },
    received: textOf({ ...signed, releases: [], files: [] }),
  },
  "a replacement of what was withdrawn": {
    signed: { ...signed, withdrawn: [{ ...withdrawal, replacedBy: "1.0.0" }] },
    received: textOf({ ...signed, withdrawn: [{ ...withdrawal, replacedBy: "1.0.0" }] }),
  },
  "the same members in another spelling": { signed, received: `${text}\n` },
  "the oldest release first": {
    signed,
    received: textOf({ ...signed, releases: signed.releases.toReversed() }),
  },
  "a release less": { signed, received: textOf({ ...signed, releases: [newer] }) },
  "the digest of other files": { signed, received: text.replace("abab", "acab") },
  "another reason": { signed, received: text.replace("everything", "anything!!") },
  "the archive of another product": { signed, received: text.replace('"habits"', '"tasks"') },
  "a later form of the document": { signed: later, received: textOf(later) },
  "no JSON": { signed, received: "<html>" },
};
