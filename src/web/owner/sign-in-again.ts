import type { Html } from "../html.ts";
import { signInAgainForm } from "../passkey/sign-in-again.ts";
import type { OwnerPage } from "./owner-page.ts";

/** What needs a recent sign-in offers one. */
export function signInAgain({ view, clock, action }: OwnerPage): Html {
  const members = { csrf: view.csrf, action: "sign-in-again" };
  return signInAgainForm({ action, members }, clock.language);
}
