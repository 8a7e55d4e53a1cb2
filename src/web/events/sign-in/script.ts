/** The script of the sign-in page. Bundled into src/web/generated. */
import type { SessionSignInData } from "../../login/proof-requests.ts";
import { startSessionSignIn } from "../../login/start-form.ts";
import { readPageData } from "../../page-script.ts";
import { setLanguageCookie } from "../language-cookie.ts";

setLanguageCookie();
const data = readPageData<SessionSignInData>("login", "login");
if (data !== null) startSessionSignIn(data, "cookie");
