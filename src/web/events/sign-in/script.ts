/** The script of the sign-in page. Bundled into src/web/generated. */
import { startLogin } from "../../login/start-login.ts";
import { readPageData } from "../../page-data.ts";
import { rememberLanguage } from "../remember-language.ts";
import type { SessionData } from "../session-data.ts";
import { createSessionExchange } from "../session-exchange.ts";

rememberLanguage();
const data = readPageData<SessionData>("login", "login");
if (data !== null) {
  const exchange = createSessionExchange(data, {
    begin: (username) => ({ username }),
    complete: () => ({}),
  });
  startLogin(data, exchange, (target) => location.replace(target));
}
