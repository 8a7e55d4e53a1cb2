import { KNOWN_BROWSER_HEADER } from "../../src/contract/identity.ts";
import type { SyncServerUnderTest } from "./server-under-test.ts";
import { postCompletion, proveNewChallenge } from "./sign-in.ts";

/** The server as a browser that has signed in sees it; null when the server does not know browsers. */
export async function becomeKnownBrowser(
  server: SyncServerUnderTest,
): Promise<SyncServerUnderTest | null> {
  const browser = rememberKnownBrowser(server);
  const response = await postCompletion(browser, await proveNewChallenge(browser));
  return response.header(KNOWN_BROWSER_HEADER) === undefined ? null : browser;
}

/** The server as a browser that sends this value, and receives no other, sees it. */
export function asKnownBrowser(server: SyncServerUnderTest, value: string): SyncServerUnderTest {
  return {
    ...server,
    post: (path, body, headers = {}) =>
      server.post(path, body, { [KNOWN_BROWSER_HEADER]: value, ...headers }),
  };
}

/** The server as a browser that sends the value of its last sign-in sees it. */
function rememberKnownBrowser(server: SyncServerUnderTest): SyncServerUnderTest {
  let value: string | undefined;
  return {
    ...server,
    async post(path, body, headers = {}) {
      const known = value === undefined ? {} : { [KNOWN_BROWSER_HEADER]: value };
      const response = await server.post(path, body, { ...known, ...headers });
      value = response.header(KNOWN_BROWSER_HEADER) ?? value;
      return response;
    },
  };
}
