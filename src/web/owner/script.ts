/** The script of the owner's page. Bundled into src/web/generated. Only passwords and passkeys need it. */
import { startPasswordForm } from "../login/change-password.ts";
import type { PasswordData } from "../login/password-form.ts";
import type { SessionSignInData } from "../login/proof-requests.ts";
import { startSessionSignIn } from "../login/start-form.ts";
import { showLocalTimes } from "../local-times.ts";
import { startListFilters } from "../list-filter.ts";
import { readPageData, removeNotice } from "../page-script.ts";
import { startAddPasskey } from "../passkey/add.ts";

// The sign-in page for apps has the same origin, so a browser that is known there is known here.
const signIn = readPageData<SessionSignInData>("login", "login");
if (signIn !== null) startSessionSignIn(signIn, "storage");

const password = readPageData<PasswordData>("change-password", "password");
if (password !== null) startPasswordForm(password, "storage");

startAddPasskey();
showLocalTimes();
startListFilters();
removeNotice();
