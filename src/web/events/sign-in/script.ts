/** The script of the sign-in page. Bundled into src/web/generated. */
import type { SignInPageData } from "../../login/sign-in.ts";
import { startSignIn } from "../../login/start-form.ts";
import { readPageData } from "../../page-script.ts";
import { setLanguageCookie } from "../language-cookie.ts";
import { createSessionRequests, type SessionData } from "../../login/session-requests.ts";

setLanguageCookie();
const data = readPageData<SessionData & SignInPageData>("login", "login");
if (data !== null) {
  const requests = createSessionRequests(data, {
    begin: (username) => ({ username }),
    complete: () => ({}),
  });
  startSignIn(data, requests, (target) => location.replace(target));
}
