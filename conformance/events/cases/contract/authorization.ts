import { parseServiceOrigin } from "../../../../src/client/index.ts";
import { skipUnless } from "../../../case.ts";
import { expectEach, expectSame, fail } from "../../../expect.ts";
import type { RequestFields } from "../../../http.ts";
import { randomText } from "../../../sign-in-keys.ts";
import { AUTHORIZE, expectAccepted, parseRedirect } from "../../authorize.ts";
import { describeRedirect } from "../../expectations.ts";
import { eventsCases } from "../../server-under-test.ts";

export const CONTRACT_AUTHORIZATION_CASES = eventsCases({
  "origin-is-one-that-clients-accept": {
    title: "The public address is a root https origin on port 443 of a public host",
    section: "events contract, Authentication 5",
    async run({ publicUrl, input }) {
      const isKnown = input.publicUrl !== undefined || publicUrl.startsWith("https:");
      skipUnless(isKnown, "The service is asked at a test address; give its own with --public-url");
      const result = parseServiceOrigin(publicUrl);
      if (result.kind === "accepted") return;
      const received = `one that it refuses: ${result.reason}`;
      fail(publicUrl, "an origin that a client connects to", received);
    },
  },
  "authorize-puts-the-request-before-a-person": {
    title: "A right authorization request is answered with a page, or with the way to one",
    section: "events contract, GET /api/oauth/authorize",
    async run(server) {
      expectAccepted(server, await server.authorize());
    },
  },
  "redirect-goes-to-the-supplied-uri": {
    title:
      "After the person allowed it, the browser goes to the redirect URI that the client supplied",
    section: "events contract, GET /api/oauth/authorize: after authorization",
    async run(server) {
      // The authorization fails when the redirect leads to another address.
      await server.authorizationResponse();
    },
  },
  "redirect-carries-one-code": {
    title: "The redirect has exactly one code, in its query",
    section: "events contract, GET /api/oauth/authorize: after authorization; Authentication 2",
    async run(server) {
      const { location, parameters } = await server.authorizationResponse();
      const codes = parameters.getAll("code");
      if (codes.length !== 1 || codes[0] === "") {
        fail(AUTHORIZE, "one code in the query", `${codes.length} codes`);
      }
      if (parameters.has("error")) fail(AUTHORIZE, "no error beside the code", "an error");
      if (/#.*code=/.test(location)) fail(AUTHORIZE, "no code in the fragment", "one");
    },
  },
  "state-comes-back-unchanged": {
    title: "The redirect has the state that the client sent, once and unchanged",
    section: "events contract, GET /api/oauth/authorize: state; Authentication 2",
    async run(server) {
      const { request, parameters } = await server.authorizationResponse();
      expectSame(AUTHORIZE, "state", parameters.getAll("state"), [request.state]);
    },
  },
  "unknown-clients-are-not-sent-anywhere": {
    title:
      "An authorization request of a client that nobody knows is not redirected to the address it names",
    section: "events contract, Authentication 1, OAuth authorization-code flow (RFC 6749 4.1.2.1)",
    async run(server) {
      const response = await server.authorize({ client_id: `nobody-${randomText(12)}` });
      if (parseRedirect(response.header("Location") ?? "", server.redirectUri) !== null) {
        fail(response, "no redirect to the address", describeRedirect(response));
      }
    },
  },
  "unregistered-redirect-uris-are-not-followed": {
    title: "The browser is never sent to a redirect URI that is not the client's",
    section: "events contract, Authentication 1, OAuth authorization-code flow (RFC 6749 3.1.2.4)",
    async run(server) {
      const foreign = "https://elsewhere.example/callback";
      const response = await server.authorize({ redirect_uri: foreign });
      if (response.header("Location")?.startsWith(foreign) === true) {
        fail(response, "no redirect to it", describeRedirect(response));
      }
      if (response.status === 200 && response.text().includes(`href="${foreign}`)) {
        fail(response, "no link to it", "a page that links to it");
      }
    },
  },
  "requests-without-a-challenge-are-refused": {
    title: "A request without an S256 challenge is not put before a person",
    section: "events contract, Authentication 1: PKCE S256 (RFC 7636 4.4.1)",
    async run(server) {
      const requests: RequestFields[] = [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge_method: "plain" },
      ];
      await expectEach(requests, async (changes) => {
        const response = await server.authorize(changes);
        const parameters = parseRedirect(response.header("Location") ?? "", server.redirectUri);
        const isError = parameters?.has("error") === true && !parameters.has("code");
        if (response.status >= 400 || isError) return;
        fail(response, "an error", describeRedirect(response));
      });
    },
  },
});
