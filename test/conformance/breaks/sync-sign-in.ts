import { randomBytes } from "node:crypto";
import type { Attempt, ChallengeResponse } from "../../../src/contract/sync/schemas.ts";
import { LOGIN_PURPOSE } from "../../../src/contract/sync/values.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import { provePassword } from "../../../src/rules/identity/prove-password.ts";
import {
  editBody,
  type BrokenResponse,
  ignoreHeader,
  isPost,
  readAnswer,
  readText,
  withRequestHeader,
  withText,
  type Body,
} from "./break.ts";
import { ACCOUNT } from "./sync-account.ts";
import {
  changeBody,
  changeError,
  changeRecords,
  errorLike,
  handlePost,
  parseBody,
  type SyncBreak,
} from "./sync-break.ts";
import { deriveKey } from "../../fixtures/password-keys.ts";

const AUTHORIZE = "/v1/authorize";
const CSRF = "x-service-csrf";

const attemptOf = (body: Body) => (body["attempt"] ?? {}) as Partial<Attempt>;
const isBegin = (body: Body) => body["action"] === "begin";

/** Edits the answers of one action. */
function changeAction(
  action: "begin" | "complete",
  edit: (answer: Body, request: Body) => Body,
): BrokenResponse {
  return handlePost(AUTHORIZE, async (body, ask) => {
    const answer = await ask(body);
    if (answer.status !== 200 || body["action"] !== action) return answer;
    return editBody<Body>(answer, (given) => edit(given, body));
  });
}

/** Remembers every challenge with the attempt that it was made for. */
function rememberAttempts(
  complete: (
    body: Body,
    attempt: Attempt,
    challenge: ChallengeResponse,
    ask: (body: Body, state?: string) => Promise<HttpResponse>,
  ) => Promise<HttpResponse>,
): () => BrokenResponse {
  return () => {
    const known = new Map<string, { attempt: Attempt; challenge: ChallengeResponse }>();
    return handlePost(AUTHORIZE, async (body, ask, exchange, honest) => {
      const found = known.get(String(body["challengeId"]));
      if (body["action"] === "complete" && found !== undefined) {
        return complete(body, found.attempt, found.challenge, (changed, state) => {
          const stated = state === undefined ? exchange : withRequestHeader(exchange, CSRF, state);
          return honest(withText(stated, JSON.stringify(changed)));
        });
      }
      const answer = await ask(body);
      if (answer.status === 200 && isBegin(body)) {
        const challenge = JSON.parse(await readAnswer(answer)) as ChallengeResponse;
        known.set(challenge.challengeId, { attempt: body["attempt"] as Attempt, challenge });
      }
      return answer;
    });
  };
}

const isProof = (proof: unknown) => /^[A-Za-z0-9_-]{43}$/.test(String(proof));

export const SYNC_BREAKS_OF_SIGN_IN: readonly SyncBreak[] = [
  {
    name: "says in the challenge whether the name exists",
    caughtBy: ["begin-answers-a-challenge", "unknown-users-look-like-known-ones"],
    answer: changeAction("begin", (answer, request) => ({
      ...answer,
      known: attemptOf(request).username === ACCOUNT.username,
    })),
  },
  {
    name: "asks for so few iterations that guessing is cheap",
    caughtBy: ["begin-answers-a-challenge"],
    answer: changeAction("begin", (answer) => ({ ...answer, iterations: 4096 })),
  },
  {
    name: "poses the same challenge again",
    caughtBy: ["challenges-are-new-every-time"],
    createAnswer: () => {
      let first: Body | undefined;
      return changeAction("begin", (answer) => (first ??= answer));
    },
  },
  {
    name: "does not look at the CSRF header",
    caughtBy: ["actions-need-the-csrf-header"],
    answer: handlePost(AUTHORIZE, (body, _ask, exchange, honest) =>
      honest(
        withText(withRequestHeader(exchange, CSRF, String(body["csrf"])), JSON.stringify(body)),
      ),
    ),
  },
  {
    name: "does not compare the state of the attempt",
    caughtBy: ["actions-need-the-csrf-header"],
    answer: handlePost(AUTHORIZE, (body, ask) =>
      ask(isBegin(body) ? { ...body, attempt: { ...attemptOf(body), state: body["csrf"] } } : body),
    ),
  },
  {
    name: "completes under any state",
    caughtBy: ["complete-needs-the-state-of-its-challenge"],
    createAnswer: rememberAttempts((body, { state }, _challenge, ask) =>
      ask({ ...body, csrf: state }, state),
    ),
  },
  {
    name: "takes requests from other sites",
    caughtBy: ["cross-site-requests-are-refused"],
    answer: ignoreHeader("sec-fetch-site"),
  },
  {
    name: "ignores members of an attempt that it does not know",
    caughtBy: ["attempts-are-checked"],
    answer: changeBody(AUTHORIZE, (body) => {
      const { extra: _extra, ...attempt } = attemptOf(body) as Body;
      return isBegin(body) ? { ...body, attempt } : body;
    }),
  },
  {
    name: "takes a redirect URI with a slash more",
    caughtBy: ["attempts-are-checked"],
    answer: changeBody(AUTHORIZE, (body) => {
      const { redirectUri } = attemptOf(body);
      if (typeof redirectUri !== "string") return body;
      return {
        ...body,
        attempt: { ...attemptOf(body), redirectUri: redirectUri.replace(/\/$/, "") },
      };
    }),
  },
  {
    name: "refuses names that do not exist at begin",
    caughtBy: ["unknown-users-look-like-known-ones", "usernames-are-compared-after-nfc"],
    answer: handlePost(AUTHORIZE, async (body, ask) => {
      const answer = await ask(body);
      const { username } = attemptOf(body);
      return isBegin(body) && username !== ACCOUNT.username && answer.status === 200
        ? errorLike(answer, "authentication_failed")
        : answer;
    }),
  },
  {
    name: "gives a name that does not exist a new salt every time",
    caughtBy: ["unknown-users-look-like-known-ones"],
    answer: changeAction("begin", (answer, request) =>
      attemptOf(request).username === ACCOUNT.username
        ? answer
        : { ...answer, salt: randomBytes(16).toString("base64url") },
    ),
  },
  {
    name: "says that there is no such user",
    caughtBy: ["unknown-users-fail-like-known-ones"],
    createAnswer: rememberAttempts(async (body, { username }, _challenge, ask) => {
      const answer = await ask(body);
      return username === ACCOUNT.username
        ? answer
        : errorLike(answer, "authentication_failed", { message: "There is no such user" });
    }),
  },
  {
    name: "takes two spellings of a name for two names",
    caughtBy: ["usernames-are-compared-after-nfc"],
    answer: changeBody(AUTHORIZE, (body) => {
      const { username } = attemptOf(body);
      if (typeof username !== "string" || username === username.normalize("NFC")) return body;
      return { ...body, attempt: { ...attemptOf(body), username: `${username}x` } };
    }),
  },
  {
    name: "cleans the state",
    caughtBy: ["right-proof-answers-a-code"],
    answer: changeAction("complete", (answer) => ({
      ...answer,
      state: String(answer["state"]).replaceAll(/[^A-Za-z0-9_-]/g, ""),
    })),
  },
  {
    name: "tells the user name with the code",
    caughtBy: ["right-proof-answers-a-code"],
    answer: changeAction("complete", (answer) => ({ ...answer, username: ACCOUNT.username })),
  },
  {
    name: "signs with another key",
    caughtBy: ["server-signature-proves-the-server"],
    answer: changeAction("complete", (answer) => ({
      ...answer,
      serverSignature: randomBytes(32).toString("base64url"),
    })),
  },
  {
    name: "poses a challenge until it is answered rightly, and then again",
    caughtBy: [
      "challenges-work-once",
      "wrong-proofs-consume-the-challenge",
      "malformed-proofs-consume-the-challenge",
    ],
    store: (honest) =>
      changeRecords(honest, (records) => ({
        ...records,
        identity: {
          ...records.identity,
          takeChallenge: async (id) => {
            const taken = await records.identity.takeChallenge(id);
            if (taken !== null) await records.identity.addChallenge(taken, 1000);
            return taken;
          },
        },
      })),
  },
  {
    name: "looks at the form of a proof before it takes the challenge",
    caughtBy: ["malformed-proofs-consume-the-challenge"],
    answer: handlePost(AUTHORIZE, async (body, ask) => {
      if (body["action"] !== "complete" || isProof(body["proof"])) return ask(body);
      return ask({ ...body, challengeId: "none" });
    }),
  },
  {
    name: "tells a malformed proof from a wrong one",
    caughtBy: ["wrong-proofs-are-all-alike"],
    answer: handlePost(AUTHORIZE, async (body, ask) => {
      const answer = await ask(body);
      return answer.status === 401 && !isProof(body["proof"])
        ? errorLike(answer, "invalid_request")
        : answer;
    }),
  },
  {
    name: "takes any proof for right",
    caughtBy: [
      "wrong-proofs-consume-the-challenge",
      "malformed-proofs-consume-the-challenge",
      "wrong-proofs-are-all-alike",
      "proofs-are-bound-to-their-attempt",
      "unknown-users-fail-like-known-ones",
    ],
    createAnswer: rememberAttempts(async (body, { username, ...attempt }, challenge, ask) => {
      const login = { purpose: LOGIN_PURPOSE, ...ACCOUNT, attempt, challenge };
      const proved = await provePassword(login, deriveKey);
      if (proved.kind !== "proved" || username !== ACCOUNT.username) return ask(body);
      const { clientNonce, proof } = proved;
      return ask({ ...body, clientNonce, proof });
    }),
  },
  {
    name: "takes the challenge before it looks at the types",
    caughtBy: ["mistyped-completions-consume-nothing"],
    answer: handlePost(AUTHORIZE, async (body, ask) => {
      const answer = await ask(body);
      if (answer.status === 400 && typeof body["challengeId"] === "string") {
        const { challengeId, csrf } = body;
        await ask({ action: "complete", csrf, challengeId, clientNonce: "", proof: "" });
      }
      return answer;
    }),
  },
  {
    name: "does not count failures",
    caughtBy: ["failures-are-throttled"],
    store: (honest) =>
      changeRecords(honest, (records) => ({
        ...records,
        identity: { ...records.identity, writeFailure: async () => {} },
      })),
  },
  {
    name: "does not say how long to wait",
    caughtBy: ["failures-are-throttled"],
    answer: changeError(
      ({ error }) => error === "rate_limited",
      (_error, _exchange, answer) => {
        const { "Retry-After": _seconds, ...headers } = answer.headers;
        return { ...answer, headers };
      },
    ),
  },
  {
    name: "takes a code as often as it comes",
    caughtBy: [
      "code-works-once",
      "wrong-redemptions-burn-the-code",
      "parallel-redemption-has-one-winner",
      "later-use-of-a-code-revokes-its-session",
    ],
    store: (honest) =>
      changeRecords(honest, (records) => ({
        ...records,
        identity: {
          ...records.identity,
          consumeSecret: async (...args) => {
            const use = await records.identity.consumeSecret(...args);
            return use === null ? null : { ...use, usedBefore: null };
          },
        },
      })),
  },
  {
    name: "burns a code only when everything else is right",
    caughtBy: ["wrong-redemptions-burn-the-code"],
    createAnswer: () => {
      const attempts = new Map<string, string>();
      const remember = rememberAttempts(async (body, { attemptId }, _challenge, ask) => {
        const answer = await ask(body);
        if (answer.status === 200) {
          const { code } = JSON.parse(await readAnswer(answer)) as { code: string };
          attempts.set(code, attemptId);
        }
        return answer;
      })();
      return async (exchange, context) => {
        if (!isPost(exchange, "/v1/token")) return remember(exchange, context);
        const text = await readText(exchange);
        const body = parseBody(text) ?? {};
        const isRight =
          attempts.get(String(body["code"])) === body["attemptId"] &&
          body["redirectUri"] === "http://localhost:43823/callback" &&
          String(body["codeVerifier"]).length === 64;
        const sent = isRight ? body : { ...body, code: "none" };
        return context.honest(withText(exchange, JSON.stringify(sent)));
      };
    },
  },
  {
    name: "shrugs at a code that is used again",
    caughtBy: ["later-use-of-a-code-revokes-its-session"],
    createAnswer: () => {
      const used = new Set<unknown>();
      return handlePost("/v1/token", async (body, ask) => {
        if (used.has(body["code"])) return ask({ ...body, code: "none" });
        const answer = await ask(body);
        if (answer.status === 200) used.add(body["code"]);
        return answer;
      });
    },
  },
  {
    name: "takes the losers of a race for thieves",
    caughtBy: ["parallel-redemption-has-one-winner"],
    store: (honest) =>
      changeRecords(honest, (records) => ({
        ...records,
        identity: {
          ...records.identity,
          consumeSecret: async (...args) => {
            const use = await records.identity.consumeSecret(...args);
            if (use === null || use.usedBefore === null) return use;
            return { ...use, usedBefore: use.usedBefore - 60_000 };
          },
        },
      })),
  },
  {
    name: "turns what a token request has into text",
    caughtBy: ["mistyped-redemptions-burn-nothing", "members-are-checked"],
    answer: changeBody("/v1/token", (body) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
    ),
  },
  {
    name: "answers 401 to a code that it does not know",
    caughtBy: ["unknown-codes-are-invalid-grant", "code-works-once"],
    answer: changeError(
      ({ error }) => error === "invalid_grant",
      (_error, _exchange, answer) => errorLike(answer, "invalid_grant", { status: 401 }),
    ),
  },
  {
    name: "does not look at the grant type",
    caughtBy: ["grant-types-are-checked"],
    answer: changeBody("/v1/token", (body) =>
      "grantType" in body ? { ...body, grantType: "authorization_code" } : body,
    ),
  },
];
