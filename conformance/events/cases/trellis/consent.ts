import { expectEach, expectHeader, expectSame, expectStatus, fail } from "../../../expect.ts";
import { randomText } from "../../../sign-in-keys.ts";
import {
  createAuthorizationRequest,
  createAuthorizePath,
  expectErrorRedirect,
  parseRedirect,
  toAuthorizePath,
} from "../../authorize.ts";
import { describeRedirect, expectError, expectProofAccepted } from "../../expectations.ts";
import { eventsCases } from "../../server-under-test.ts";

export const CONSENT_CASES = eventsCases({
  "consent-is-asked-every-time": {
    title: "Whoever is signed in already is asked for consent all the same",
    section: "Trellis decision, events service: consent is asked every time; a GET makes no code",
    async run(server) {
      const browser = await server.signedIn();
      await server.authorizationResponse();
      await browser.openConsentPage(await createAuthorizePath(server));
    },
  },
  "allowing-answers-303": {
    title: "The decision is answered with a 303 to the app",
    section: "Trellis decision, events service: authorize, allowed",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(await createAuthorizePath(server));
      const response = await browser.submit("/consent", { ...form, action: "allow" });
      expectStatus(response, 303);
      const parameters = parseRedirect(response.header("Location") ?? "", server.redirectUri);
      if (parameters?.has("code") !== true) {
        fail(response, "the app's address with a code", describeRedirect(response));
      }
    },
  },
  "denying-is-access-denied": {
    title: "A person who denies is sent back with access_denied, the state and the issuer",
    section: "Trellis decision, events service: authorize, denied",
    async run(server) {
      const browser = await server.signedIn();
      const { fields, state } = await createAuthorizationRequest(server);
      const form = await browser.openConsentPage(toAuthorizePath({ fields }));
      const response = await browser.submit("/consent", { ...form, action: "deny" });
      expectStatus(response, 303);
      const parameters = expectErrorRedirect(server, response, "access_denied");
      expectSame(response, "state", parameters.getAll("state"), [state]);
      expectSame(response, "iss", parameters.getAll("iss"), [server.publicUrl]);
    },
  },
  "requests-are-decided-once": {
    title: "A request that was decided cannot be decided again",
    section: "Trellis decision, events service: an interaction is of single use",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(await createAuthorizePath(server));
      expectStatus(await browser.submit("/consent", { ...form, action: "deny" }), 303);
      expectStatus(await browser.submit("/consent", { ...form, action: "allow" }), 400);
    },
  },
  "requests-belong-to-their-browser": {
    title: "A request that was begun in one browser cannot be seen or decided in another",
    section: "Trellis decision, events service: an interaction is bound to a cookie",
    async run(server) {
      const [browser, other] = [await server.signedIn(), server.newBrowser()];
      await other.signIn("/sign-in", server.account());
      const { interaction } = await browser.openConsentPage(await createAuthorizePath(server));
      expectStatus(await other.get(`/consent?interaction=${interaction}`), 400);
      const own = await other.openConsentPage(await createAuthorizePath(server));
      const fields = { ...own, interaction, action: "allow" };
      expectStatus(await other.submit("/consent", fields), 400);
    },
  },
  "decisions-need-their-token": {
    title: "A decision without the token of the page is 403",
    section: "Trellis decision, events service: a failed CSRF check",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(await createAuthorizePath(server));
      await expectEach(["", randomText(43)], async (csrf) =>
        expectStatus(await browser.submit("/consent", { ...form, csrf, action: "allow" }), 403),
      );
    },
  },
  "foreign-sites-cannot-decide": {
    title: "A decision that a browser says comes from another site is 403",
    section: "Trellis decision, events service: Sec-Fetch-Site",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(await createAuthorizePath(server));
      await expectEach(["cross-site", "same-site"], async (site) => {
        const fields = { ...form, action: "allow" };
        expectStatus(await browser.submit("/consent", fields, { "Sec-Fetch-Site": site }), 403);
      });
    },
  },
  "cookies-are-for-this-site-alone": {
    title:
      "Cookies are HttpOnly, SameSite=Lax and for the whole host; with https also Secure and __Host-",
    section: "Trellis decision, events service: cookies",
    async run(server) {
      const isHttps = server.publicUrl.startsWith("https:");
      const response = await server.authorize();
      const cookie = response.header("Set-Cookie") ?? "none";
      const shown = cookie.replace(/=[^;]*/, "=…");
      const needed = ["HttpOnly", "SameSite=Lax", "Path=/", ...(isHttps ? ["Secure"] : [])];
      const given = new Set(cookie.split(/;\s*/).map((part) => part.toLowerCase()));
      const missing = needed.find((attribute) => !given.has(attribute.toLowerCase()));
      if (missing !== undefined) fail(response, `a cookie with ${missing}`, shown);
      if (isHttps && !cookie.startsWith("__Host-")) {
        fail(response, "a cookie with the prefix __Host-", shown);
      }
    },
  },
  "sign-in-is-a-new-session": {
    title: "A sign-in sets a session cookie that was not there before",
    section: "Trellis decision, events service: a new session id at sign-in",
    async run(server) {
      const [browser, other] = [server.newBrowser(), server.newBrowser()];
      await browser.signIn("/sign-in", server.account());
      await other.signIn("/sign-in", server.account());
      const isSame = [...other.cookies].some(
        ([name, value]) => browser.cookies.get(name) === value,
      );
      if (isSame) fail("POST /sign-in", "new cookies", "the same as before");
    },
  },
  "wrong-passwords-sign-nobody-in": {
    title: "A wrong password is authentication_failed and sets no cookie",
    section: "Trellis decision, events service: sign-in",
    async run(server) {
      const { username, password } = server.account();
      const signIn = await server.newBrowser().beginSignIn("/sign-in", username);
      const { response } = await signIn.complete(`${password}, or not`);
      expectError(response, "authentication_failed");
      expectHeader(response, "Set-Cookie", undefined);
      // A right password clears the failures of the name.
      await server.newBrowser().signIn("/sign-in", server.account());
    },
  },
  "server-signature-proves-the-service": {
    title: "A sign-in ends with the proof that the service knows the account",
    section: "Trellis decision, events service: sign-in, as the sync service's",
    async run(server) {
      const { username, password } = server.account();
      const signIn = await server.newBrowser().beginSignIn("/sign-in", username);
      const { response, expectedServerSignature } = await signIn.complete(password);
      const { serverSignature } = expectProofAccepted(response);
      if (serverSignature !== expectedServerSignature) {
        fail(response, "the server signature of this exchange", "another");
      }
    },
  },
});
