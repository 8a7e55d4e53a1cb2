/** Refreshes, as a device asks for them. */
import type { TokenResponse } from "../../contract/sync/schemas.ts";
import type { HttpResponse } from "../http.ts";
import { expectTokens } from "./bodies.ts";
import type { SyncTarget } from "./target.ts";

export function refreshWith(target: SyncTarget, refreshToken: string): Promise<HttpResponse> {
  return target.post("/v1/refresh", { grantType: "refresh_token", refreshToken });
}

export async function refreshOk(target: SyncTarget, refreshToken: string): Promise<TokenResponse> {
  return expectTokens(await refreshWith(target, refreshToken));
}
