import { generateKeyPairSync } from "node:crypto";
import { KNOWN_BROWSER_HEADER } from "../../../src/contract/identity.ts";
import type { Deviations } from "../../authenticator.ts";
import { expectSame, fail, withEachWrong } from "../../expect.ts";
import type { SentHeaders } from "../../http.ts";
import { randomText } from "../../sign-in-keys.ts";
import { expectError, expectErrors, expectTokens } from "../expectations.ts";
import {
  beginBody,
  beginWithPasskey,
  completeBody,
  createPasskeyAttempt,
  expectPasskeyCompleted,
  expectPasskeyChallenge,
  hasPasskeys,
  PASSKEY,
  postPasskey,
  requirePasskey,
  requirePasskeys,
  signWithPasskey,
} from "../passkeys.ts";
import { syncCases } from "../server-under-test.ts";

const SECTION = "Trellis decision, sync service: passkeys";
/** Long enough for a person, and short for a challenge that lies about. */
const MAX_LIFETIME_SECONDS = 600;

const makePrivateKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** What no honest browser on the page of the server, or authenticator, sends. */
const DISHONEST: readonly Deviations[] = [
  { userVerified: false },
  { origin: "https://elsewhere.example" },
  { crossOrigin: true },
  { rpId: "elsewhere.example" },
  { type: "webauthn.create" },
  { userHandle: randomText(16) },
  { challenge: randomText(32) },
];

export const SYNC_PASSKEY_CASES = syncCases({
  "passkeys-are-announced": {
    title:
      "There is a sign-in with passkeys where the capabilities announce it, and nothing elsewhere",
    section: SECTION,
    async run(server) {
      const { attempt } = await createPasskeyAttempt(server);
      const response = await postPasskey(server, beginBody(attempt));
      if (await hasPasskeys(server)) expectPasskeyChallenge(response);
      else expectError(response, "not_found");
    },
  },
  "passkey-begin-answers-a-challenge": {
    title:
      "begin answers exactly a new challenge of 16 bytes or more, the relying party and the expiry",
    section: `${SECTION}; WebAuthn, 13.4.3`,
    async run(server) {
      await requirePasskeys(server);
      const before = Date.now();
      const { request } = await beginWithPasskey(server);
      const other = await beginWithPasskey(server);
      const asked = `POST ${PASSKEY} begin`;
      if (!/^[A-Za-z0-9_-]{22,}$/.test(request.challenge)) {
        fail(asked, "unpadded Base64URL of at least 16 bytes", request.challenge);
      }
      if (request.challenge === other.request.challenge) fail(asked, "two challenges", "one twice");
      const { hostname } = new URL(server.publicUrl);
      if (hostname !== request.rpId && !hostname.endsWith(`.${request.rpId}`)) {
        fail(asked, `the domain ${hostname} or one above it`, request.rpId);
      }
      // The clocks may differ by a minute.
      const lifetime = (Date.parse(request.expiresAt) - before) / 1000;
      if (lifetime > 0 && lifetime <= MAX_LIFETIME_SECONDS + 60) return;
      fail(asked, `an expiry within ${MAX_LIFETIME_SECONDS} s`, request.expiresAt);
    },
  },
  "passkey-actions-need-the-csrf-header": {
    title:
      "begin needs the CSRF header with the value of csrf, which is the state, and no other site",
    section: `${SECTION}; sync contract, Authentication 4`,
    async run(server) {
      await requirePasskeys(server);
      const { attempt } = await createPasskeyAttempt(server);
      const body = beginBody(attempt);
      const header = server.csrfHeader;
      const other = "another-state-0123456789";
      const right = { [header]: attempt.state };
      const requests: readonly [body: unknown, headers: SentHeaders][] = [
        [body, {}],
        [body, { [header]: other }],
        [{ ...body, csrf: other }, { [header]: other }],
        [body, { ...right, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" }],
      ];
      await expectErrors("csrf_failed", requests, (request) => server.post(PASSKEY, ...request));
      expectPasskeyChallenge(await server.post(PASSKEY, body, right));
    },
  },
  "passkey-attempts-are-checked": {
    title: "Whatever is wrong with a member of attempt is invalid_authorization_request",
    section: `${SECTION}; sync contract, Authorization attempt`,
    async run(server) {
      await requirePasskeys(server);
      const { attempt } = await createPasskeyAttempt(server);
      const attempts = withEachWrong(attempt, {
        codeChallenge: [undefined, 1, "a".repeat(42)],
        redirectUri: [undefined, "https://elsewhere.example/"],
        attemptId: [undefined, "a/b"],
        deviceId: [undefined, "d e"],
        extra: [1],
      });
      await expectErrors("invalid_authorization_request", [...attempts, null, {}], (wrong) =>
        postPasskey(server, { ...beginBody(attempt), attempt: wrong }),
      );
    },
  },
  "unknown-passkeys-are-refused": {
    title:
      "A passkey that the server does not know is authentication_failed, as a wrong password is",
    section: `${SECTION}; sync contract, Authentication 6`,
    async run(server) {
      await requirePasskeys(server);
      const { request, attempt } = await beginWithPasskey(server);
      const [id, userHandle] = [randomText(32), randomText(16)];
      const stranger = { id, userHandle, privateKey: makePrivateKey(), counter: 0 };
      const credential = signWithPasskey(server, request, stranger);
      const response = await postPasskey(server, completeBody(attempt, credential));
      expectError(response, "authentication_failed");
    },
  },
  "passkey-gives-a-code": {
    title:
      "A passkey of the account gives a code of the attempt, and the browser is known from then on",
    section: SECTION,
    async run(server) {
      const passkey = await requirePasskey(server);
      const { request, attempt, codeVerifier } = await beginWithPasskey(server);
      const credential = signWithPasskey(server, request, passkey);
      const response = await postPasskey(server, completeBody(attempt, credential));
      const { code, state, redirectUri } = expectPasskeyCompleted(response);
      expectSame(response, "state", state, attempt.state);
      expectSame(response, "redirectUri", redirectUri, attempt.redirectUri);
      if (response.header(KNOWN_BROWSER_HEADER) === undefined) {
        fail(response, `the header ${KNOWN_BROWSER_HEADER}`, "none");
      }
      const { attemptId, deviceId } = attempt;
      const grant = { grantType: "authorization_code", code, codeVerifier, redirectUri, attemptId };
      const redeemed = await server.post("/v1/token", grant);
      expectSame(redeemed, "deviceId", expectTokens(redeemed).deviceId, deviceId);
    },
  },
  "passkey-responses-are-verified": {
    title:
      "A response without user verification, of another page, site, ceremony, account or key is authentication_failed",
    section: `${SECTION}; WebAuthn, 7.2`,
    async run(server) {
      const passkey = await requirePasskey(server);
      const { request, attempt } = await beginWithPasskey(server);
      const forged = { ...passkey, privateKey: makePrivateKey() };
      const credentials = [
        ...DISHONEST.map((given) => signWithPasskey(server, request, passkey, given)),
        signWithPasskey(server, request, forged),
      ];
      await expectErrors("authentication_failed", credentials, (credential) =>
        postPasskey(server, completeBody(attempt, credential)),
      );
    },
  },
  "passkey-responses-are-bound-to-their-attempt": {
    title:
      "A response for another device, code challenge, attempt or state gives no code for this one",
    section: `${SECTION}; sync contract, Authentication 4: matching state`,
    async run(server) {
      const passkey = await requirePasskey(server);
      const { request, attempt } = await beginWithPasskey(server);
      const credential = signWithPasskey(server, request, passkey);
      const changes = [
        { deviceId: "another-device" },
        { codeChallenge: "a".repeat(43) },
        { attemptId: "another-attempt" },
        { state: "another-state-0123456789" },
      ];
      await expectErrors("authentication_failed", changes, (change) =>
        postPasskey(server, completeBody({ ...attempt, ...change }, credential)),
      );
    },
  },
  "passkey-responses-work-once": {
    title: "A response gives one code, also when it is sent twice at once",
    section: SECTION,
    async run(server) {
      const passkey = await requirePasskey(server);
      const { request, attempt } = await beginWithPasskey(server);
      const body = completeBody(attempt, signWithPasskey(server, request, passkey));
      const both = await Promise.all([postPasskey(server, body), postPasskey(server, body)]);
      const statuses = both.map(({ status }) => status).toSorted();
      expectSame(`POST ${PASSKEY} complete, twice at once`, "statuses", statuses, [200, 401]);
      expectError(await postPasskey(server, body), "authentication_failed");
    },
  },
});
