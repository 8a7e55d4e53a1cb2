import { randomBytes } from "node:crypto";
import { KNOWN_BROWSER_HEADER } from "../../../src/contract/identity.ts";
import type { Attempt, ChallengeResponse } from "../../../src/contract/sync/schemas.ts";
import { LOGIN_PURPOSE } from "../../../src/contract/sync/values.ts";
import type { HttpResponse } from "../../../src/http/response.ts";
import { provePassword } from "../../../src/rules/identity/prove-password.ts";
import {
  editBody,
  type BrokenResponder,
  ignoreHeader,
  isPost,
  readResponseBody,
  readText,
  withHeader,
  withRequestHeader,
  withText,
  type Body,
  toBreaks,
} from "./break.ts";
import {
  ACCOUNT,
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
const KNOWN_BROWSER = KNOWN_BROWSER_HEADER.toLowerCase();

const attemptOf = (body: Body) => (body["attempt"] ?? {}) as Partial<Attempt>;
const isBegin = (body: Body) => body["action"] === "begin";

/** Edits the responses to one action. */
function changeAction(
  action: "begin" | "complete",
  edit: (response: Body, request: Body) => Body,
): BrokenResponder {
  return handlePost(AUTHORIZE, async (body, ask) => {
    const response = await ask(body);
    if (response.status !== 200 || body["action"] !== action) return response;
    return editBody<Body>(response, (given) => edit(given, body));
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
): () => BrokenResponder {
  return () => {
    const known = new Map<string, { attempt: Attempt; challenge: ChallengeResponse }>();
    return handlePost(AUTHORIZE, async (body, ask, request, real) => {
      const found = known.get(String(body["challengeId"]));
      if (body["action"] === "complete" && found !== undefined) {
        return complete(body, found.attempt, found.challenge, (changed, state) => {
          const stated = state === undefined ? request : withRequestHeader(request, CSRF, state);
          return real(withText(stated, JSON.stringify(changed)));
        });
      }
      const response = await ask(body);
      if (response.status === 200 && isBegin(body)) {
        const challenge = JSON.parse(await readResponseBody(response)) as ChallengeResponse;
        known.set(challenge.challengeId, { attempt: body["attempt"] as Attempt, challenge });
      }
      return response;
    });
  };
}

const isProof = (proof: unknown) => /^[A-Za-z0-9_-]{43}$/.test(String(proof));

export const SYNC_BREAKS_OF_SIGN_IN = toBreaks<SyncBreak>({
  "begin-answers-a-challenge, unknown-users-look-like-known-ones": {
    "says in the challenge whether the name exists": changeAction("begin", (response, request) => ({
      ...response,
      known: attemptOf(request).username === ACCOUNT.username,
    })),
  },
  "begin-answers-a-challenge": {
    "asks for so few iterations that guessing is cheap": changeAction("begin", (response) => ({
      ...response,
      iterations: 4096,
    })),
  },
  "challenges-are-new-every-time": {
    "poses the same challenge again": {
      createResponder: () => {
        let first: Body | undefined;
        return changeAction("begin", (response) => (first ??= response));
      },
    },
  },
  "actions-need-the-csrf-header": {
    "does not look at the CSRF header": handlePost(AUTHORIZE, (body, _ask, request, real) =>
      real(withText(withRequestHeader(request, CSRF, String(body["csrf"])), JSON.stringify(body))),
    ),
    "does not compare the state of the attempt": handlePost(AUTHORIZE, (body, ask) =>
      ask(isBegin(body) ? { ...body, attempt: { ...attemptOf(body), state: body["csrf"] } } : body),
    ),
  },
  "complete-needs-the-state-of-its-challenge": {
    "completes under any state": {
      createResponder: rememberAttempts((body, { state }, _challenge, ask) =>
        ask({ ...body, csrf: state }, state),
      ),
    },
  },
  "cross-site-requests-are-refused": {
    "takes requests from other sites": ignoreHeader("sec-fetch-site"),
  },
  "attempts-are-checked": {
    "ignores members of an attempt that it does not know": changeBody(AUTHORIZE, (body) => {
      const { extra: _extra, ...attempt } = attemptOf(body) as Body;
      return isBegin(body) ? { ...body, attempt } : body;
    }),
    "takes a redirect URI with a slash more": changeBody(AUTHORIZE, (body) => {
      const { redirectUri } = attemptOf(body);
      if (typeof redirectUri !== "string") return body;
      return {
        ...body,
        attempt: { ...attemptOf(body), redirectUri: redirectUri.replace(/\/$/, "") },
      };
    }),
  },
  "unknown-users-look-like-known-ones, usernames-are-compared-after-nfc": {
    "refuses names that do not exist at begin": handlePost(AUTHORIZE, async (body, ask) => {
      const response = await ask(body);
      const { username } = attemptOf(body);
      return isBegin(body) && username !== ACCOUNT.username && response.status === 200
        ? errorLike(response, "authentication_failed")
        : response;
    }),
  },
  "unknown-users-look-like-known-ones": {
    "gives a name that does not exist a new salt every time": changeAction(
      "begin",
      (response, request) =>
        attemptOf(request).username === ACCOUNT.username
          ? response
          : { ...response, salt: randomBytes(16).toString("base64url") },
    ),
  },
  "unknown-users-fail-like-known-ones": {
    "says that there is no such user": {
      createResponder: rememberAttempts(async (body, { username }, _challenge, ask) => {
        const response = await ask(body);
        return username === ACCOUNT.username
          ? response
          : errorLike(response, "authentication_failed", { message: "There is no such user" });
      }),
    },
  },
  "usernames-are-compared-after-nfc": {
    "takes two spellings of a name for two names": changeBody(AUTHORIZE, (body) => {
      const { username } = attemptOf(body);
      if (typeof username !== "string" || username === username.normalize("NFC")) return body;
      return { ...body, attempt: { ...attemptOf(body), username: `${username}x` } };
    }),
  },
  "right-proof-answers-a-code": {
    "cleans the state": changeAction("complete", (response) => ({
      ...response,
      state: String(response["state"]).replaceAll(/[^A-Za-z0-9_-]/g, ""),
    })),
    "tells the user name with the code": changeAction("complete", (response) => ({
      ...response,
      username: ACCOUNT.username,
    })),
  },
  "server-signature-proves-the-server": {
    "signs with another key": changeAction("complete", (response) => ({
      ...response,
      serverSignature: randomBytes(32).toString("base64url"),
    })),
  },
  "challenges-work-once, wrong-proofs-consume-the-challenge, malformed-proofs-consume-the-challenge":
    {
      "poses a challenge until the proof is right, and then again": changeRecords(
        "identity",
        (real) => ({
          takeChallenge: async (id) => {
            const taken = await real.takeChallenge(id);
            if (taken === null) return null;
            const client = { isKnown: false, groups: ["", "", ""] as const };
            const bounds = { maxLive: 1000, maxKnown: 500 };
            await real.addChallenge({ ...taken, client }, bounds);
            return taken;
          },
        }),
      ),
    },
  "malformed-proofs-consume-the-challenge": {
    "looks at the form of a proof before it takes the challenge": handlePost(
      AUTHORIZE,
      async (body, ask) => {
        if (body["action"] !== "complete" || isProof(body["proof"])) return ask(body);
        return ask({ ...body, challengeId: "none" });
      },
    ),
  },
  "wrong-proofs-are-all-alike": {
    "tells a malformed proof from a wrong one": handlePost(AUTHORIZE, async (body, ask) => {
      const response = await ask(body);
      return response.status === 401 && !isProof(body["proof"])
        ? errorLike(response, "invalid_request")
        : response;
    }),
    "says that a challenge is gone": handlePost(AUTHORIZE, async (body, ask) => {
      const response = await ask(body);
      const isUnknown = body["challengeId"] === "" || body["challengeId"] === "A".repeat(43);
      return response.status === 401 && isUnknown
        ? errorLike(response, "authentication_failed", { message: "This sign-in has expired" })
        : response;
    }),
  },
  "wrong-proofs-consume-the-challenge, malformed-proofs-consume-the-challenge, wrong-proofs-are-all-alike, proofs-are-bound-to-their-attempt, unknown-users-fail-like-known-ones":
    {
      "takes any proof for right": {
        createResponder: rememberAttempts(
          async (body, { username, ...attempt }, challenge, ask) => {
            const login = { purpose: LOGIN_PURPOSE, ...ACCOUNT, attempt, challenge };
            const proved = await provePassword(login, deriveKey);
            if (proved.kind !== "proved" || username !== ACCOUNT.username) return ask(body);
            const { clientNonce, proof } = proved;
            return ask({ ...body, clientNonce, proof });
          },
        ),
      },
    },
  "mistyped-completions-consume-nothing": {
    "takes the challenge before it looks at the types": handlePost(AUTHORIZE, async (body, ask) => {
      const response = await ask(body);
      if (response.status === 400 && typeof body["challengeId"] === "string") {
        const { challengeId, csrf } = body;
        await ask({ action: "complete", csrf, challengeId, clientNonce: "", proof: "" });
      }
      return response;
    }),
  },
  "failures-are-throttled": {
    "does not count failures": changeRecords("identity", () => ({ writeFailure: async () => {} })),
    "does not say how long to wait": changeError(
      ({ error }) => error === "rate_limited",
      (_error, _request, response) => {
        const { "Retry-After": _seconds, ...headers } = response.headers;
        return { ...response, headers };
      },
    ),
  },
  "known-browsers-are-not-locked-out, known-browsers-outlive-a-lost-response": {
    "locks known browsers out with all others": ignoreHeader("trellis-known-browser"),
  },
  "known-browsers-are-not-locked-out": {
    "never changes the value of a known browser": {
      createResponder: () => {
        const newest = new Map<string, string>();
        return async (request, { real }) => {
          const given = request.header(KNOWN_BROWSER);
          const known = given === null ? undefined : newest.get(given);
          const response = await real(
            known === undefined ? request : withRequestHeader(request, KNOWN_BROWSER, known),
          );
          const issued = response.headers[KNOWN_BROWSER_HEADER];
          if (issued === undefined) return response;
          newest.set(given ?? issued, issued);
          return withHeader(response, KNOWN_BROWSER_HEADER, given ?? issued);
        };
      },
    },
  },
  "known-browsers-outlive-a-lost-response": {
    "forgets the value of a known browser when it sends the next one": {
      createResponder: () => {
        const replaced = new Set<string>();
        return async (request, { real }) => {
          const given = request.header(KNOWN_BROWSER);
          if (given === null) return real(request);
          if (replaced.has(given)) return real(withRequestHeader(request, KNOWN_BROWSER, null));
          const response = await real(request);
          if (response.headers[KNOWN_BROWSER_HEADER] !== undefined) replaced.add(given);
          return response;
        };
      },
    },
  },
  "revoke-all-ends-sign-ins-in-flight": {
    "keeps codes and challenges when every device is revoked": changeRecords("identity", () => ({
      removeChallenges: async () => {},
      removeUnusedSecrets: async () => {},
    })),
  },
  "code-works-once, wrong-redemptions-burn-the-code, parallel-redemption-has-one-winner, later-use-of-a-code-revokes-its-session":
    {
      "takes a code as often as it comes": changeRecords("identity", (real) => ({
        consumeSecret: async (...args) => {
          const use = await real.consumeSecret(...args);
          return use === null ? null : { ...use, usedBefore: null };
        },
      })),
    },
  "wrong-redemptions-burn-the-code": {
    "consumes a code only when everything else is right": {
      createResponder: () => {
        const attempts = new Map<string, string>();
        const remember = rememberAttempts(async (body, { attemptId }, _challenge, ask) => {
          const response = await ask(body);
          if (response.status === 200) {
            const { code } = JSON.parse(await readResponseBody(response)) as { code: string };
            attempts.set(code, attemptId);
          }
          return response;
        })();
        return async (request, context) => {
          if (!isPost(request, "/v1/token")) return remember(request, context);
          const text = await readText(request);
          const body = parseBody(text) ?? {};
          const isRight =
            attempts.get(String(body["code"])) === body["attemptId"] &&
            body["redirectUri"] === "http://localhost:43823/callback" &&
            String(body["codeVerifier"]).length === 64;
          const sent = isRight ? body : { ...body, code: "none" };
          return context.real(withText(request, JSON.stringify(sent)));
        };
      },
    },
  },
  "later-use-of-a-code-revokes-its-session": {
    "shrugs at a code that is used again": {
      createResponder: () => {
        const used = new Set<unknown>();
        return handlePost("/v1/token", async (body, ask) => {
          if (used.has(body["code"])) return ask({ ...body, code: "none" });
          const response = await ask(body);
          if (response.status === 200) used.add(body["code"]);
          return response;
        });
      },
    },
  },
  "parallel-redemption-has-one-winner": {
    "takes the losers of a race for thieves": changeRecords("identity", (real) => ({
      consumeSecret: async (...args) => {
        const use = await real.consumeSecret(...args);
        if (use === null || use.usedBefore === null) return use;
        return { ...use, usedBefore: use.usedBefore - 60_000 };
      },
    })),
  },
  "mistyped-redemptions-burn-nothing, members-are-checked": {
    "turns what a token request has into text": changeBody("/v1/token", (body) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
    ),
  },
  "unknown-codes-are-invalid-grant, code-works-once": {
    "sends 401 to a code that it does not know": changeError(
      ({ error }) => error === "invalid_grant",
      (_error, _request, response) => errorLike(response, "invalid_grant", { status: 401 }),
    ),
  },
  "grant-types-are-checked": {
    "does not look at the grant type": changeBody("/v1/token", (body) =>
      "grantType" in body ? { ...body, grantType: "authorization_code" } : body,
    ),
  },
});
