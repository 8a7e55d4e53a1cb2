import { expectEach, expectHeader, expectSame, fail } from "../../expect.ts";
import type { HttpResponse } from "../../http.ts";
import { expectChallenge, expectCompleted, expectError } from "../expectations.ts";
import type { SyncCase } from "../server-under-test.ts";
import {
  AUTHORIZE,
  type Completion,
  createAttempt,
  createCompletion,
  createProof,
  postAuthorize,
  postBegin,
  postCompletion,
  requestChallenge,
} from "../sign-in.ts";

/** The answer comes from a person, within minutes. */
const LIFETIME_SECONDS = 300;

export const SIGN_IN_CASES: readonly SyncCase[] = [
  {
    id: "begin-answers-a-challenge",
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
        fail(response.asked, "unpadded Base64URL of at least 16 bytes", text);
      });
      if (iterations < 100_000 || iterations > 10_000_000) {
        fail(response.asked, "iterations that browsers accept", String(iterations));
      }
      // A minute of difference between the two clocks is no fault.
      const lifetime = (Date.parse(expiresAt) - before) / 1000;
      if (lifetime > 0 && lifetime <= LIFETIME_SECONDS + 60) return;
      fail(response.asked, `an expiry within ${LIFETIME_SECONDS} s`, expiresAt);
    },
  },
  {
    id: "challenges-are-new-every-time",
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
  {
    id: "actions-need-the-csrf-header",
    title: "begin and complete need the CSRF header with the value of csrf, which is the state",
    section: "sync contract, POST /v1/authorize; Authentication 4: matching state",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const { state } = attempt;
      const other = "another-state-0123456789";
      const body = { action: "begin", csrf: state, attempt };
      const header = server.csrfHeader;
      const done = await createCompletion(server, await requestChallenge(server));
      const requests: (() => Promise<HttpResponse>)[] = [
        () => server.post(AUTHORIZE, body),
        () => server.post(AUTHORIZE, body, { [header]: "" }),
        () => server.post(AUTHORIZE, body, { [header]: other }),
        () => server.post(AUTHORIZE, body, { [header]: state.slice(0, -1) }),
        () => server.post(AUTHORIZE, { ...body, csrf: other }, { [header]: state }),
        () => server.post(AUTHORIZE, { ...body, csrf: other }, { [header]: other }),
        () => server.post(AUTHORIZE, { ...body, csrf: "" }, { [header]: "" }),
        () => server.post(AUTHORIZE, body, { "X-CSRF": state }),
        () => server.post(AUTHORIZE, done),
        () => server.post(AUTHORIZE, done, { [header]: other }),
      ];
      await expectEach(requests, async (ask) => expectError(await ask(), "csrf_failed"));
      expectCompleted(await postCompletion(server, done));
    },
  },
  {
    id: "complete-needs-the-state-of-its-challenge",
    title: "complete with another state than the one that began answers no code",
    section: "sync contract, Authentication 4: matching state",
    run: (server) =>
      server.withFailedSignIns(async () => {
        const done = await createCompletion(server, await requestChallenge(server));
        const csrf = "another-state-0123456789";
        const response = await postCompletion(server, { ...done, csrf });
        expectError(response, "csrf_failed", "authentication_failed");
      }),
  },
  {
    id: "cross-site-requests-are-refused",
    title: "A POST /v1/authorize with cross-site Fetch Metadata is csrf_failed",
    section: "sync contract, POST /v1/authorize; Authentication 4: cross-site Fetch Metadata",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const { state } = attempt;
      const body = { action: "begin", csrf: state, attempt };
      const crossSite = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
      expectError(await postAuthorize(server, body, state, crossSite), "csrf_failed");
      const done = await createCompletion(server, await requestChallenge(server));
      expectError(await postAuthorize(server, done, done.csrf, crossSite), "csrf_failed");
      const sameOrigin = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" };
      expectChallenge(await postAuthorize(server, body, state, sameOrigin));
      expectCompleted(await postAuthorize(server, done, done.csrf, sameOrigin));
    },
  },
  {
    id: "attempts-are-checked",
    title: "Whatever is wrong with a member of attempt is invalid_authorization_request",
    section: "sync contract, Authorization attempt; Trellis decision, sync service: grammars",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const { redirectUri } = server;
      const changes: Record<string, unknown[]> = {
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
      };
      const attempts = Object.entries(changes).flatMap(([name, values]) =>
        values.map((value) => ({ ...attempt, [name]: value })),
      );
      await expectEach([...attempts, null, [], "attempt", {}], async (wrong) => {
        const body = { action: "begin", csrf: attempt.state, attempt: wrong };
        expectError(
          await postAuthorize(server, body, attempt.state),
          "invalid_authorization_request",
        );
      });
      await expectEach(
        ["s".repeat(15), "s".repeat(513), "sixteen or more with spaces"],
        async (state) => {
          const body = { action: "begin", csrf: state, attempt: { ...attempt, state } };
          expectError(await postAuthorize(server, body, state), "invalid_authorization_request");
        },
      );
    },
  },
  {
    id: "unknown-users-look-like-known-ones",
    title:
      "A name that does not exist gets a challenge of the same shape, and a stable salt of its own",
    section: "sync contract, Authentication 6; Trellis decision, sync service: unknown users",
    async run(server) {
      const known = (await requestChallenge(server)).challenge;
      const saltOf = async (username: string) => {
        const response = await postBegin(
          server,
          (await createAttempt(server, { username })).attempt,
        );
        const posed = expectChallenge(response);
        expectSame(response, "iterations", posed.iterations, known.iterations);
        expectSame(response, "length of salt", posed.salt.length, known.salt.length);
        expectSame(
          response,
          "length of challengeId",
          posed.challengeId.length,
          known.challengeId.length,
        );
        expectSame(
          response,
          "length of serverNonce",
          posed.serverNonce.length,
          known.serverNonce.length,
        );
        return posed.salt;
      };
      const nobody = server.newId("nobody");
      const asked = "POST /v1/authorize begin, for names that do not exist";
      const salt = await saltOf(nobody);
      expectSame(asked, "salt at every asking", await saltOf(nobody), salt);
      if ((await saltOf(server.newId("nobody"))) === salt)
        fail(asked, "a salt for each name", "one");
      if (salt === known.salt) fail(asked, "another salt than the account's", "the same");
    },
  },
  {
    id: "unknown-users-fail-like-known-ones",
    title: "A name that does not exist and a wrong password give the same status, code and message",
    section: "sync contract, Authentication 6; Errors 3",
    run: (server) =>
      server.withFailedSignIns(async () => {
        const signInWrongly = async (username: string) => {
          const challenged = await requestChallenge(server, { username });
          const completion = await createCompletion(server, challenged, "a wrong password");
          return postCompletion(server, completion);
        };
        const known = await signInWrongly(server.input.username);
        const { message } = expectError(known, "authentication_failed");
        const unknown = await signInWrongly(server.newId("nobody"));
        const error = expectError(unknown, "authentication_failed");
        expectSame(unknown, "message", error.message, message);
        const names = ["WWW-Authenticate", "Content-Length", "Retry-After"];
        for (const name of names) expectHeader(unknown, name, known.header(name));
      }),
  },
  {
    id: "usernames-are-compared-after-nfc",
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
  {
    id: "right-proof-answers-a-code",
    title:
      "complete with the right proof answers exactly code, the unchanged state, the redirect URI and a signature",
    section: "sync contract, POST /v1/authorize; Trellis decision, sync service: complete",
    async run(server) {
      const challenged = await requestChallenge(server, {
        state: "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~",
      });
      const response = await postCompletion(server, await createCompletion(server, challenged));
      const { code, state, redirectUri } = expectCompleted(response);
      expectSame(response, "state", state, challenged.attempt.state);
      expectSame(response, "redirectUri", redirectUri, challenged.attempt.redirectUri);
      if (/^[A-Za-z0-9_-]{43,}$/.test(code)) return;
      fail(response.asked, "a code of at least 32 bytes in Base64URL", `${code.length} characters`);
    },
  },
  {
    id: "server-signature-proves-the-server",
    title:
      "The server's signature is the one that only a server with the account's verifier can make",
    section: "Trellis decision, sync service: serverSignature",
    async run(server) {
      const challenged = await requestChallenge(server);
      const { clientNonce, proof, expectedServerSignature } = await createProof(server, challenged);
      const { challengeId } = challenged.challenge;
      const csrf = challenged.attempt.state;
      const body: Completion = { action: "complete", csrf, challengeId, clientNonce, proof };
      const response = await postCompletion(server, body);
      const { serverSignature } = expectCompleted(response);
      expectSame(response, "serverSignature", serverSignature, expectedServerSignature);
    },
  },
  {
    id: "challenges-work-once",
    title: "A challenge that was answered rightly cannot be answered again",
    section: "Trellis decision, sync service: challenges",
    run: (server) =>
      server.withFailedSignIns(async () => {
        const body = await createCompletion(server, await requestChallenge(server));
        expectCompleted(await postCompletion(server, body));
        expectError(await postCompletion(server, body), "authentication_failed");
      }),
  },
  {
    id: "wrong-proofs-consume-the-challenge",
    title: "A challenge that was answered wrongly cannot be answered again, not even rightly",
    section: "Trellis decision, sync service: challenges",
    run: (server) =>
      server.withFailedSignIns(async () => {
        const challenged = await requestChallenge(server);
        const wrong = await createCompletion(server, challenged, "a wrong password");
        expectError(await postCompletion(server, wrong), "authentication_failed");
        const right = await createCompletion(server, challenged);
        expectError(await postCompletion(server, right), "authentication_failed");
      }),
  },
  {
    id: "malformed-proofs-consume-the-challenge",
    title: "A proof that is a string but none at all uses the challenge up too",
    section: "Trellis decision, sync service: wrong in any way",
    run: (server) =>
      server.withFailedSignIns(async () => {
        const right = await createCompletion(server, await requestChallenge(server));
        expectError(
          await postCompletion(server, { ...right, proof: "!" }),
          "authentication_failed",
        );
        expectError(await postCompletion(server, right), "authentication_failed");
      }),
  },
  {
    id: "wrong-proofs-are-all-alike",
    title:
      "Wrong, malformed, too short or too long: every failed proof has the same status, code and message",
    section:
      "sync contract, Authentication 6: deliberately generic; Trellis decision, sync service: wrong in any way",
    async run(server) {
      const messages = new Set<string>();
      const completeWrongly = async (change: (right: Completion) => Partial<Completion>) => {
        const right = await createCompletion(server, await requestChallenge(server));
        const response = await postCompletion(server, { ...right, ...change(right) });
        messages.add(expectError(response, "authentication_failed").message);
      };
      const changes: ((right: Completion) => Partial<Completion>)[] = [
        () => ({ proof: "" }),
        () => ({ proof: "A".repeat(43) }),
        ({ proof }) => ({ proof: proof.slice(0, -2) }),
        ({ proof }) => ({ proof: `${proof}AA` }),
        () => ({ clientNonce: "" }),
        () => ({ clientNonce: "another-nonce-0123456789" }),
        () => ({ challengeId: "" }),
        () => ({ challengeId: "A".repeat(43) }),
      ];
      // Half at a time: four failures in a row is what the throttle lets pass.
      for (const half of [changes.slice(0, 4), changes.slice(4)]) {
        await server.withFailedSignIns(() => expectEach(half, completeWrongly));
      }
      expectSame("POST /v1/authorize complete, wrongly", "number of messages", messages.size, 1);
    },
  },
  {
    id: "proofs-are-bound-to-their-attempt",
    title: "A proof made for another device, redirect, challenge or attempt is none for this one",
    section:
      "sync contract, Authentication 1: bound to the challenge; Trellis decision, sync service: AuthMessage",
    run: (server) =>
      server.withFailedSignIns(async () => {
        const changes = [
          { deviceId: "another-device" },
          { redirectUri: "https://elsewhere.example/callback" },
          { codeChallenge: "a".repeat(43) },
          { attemptId: "another-attempt" },
        ];
        await expectEach(changes, async (change) => {
          const challenged = await requestChallenge(server);
          const attempt = { ...challenged.attempt, ...change };
          const body = await createCompletion(server, { ...challenged, attempt });
          expectError(await postCompletion(server, body), "authentication_failed");
        });
      }),
  },
  {
    id: "mistyped-completions-consume-nothing",
    title:
      "A complete with missing, unknown or mistyped members is invalid_request and leaves the challenge",
    section: "Trellis decision, sync service: wrong types",
    async run(server) {
      const right = await createCompletion(server, await requestChallenge(server));
      const { proof: _proof, ...withoutProof } = right;
      const wrong = [
        withoutProof,
        { ...right, proof: 1 },
        { ...right, challengeId: null },
        { ...right, extra: 1 },
        { ...right, action: "finish" },
      ];
      await expectEach(wrong, async (body) =>
        expectError(await postAuthorize(server, body, right.csrf), "invalid_request"),
      );
      expectCompleted(await postCompletion(server, right));
    },
  },
];
