/** A signed-in device of a soak run, which refreshes its tokens. */
import type { TokenResponse } from "../../src/contract/sync/schemas.ts";
import { postJson, signIn, type Ask } from "../sync/sync-client.ts";
import { ACCOUNT, REDIRECT_URI } from "./prepare.ts";
import { describeFailure, describeResponse, type Tally } from "./tally.ts";

export interface Session {
  readonly deviceId: string;
  /** The status of a request that refreshes no token. */
  probe(): Promise<number>;
  accessToken(): string;
  /** Null when there was no response; a POST with a body. Refreshes the tokens when they expired. */
  send(path: string, body?: string): Promise<Response | null>;
}

export async function createSession(ask: Ask, deviceId: string, tally: Tally): Promise<Session> {
  let tokens = await signIn(ask, { ...ACCOUNT, deviceId, redirectUri: REDIRECT_URI });

  async function refresh(): Promise<void> {
    const body = { grantType: "refresh_token", refreshToken: tokens.refreshToken };
    const response = await postJson(ask, "/v1/refresh", body);
    if (response.status === 200) tokens = (await response.json()) as TokenResponse;
    else await note(response, "refresh");
  }

  async function note(response: Response, what: string): Promise<void> {
    const result = await describeResponse(response);
    tally.count(`honest device, ${what}`, result);
    if (response.status !== 503) tally.report(`${deviceId}: ${what} returned ${result}`);
  }

  return {
    deviceId,
    accessToken: () => tokens.accessToken,
    async probe() {
      const headers = { Authorization: `Bearer ${tokens.accessToken}` };
      return (await ask("/v1/device", { headers })).status;
    },
    async send(path, body) {
      const what = path.split("?")[0] ?? path;
      try {
        const headers = { Authorization: `Bearer ${tokens.accessToken}` };
        const response = await (body === undefined
          ? ask(path, { headers })
          : ask(path, {
              method: "POST",
              headers: { ...headers, "Content-Type": "application/json" },
              body,
            }));
        if (response.status === 401) {
          tally.count(`honest device, ${what}`, "401, tokens refreshed");
          await refresh();
          return null;
        }
        if (response.status === 200) tally.count(`honest device, ${what}`, "200");
        else await note(response, what);
        return response;
      } catch (error) {
        tally.count(`honest device, ${what}`, describeFailure(error));
        return null;
      }
    },
  };
}
