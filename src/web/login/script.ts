/** The script of the login page. Bundled into src/web/generated. */
import { KNOWN_BROWSER_HEADER } from "../../contract/identity.ts";
import { appendToRedirect } from "../../rules/identity/redirect.ts";
import { readPageData } from "../page-script.ts";
import { readKnownBrowser, writeKnownBrowser } from "./known-browser.ts";
import type { LoginData } from "./page.ts";
import { postJson } from "./post.ts";
import { showDone } from "./return-to-app.ts";
import { readChallenge, type SignInRequests } from "./sign-in.ts";
import { startSignIn } from "./start-form.ts";

function createRequests({ endpoint, csrfHeader, attempt, delivery }: LoginData): SignInRequests {
  const { state, redirectUri } = attempt;
  const post = (body: object) => {
    const known = readKnownBrowser();
    const headers = {
      [csrfHeader]: state,
      ...(known !== null && { [KNOWN_BROWSER_HEADER]: known }),
    };
    return postJson(endpoint, { ...body, csrf: state }, { credentials: "omit", headers });
  };
  return {
    async begin(username) {
      const response = await post({ action: "begin", attempt: { username, ...attempt } });
      return response.kind === "json" ? readChallenge(response) : response;
    },
    async complete(challengeId, { clientNonce, proof }) {
      const response = await post({ action: "complete", challengeId, clientNonce, proof });
      if (response.kind !== "json") return response;
      const { code, serverSignature } = response.body;
      if (typeof code !== "string" || typeof serverSignature !== "string") {
        return { kind: "unexpected", reference: response.reference };
      }
      const target = appendToRedirect(redirectUri, { code, state }, delivery);
      const known = response.header(KNOWN_BROWSER_HEADER);
      const onVerified = () => {
        if (known !== null) writeKnownBrowser(known);
      };
      return { kind: "completed", serverSignature, target, onVerified };
    },
  };
}

const data = readPageData<LoginData>("login", "login");
if (data !== null) {
  startSignIn(data, createRequests(data), (target) => {
    // A private-use scheme opens the app and leaves the browser on this page.
    showDone("sign-in", target);
    location.replace(target);
  });
}
