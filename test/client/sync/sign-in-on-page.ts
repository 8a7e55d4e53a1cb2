import assert from "node:assert/strict";
import { authorize, type Ask } from "../../sync/sync-client.ts";
import { ANNA, REDIRECT_URI } from "../../sync/service/sync-service.ts";

/** Does what the sign-in page does, and returns the address that it leads to. */
export async function signInOnPage(ask: Ask, url: string): Promise<string> {
  const query = new URL(url).searchParams;
  const get = (name: string) => query.get(name) ?? "";
  assert.equal(get("redirect_uri"), REDIRECT_URI);
  const { code, state } = await authorize(
    ask,
    {
      ...ANNA,
      deviceId: get("device_id"),
      redirectUri: REDIRECT_URI,
      state: get("state"),
      codeChallenge: get("code_challenge"),
    },
    get("attempt_id"),
  );
  return `${REDIRECT_URI}?code=${code}&state=${encodeURIComponent(state)}`;
}
