/** Does what a person does on the sign-in page, without the time that a browser needs for the proof. */
import { authorize } from "./sync-client.ts";

export interface Account {
  readonly username: string;
  readonly password: string;
}

/** `url` is the address that an app opens; returns the one that the page would lead to. */
export async function approveSignIn(url: string, account: Account): Promise<string> {
  const { origin, searchParams } = new URL(url);
  const get = (name: string) => searchParams.get(name) ?? "";
  const { code, state, redirectUri } = await authorize(
    (path, init) => fetch(`${origin}${path}`, init),
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
