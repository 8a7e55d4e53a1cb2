import type { Release, ReleaseArchive } from "../../src/contract/release/schemas.ts";
import type { ReleaseChannel } from "../../src/contract/release/values.ts";
import { skipUnless } from "../case.ts";
import { expectEach } from "../expect.ts";
import { NO_ROUTE, type SampleRequest } from "../http-cases.ts";
import type { ReceivedResponse } from "../http.ts";
import { sendPreflight } from "../preflight.ts";
import { expectArchive, expectManifestPayload } from "./expectations.ts";
import type { ReleaseServerUnderTest } from "./server-under-test.ts";

export interface UpdateQuery {
  readonly platform?: string;
  readonly version: string;
  readonly build: number | string;
  readonly channel?: ReleaseChannel;
}

export function updatePath({ platform = "linux", version, build, channel }: UpdateQuery): string {
  const query = `version=${version}&build=${build}`;
  return `/api/v1/update/${platform}?${query}${channel === undefined ? "" : `&channel=${channel}`}`;
}

/** Makes the run of a case that checks the newest release of each channel. */
export function checkEachLatest(
  check: (release: Release, server: ReleaseServerUnderTest) => unknown,
): (server: ReleaseServerUnderTest) => Promise<void> {
  return async (server) =>
    expectEach(await server.latestOfEach(), (release) => check(release, server));
}

/** The withdrawn versions; not testable when none is known. */
export function withdrawnVersions({ input }: ReleaseServerUnderTest): readonly string[] {
  const versions = input.fixtures?.withdrawn ?? [];
  const reason = "No withdrawn version is known; name one in the file of --fixtures";
  skipUnless(versions.length > 0, reason);
  return versions;
}

/** The response with the manifest; not testable when the server has none. */
export async function fetchManifest({ api }: ReleaseServerUnderTest): Promise<ReceivedResponse> {
  const response = await api.get("/api/v1/manifest");
  const reason = "The server has no signed manifest loaded; sign one and run again";
  skipUnless(response.status !== 503, reason);
  return response;
}

/** The paths whose responses have an ETag. */
export async function validatedPaths(server: ReleaseServerUnderTest): Promise<string[]> {
  const [newest] = await server.latestOfEach();
  const paths = [
    "/api/v1/releases",
    `/api/v1/releases/latest?channel=${newest?.channel}`,
    `/api/v1/releases/${newest?.version}`,
    `/api/v1/releases/${newest?.version}/downloads`,
  ];
  const manifest = await server.api.get("/api/v1/manifest");
  return manifest.status === 503 ? paths : ["/api/v1/manifest", ...paths];
}

export function archivePath(sha256: string): string {
  return `/feeds/archive/${sha256}`;
}

/** The archive that the manifest names; null when it has the whole history. */
export async function fetchArchive(
  server: ReleaseServerUnderTest,
): Promise<{ readonly response: ReceivedResponse; readonly body: ReleaseArchive } | null> {
  const { archive } = expectManifestPayload(await fetchManifest(server));
  if (archive === undefined) return null;
  const response = await server.api.get(archivePath(archive.sha256));
  return { response, body: expectArchive(response) };
}

/** A version that no server has. */
export const UNKNOWN_VERSION = "987654321.0.0";

export async function findSamples(server: ReleaseServerUnderTest): Promise<SampleRequest[]> {
  const [newest] = await server.published();
  const version = newest?.version ?? UNKNOWN_VERSION;
  const api = [
    "/health",
    "/download",
    "/api/v1/manifest",
    "/api/v1/releases",
    "/api/v1/releases?page=0",
    "/api/v1/releases/latest",
    "/api/v1/releases/latest?channel=nightly",
    `/api/v1/releases/${version}`,
    `/api/v1/releases/${version}/downloads`,
    `/api/v1/releases/${UNKNOWN_VERSION}`,
    updatePath({ version: "0.0.1", build: 1 }),
    "/api/v1/update/linux",
    "/api/v1/download/linux",
    "/api/v1/download/windows/no-such-architecture",
    "/api/v1/download/amiga",
    NO_ROUTE,
  ].map((path) => ({ path }));
  if (server.input.smartDownloadUrl === undefined) return api;
  const selector = ["/", "/?platform=linux", "/?channel=nightly", "/no-such-route"];
  return [...api, ...selector.map((path) => ({ origin: server.selector(), path }))];
}

export function findOtherRequests({ api }: ReleaseServerUnderTest) {
  return [
    () => api.get("/api/v1/releases", { "If-None-Match": "*" }),
    () => api.send("POST", "/api/v1/releases"),
    () => sendPreflight(api, "https://app.example.org", "/api/v1/releases", "GET"),
  ];
}
