/** The addresses that several cases ask. */
import type { ReleaseChannel } from "../../contract/release/values.ts";
import { expectEach } from "../expect.ts";
import type { HttpResponse, Origin } from "../http.ts";
import type { ReleaseTarget } from "./target.ts";

export interface UpdateQuestion {
  readonly platform?: string;
  readonly version: string;
  readonly build: number | string;
  readonly channel?: ReleaseChannel;
}

export function updatePath({ platform = "linux", version, build, channel }: UpdateQuestion) {
  const query = `version=${version}&build=${build}`;
  return `/api/v1/update/${platform}?${query}${channel === undefined ? "" : `&channel=${channel}`}`;
}

/** A version that no server has. */
export const UNKNOWN_VERSION = "987654321.0.0";

export interface Sample {
  readonly origin: Origin;
  readonly path: string;
}

/** One address for every kind of answer that GET has. */
export async function samplePaths(target: ReleaseTarget): Promise<Sample[]> {
  const [newest] = await target.published();
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
    "/no/such/route",
  ].map((path) => ({ origin: target.api, path }));
  if (target.input.smartDownloadUrl === undefined) return api;
  const selector = ["/", "/?platform=linux", "/?channel=nightly", "/no-such-route"];
  return [...api, ...selector.map((path) => ({ origin: target.selector(), path }))];
}

/** Checks an answer of every kind there is, for what must hold on all of them. */
export async function expectOfEveryResponse(
  target: ReleaseTarget,
  check: (answer: HttpResponse) => void,
): Promise<void> {
  const { api } = target;
  const questions = (await samplePaths(target)).map(
    ({ origin, path }) =>
      () =>
        origin.get(path),
  );
  await expectEach(
    [
      ...questions,
      () => api.get("/api/v1/releases", { "If-None-Match": "*" }),
      () => api.send("POST", "/api/v1/releases"),
      () => api.send("OPTIONS", "/api/v1/releases", PREFLIGHT),
      () => api.get(`/${"y".repeat(MAX_TARGET_BYTES)}`),
      () => api.get("/%zz"),
    ],
    async (ask) => check(await ask()),
  );
}

/** Trellis decision, shared by all services: a longer request target is refused. */
export const MAX_TARGET_BYTES = 8 * 1024;

const PREFLIGHT = { Origin: "https://app.example.org", "Access-Control-Request-Method": "GET" };
