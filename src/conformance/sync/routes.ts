/** The routes of the contract with a request that each takes, for what must hold on all of them. */
import { expectEach } from "../expect.ts";
import type { HttpResponse } from "../http.ts";
import { JSON_BODY } from "./device.ts";
import { pagePath } from "./login-page.ts";
import type { SyncTarget } from "./target.ts";

export interface PostRoute {
  readonly path: string;
  readonly isProtected: boolean;
  /** A body of the declared shape that no server takes for good: it changes nothing. */
  readonly harmless: Readonly<Record<string, unknown>>;
}

export const POST_ROUTES: readonly PostRoute[] = [
  {
    path: "/v1/authorize",
    isProtected: false,
    harmless: {
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
    harmless: {
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
    harmless: { grantType: "refresh_token", refreshToken: "none" },
  },
  { path: "/v1/revoke", isProtected: true, harmless: { scope: "device" } },
  { path: "/v1/push", isProtected: true, harmless: { operations: [null] } },
];

/** Which methods a path takes. */
export const METHODS: Readonly<Record<string, readonly string[]>> = {
  "/v1/health": ["GET", "HEAD"],
  "/v1/capabilities": ["GET", "HEAD"],
  "/v1/instance-info": ["GET", "HEAD"],
  "/v1/authorize": ["GET", "HEAD", "POST"],
  "/v1/token": ["POST"],
  "/v1/refresh": ["POST"],
  "/v1/revoke": ["POST"],
  "/v1/push": ["POST"],
  "/v1/pull": ["GET", "HEAD"],
  "/v1/snapshot": ["GET", "HEAD"],
  "/v1/device": ["GET", "HEAD", "DELETE"],
};

export const PUBLIC_PATHS = ["/v1/health", "/v1/capabilities", "/v1/instance-info"] as const;
export const PROTECTED_PATHS = ["/v1/pull", "/v1/snapshot", "/v1/device"] as const;

/** Trellis decision, shared by all services: a longer request target is refused. */
export const MAX_TARGET_BYTES = 8 * 1024;

/** The headers of a POST route, complete but for what a case takes away. */
export async function headersOf(target: SyncTarget, route: PostRoute) {
  const { csrf } = route.harmless;
  return {
    ...JSON_BODY,
    ...(typeof csrf === "string" && { [target.csrfHeader]: csrf }),
    ...(route.isProtected && (await target.device()).bearer),
  };
}

export const FOREIGN_ORIGIN = "https://elsewhere.example";

/** Checks an answer of every kind there is, for what must hold on all of them. */
export async function expectOfEveryResponse(
  target: SyncTarget,
  check: (answer: HttpResponse) => void,
): Promise<void> {
  const { api } = target;
  const device = await target.device();
  const { maxBodyBytes } = await target.limits();
  const page = pagePath(target);
  const questions: (() => Promise<HttpResponse>)[] = [
    ...PUBLIC_PATHS.map((path) => () => api.get(path)),
    () => api.get(page),
    () => api.get(page, { Accept: "text/html" }),
    () => api.get("/v1/authorize"),
    () => api.get("/v1/authorize", { Accept: "text/html" }),
    ...PROTECTED_PATHS.flatMap((path) => [() => device.get(path), () => api.get(path)]),
    () => device.get("/v1/pull?limit=0"),
    () => api.send("HEAD", "/v1/health"),
    () => api.get("/no/such/route"),
    () => api.get("/%zz"),
    () => api.get(`/${"y".repeat(MAX_TARGET_BYTES)}`),
    () => api.send("PUT", "/v1/push"),
    () => api.get("/v1/health", { Origin: FOREIGN_ORIGIN }),
    () =>
      api.send("OPTIONS", "/v1/push", {
        Origin: FOREIGN_ORIGIN,
        "Access-Control-Request-Method": "POST",
      }),
    ...POST_ROUTES.filter(({ path }) => path !== "/v1/revoke").map(
      (route) => async () =>
        api.send(
          "POST",
          route.path,
          await headersOf(target, route),
          JSON.stringify(route.harmless),
        ),
    ),
    () => api.send("POST", "/v1/token", JSON_BODY, "{"),
    () => api.send("POST", "/v1/token", { "Content-Type": "text/plain" }, "x"),
    () => api.send("POST", "/v1/token", JSON_BODY, " ".repeat(maxBodyBytes + 1)),
  ];
  await expectEach(questions, async (ask) => check(await ask()));
}
