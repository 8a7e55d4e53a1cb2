import assert from "node:assert/strict";
import { approveSignIn } from "../../sync/approve-sign-in.ts";
import { ANNA, REDIRECT_URI } from "../../sync/service/sync-service.ts";
import type { Ask } from "../../sync/sync-client.ts";

/** Anna signs in; returns the address that the page would lead to. */
export function signInOnPage(ask: Ask, url: string): Promise<string> {
  assert.equal(new URL(url).searchParams.get("redirect_uri"), REDIRECT_URI);
  return approveSignIn(url, ANNA, ask);
}
