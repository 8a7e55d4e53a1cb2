import { MAX_STATE_CHARACTERS } from "../../../../src/contract/events/values.ts";
import {
  describeValue,
  expectEach,
  expectHeader,
  expectSame,
  expectStatus,
  fail,
} from "../../../expect.ts";
import type { RequestFields } from "../../../http.ts";
import { randomText } from "../../../sign-in-keys.ts";
import {
  AUTHORIZE,
  createAuthorizationRequest,
  createAuthorizePath,
  expectAccepted,
  expectErrorPage,
  expectErrorRedirect,
  toAuthorizePath,
} from "../../authorize.ts";
import { describeRedirect } from "../../expectations.ts";
import { eventsCases } from "../../server-under-test.ts";

export const AUTHORIZATION_CASES = eventsCases({
  "unknown-clients-get-a-page": {
    title: "A missing, repeated or unknown client_id is a page with status 400",
    section: "Trellis decision, events service: authorize, check 1",
    async run(server) {
      expectErrorPage(await server.authorize({ client_id: undefined }));
      expectErrorPage(await server.authorize({ client_id: "" }));
      expectErrorPage(await server.authorize({ client_id: `nobody-${randomText(12)}` }));
      expectErrorPage(await server.authorize({}, `&client_id=${server.clientId()}`));
      expectErrorPage(await server.authorize({ client_id: undefined }, "&client_id=%ff"));
    },
  },
  "redirect-uris-match-to-the-letter": {
    title:
      "A redirect URI that is missing, repeated or not one of the client's to the letter is a page with status 400",
    section: "Trellis decision, events service: authorize, check 2",
    async run(server) {
      const { redirectUri } = server;
      const others = [
        undefined,
        "",
        `${redirectUri}/`,
        `${redirectUri}?`,
        `${redirectUri}#`,
        `${redirectUri}%20`,
        ` ${redirectUri}`,
        redirectUri.replace(/^[a-z]+/, (scheme) => scheme.toUpperCase()),
        redirectUri.replace("//localhost", "//127.0.0.1").concat("x"),
        redirectUri.slice(0, -1),
      ];
      await expectEach(others, async (uri) =>
        expectErrorPage(await server.authorize({ redirect_uri: uri })),
      );
      const again = `&redirect_uri=${encodeURIComponent(redirectUri)}`;
      expectErrorPage(await server.authorize({}, again));
    },
  },
  "repeated-authorize-parameters-are-invalid": {
    title:
      "A parameter that comes twice is invalid_request; a state that comes twice is not given back",
    section: "Trellis decision, events service: authorize, check 3",
    async run(server) {
      const names = [
        "response_type",
        "code_challenge",
        "code_challenge_method",
        "scope",
        "response_mode",
      ];
      await expectEach(names, async (name) => {
        const { fields, state } = await createAuthorizationRequest(server, {
          response_mode: "query",
        });
        const path = `${toAuthorizePath({ fields })}&${name}=${encodeURIComponent(fields[name] ?? "")}`;
        const parameters = expectErrorRedirect(
          server,
          await server.api.get(path),
          "invalid_request",
        );
        expectSame(path, "state", parameters.get("state"), state);
      });
      const response = await server.authorize({}, "&state=another");
      const parameters = expectErrorRedirect(server, response, "invalid_request");
      if (parameters.has("state")) fail(response, "no state", "one");
    },
  },
  "response-type-is-needed": {
    title: "A request without a response type is invalid_request",
    section: "Trellis decision, events service: authorize, check 4",
    async run(server) {
      const response = await server.authorize({ response_type: undefined });
      expectErrorRedirect(server, response, "invalid_request");
      expectErrorRedirect(server, await server.authorize({ response_type: "" }), "invalid_request");
    },
  },
  "other-response-types-are-unsupported": {
    title: "Another response type than code is unsupported_response_type, said in the query",
    section: "Trellis decision, events service: authorize, check 5",
    run: (server) =>
      expectEach(["token", "id_token", "code token", "Code"], async (type) => {
        const response = await server.authorize({ response_type: type });
        expectErrorRedirect(server, response, "unsupported_response_type");
        if (response.header("Location")?.includes("#") === true) {
          fail(response, "no fragment", describeRedirect(response));
        }
      }),
  },
  "code-challenges-are-checked": {
    title: "A challenge is 43 characters of Base64URL, and its method is S256",
    section: "Trellis decision, events service: authorize, check 6",
    async run(server) {
      const right = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
      const wrong: RequestFields[] = [
        { code_challenge: undefined },
        { code_challenge: right.slice(1) },
        { code_challenge: `${right}=` },
        { code_challenge: `${right.slice(1)}+` },
        { code_challenge_method: undefined },
        { code_challenge_method: "plain" },
        { code_challenge_method: "s256" },
      ];
      await expectEach(wrong, async (changes) =>
        expectErrorRedirect(server, await server.authorize(changes), "invalid_request"),
      );
      expectAccepted(server, await server.authorize({ code_challenge: right }));
    },
  },
  "other-scopes-are-invalid": {
    title: "Another scope than read:events is invalid_scope; none, or it twice, means read:events",
    section: "Trellis decision, events service: authorize, check 7",
    async run(server) {
      await expectEach(["write:events", "read:events openid", "READ:EVENTS"], async (scope) =>
        expectErrorRedirect(server, await server.authorize({ scope }), "invalid_scope"),
      );
      await expectEach([undefined, "", "read:events read:events"], async (scope) =>
        expectAccepted(server, await server.authorize({ scope })),
      );
    },
  },
  "request-objects-are-refused": {
    title: "request, request_uri and another response mode than query are invalid_request",
    section: "Trellis decision, events service: authorize, check 8",
    async run(server) {
      const wrong: RequestFields[] = [
        { request: "eyJhbGciOiJub25lIn0.e30." },
        { request_uri: "https://app.example/request" },
        { response_mode: "fragment" },
        { response_mode: "form_post" },
      ];
      await expectEach(wrong, async (changes) =>
        expectErrorRedirect(server, await server.authorize(changes), "invalid_request"),
      );
      expectAccepted(server, await server.authorize({ response_mode: "query" }));
    },
  },
  "authorize-checks-in-order": {
    title: "Of several faults of a request the first in the order of the checks is the answer",
    section: "Trellis decision, events service: authorize, the order of the checks",
    async run(server) {
      const wrong: RequestFields = {
        response_type: "token",
        code_challenge: "x",
        scope: "write:events",
      };
      expectErrorPage(await server.authorize({ ...wrong, client_id: "nobody" }));
      expectErrorPage(await server.authorize({ ...wrong, redirect_uri: "nowhere:/" }));
      expectErrorRedirect(server, await server.authorize(wrong, "&scope=x"), "invalid_request");
      expectErrorRedirect(server, await server.authorize(wrong), "unsupported_response_type");
      const second: RequestFields = { ...wrong, response_type: "code" };
      expectErrorRedirect(server, await server.authorize(second), "invalid_request");
      const third: RequestFields = { scope: "write:events", response_mode: "fragment" };
      expectErrorRedirect(server, await server.authorize(third), "invalid_scope");
    },
  },
  "unknown-authorize-parameters-are-ignored": {
    title: "A parameter that nobody knows is ignored, however often it comes",
    section: "Trellis decision, events service: authorize, unknown parameters",
    async run(server) {
      const response = await server.authorize({ prompt: "login" }, "&x=1&x=2&y=%ff");
      expectAccepted(server, response);
    },
  },
  "empty-state-is-no-state": {
    title: "A state without a value counts as absent",
    section: "Trellis decision, events service: authorize, empty parameters",
    async run(server) {
      const response = await server.authorize({
        response_type: undefined,
        state: "",
      });
      const parameters = expectErrorRedirect(server, response, "invalid_request");
      if (parameters.has("state")) fail(response, "no state", describeRedirect(response));
    },
  },
  "state-is-echoed-byte-for-byte": {
    title: "What the client decodes as state is what it sent, whatever characters it has",
    section: "Trellis decision, events service: authorize, state",
    async run(server) {
      const states = [
        "a b+c%20d",
        "x&code=1&error=2#y",
        "\u00fcber \u2014 \u{1f9ea}",
        "\"'<>\\;",
        "%2F%00%zz",
        "\u0000\u0001\r\nLocation: x",
        "s".repeat(2000),
      ];
      await expectEach(states, async (state) => {
        const response = await server.authorize({
          response_type: undefined,
          state,
        });
        const parameters = expectErrorRedirect(server, response, "invalid_request");
        expectSame(response, "state", parameters.getAll("state"), [state]);
      });
    },
  },
  "unreadable-state-is-left-out": {
    title: "A state that is not UTF-8 in correct escapes is invalid_request, and is not given back",
    section: "Trellis decision, events service: authorize, state that is not UTF-8",
    run: (server) =>
      expectEach(["%ff", "%zz", "%C3"], async (state) => {
        const response = await server.authorize({ state: undefined }, `&state=${state}`);
        const parameters = expectErrorRedirect(server, response, "invalid_request");
        if (parameters.has("state")) fail(response, "no state", describeRedirect(response));
      }),
  },
  "long-states-are-refused": {
    title:
      "A state of 1,024 characters is taken; a longer one is invalid_request, and is given back",
    section: "Trellis decision, events service: authorize, length of state",
    async run(server) {
      const longest = "s".repeat(MAX_STATE_CHARACTERS);
      expectAccepted(server, await server.authorize({ state: longest }));
      const response = await server.authorize({ state: `${longest}s` });
      const parameters = expectErrorRedirect(server, response, "invalid_request");
      expectSame(response, "state", parameters.getAll("state"), [`${longest}s`]);
    },
  },
  "states-are-counted-in-characters": {
    title: "A state of 1,024 characters is taken in every script, and comes back",
    section: "Trellis decision, events service: authorize, length of state",
    async run(server) {
      const longest = "\u{1f9ea}".repeat(MAX_STATE_CHARACTERS);
      expectAccepted(server, await server.authorize({ state: longest }));
      const refused = await server.authorize({ response_type: "token", state: longest });
      const parameters = expectErrorRedirect(server, refused, "unsupported_response_type");
      expectSame(refused, "state", parameters.getAll("state"), [longest]);
    },
  },
  "refusals-name-the-issuer": {
    title: "A redirect with an error names the issuer",
    section: "Trellis decision, events service: iss in errors (RFC 9207)",
    async run(server) {
      const response = await server.authorize({ response_type: "token" });
      const parameters = expectErrorRedirect(server, response, "unsupported_response_type");
      expectSame(response, "iss", parameters.getAll("iss"), [server.publicUrl]);
    },
  },
  "success-names-the-issuer": {
    title: "A redirect with a code names the issuer",
    section: "Trellis decision, events service: iss with the code (RFC 9207)",
    async run(server) {
      const { parameters } = await server.authorizationResponse();
      expectSame(AUTHORIZE, "iss", parameters.getAll("iss"), [server.publicUrl]);
    },
  },
  "refusals-are-explained-in-ascii": {
    title: "A redirect with an error explains it in printable ASCII without quotes and backslashes",
    section: "Trellis decision, events service: error texts in addresses (RFC 6749 4.1.2.1)",
    async run(server) {
      const wrong: RequestFields[] = [
        { response_type: "token" },
        { scope: "\u00e4" },
        { code_challenge: undefined },
        { request: "x" },
      ];
      await expectEach(wrong, async (changes) => {
        const response = await server.authorize(changes);
        const [, search = ""] = (response.header("Location") ?? "").split("?");
        const text = new URLSearchParams(search).get("error_description") ?? "";
        if (!/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(text)) {
          fail(response, "an error_description in ASCII", describeValue(text));
        }
      });
    },
  },
  "refusals-are-302": {
    title: "A redirect from a GET is a 302",
    section: "Trellis decision, events service: redirects from a GET",
    async run(server) {
      const response = await server.authorize({ response_type: "token" });
      expectErrorRedirect(server, response, "unsupported_response_type");
      expectStatus(response, 302);
      const accepted = await server.authorize();
      expectAccepted(server, accepted);
      expectStatus(accepted, 302);
    },
  },
  "head-begins-nothing": {
    title: "HEAD of an authorization request sets no cookie",
    section: "Trellis decision, events service: HEAD changes nothing",
    async run(server) {
      const path = await createAuthorizePath(server);
      const response = await server.api.send("HEAD", path);
      expectStatus(response, 302);
      expectHeader(response, "Set-Cookie", undefined);
    },
  },
  "subresources-begin-nothing": {
    title: "An authorization request that a browser makes for an image or a frame begins nothing",
    section: "Trellis decision, events service: Sec-Fetch-Dest",
    async run(server) {
      const path = await createAuthorizePath(server);
      await expectEach(["image", "iframe", "empty"], async (destination) => {
        const response = await server.api.get(path, { "Sec-Fetch-Dest": destination });
        expectStatus(response, 302);
        expectHeader(response, "Set-Cookie", undefined);
      });
    },
  },
});
