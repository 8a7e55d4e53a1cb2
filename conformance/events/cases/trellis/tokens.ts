import {
  MAX_PAGE_BODY_BYTES,
  MAX_TOKEN_BODY_BYTES,
} from "../../../../src/contract/events/values.ts";
import {
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectSame,
  expectStatus,
  fail,
} from "../../../expect.ts";
import type { RequestFields, SentHeaders } from "../../../http.ts";
import { randomText } from "../../../sign-in-keys.ts";
import {
  expectAnyToken,
  expectError,
  expectErrors,
  expectFailure,
  expectObject,
  expectTokenResponse,
} from "../../expectations.ts";
import {
  createTokenRequest,
  EVENTS,
  FORM,
  HEALTH,
  listWithToken,
  METADATA,
  REVOKE,
  TOKEN,
} from "../../requests.ts";
import { eventsCases } from "../../server-under-test.ts";

/** Within two seconds a second use counts as a retry of the same client, and revokes nothing. */
const AFTER_RETRIES_MS = 2_500;

export const TOKEN_CASES = eventsCases({
  "token-answer-has-its-members": {
    title: "The token response has exactly its four members",
    section: "Trellis decision, events service: token, success",
    async run(server) {
      expectTokenResponse(await server.tokenResponse());
    },
  },
  "token-answers-are-never-stored": {
    title: "Every answer of the token and the revocation route is no-store, for old caches too",
    section: "Trellis decision, events service: token, every answer (RFC 6749 5.1)",
    async run(server) {
      const client_id = server.clientId();
      const responses = [
        await server.tokenResponse(),
        await server.requestToken({}),
        await server.postForm(REVOKE, {}),
        await server.postForm(REVOKE, { token: "none", client_id }),
      ];
      await expectEach(responses, (response) => {
        expectHeader(response, "Cache-Control", "no-store");
        expectHeader(response, "Pragma", "no-cache");
      });
    },
  },
  "token-bodies-must-be-forms": {
    title: "The token route takes url-encoded forms alone; a charset is fine",
    section: "Trellis decision, events service: token, content type",
    async run({ api }) {
      const wrong: SentHeaders[] = [
        {},
        { "Content-Type": "application/json" },
        { "Content-Type": "multipart/form-data; boundary=x" },
        { "Content-Type": "text/plain" },
        { ...FORM, "Content-Encoding": "gzip" },
      ];
      const body = "grant_type=password&client_id=x";
      await expectErrors("invalid_request", wrong, (headers) =>
        api.send("POST", TOKEN, headers, body),
      );
      const named = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
      const response = await api.send("POST", TOKEN, named, body);
      expectError(response, "unsupported_grant_type");
    },
  },
  "token-bodies-are-utf-8": {
    title: "A form in another charset, or with a byte order mark, is 400 invalid_request",
    section: "Trellis decision, events service: what is refused (RFC 6749 5.2)",
    run: ({ api }) =>
      expectEach([TOKEN, REVOKE], async (path) => {
        const body = "grant_type=password&token=x&client_id=x";
        const type = "application/x-www-form-urlencoded; charset=iso-8859-1";
        expectError(
          await api.send("POST", path, { "Content-Type": type }, body),
          "invalid_request",
        );
        const marked = await api.send("POST", path, FORM, `\ufeffx=1&${body}`);
        expectError(marked, "invalid_request");
      }),
  },
  "unexpected-bodies-are-refused": {
    title: "A body where the route takes none is 400, over the limit 413",
    section: "Trellis decision, events service: what is refused",
    async run(server) {
      const { api } = server;
      const bearer = { Authorization: `Bearer ${await server.token()}` };
      await expectEach([HEALTH, METADATA, `${EVENTS}?limit=1`], async (path) => {
        expectError(await api.send("GET", path, bearer, "x"), "invalid_request");
        const large = "x".repeat(MAX_PAGE_BODY_BYTES + 1);
        expectError(await api.send("GET", path, bearer, large), "invalid_request", 413);
      });
    },
  },
  "token-bodies-over-the-limit-are-413": {
    title: "A form of 16 KiB is read, a longer one is 413",
    section: "Trellis decision, events service: token, body over 16 KiB",
    async run({ api }) {
      const start = "grant_type=password&x=";
      const ofLength = (length: number) => start + "y".repeat(length - start.length);
      const fits = await api.send("POST", TOKEN, FORM, ofLength(MAX_TOKEN_BODY_BYTES));
      expectError(fits, "unsupported_grant_type");
      const tooLong = await api.send("POST", TOKEN, FORM, ofLength(MAX_TOKEN_BODY_BYTES + 1));
      expectError(tooLong, "invalid_request", 413);
    },
  },
  "repeated-form-parameters-are-invalid": {
    title: "Any parameter twice in a form is invalid_request, even when the values agree",
    section: "Trellis decision, events service: token, repeated parameters",
    async run(server) {
      const forms = ["grant_type=password&grant_type=password", "grant_type=password&x=1&x=1"];
      await expectErrors("invalid_request", forms, (form) => server.postForm(TOKEN, form));
      expectError(await server.postForm(REVOKE, "token=x&token=x&client_id=y"), "invalid_request");
    },
  },
  "unreadable-forms-are-invalid": {
    title: "A form with a broken escape, or that is not UTF-8, is invalid_request",
    section: "Trellis decision, events service: token, a broken escape",
    run: (server) =>
      expectErrors("invalid_request", ["grant_type=%zz", "grant_type=password&x=%ff"], (form) =>
        server.postForm(TOKEN, form),
      ),
  },
  "form-parameters-are-not-taken-from-the-query": {
    title: "Parameters in the address of the token route are invalid_request",
    section: "Trellis decision, events service: token, parameters in the query",
    async run(server) {
      const fields = { grant_type: "password" };
      const path = `${TOKEN}?client_id=${encodeURIComponent(server.clientId())}`;
      expectError(await server.postForm(path, fields), "invalid_request");
      expectError(await server.postForm(`${TOKEN}?x=1`, fields), "invalid_request");
    },
  },
  "token-members-are-needed": {
    title: "A member that is missing or empty is invalid_request",
    section: "Trellis decision, events service: token, missing members",
    async run(server) {
      const fields = createTokenRequest(server);
      const names = ["grant_type", "client_id", "code", "redirect_uri", "code_verifier"];
      await expectEach(names, async (name) => {
        const missing = await server.requestToken({ ...fields, [name]: undefined });
        expectError(missing, "invalid_request");
        expectError(await server.requestToken({ ...fields, [name]: "" }), "invalid_request");
      });
    },
  },
  "other-grant-types-are-unsupported": {
    title: "Another grant type is unsupported_grant_type",
    section: "Trellis decision, events service: token, grant_type",
    run: (server) =>
      expectErrors(
        "unsupported_grant_type",
        ["refresh_token", "client_credentials", "password"],
        (grant_type) => server.requestToken({ grant_type }),
      ),
  },
  "unknown-clients-are-invalid-client": {
    title: "A client that nobody knows is 401 invalid_client at the token and the revocation route",
    section: "Trellis decision, events service: token, unknown client_id",
    async run(server) {
      const client_id = `nobody-${randomText(12)}`;
      const rest = { code: "x", redirect_uri: "x", code_verifier: "x" };
      const fields = { grant_type: "authorization_code", client_id, ...rest };
      expectError(await server.requestToken(fields), "invalid_client");
      expectError(await server.postForm(REVOKE, { token: "x", client_id }), "invalid_client");
    },
  },
  "basic-is-refused": {
    title: "HTTP Basic is 401 invalid_client, and the answer names the scheme",
    section: "Trellis decision, events service: token, HTTP Basic (RFC 6749 5.2)",
    async run(server) {
      const Authorization = `Basic ${Buffer.from(`${server.clientId()}:`).toString("base64")}`;
      await expectEach([TOKEN, REVOKE], async (path) => {
        const response = await server.postForm(path, {}, { Authorization });
        expectError(response, "invalid_client");
        expectHeaderMatch(response, "WWW-Authenticate", /^Basic realm="/, "Basic and a realm");
      });
    },
  },
  "client-secrets-are-ignored": {
    title: "A client_secret changes nothing, because some libraries always send one",
    section: "Trellis decision, events service: token, client_secret",
    async run(server) {
      const tokenRequest = await server.newTokenRequest();
      expectStatus(await server.requestToken({ ...tokenRequest, client_secret: "none" }), 200);
    },
  },
  "unusable-codes-are-all-alike": {
    title: "Whatever is wrong with a code, the answer is the same invalid_grant",
    section: "Trellis decision, events service: token, one text for all",
    async run(server) {
      const [first, second] = [await server.newTokenRequest(), await server.newTokenRequest()];
      const wrong: RequestFields[] = [
        { ...first, code: randomText(43) },
        { ...first, code: "x" },
        { ...first, code_verifier: randomText(64) },
        first,
        { ...second, redirect_uri: `${server.redirectUri}x` },
      ];
      const texts = new Set<string>();
      await expectEach(wrong, async (fields) => {
        const error = expectError(await server.requestToken(fields), "invalid_grant");
        texts.add(error.error_description);
      });
      if (texts.size > 1) fail(TOKEN, "one error_description for all", [...texts].join(", "));
    },
  },
  "wrong-redemptions-burn-the-code": {
    title: "A wrong verifier, a malformed one or a wrong redirect URI burns the code",
    section: "Trellis decision, events service: token, the code is burned",
    async run(server) {
      const changes: RequestFields[] = [
        { code_verifier: randomText(64) },
        { code_verifier: "short" },
        { redirect_uri: `${server.redirectUri}x` },
      ];
      await expectEach(changes, async (change) => {
        const tokenRequest = await server.newTokenRequest();
        expectError(await server.requestToken({ ...tokenRequest, ...change }), "invalid_grant");
        expectError(await server.requestToken(tokenRequest), "invalid_grant");
      });
    },
  },
  "mistyped-redemptions-burn-nothing": {
    title: "A request that is refused before the code is looked at leaves the code as it was",
    section: "Trellis decision, events service: token, what burns a code",
    async run(server) {
      const tokenRequest = await server.newTokenRequest();
      const changes: RequestFields[] = [
        { grant_type: "password" },
        { code_verifier: undefined },
        { client_id: `nobody-${randomText(12)}` },
      ];
      await expectEach(changes, async (change) =>
        expectFailure(await server.requestToken({ ...tokenRequest, ...change })),
      );
      expectStatus(await server.requestToken(tokenRequest), 200);
    },
  },
  "parallel-redemption-has-one-winner": {
    title: "Of 20 redemptions of one code at the same time exactly one gets a token, and keeps it",
    section: "Trellis decision, events service: token, parallel redemptions",
    async run(server) {
      const tokenRequest = await server.newTokenRequest();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => server.requestToken(tokenRequest)),
      );
      const winners = responses.filter(({ status }) => status === 200);
      expectSame(TOKEN, "tokens", winners.length, 1);
      await expectEach(responses, (response) => {
        if (response.status !== 200) expectError(response, "invalid_grant");
      });
      const [winner] = winners;
      if (winner === undefined) return;
      expectStatus(await listWithToken(server, expectAnyToken(winner)), 200);
    },
  },
  "later-use-of-a-code-revokes-its-token": {
    title: "A code that is used again later ends the token that was made from it",
    section: "Trellis decision, events service: token, code used before (RFC 6749 4.1.2)",
    async run(server) {
      const tokenRequest = await server.newTokenRequest();
      const token = expectAnyToken(await server.requestToken(tokenRequest));
      expectStatus(await listWithToken(server, token), 200);
      await new Promise((resolve) => setTimeout(resolve, AFTER_RETRIES_MS));
      expectError(await server.requestToken(tokenRequest), "invalid_grant");
      expectError(await listWithToken(server, token), "invalid_token");
    },
  },
  "token-checks-in-order": {
    title:
      "Of several faults of a token request the first in the order of the checks is the answer",
    section: "Trellis decision, events service: token, the order of the checks",
    async run(server) {
      const Authorization = "Basic eDp5";
      const nobody = { client_id: `nobody-${randomText(12)}` };
      const twice = await server.postForm(TOKEN, "x=1&x=1&grant_type=x", { Authorization });
      expectError(twice, "invalid_request");
      const basic = await server.postForm(TOKEN, { grant_type: "x", ...nobody }, { Authorization });
      expectError(basic, "invalid_client");
      expectError(await server.requestToken(nobody), "invalid_request");
      const unsupported = await server.requestToken({ grant_type: "x", ...nobody });
      expectError(unsupported, "unsupported_grant_type");
      const members = { grant_type: "authorization_code", code: "x", redirect_uri: "x" };
      expectError(await server.requestToken({ ...members, ...nobody }), "invalid_request");
      const whole = { ...members, ...nobody, code_verifier: "x" };
      expectError(await server.requestToken(whole), "invalid_client");
    },
  },
  "revocation-ends-the-token": {
    title: "A token that is given back opens nothing any more, at once",
    section: "Trellis decision, events service: revocation (RFC 7009)",
    async run(server) {
      const token = expectAnyToken(await server.requestToken(await server.newTokenRequest()));
      const client_id = server.clientId();
      expectStatus(await listWithToken(server, token), 200);
      const response = await server.postForm(REVOKE, { token, client_id, token_type_hint: "x" });
      // RFC 7009 2.2 needs no body, but clients that parse every response as JSON fail without one.
      expectSame(response, "body", expectObject(response), {});
      expectError(await listWithToken(server, token), "invalid_token");
    },
  },
  "revocation-of-unknown-tokens-is-fine": {
    title: "Giving back a token that never was is 200",
    section: "Trellis decision, events service: revocation (RFC 7009 2.2)",
    async run(server) {
      const fields = { token: randomText(43), client_id: server.clientId() };
      expectStatus(await server.postForm(REVOKE, fields), 200);
    },
  },
  "revocation-needs-token-and-client": {
    title: "A revocation without a token or a client is invalid_request",
    section: "Trellis decision, events service: revocation, missing members",
    async run(server) {
      const fields = { token: randomText(43), client_id: server.clientId() };
      await expectErrors("invalid_request", ["token", "client_id"], (name) =>
        server.postForm(REVOKE, { ...fields, [name]: undefined }),
      );
    },
  },
});
