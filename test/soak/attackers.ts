/** Hostile clients. Each response must be a refusal or a 503; anything else is a problem. */
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createOperation } from "../fixtures/sync-operation.ts";
import type { SeededRandom } from "../fixtures/seeded-random.ts";
import { describeFailure, describeResponse, type Tally } from "./tally.ts";

export interface Targets {
  readonly release: string;
  readonly sync: readonly string[];
  readonly events: string;
  /** A good token for the first sync instance. */
  syncToken(): string;
}

type Attack = (targets: Targets, random: SeededRandom) => Promise<string>;

const PAUSE_MS = 400;

export async function attack(
  targets: Targets,
  random: SeededRandom,
  tally: Tally,
  isOver: () => boolean,
): Promise<void> {
  const names = Object.keys(ATTACKS);
  const stalling = (async () => {
    while (!isOver()) {
      tally.count("hostile, stalled reader", await stallSnapshot(targets, isOver));
    }
  })();
  while (!isOver()) {
    const name = random.pick(names);
    try {
      const result = await (ATTACKS[name] as Attack)(targets, random);
      tally.count(`hostile, ${name}`, result);
      if (/^5(?!03)/.test(result)) tally.report(`${name} got ${result}`);
      if (result.startsWith("2")) tally.report(`${name} was accepted: ${result}`);
    } catch (error) {
      tally.count(`hostile, ${name}`, describeFailure(error));
    }
    await sleep(random.below(PAUSE_MS));
  }
  await stalling;
}

const ask = async (url: string, init: RequestInit = {}) => {
  const signal = AbortSignal.timeout(20_000);
  return describeResponse(await fetch(url, { redirect: "manual", ...init, signal }));
};

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  ask(url, { method: "POST", body, headers: { "Content-Type": "application/json", ...headers } });

const text = (random: SeededRandom, length: number) =>
  Array.from({ length }, () => String.fromCharCode(33 + random.below(94))).join("");

const ATTACKS: Readonly<Record<string, Attack>> = {
  "guessed refresh token": ({ sync }, random) =>
    post(
      `${random.pick(sync)}/v1/refresh`,
      JSON.stringify({ grantType: "refresh_token", refreshToken: `trs_rt_${text(random, 43)}` }),
    ),
  "guessed access token": ({ sync }, random) =>
    ask(`${random.pick(sync)}/v1/pull`, {
      headers: { Authorization: `Bearer trs_at_${"A".repeat(54)}` },
    }),
  "guessed password": async ({ sync }, random) => {
    const url = `${random.pick(sync)}/v1/authorize`;
    const state = "state-of-the-attacker";
    const headers = { "Content-Type": "application/json", "X-Service-CSRF": state };
    const attempt = {
      username: random.pick(["olive", "admin", "root"]),
      codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      state,
      redirectUri: "http://localhost:43823/callback",
      attemptId: "attempt-1",
      deviceId: "attacker",
    };
    const begin = { action: "begin", csrf: state, attempt };
    const begun = await fetch(url, { method: "POST", headers, body: JSON.stringify(begin) });
    if (begun.status !== 200) return describeResponse(begun);
    const { challengeId } = (await begun.json()) as { challengeId: string };
    const guess = { challengeId, clientNonce: "A".repeat(54), proof: "A".repeat(43) };
    return post(url, JSON.stringify({ action: "complete", csrf: state, ...guess }), headers);
  },
  "body over the limit": ({ sync }, random) =>
    post(`${random.pick(sync)}/v1/refresh`, `{"a":"${"x".repeat(300_000)}"}`),
  "broken JSON": ({ sync }, random) => post(`${random.pick(sync)}/v1/token`, text(random, 300)),
  "malformed operation": ({ sync, syncToken }, random) =>
    post(`${sync[0]}/v1/push`, `{"operations":[{"a":"${"x".repeat(random.below(9000))}"}]}`, {
      Authorization: `Bearer ${syncToken()}`,
    }),
  "sequence jump": ({ sync, syncToken }, random) => {
    const sequence = random.pick([2 ** 45, Number.MAX_SAFE_INTEGER]);
    const operation = createOperation({ deviceId: "attacker", sequence });
    const headers = { Authorization: `Bearer ${syncToken()}` };
    return post(`${sync[0]}/v1/push`, JSON.stringify({ operations: [operation] }), headers);
  },
  "made-up cursor": ({ sync, syncToken }, random) =>
    ask(`${sync[0]}/v1/pull?cursor=${encodeURIComponent(text(random, 60))}`, {
      headers: { Authorization: `Bearer ${syncToken()}` },
    }),
  "foreign origin": ({ sync }, random) =>
    ask(`${random.pick(sync)}/v1/capabilities`, { headers: { Origin: "https://evil.example" } }),
  "guessed code": ({ events }, random) =>
    ask(`${events}/api/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "authorization_code", code: text(random, 43) }),
    }),
  "open redirect": ({ events }) =>
    ask(`${events}/api/oauth/authorize?client_id=soak-app&redirect_uri=https://evil.example`),
  "unknown path": ({ release }, random) =>
    ask(`${release}/${encodeURIComponent(text(random, 50))}`),
  "path traversal": ({ release }) => ask(`${release}/api/v1/releases/..%2f..%2fetc%2fpasswd`),
  "bytes that are not HTTP": async ({ release, sync, events }, random) =>
    sendBytes(random.pick([release, ...sync, events]), text(random, 200)),
  "headers that never end": async ({ release, sync, events }, random) =>
    sendBytes(random.pick([release, ...sync, events]), "GET / HTTP/1.1\r\nHost: a\r\nX: "),
};

/** Sends the bytes and waits for the end of the connection, at most some seconds. */
function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.setTimeout(5000, () => socket.destroy());
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.once("error", reject);
    socket.once("close", () => resolve(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? "closed"));
    socket.write(bytes);
  });
}

/** Asks for a snapshot again and again on one connection, and reads nothing. */
function stallSnapshot({ sync, syncToken }: Targets, isOver: () => boolean): Promise<string> {
  const { hostname, port } = new URL(sync[0] ?? "");
  const head = `GET /v1/snapshot HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${syncToken()}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const startedAt = performance.now();
    const watch = setInterval(() => {
      if (isOver() || performance.now() - startedAt > 120_000) socket.destroy();
    }, 500);
    const end = (result: string) => {
      clearInterval(watch);
      socket.destroy();
      setTimeout(() => resolve(result), 1000);
    };
    socket.once("error", () => end("disconnected"));
    socket.once("close", () => end("disconnected"));
    socket.pause();
    socket.write(head.repeat(40));
  });
}
