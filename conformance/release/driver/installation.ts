/** An installation of the app: its driver runs against the release services that a case plays. */
import { isDeepStrictEqual } from "node:util";
import type { Release } from "../../../src/contract/release/schemas.ts";
import { fail } from "../../expect.ts";
import type { ClientUnderTest } from "../../drivers/client-under-test.ts";
import {
  jsonReply,
  withService,
  type PlainReply,
  type Reply,
  type SeenRequest,
} from "../../drivers/loopback-service.ts";
import { contentOf, CURRENT, PRODUCT } from "./releases.ts";
import { createSigner, type ManifestEnvelope } from "./signer.ts";
import { UPDATE_TASK_RESULT, type UpdateTaskResult, type UpdateTask } from "./task.ts";

/** The two keys that every installation pins, and one that none does. */
export const ACTIVE = createSigner("release-a");
export const STANDBY = createSigner("release-b");
export const STRANGER = createSigner("release-c");

/** What the service has; a reply is sent as it is. */
export interface ReleaseSite {
  readonly manifest: ManifestEnvelope | Reply;
  /** The replies at the addresses of files; any other file is there as its release says. */
  readonly files?: Readonly<Record<string, Reply>>;
  /** The unsigned decision; by default there is an update to a version that no manifest has. */
  readonly decision?: Readonly<Record<string, unknown>>;
}

export interface InstalledCopy {
  /** Lets the client check for an update at this site. */
  update(asked: string, site: ReleaseSite): Promise<Update>;
}

export interface Update {
  readonly asked: string;
  readonly result: UpdateTaskResult;
  readonly requests: readonly SeenRequest[];
}

export type InstallationOptions = Partial<
  Pick<UpdateTask, "channel" | "platform" | "architecture" | "package" | "current">
>;

const BASE_URL = "https://releases.example";

/** A new installation for linux and x64 of the stable channel, unless the options say otherwise. */
export function install(client: ClientUnderTest, options: InstallationOptions = {}): InstalledCopy {
  let state: unknown = null;
  return {
    update: (asked, site) =>
      withService(createResponder(site), async ({ url, requests }) => {
        const task: UpdateTask = {
          do: "update",
          baseUrl: BASE_URL,
          connectTo: url,
          product: PRODUCT,
          keys: { [ACTIVE.keyId]: ACTIVE.publicKey, [STANDBY.keyId]: STANDBY.publicKey },
          channel: "stable",
          platform: "linux",
          architecture: "x64",
          package: null,
          current: CURRENT,
          ...options,
          state,
        };
        const result = await client.tell(asked, task, UPDATE_TASK_RESULT);
        state = result.state ?? null;
        return { asked, result, requests };
      }),
  };
}

const MANIFEST = "/api/v1/manifest";
const DECISION = /^\/api\/v1\/update\/([^/]+)$/;
const DOWNLOAD = /^\/api\/v1\/download\//;
/** Files are at the root of their host. */
const FILE = /^\/(habits-[^/]+)$/;

function createResponder({ manifest, files = {}, decision = FALSE_DECISION }: ReleaseSite) {
  return (request: SeenRequest): Reply => {
    const { path } = request;
    if (path === MANIFEST) return "keyId" in manifest ? sendManifest(manifest, request) : manifest;
    if (DECISION.test(path)) return jsonReply(decision);
    const [, fileName] = FILE.exec(path) ?? [];
    if (fileName === undefined) return jsonReply({ error: { code: "not_found" } }, 404);
    return files[fileName] ?? sendFile(contentOf(fileName));
  };
}

function sendManifest(envelope: ManifestEnvelope, { headers }: SeenRequest): PlainReply {
  const etag = `"${envelope.signature.slice(0, 32)}"`;
  const isKnown = headers.get("If-None-Match") === etag;
  const reply = isKnown ? { status: 304 } : jsonReply(envelope);
  return { ...reply, headers: { ...("headers" in reply && reply.headers), ETag: etag } };
}

export function sendFile(body: Uint8Array): PlainReply {
  return { status: 200, headers: { "Content-Type": "application/octet-stream" }, body };
}

/** Says that there is an update which no manifest has: a client that believes it is wrong. */
const FALSE_DECISION = {
  platform: "linux",
  updateAvailable: true,
  mandatory: true,
  current: CURRENT,
  target: { version: "9.9.9", buildNumber: 999 },
  minimumSupportedVersion: "9.9.9",
  download: "/api/v1/download/linux",
};

/** The client offers the release's file, and would install its bytes. */
export function expectOffered(
  update: Update,
  { version, artifacts }: Release,
  fileName = artifacts[0]?.fileName ?? "",
): void {
  const artifact = artifacts.find((one) => one.fileName === fileName);
  const expected = { version, fileName, accepted: artifact?.sha256 ?? null };
  const { kind, version: offered, fileName: file, accepted } = update.result;
  const isOffered =
    kind === "update-available" &&
    isDeepStrictEqual({ version: offered, fileName: file, accepted }, expected);
  if (isOffered) return;
  fail(update.asked, `update-available with ${JSON.stringify(expected)}`, describe(update.result));
}

/** The client comes to this result, and downloads no file. */
export function expectKind(update: Update, kind: UpdateTaskResult["kind"]): void {
  const { asked, result, requests } = update;
  if (result.kind !== kind) fail(asked, kind, describe(result));
  const download = requests.find(({ path }) => FILE.test(path) || DOWNLOAD.test(path));
  if (download !== undefined) fail(asked, "no download", download.asked);
}

export function expectNothingConfirmed(update: Update): void {
  expectKind(update, "cannot-confirm");
}

/** The client offers the release, and would not install the bytes that it got. */
export function expectFileRefused({ asked, result }: Update): void {
  if (result.kind === "update-available" && (result.accepted ?? null) === null) return;
  fail(asked, "update-available with accepted null", describe(result));
}

function describe({ state: _state, ...result }: UpdateTaskResult): string {
  return JSON.stringify(result);
}
