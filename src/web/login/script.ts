/** The script of the login page. Bundled into src/web/generated. */
import { readPageData } from "../page-data.ts";
import { createAppExchange } from "./app-exchange.ts";
import { showDone } from "./done.ts";
import type { LoginData } from "./login-data.ts";
import { startLogin } from "./start-login.ts";

const data = readPageData<LoginData>("login", "login");
if (data !== null) {
  // An app's own scheme leaves the browser where it is, so the page says what to do.
  startLogin(data, createAppExchange(data), (target) => {
    showDone("sign-in", target);
    location.replace(target);
  });
}
