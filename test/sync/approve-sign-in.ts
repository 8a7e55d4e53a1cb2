/** Does what a person does on the sign-in page, without the time that a browser needs for the proof. */
import { authorize, type Ask } from "./sync-client.ts";

export interface Account {
  readonly username: string;
  readonly password: string;
}

/**
 * `url` is the address that an app opens; returns the one that the page would lead to. The service is
 * asked at the origin of `url`, or by `ask` where it has no listener.
 */
export async function approveSignIn(
  url: string,
  account: Account,
  ask: Ask = (path, init) => fetch(new URL(path, url), init),
): Promise<string> {
  const { searchParams } = new URL(url);
  const get = (name: string) => searchParams.get(name) ?? "";
  const { code, state, redirectUri } = await authorize(
    ask,
    {
      ...account,
      deviceId: get("device_id"),
      redirectUri: get("redirect_uri"),
      state: get("state"),
      codeChallenge: get("code_challenge"),
    },
    get("attempt_id"),
  );
  return `${redirectUri}?${new URLSearchParams({ code, state }).toString()}`;
}
