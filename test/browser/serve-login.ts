/** A login server on loopback, from the page and the identity code of the services. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pageContentSecurityPolicy } from "../../src/contract/content-security-policy.ts";
import { KNOWN_BROWSER_HEADER } from "../../src/contract/identity.ts";
import type { Language } from "../../src/contract/language.ts";
import type { Queryable } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { createAccounts } from "../../src/identity/accounts.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { identifyClient, rememberBrowser } from "../../src/identity/known-browsers.ts";
import { createSqlIdentityRecords } from "../../src/identity/sql-identity-records.ts";
import { createSignIn, type CompleteRequest } from "../../src/identity/sign-in.ts";
import { createThrottle } from "../../src/identity/throttle.ts";
import { MIN_ACCEPTED_ITERATIONS } from "../../src/rules/identity/prove-password.ts";
import type { PasswordVerifier } from "../../src/rules/identity/scram.ts";
import type { Delivery } from "../../src/rules/identity/redirect.ts";
import { renderLoginErrorPage, renderLoginPage } from "../../src/web/login/page.ts";
import { createTestVerifier } from "../fixtures/password-keys.ts";

export const ACCOUNT = { username: "anna", password: "Blaue Häuser, 7 Türen" };
export const CODE = "code-".padEnd(43, "x");
export const CSRF_HEADER = "X-Service-CSRF";

export interface LoginResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface LoginServerOptions {
  readonly displayName?: string;
  /** By default a page of this server. */
  readonly redirectUri?: string;
  readonly delivery?: Delivery;
  /** By default the origin of this server. */
  readonly baseUrl?: string;
  /** Changes the response, as a broken or malicious server does; null closes the connection. */
  readonly tamper?: (action: string, response: LoginResponse) => LoginResponse | null;
}

export interface LoginServer extends AsyncDisposable {
  readonly origin: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly verifier: PasswordVerifier;
  /** The requests that reached the app. */
  readonly callbacks: string[];
  /** Wrong proofs for the account, from the address of the browser but without its value. */
  failAsUnknownClient(times: number): Promise<void>;
}

export async function serveLogin(options: LoginServerOptions = {}): Promise<LoginServer> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-login-"));
  const identity = await openIdentity(join(folder, "store.db"));
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { displayName = "Annas Notizen", delivery = "query", tamper } = options;
  const redirectUri = options.redirectUri ?? `${origin}/callback?app=1`;
  const state = "st4te!~with?odd&characters=#+%20";
  const callbacks: string[] = [];
  const attempt = {
    codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    state,
    redirectUri,
    attemptId: "attempt-1",
    deviceId: "phone",
  };

  server.on("request", async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const nonce = randomBytes(16).toString("base64");
    const language: Language = searchParams.get("lang") === "de" ? "de" : "en";
    const languageUrls = { en: `${pathname}?lang=en`, de: `${pathname}?lang=de` };
    const frame = { language, displayName, nonce, languageUrls };
    const sendPage = (page: string) =>
      response
        .writeHead(200, {
          "Content-Type": "text/html; charset=utf-8",
          "Content-Security-Policy": pageContentSecurityPolicy(nonce),
          "Referrer-Policy": "no-referrer",
          "Cache-Control": "no-store",
        })
        .end(page);
    if (pathname === "/callback") {
      callbacks.push(request.url ?? "");
      response.writeHead(200, { "Content-Type": "text/html" }).end("<title>The app</title>");
    } else if (pathname === "/error") {
      const error = { status: 400, code: "invalid_authorization_request", requestId: "req-1234" };
      const view = { ...error, reason: null };
      sendPage(renderLoginErrorPage(frame, view));
    } else if (request.method === "GET") {
      const endpoint = "/v1/authorize";
      const purpose = "trellis-sync-login";
      const own = options.baseUrl ?? origin;
      const ownAddress = `${own}/`;
      const rest = {
        origin: own,
        ownAddress,
        endpoint,
        csrfHeader: CSRF_HEADER,
        purpose,
        attempt,
        delivery,
      };
      sendPage(renderLoginPage({ ...frame, ...rest }));
    } else {
      const { action, ...own } = await identity.handle(request);
      const sent = tamper === undefined ? own : tamper(action, own);
      if (sent === null) return void request.socket.destroy();
      const headers = { "Content-Type": "application/json", "X-Request-Id": "req-1234" };
      response.writeHead(sent.status, { ...headers, ...sent.headers });
      response.end(JSON.stringify(sent.body));
    }
  });

  return {
    origin,
    state,
    redirectUri,
    verifier: identity.verifier,
    callbacks,
    failAsUnknownClient: identity.failAsUnknownClient,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await identity.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openIdentity(path: string) {
  const store = await openDatabase(`sqlite:${path}`);
  await migrate(store, [
    { name: "identity", folder: new URL("../../src/identity/migrations/", import.meta.url) },
  ]);
  const inSync = (tx: Queryable) => createSqlIdentityRecords(tx, "sync");
  const instanceKey = createInstanceKey(randomBytes(32));
  const settings = { realm: "sync", instanceKey };
  // The fewest that the page accepts, so that the derivation is quick.
  const iterations = MIN_ACCEPTED_ITERATIONS;
  const accounts = createAccounts({ ...settings, iterations });
  const throttle = createThrottle("sync", instanceKey);
  const signIn = createSignIn({ ...settings, purpose: "trellis-sync-login", accounts, throttle });
  const verifier = await createTestVerifier(ACCOUNT.password, iterations);
  await store.transaction((tx) =>
    accounts.create(inSync(tx), ACCOUNT.username, verifier, Date.now()),
  );

  async function handle(request: IncomingMessage): Promise<LoginResponse & { action: string }> {
    const body = JSON.parse(await text(request)) as {
      action: string;
      csrf: string;
      attempt: { username: string; state: string; redirectUri: string };
    } & CompleteRequest;
    const { action, csrf } = body;
    const from = {
      address: "127.0.0.1",
      knownBrowser: request.headers[KNOWN_BROWSER_HEADER.toLowerCase()]?.toString() ?? null,
    };
    if (request.headers[CSRF_HEADER.toLowerCase()] !== csrf) {
      return { action, status: 403, body: { error: "csrf_failed" } };
    }
    if (action === "begin") {
      const { username, ...attempt } = body.attempt;
      const result = await store.transaction(async (tx) => {
        const client = await identifyClient(inSync(tx), { username, ...from }, Date.now());
        return signIn.begin(inSync(tx), { username, attempt, client }, Date.now());
      });
      if (result.kind === "throttled") return { action, ...throttled(result) };
      const expiresAt = new Date(result.challenge.expiresAt).toISOString();
      return { action, status: 200, body: { ...result.challenge, expiresAt } };
    }
    const claimed = { state: csrf };
    const result = await store.transaction((tx) =>
      signIn.complete(inSync(tx), { ...body, claimed, ...from }, Date.now()),
    );
    if (result.kind === "throttled") return { action, ...throttled(result) };
    if (result.kind === "failed") {
      return { action, status: 401, body: { error: "authentication_failed" } };
    }
    const { accountId, serverSignature, attempt } = result;
    const { state, redirectUri } = attempt;
    const known = await store.transaction((tx) =>
      rememberBrowser(inSync(tx), from.knownBrowser, accountId, Date.now(), randomBytes),
    );
    return {
      action,
      status: 200,
      headers: { [KNOWN_BROWSER_HEADER]: known },
      body: { code: CODE, state, redirectUri, serverSignature },
    };
  }

  async function failAsUnknownClient(times: number): Promise<void> {
    const { username } = ACCOUNT;
    const from = { address: "127.0.0.1", knownBrowser: null };
    const proof = "A".repeat(43);
    for (let time = 0; time < times; time++) {
      await store.transaction(async (tx) => {
        const client = await identifyClient(inSync(tx), { username, ...from }, Date.now());
        const begun = await signIn.begin(inSync(tx), { username, attempt: {}, client }, Date.now());
        if (begun.kind === "throttled") throw new Error("The unknown client must wait already");
        const { challengeId } = begun.challenge;
        const wrong = { challengeId, clientNonce: proof, proof, claimed: {}, ...from };
        await signIn.complete(inSync(tx), wrong, Date.now());
      });
    }
  }

  return { handle, failAsUnknownClient, verifier, close: () => store.close() };
}

function throttled({ retryAfterSeconds }: { retryAfterSeconds: number }): LoginResponse {
  return {
    status: 429,
    headers: { "Retry-After": String(retryAfterSeconds) },
    body: { error: "rate_limited" },
  };
}
