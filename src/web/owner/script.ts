/** The script of the owner's page. Bundled into src/web/generated. Only the password forms need it. */
import { startPasswordChange } from "../login/change-password.ts";
import { readKnownBrowser, writeKnownBrowser } from "../login/known-browser.ts";
import type { PasswordData } from "../login/password-form.ts";
import { createSessionRequests, type SessionData } from "../login/session-requests.ts";
import type { SignInPageData } from "../login/sign-in.ts";
import { startSignIn } from "../login/start-form.ts";
import { readPageData } from "../page-script.ts";

// The sign-in page for apps has the same origin, so a browser that is known there is known here.
const knownBrowser = { read: readKnownBrowser, write: writeKnownBrowser };

const signIn = readPageData<SessionData & SignInPageData>("login", "login");
if (signIn !== null) {
  const members = { begin: (username: string) => ({ username }), complete: () => ({}) };
  const requests = createSessionRequests(signIn, members, knownBrowser);
  startSignIn(signIn, requests, (target) => location.replace(target));
}

const password = readPageData<PasswordData>("change-password", "password");
if (password !== null) startPasswordChange(password, knownBrowser);
