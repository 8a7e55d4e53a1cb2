/**
 * The stored memory. A line that is intact counts as it is. Of one that is damaged counts what the signed
 * envelope proves and what cannot stop the client: damage must neither lower the highest sequence nor raise
 * it out of reach, nor revoke the last key.
 */
import { isObject } from "../../contract/is-object.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import { addRevocations, judgeKeys, type Revocations } from "../../rules/release/key-trust.ts";
import {
  NO_MANIFEST_MEMORY,
  rememberRevocations,
  toSeen,
  type ManifestMemory,
  type SeenManifest,
} from "../../rules/release/manifest-memory.ts";
import type { GenuineManifest, ManifestTrust } from "../../rules/release/verify-manifest.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { encodeUtf8, sha256 } from "../../rules/web-crypto.ts";

export type LostMemory = "sequences" | "revocations";

export interface StoredMemory {
  readonly memory: ManifestMemory;
  readonly lost: readonly LostMemory[];
}

type Keys = ManifestTrust["keys"];

/** `genuine` is the stored manifest when its signature holds. */
export async function readStoredMemory(
  { value, isIntact }: CheckedLine,
  genuine: GenuineManifest | null,
  keys: Keys,
): Promise<StoredMemory> {
  const record = isObject(value) ? value["memory"] : undefined;
  const newest = readNewest(record);
  const revocations = readRevocations(record);
  if (isIntact) return { memory: { newest, revocations }, lost: [] };
  const kept = keepRevocations(revocations, genuine, keys);
  const memory = {
    newest: genuine === null ? {} : await keepProven(newest, genuine, kept, keys),
    revocations: kept,
  };
  const isReadable = isObject(record);
  const lost: LostMemory[] = [];
  if (!isReadable || sizeOf(member(record, "newest")) > sizeOf(memory.newest)) {
    lost.push("sequences");
  }
  if (!isReadable || countStored(record) > countRevoked(kept)) lost.push("revocations");
  return { memory, lost };
}

export function isTrusted(publicKey: string, revocations: Revocations, keys: Keys): boolean {
  return judgeKeys(Object.values(keys), revocations).get(publicKey) === "trusted";
}

/** What leaves no key to trust may be damage: then only what the manifest proves is kept. */
function keepRevocations(
  stored: Revocations,
  genuine: GenuineManifest | null,
  keys: Keys,
): Revocations {
  const withProven = (revocations: Revocations) =>
    genuine === null
      ? revocations
      : rememberRevocations({ ...NO_MANIFEST_MEMORY, revocations }, genuine, keys).revocations;
  const all = withProven(stored);
  return Object.values(keys).some((key) => isTrusted(key, all, keys)) ? all : withProven({});
}

/** No trusted key has signed a later manifest than the stored one, or that would have been refused. */
async function keepProven(
  newest: ManifestMemory["newest"],
  genuine: GenuineManifest,
  revocations: Revocations,
  keys: Keys,
): Promise<ManifestMemory["newest"]> {
  const seen = await toSeen(genuine);
  const earlier = isTrusted(genuine.publicKey, revocations, keys)
    ? Object.entries(newest).filter(
        ([, { sequence, issuedAt }]) => sequence <= seen.sequence && issuedAt <= seen.issuedAt,
      )
    : [];
  return { ...Object.fromEntries(earlier), [genuine.publicKey]: seen };
}

function readNewest(record: unknown): ManifestMemory["newest"] {
  const entries = Object.entries(objectOf(member(record, "newest")));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, SeenManifest] => isKey(entry[0]) && isSeen(entry[1])),
  );
}

function readRevocations(record: unknown): Revocations {
  let revocations: Revocations = {};
  for (const [revoker, revoked] of Object.entries(objectOf(member(record, "revocations")))) {
    if (!isKey(revoker) || !Array.isArray(revoked)) continue;
    revocations = addRevocations(revocations, revoker, revoked.filter(isKey));
  }
  return revocations;
}

function countStored(record: unknown): number {
  const lists = Object.values(objectOf(member(record, "revocations")));
  const counts = lists.map((list) => (Array.isArray(list) ? list.length : 1));
  return counts.reduce((sum, count) => sum + count, 0);
}

function countRevoked(revocations: Revocations): number {
  return Object.values(revocations).flat().length;
}

function member(record: unknown, name: string): unknown {
  return isObject(record) ? record[name] : undefined;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function sizeOf(value: unknown): number {
  return Object.keys(objectOf(value)).length;
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && decodeBase64Url(value)?.length === 32;
}

/** The latest time that a Date can hold, and so the latest `issuedAt`. */
const MAX_TIME = 8.64e15;

function isSeen(value: unknown): value is SeenManifest {
  return (
    isObject(value) &&
    isWithin(value["sequence"], 1, Number.MAX_SAFE_INTEGER) &&
    isWithin(value["issuedAt"], -MAX_TIME, MAX_TIME) &&
    typeof value["sha256"] === "string"
  );
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** A line of JSON with its digest, so that damage is not mistaken for content. */
export interface CheckedLine {
  /** Undefined when the line is not JSON. */
  readonly value: unknown;
  /** The line is exactly as it was written. */
  readonly isIntact: boolean;
}

export async function writeCheckedLine(value: object): Promise<string> {
  const text = JSON.stringify(value);
  return `${await digestOf(text)} ${text}`;
}

const CHECKED = /^([\w-]{43}) (.*)$/;

/** A line without a digest is read, but not intact. */
export async function readCheckedLine(line: string): Promise<CheckedLine> {
  const [, digest, text = line] = CHECKED.exec(line) ?? [];
  return { value: parseJson(text), isIntact: digest === (await digestOf(text)) };
}

async function digestOf(text: string): Promise<string> {
  return encodeBase64Url(await sha256(encodeUtf8(text)));
}
