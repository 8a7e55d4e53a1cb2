/** The attacks, as the requests that they send. A device on loopback poses as many networks by its proxy's header. */
import { ACCESS_TOKEN_PREFIX, REFRESH_TOKEN_PREFIX } from "../../src/contract/sync/values.ts";
import { hostOf } from "../host/make-instances.ts";
import { createPushRequest } from "../sync/operations.ts";
import { REDIRECT_URI } from "../sync/sync-server.ts";

/** The server under attack: one instance, or a host with many. */
export interface AttackTarget {
  readonly port: number;
  /** The number of instances of a host; null for a server with one. */
  readonly instances: number | null;
  /** The token of a signed-in neighbour on a host, and of another device of the account elsewhere. */
  readonly token: string;
  /** A refresh token that its device has used already. */
  readonly usedRefreshToken: string;
}

export interface Attack {
  readonly name: string;
  readonly on: "one instance" | "a host" | "both";
  /** The least part of the pulls under the control flood; null without a target. */
  readonly target: number | null;
  /** Connections that send one request each and then wait, instead of a flood. */
  readonly held?: number;
  /** No two requests of a run have the same number. */
  request(target: AttackTarget, number: number): Buffer;
}

export const OWNER = 0;
const NEIGHBOUR = 1;
const TARGET = 0.8;
const STATE = "state-of-the-attacker";
const AUTHORIZE = "/v1/authorize";
const SIGN_IN_PAGE = `/v1/authorize?${new URLSearchParams({
  response_type: "code",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  redirect_uri: REDIRECT_URI,
  state: STATE,
  attempt_id: "attempt-1",
  device_id: "attacker",
})}`;
const PUBLIC_TARGETS = ["/v1/health", "/v1/capabilities", "/v1/instance-info", SIGN_IN_PAGE];

/** What the attacks are compared with: requests that cost the server as little as any. */
export const CONTROL: Attack = {
  name: "control: 404",
  on: "both",
  target: null,
  request: (target) => get(ownerHost(target), "/v1/no-such-route"),
};

export const ATTACKS: readonly Attack[] = [
  {
    name: "closed instances: public routes",
    on: "a host",
    target: TARGET,
    request: (target, number) =>
      get(closedHost(target), PUBLIC_TARGETS[number % PUBLIC_TARGETS.length] ?? ""),
  },
  {
    name: "closed instances: begin, many networks",
    on: "a host",
    target: TARGET,
    request: (target) => begin(closedHost(target), anyAddress()),
  },
  {
    name: "made-up access tokens",
    on: "both",
    target: TARGET,
    request: (target) => get(closedHost(target), "/v1/pull", madeUp(ACCESS_TOKEN_PREFIX)),
  },
  {
    name: "made-up refresh tokens",
    on: "both",
    target: TARGET,
    request: (target) => refresh(closedHost(target), madeUp(REFRESH_TOKEN_PREFIX)),
  },
  {
    name: "a neighbour's valid pushes",
    on: "a host",
    target: TARGET,
    request: ({ token }, number) =>
      createPushRequest("neighbour", number, { host: hostOf(NEIGHBOUR), token }),
  },
  {
    // The account is the owner's own: fairness is between accounts.
    name: "another device's valid pushes",
    on: "one instance",
    target: null,
    request: ({ token }, number) => createPushRequest("other", number, { token }),
  },
  {
    name: "begin, many networks",
    on: "both",
    target: TARGET,
    request: (target) => begin(ownerHost(target), anyAddress()),
  },
  {
    name: "begin, one network",
    on: "both",
    target: TARGET,
    request: (target) => begin(ownerHost(target), "198.51.100.7"),
  },
  {
    // What a refused sign-in costs at least: a flood of POSTs costs the server more than one of GETs.
    name: "404 with the body of a sign-in",
    on: "both",
    target: null,
    request: (target) => begin(ownerHost(target), "198.51.100.7", "/v1/no-such-route"),
  },
  {
    name: "complete, made-up challenges",
    on: "both",
    target: TARGET,
    request: (target) =>
      authorize(ownerHost(target), anyAddress(), {
        action: "complete",
        challengeId: madeUp("").slice(0, 43),
        clientNonce: "A".repeat(43),
        proof: "A".repeat(43),
      }),
  },
  {
    name: "sign-in pages",
    on: "one instance",
    target: TARGET,
    request: (target) => get(ownerHost(target), SIGN_IN_PAGE),
  },
  {
    name: "refresh replays",
    on: "one instance",
    target: TARGET,
    request: (target) => refresh(ownerHost(target), target.usedRefreshToken),
  },
  {
    name: "unknown hosts",
    on: "a host",
    target: TARGET,
    request: (_target, number) => get(`unknown-${number}.example.com`, "/v1/health"),
  },
  {
    name: "bodies announced and not sent",
    on: "both",
    target: TARGET,
    held: 64,
    request: (target) => post(closedHost(target), "/v1/refresh", "{", { announced: 200_000 }),
  },
  {
    name: "live-change streams",
    on: "both",
    target: TARGET,
    held: 64,
    request: (target) => get(neighbourHost(target), "/v1/changes", target.token),
  },
  {
    name: "stalled snapshot readers",
    on: "one instance",
    target: TARGET,
    held: 12,
    request: (target) => get(ownerHost(target), "/v1/snapshot", target.token),
  },
];

function ownerHost({ instances }: AttackTarget): string {
  return instances === null ? "localhost" : hostOf(OWNER);
}

function neighbourHost({ instances }: AttackTarget): string {
  return instances === null ? "localhost" : hostOf(NEIGHBOUR);
}

/** An instance that is most likely not open, or the one that there is. */
function closedHost({ instances }: AttackTarget): string {
  return instances === null ? "localhost" : hostOf(2 + randomBelow(instances - 2));
}

export function get(host: string, path: string, token?: string): Buffer {
  const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`);
}

function post(
  host: string,
  path: string,
  body: string,
  { announced = body.length, headers = "" }: { announced?: number; headers?: string } = {},
): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n${headers}\r\n${body}`,
  );
}

function refresh(host: string, refreshToken: string): Buffer {
  return post(host, "/v1/refresh", JSON.stringify({ grantType: "refresh_token", refreshToken }));
}

function begin(host: string, address: string, path = AUTHORIZE): Buffer {
  const attempt = {
    username: "owner",
    codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    state: STATE,
    redirectUri: REDIRECT_URI,
    attemptId: "attempt-1",
    deviceId: "attacker",
  };
  return authorize(host, address, { action: "begin", attempt }, path);
}

function authorize(host: string, address: string, body: object, path = AUTHORIZE): Buffer {
  const headers = `X-Service-CSRF: ${STATE}\r\nX-Forwarded-For: ${address}\r\n`;
  return post(host, path, JSON.stringify({ csrf: STATE, ...body }), { headers });
}

function madeUp(prefix: string): string {
  const bytes = Array.from({ length: 40 }, () => randomBelow(256));
  return prefix + Buffer.from(bytes).toString("base64url");
}

function anyAddress(): string {
  return [1 + randomBelow(120), randomBelow(256), randomBelow(256), randomBelow(256)].join(".");
}

function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit);
}
