import { expectEach, expectHeader, expectSame, expectStatus, fail } from "../../../expect.ts";
import { randomText } from "../../../primitives.ts";
import {
  createAuthorizationRequest,
  describeRedirect,
  expectErrorRedirect,
  parseRedirect,
  sendAuthorizationRequest,
  toAuthorizePath,
} from "../../authorize.ts";
import { expectError, expectProofAccepted } from "../../expectations.ts";
import type { EventsRequirement } from "../../server-under-test.ts";

export const CONSENT_CASES: readonly EventsRequirement[] = [
  {
    id: "consent-is-asked-every-time",
    title: "Whoever is signed in already is asked for consent all the same",
    section: "Trellis decision, events service: consent is asked every time; a GET makes no code",
    async run(server) {
      const browser = await server.signedIn();
      await server.authorization();
      await browser.openConsentPage(toAuthorizePath(await createAuthorizationRequest(server)));
    },
  },
  {
    id: "allowing-answers-303",
    title: "The decision is answered with a 303 to the app",
    section: "Trellis decision, events service: authorize, allowed",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(
        toAuthorizePath(await createAuthorizationRequest(server)),
      );
      const response = await browser.submit("/consent", { ...form, action: "allow" });
      expectStatus(response, 303);
      const parameters = parseRedirect(response.header("Location") ?? "", server.redirectUri);
      if (parameters?.has("code") !== true) {
        fail(response.asked, "the app's address with a code", describeRedirect(response));
      }
    },
  },
  {
    id: "denying-is-access-denied",
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
  {
    id: "requests-are-decided-once",
    title: "A request that was decided cannot be decided again",
    section: "Trellis decision, events service: an interaction is of single use",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(
        toAuthorizePath(await createAuthorizationRequest(server)),
      );
      expectStatus(await browser.submit("/consent", { ...form, action: "deny" }), 303);
      expectStatus(await browser.submit("/consent", { ...form, action: "allow" }), 400);
    },
  },
  {
    id: "requests-belong-to-their-browser",
    title: "A request that was begun in one browser cannot be seen or decided in another",
    section: "Trellis decision, events service: an interaction is bound to a cookie",
    async run(server) {
      const [browser, other] = [await server.signedIn(), server.newBrowser()];
      await other.signIn("/sign-in", server.account());
      const { interaction } = await browser.openConsentPage(
        toAuthorizePath(await createAuthorizationRequest(server)),
      );
      expectStatus(await other.get(`/consent?interaction=${interaction}`), 400);
      const own = await other.openConsentPage(
        toAuthorizePath(await createAuthorizationRequest(server)),
      );
      const fields = { ...own, interaction, action: "allow" };
      expectStatus(await other.submit("/consent", fields), 400);
    },
  },
  {
    id: "decisions-need-their-token",
    title: "A decision without the token of the page is 403",
    section: "Trellis decision, events service: a failed CSRF check",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(
        toAuthorizePath(await createAuthorizationRequest(server)),
      );
      await expectEach(["", randomText(43)], async (csrf) =>
        expectStatus(await browser.submit("/consent", { ...form, csrf, action: "allow" }), 403),
      );
    },
  },
  {
    id: "foreign-sites-cannot-decide",
    title: "A decision that a browser says comes from another site is 403",
    section: "Trellis decision, events service: Sec-Fetch-Site",
    async run(server) {
      const browser = await server.signedIn();
      const form = await browser.openConsentPage(
        toAuthorizePath(await createAuthorizationRequest(server)),
      );
      await expectEach(["cross-site", "same-site"], async (site) => {
        const fields = { ...form, action: "allow" };
        expectStatus(await browser.submit("/consent", fields, { "Sec-Fetch-Site": site }), 403);
      });
    },
  },
  {
    id: "cookies-are-for-this-site-alone",
    title:
      "Cookies are HttpOnly, SameSite=Lax and for the whole host; with https also Secure and __Host-",
    section: "Trellis decision, events service: cookies",
    async run(server) {
      const isHttps = server.publicUrl.startsWith("https:");
      const response = await sendAuthorizationRequest(server);
      const cookie = response.header("Set-Cookie") ?? "none";
      const needed = ["HttpOnly", "SameSite=Lax", "Path=/", ...(isHttps ? ["Secure"] : [])];
      const given = new Set(cookie.split(/;\s*/).map((part) => part.toLowerCase()));
      for (const attribute of needed) {
        if (!given.has(attribute.toLowerCase())) {
          fail(response.asked, `a cookie with ${attribute}`, cookie.replace(/=[^;]*/, "=…"));
        }
      }
      if (isHttps && !cookie.startsWith("__Host-")) {
        fail(response.asked, "a cookie with the prefix __Host-", cookie.replace(/=[^;]*/, "=…"));
      }
    },
  },
  {
    id: "sign-in-is-a-new-session",
    title: "A sign-in sets a session cookie that was not there before",
    section: "Trellis decision, events service: a new session id at sign-in",
    async run(server) {
      const browser = server.newBrowser();
      const account = server.account();
      await browser.signIn("/sign-in", account);
      const first = new Map(browser.cookies);
      const other = server.newBrowser();
      await other.signIn("/sign-in", account);
      const same = [...other.cookies].filter(([name, value]) => first.get(name) === value);
      if (same.length > 0) fail("POST /sign-in", "new cookies", "the same as before");
    },
  },
  {
    id: "wrong-passwords-sign-nobody-in",
    title: "A wrong password is authentication_failed and sets no cookie",
    section: "Trellis decision, events service: sign-in",
    async run(server) {
      const { username, password } = server.account();
      const begun = await server.newBrowser().beginSignIn("/sign-in", username);
      const { response } = await begun.complete(`${password}, or not`);
      expectError(response, "authentication_failed");
      expectHeader(response, "Set-Cookie", undefined);
      // The throttle forgets a failure when the right password follows.
      await server.newBrowser().signIn("/sign-in", server.account());
    },
  },
  {
    id: "server-signature-proves-the-service",
    title: "A sign-in ends with the proof that the service knows the account",
    section: "Trellis decision, events service: sign-in, as the sync service's",
    async run(server) {
      const { username, password } = server.account();
      const begun = await server.newBrowser().beginSignIn("/sign-in", username);
      const { response, expectedServerSignature } = await begun.complete(password);
      const { serverSignature } = expectProofAccepted(response);
      if (serverSignature !== expectedServerSignature) {
        fail(response.asked, "the server signature of this exchange", "another");
      }
    },
  },
];
