/** The script of the login page. Bundled into src/web/generated. */
import { readPageData } from "../page-script.ts";
import type { LoginData } from "./page.ts";
import { createLoginRequests } from "./proof-requests.ts";
import { showDone } from "./return-to-app.ts";
import { startSignIn } from "./start-form.ts";

const data = readPageData<LoginData>("login", "login");
if (data !== null) {
  startSignIn(data, createLoginRequests(data, "storage"), (target) => {
    // A private-use scheme opens the app and leaves the browser on this page.
    showDone("sign-in", target);
    location.replace(target);
  });
}
