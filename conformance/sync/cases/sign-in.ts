import type { AuthorizeComplete } from "../../../src/contract/sync/schemas.ts";
import { expectEach, expectHeader, expectSame, fail, withEachWrong } from "../../expect.ts";
import type { SentHeaders } from "../../http.ts";
import { expectChallenge, expectCompleted, expectError, expectErrors } from "../expectations.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";
import {
  AUTHORIZE,
  createAttempt,
  createAttemptProof,
  createCompletion,
  postAuthorize,
  postBegin,
  postCompletion,
  proveNewChallenge,
  requestChallenge,
  toCompletion,
} from "../sign-in.ts";

const CHALLENGE_LIFETIME_SECONDS = 300;

export const SIGN_IN_CASES = syncCases({
  "begin-answers-a-challenge": {
    title: "begin answers exactly a challenge: id, salt of 16 bytes, iterations, nonce and expiry",
    section: "sync contract, POST /v1/authorize; Trellis decision, sync service: password proof",
    async run(server) {
      const before = Date.now();
      const { attempt } = await createAttempt(server);
      const response = await postBegin(server, attempt);
      const { challengeId, salt, iterations, serverNonce, expiresAt } = expectChallenge(response);
      expectSame(response, "bytes of salt", Buffer.from(salt, "base64url").length, 16);
      await expectEach([challengeId, salt, serverNonce], (text) => {
        if (/^[A-Za-z0-9_-]{22,}$/.test(text)) return;
        fail(response, "unpadded Base64URL of at least 16 bytes", text);
      });
      if (iterations < 100_000 || iterations > 10_000_000) {
        fail(response, "iterations that browsers accept", String(iterations));
      }
      // The clocks may differ by a minute.
      const lifetime = (Date.parse(expiresAt) - before) / 1000;
      if (lifetime > 0 && lifetime <= CHALLENGE_LIFETIME_SECONDS + 60) return;
      fail(response, `an expiry within ${CHALLENGE_LIFETIME_SECONDS} s`, expiresAt);
    },
  },
  "challenges-are-new-every-time": {
    title: "Every begin has a challenge and a nonce of its own, and the salt of the account stays",
    section: "Trellis decision, sync service: password proof",
    async run(server) {
      const first = (await requestChallenge(server)).challenge;
      const second = (await requestChallenge(server)).challenge;
      const asked = "POST /v1/authorize begin, twice";
      if (first.challengeId === second.challengeId) fail(asked, "two challenge ids", "one");
      if (first.serverNonce === second.serverNonce) fail(asked, "two nonces", "one");
      expectSame(asked, "salt", second.salt, first.salt);
    },
  },
  "actions-need-the-csrf-header": {
    title: "begin and complete need the CSRF header with the value of csrf, which is the state",
    section: "sync contract, POST /v1/authorize; Authentication 4: matching state",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const { state } = attempt;
      const other = "another-state-0123456789";
      const body = { action: "begin", csrf: state, attempt };
      const header = server.csrfHeader;
      const done = await proveNewChallenge(server);
      const requests: [body: unknown, headers?: SentHeaders][] = [
        [body],
        [body, { [header]: "" }],
        [body, { [header]: other }],
        [body, { [header]: state.slice(0, -1) }],
        [{ ...body, csrf: other }, { [header]: state }],
        [{ ...body, csrf: other }, { [header]: other }],
        [{ ...body, csrf: "" }, { [header]: "" }],
        [body, { "X-CSRF": state }],
        [done],
        [done, { [header]: other }],
      ];
      await expectErrors("csrf_failed", requests, (request) => server.post(AUTHORIZE, ...request));
      expectCompleted(await postCompletion(server, done));
    },
  },
  "complete-needs-the-state-of-its-challenge": {
    title: "complete with another state than the one that began answers no code",
    section: "sync contract, Authentication 4: matching state",
    run: (server) =>
      server.withFailedSignIns(async (browser) => {
        const done = await proveNewChallenge(browser);
        const csrf = "another-state-0123456789";
        const response = await postCompletion(browser, { ...done, csrf });
        expectError(response, response.status === 403 ? "csrf_failed" : "authentication_failed");
      }),
  },
  "cross-site-requests-are-refused": {
    title: "A POST /v1/authorize with cross-site Fetch Metadata is csrf_failed",
    section: "sync contract, POST /v1/authorize; Authentication 4: cross-site Fetch Metadata",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const { state } = attempt;
      const body = { action: "begin", csrf: state, attempt };
      const crossSite = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
      expectError(await postAuthorize(server, body, state, crossSite), "csrf_failed");
      const done = await proveNewChallenge(server);
      expectError(await postAuthorize(server, done, done.csrf, crossSite), "csrf_failed");
      const sameOrigin = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" };
      expectChallenge(await postAuthorize(server, body, state, sameOrigin));
      expectCompleted(await postAuthorize(server, done, done.csrf, sameOrigin));
    },
  },
  "attempts-are-checked": {
    title: "Whatever is wrong with a member of attempt is invalid_authorization_request",
    section: "sync contract, Authorization attempt; Trellis decision, sync service: grammars",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const { redirectUri } = server;
      const attempts = withEachWrong(attempt, {
        username: [undefined, null, 1, "", "u".repeat(129), "with\u0000control", "with\ncontrol"],
        codeChallenge: [undefined, 1, "", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`],
        redirectUri: [
          undefined,
          1,
          "",
          `${redirectUri}/`,
          "https://elsewhere.example/",
          [redirectUri],
        ],
        attemptId: [undefined, 1, "", "a/b", "a".repeat(129)],
        deviceId: [undefined, 1, "", "d e", "d".repeat(129)],
        extra: [1],
      });
      const expectInvalid = async (wrong: unknown, state = attempt.state) => {
        const body = { action: "begin", csrf: state, attempt: wrong };
        const response = await postAuthorize(server, body, state);
        expectError(response, "invalid_authorization_request");
      };
      await expectEach([...attempts, null, [], "attempt", {}], (wrong) => expectInvalid(wrong));
      const states = ["s".repeat(15), "s".repeat(513), "sixteen or more with spaces"];
      await expectEach(states, (state) => expectInvalid({ ...attempt, state }, state));
    },
  },
  "unknown-users-look-like-known-ones": {
    title:
      "A name that does not exist gets a challenge of the same shape, and a stable salt of its own",
    section: "sync contract, Authentication 6; Trellis decision, sync service: unknown users",
    async run(server) {
      const known = (await requestChallenge(server)).challenge;
      const saltOf = async (username: string) => {
        const { attempt } = await createAttempt(server, { username });
        const response = await postBegin(server, attempt);
        const challenge = expectChallenge(response);
        expectSame(response, "iterations", challenge.iterations, known.iterations);
        for (const name of ["salt", "challengeId", "serverNonce"] as const) {
          expectSame(response, `length of ${name}`, challenge[name].length, known[name].length);
        }
        return challenge.salt;
      };
      const nobody = server.newId("nobody");
      const asked = "POST /v1/authorize begin, for names that do not exist";
      const salt = await saltOf(nobody);
      expectSame(asked, "salt at every asking", await saltOf(nobody), salt);
      const otherSalt = await saltOf(server.newId("nobody"));
      if (otherSalt === salt) fail(asked, "a salt for each name", "one");
      if (salt === known.salt) fail(asked, "another salt than the account's", "the same");
    },
  },
  "unknown-users-fail-like-known-ones": {
    title: "A name that does not exist and a wrong password give the same status, code and message",
    section: "sync contract, Authentication 6; Errors 3",
    run: (server) =>
      server.withFailedSignIns(async (browser) => {
        const signInWrongly = async (username: string) => {
          const challenged = await requestChallenge(browser, { username });
          const completion = await createCompletion(browser, challenged, "a wrong password");
          return postCompletion(browser, completion);
        };
        const known = await signInWrongly(browser.input.username);
        const { message } = expectError(known, "authentication_failed");
        const unknown = await signInWrongly(browser.newId("nobody"));
        const error = expectError(unknown, "authentication_failed");
        expectSame(unknown, "message", error.message, message);
        const names = ["WWW-Authenticate", "Content-Length", "Retry-After"];
        for (const name of names) expectHeader(unknown, name, known.header(name));
      }),
  },
  "usernames-are-compared-after-nfc": {
    title: "Two spellings of one name are one user, and letters of another case another one",
    section: "Trellis decision, sync service: username",
    async run(server) {
      const name = server.newId("nobody");
      const saltOf = async (username: string) =>
        (await requestChallenge(server, { username })).challenge.salt;
      const asked = "POST /v1/authorize begin";
      const composed = await saltOf(`${name}-\u00e9`);
      expectSame(asked, "salt of the decomposed name", await saltOf(`${name}-e\u0301`), composed);
      if ((await saltOf(`${name}-\u00c9`)) === composed) fail(asked, "another salt", "the same");
    },
  },
  "right-proof-answers-a-code": {
    title:
      "complete with the right proof answers exactly code, the unchanged state, the redirect URI and a signature",
    section: "sync contract, POST /v1/authorize; Trellis decision, sync service: complete",
    async run(server) {
      const allCharacters = "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~";
      const challenged = await requestChallenge(server, { state: allCharacters });
      const response = await postCompletion(server, await createCompletion(server, challenged));
      const { code, state, redirectUri } = expectCompleted(response);
      expectSame(response, "state", state, allCharacters);
      expectSame(response, "redirectUri", redirectUri, challenged.attempt.redirectUri);
      if (/^[A-Za-z0-9_-]{43,}$/.test(code)) return;
      fail(response, "a code of at least 32 bytes in Base64URL", `${code.length} characters`);
    },
  },
  "server-signature-proves-the-server": {
    title:
      "The server's signature is the one that only a server with the account's verifier can make",
    section: "Trellis decision, sync service: serverSignature",
    async run(server) {
      const challenged = await requestChallenge(server);
      const proof = await createAttemptProof(server, challenged);
      const response = await postCompletion(server, toCompletion(challenged, proof));
      const { serverSignature } = expectCompleted(response);
      expectSame(response, "serverSignature", serverSignature, proof.expectedServerSignature);
    },
  },
  "challenges-work-once": {
    title: "A challenge that was answered rightly cannot be answered again",
    section: "Trellis decision, sync service: challenges",
    run: (server) =>
      server.withFailedSignIns(async (browser) => {
        const body = await proveNewChallenge(browser);
        expectCompleted(await postCompletion(browser, body));
        expectError(await postCompletion(browser, body), "authentication_failed");
      }),
  },
  "wrong-proofs-consume-the-challenge": {
    title: "A challenge that was answered wrongly cannot be answered again, not even rightly",
    section: "Trellis decision, sync service: challenges",
    run: (server) =>
      server.withFailedSignIns(async (browser) => {
        const challenged = await requestChallenge(browser);
        const wrong = await createCompletion(browser, challenged, "a wrong password");
        expectError(await postCompletion(browser, wrong), "authentication_failed");
        const right = await createCompletion(browser, challenged);
        expectError(await postCompletion(browser, right), "authentication_failed");
      }),
  },
  "malformed-proofs-consume-the-challenge": {
    title: "A proof that is a string but none at all uses the challenge up too",
    section: "Trellis decision, sync service: wrong in any way",
    run: (server) =>
      server.withFailedSignIns(async (browser) => {
        const right = await proveNewChallenge(browser);
        const malformed = await postCompletion(browser, { ...right, proof: "!" });
        expectError(malformed, "authentication_failed");
        expectError(await postCompletion(browser, right), "authentication_failed");
      }),
  },
  "wrong-proofs-are-all-alike": {
    title:
      "Wrong, malformed, too short or too long: every failed proof has the same status, code and message",
    section:
      "sync contract, Authentication 6: deliberately generic; Trellis decision, sync service: wrong in any way",
    async run(server) {
      const messages = new Set<string>();
      const completeWrongly = async (
        browser: SyncServerUnderTest,
        change: (right: AuthorizeComplete) => Partial<AuthorizeComplete>,
      ) => {
        const right = await proveNewChallenge(browser);
        const response = await postCompletion(browser, { ...right, ...change(right) });
        messages.add(expectError(response, "authentication_failed").message);
      };
      const changes: ((right: AuthorizeComplete) => Partial<AuthorizeComplete>)[] = [
        () => ({ proof: "" }),
        () => ({ proof: "A".repeat(43) }),
        ({ proof }) => ({ proof: proof.slice(0, -2) }),
        ({ proof }) => ({ proof: `${proof}AA` }),
        () => ({ clientNonce: "" }),
        () => ({ clientNonce: "another-nonce-0123456789" }),
        () => ({ challengeId: "" }),
        () => ({ challengeId: "A".repeat(43) }),
      ];
      // The changes are sent half at a time, because the throttle allows four failures in a row.
      for (const half of [changes.slice(0, 4), changes.slice(4)]) {
        await server.withFailedSignIns((browser) =>
          expectEach(half, (change) => completeWrongly(browser, change)),
        );
      }
      expectSame("POST /v1/authorize complete, wrongly", "number of messages", messages.size, 1);
    },
  },
  "proofs-are-bound-to-their-attempt": {
    title: "A proof made for another device, redirect, challenge or attempt is none for this one",
    section:
      "sync contract, Authentication 1: bound to the challenge; Trellis decision, sync service: AuthMessage",
    run: (server) =>
      server.withFailedSignIns(async (browser) => {
        const changes = [
          { deviceId: "another-device" },
          { redirectUri: "https://elsewhere.example/callback" },
          { codeChallenge: "a".repeat(43) },
          { attemptId: "another-attempt" },
        ];
        await expectEach(changes, async (change) => {
          const challenged = await requestChallenge(browser);
          const attempt = { ...challenged.attempt, ...change };
          const body = await createCompletion(browser, { ...challenged, attempt });
          expectError(await postCompletion(browser, body), "authentication_failed");
        });
      }),
  },
  "mistyped-completions-consume-nothing": {
    title:
      "A complete with missing, unknown or mistyped members is invalid_request and leaves the challenge",
    section: "Trellis decision, sync service: wrong types",
    async run(server) {
      const right = await proveNewChallenge(server);
      const wrong = withEachWrong(
        { ...right },
        { proof: [undefined, 1], challengeId: [null], extra: [1], action: ["finish"] },
      );
      await expectErrors("invalid_request", wrong, (body) =>
        postAuthorize(server, body, right.csrf),
      );
      expectCompleted(await postCompletion(server, right));
    },
  },
});
