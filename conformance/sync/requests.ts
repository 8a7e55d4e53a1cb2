import { skipUnless } from "../case.ts";
import { NO_ROUTE, type SampleRequest } from "../http-cases.ts";
import { encodeFields, type ReceivedResponse, type RequestFields } from "../http.ts";
import { sendPreflight } from "../preflight.ts";
import { JSON_BODY } from "./device.ts";
import type { SyncServerUnderTest } from "./server-under-test.ts";
import { AUTHORIZE } from "./sign-in.ts";

/** A valid query of the sign-in page. */
export function pageQuery(server: SyncServerUnderTest): Readonly<Record<string, string>> {
  return {
    response_type: "code",
    redirect_uri: server.redirectUri,
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    state: "state-of-conformance",
    attempt_id: "attempt-1",
    device_id: "device-1",
  };
}

export function pagePath(server: SyncServerUnderTest, changes: RequestFields = {}): string {
  return `${AUTHORIZE}?${encodeFields({ ...pageQuery(server), ...changes })}`;
}

export interface PostRoute {
  readonly path: string;
  readonly isProtected: boolean;
  /** A body of the declared shape that changes nothing, because no server accepts its values. */
  readonly sampleBody: Readonly<Record<string, unknown>>;
}

export const POST_ROUTES: readonly PostRoute[] = [
  {
    path: "/v1/authorize",
    isProtected: false,
    sampleBody: {
      action: "complete",
      csrf: "0123456789abcdef",
      challengeId: "none",
      clientNonce: "none",
      proof: "none",
    },
  },
  {
    path: "/v1/token",
    isProtected: false,
    sampleBody: {
      grantType: "authorization_code",
      code: "none",
      codeVerifier: "none",
      redirectUri: "none",
      attemptId: "none",
    },
  },
  {
    path: "/v1/refresh",
    isProtected: false,
    sampleBody: { grantType: "refresh_token", refreshToken: "none" },
  },
  { path: "/v1/revoke", isProtected: true, sampleBody: { scope: "device" } },
  { path: "/v1/push", isProtected: true, sampleBody: { operations: [null] } },
];

export const PUBLIC_PATHS = ["/v1/health", "/v1/capabilities", "/v1/instance-info"] as const;
export const PROTECTED_PATHS = ["/v1/pull", "/v1/snapshot", "/v1/device"] as const;

export interface RequestChanges {
  readonly query?: string;
  /** Changes of headers; undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
}

/** Posts the sample body with all headers that the route needs, apart from the changes. */
export async function postRoute(
  server: SyncServerUnderTest,
  { path, isProtected, sampleBody }: PostRoute,
  { query = "", headers = {}, body = JSON.stringify(sampleBody) }: RequestChanges = {},
): Promise<ReceivedResponse> {
  const { csrf } = sampleBody;
  const usual = {
    ...JSON_BODY,
    ...(typeof csrf === "string" && { [server.csrfHeader]: csrf }),
    ...(isProtected && (await server.device()).bearer),
  };
  const kept = Object.entries(usual).filter(([name]) => !Object.hasOwn(headers, name));
  const sent = [...kept, ...Object.entries(headers)].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return server.api.send("POST", path + query, Object.fromEntries(sent), body);
}

export function requireCorsOrigin({ input }: SyncServerUnderTest): string {
  const { corsOrigin } = input;
  skipUnless(
    corsOrigin !== undefined,
    "No configured origin is known; name one with --cors-origin",
  );
  return corsOrigin;
}

export const FOREIGN_ORIGIN = "https://elsewhere.example";

export async function findSamples(server: SyncServerUnderTest): Promise<SampleRequest[]> {
  const { bearer } = await server.device();
  const page = pagePath(server);
  const forPeople = { Accept: "text/html" };
  return [
    ...[...PUBLIC_PATHS, page, AUTHORIZE, ...PROTECTED_PATHS, NO_ROUTE].map((path) => ({ path })),
    ...[page, AUTHORIZE].map((path) => ({ path, headers: forPeople })),
    ...[...PROTECTED_PATHS, "/v1/pull?limit=0"].map((path) => ({ path, headers: bearer })),
  ];
}

export async function findOtherRequests(server: SyncServerUnderTest) {
  const { api } = server;
  const { maxBodyBytes } = await server.limits();
  return [
    () => api.send("HEAD", "/v1/health"),
    () => api.send("PUT", "/v1/push"),
    () => api.get("/v1/health", { Origin: FOREIGN_ORIGIN }),
    () => sendPreflight(api, FOREIGN_ORIGIN, "/v1/push", "POST"),
    ...POST_ROUTES.filter(({ path }) => path !== "/v1/revoke").map(
      (route) => () => postRoute(server, route),
    ),
    () => api.send("POST", "/v1/token", JSON_BODY, "{"),
    () => api.send("POST", "/v1/token", { "Content-Type": "text/plain" }, "x"),
    () => api.send("POST", "/v1/token", JSON_BODY, " ".repeat(maxBodyBytes + 1)),
  ];
}
