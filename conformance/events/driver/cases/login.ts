/** The login: what the browser opens, what the client takes from it, and how it redeems the code. */
import { createHash } from "node:crypto";
import { FORM_TYPE, SCOPE } from "../../../../src/contract/events/values.ts";
import { driverCases } from "../../../drivers/check-driver.ts";
import type { ClientUnderTest } from "../../../drivers/client-under-test.ts";
import {
  jsonReply,
  withService,
  type Reply,
  type SeenRequest,
} from "../../../drivers/loopback-service.ts";
import { describeValue, expectEach, expectSame, fail } from "../../../expect.ts";
import { SERVICE_ADDRESS, TASK } from "../connected-app.ts";
import { EVENTS_TASK_RESULT, type EventsTask, type EventsTaskResult } from "../task.ts";

const AUTHORIZE = "events contract, GET /api/oauth/authorize";
const TOKEN = "events contract, POST /api/oauth/token";
const CALLBACK = "events contract, Authentication 2";

export const LOGIN_CASES = driverCases({
  "login-asks-with-pkce": {
    title: "The address for the browser has the seven parameters of the contract",
    section: AUTHORIZE,
    async run(client) {
      const { url, query } = await begin(client);
      expectSame(
        BEGIN,
        "address",
        url.origin + url.pathname,
        `${SERVICE_ADDRESS}${AUTHORIZE_PATH}`,
      );
      const { state, code_challenge: challenge, ...fixed } = query;
      expectSame(BEGIN, "parameters", fixed, {
        client_id: TASK.clientId,
        redirect_uri: TASK.redirectUri,
        response_type: "code",
        scope: SCOPE,
        code_challenge_method: "S256",
      });
      expectMatch("state", state, /^[A-Za-z0-9._~-]{16,1024}$/, "a random, URL-safe state");
      expectMatch("code_challenge", challenge, /^[A-Za-z0-9_-]{43}$/, "a challenge of S256");
    },
  },
  "login-secrets-are-new": {
    title: "Every login has a state and a challenge of its own",
    section: `${AUTHORIZE}: state, code_challenge`,
    async run(client) {
      const logins = [await begin(client), await begin(client), await begin(client)];
      for (const name of ["state", "code_challenge"] as const) {
        const values = new Set(logins.map(({ query }) => query[name]));
        expectSame("three logins", `different values of ${name}`, values.size, logins.length);
      }
    },
  },
  "code-is-redeemed": {
    title:
      "The code is redeemed once, with a form of five fields and the verifier of the challenge",
    section: TOKEN,
    async run(client) {
      const { login, code, result, requests } = await logIn(client);
      const [request] = requests;
      if (request === undefined) return fail(COMPLETE, TOKEN_REQUEST, "no request");
      expectSame(COMPLETE, "request", request.asked, TOKEN_REQUEST);
      expectSame(COMPLETE, "number of requests", requests.length, 1);
      const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
      expectSame(COMPLETE, "Content-Type", type, FORM_TYPE);
      const { code_verifier: verifier = "", ...fixed } = readForm(request);
      // In a report the code is no secret, but its reader need not know it.
      expectSame(
        COMPLETE,
        "fields",
        { ...fixed, code: fixed["code"] === code },
        {
          grant_type: "authorization_code",
          code: true,
          client_id: TASK.clientId,
          redirect_uri: TASK.redirectUri,
        },
      );
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const isVerifier = /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
      expectSame(
        COMPLETE,
        "verifier of the challenge",
        isVerifier && challenge,
        login.query["code_challenge"],
      );
      expectKind(result, "connected");
    },
  },
  "callback-of-another-login-is-refused": {
    title: "A redirect with another state than the client sent, or without one, redeems nothing",
    section: CALLBACK,
    run: (client) =>
      expectEach(["another", "", null], (state) =>
        expectNotRedeemed(client, `the state ${JSON.stringify(state)}`, (callback) => {
          if (state === null) callback.searchParams.delete("state");
          else callback.searchParams.set("state", state);
        }),
      ),
  },
  "callback-without-a-code-is-refused": {
    title: "A redirect without a code, or with an error, redeems nothing",
    section: CALLBACK,
    run: (client) =>
      expectEach([{}, { code: "" }, { error: "access_denied" }], (members) =>
        expectNotRedeemed(client, describeValue(members), (callback) => {
          callback.searchParams.delete("code");
          for (const [name, value] of Object.entries(members))
            callback.searchParams.set(name, value);
        }),
      ),
  },
  "token-response-has-more-members": {
    title: "Of the token response only access_token is needed, and other members are ignored",
    section: "events contract, Token response",
    run: (client) =>
      expectEach(
        [{}, { token_type: "bearer", refresh_token: "r", user: { id: 1 } }],
        async (more) => {
          const accessToken = client.secret("access token");
          const { result } = await logIn(client, jsonReply({ access_token: accessToken, ...more }));
          expectKind(result, "connected");
        },
      ),
  },
  "failed-redemption-fails-the-login": {
    title: "Any status but 200 of the token route fails the login",
    section: "events contract, Errors",
    run: (client) =>
      expectEach([201, 302, 400, 401, 500], async (status) => {
        const accessToken = client.secret("access token");
        const { result } = await logIn(client, jsonReply({ access_token: accessToken }, status));
        expectKind(result, "not-connected", `, with status ${status}`);
      }),
  },
  "redemption-without-a-token-fails-the-login": {
    title: "A token response without an access token fails the login",
    section: "events contract, Token response: access_token",
    run: (client) =>
      expectEach(
        ["{}", '{"access_token":""}', '{"access_token":7}', "[]", "token"],
        async (body) => {
          const { result } = await logIn(client, { status: 200, body });
          expectKind(result, "not-connected", `, with the response ${body}`);
        },
      ),
  },
});

const BEGIN = "the beginning of a login";
const COMPLETE = "the end of a login";
const AUTHORIZE_PATH = "/api/oauth/authorize";
const TOKEN_REQUEST = "POST /api/oauth/token";

interface BegunLogin {
  readonly url: URL;
  readonly query: Readonly<Record<string, string>>;
  readonly state: unknown;
}

function run(client: ClientUnderTest, asked: string, task: EventsTask): Promise<EventsTaskResult> {
  return client.tell(asked, task, EVENTS_TASK_RESULT);
}

function begin(client: ClientUnderTest): Promise<BegunLogin> {
  const respond = () => jsonReply({ error: "not_found" }, 404);
  return withService(respond, async ({ url: connectTo }) => {
    const task: EventsTask = { ...TASK, do: "begin-login", connectTo, state: null };
    const { kind, authorizeUrl = "", state = null } = await run(client, BEGIN, task);
    if (kind !== "begun" || !URL.canParse(authorizeUrl)) {
      return fail(BEGIN, "begun, with authorizeUrl", kind);
    }
    const url = new URL(authorizeUrl);
    return { url, query: Object.fromEntries(url.searchParams), state };
  });
}

interface EndedLogin {
  readonly login: BegunLogin;
  readonly code: string;
  readonly result: EventsTaskResult;
  readonly requests: readonly SeenRequest[];
}

/** Begins a login and ends it: the browser returns with a code, unless it is changed on its way. */
async function logIn(
  client: ClientUnderTest,
  tokenReply: Reply = jsonReply({ access_token: client.secret("access token") }),
  change: (callback: URL) => void = () => {},
): Promise<EndedLogin> {
  const login = await begin(client);
  const code = client.secret("authorization code");
  const callback = new URL(TASK.redirectUri);
  callback.searchParams.set("code", code);
  callback.searchParams.set("state", login.query["state"] ?? "");
  change(callback);
  return withService(
    () => tokenReply,
    async ({ url: connectTo, requests }) => {
      const { state } = login;
      const callbackUrl = callback.href;
      const task: EventsTask = { ...TASK, do: "complete-login", connectTo, callbackUrl, state };
      return { login, code, result: await run(client, COMPLETE, task), requests };
    },
  );
}

async function expectNotRedeemed(
  client: ClientUnderTest,
  what: string,
  change: (callback: URL) => void,
): Promise<void> {
  const { result, requests } = await logIn(client, undefined, change);
  const [request] = requests;
  if (request !== undefined) fail(`${COMPLETE}, with ${what}`, "no request", request.asked);
  expectKind(result, "not-connected", `, with ${what}`);
}

function expectKind({ kind }: EventsTaskResult, expected: EventsTaskResult["kind"], with_ = "") {
  if (kind !== expected) fail(COMPLETE + with_, expected, kind);
}

function expectMatch(name: string, value: string | undefined, pattern: RegExp, what: string): void {
  if (value === undefined || !pattern.test(value)) fail(BEGIN, what, `${name}=${value ?? ""}`);
}

function readForm({ body }: SeenRequest): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}
