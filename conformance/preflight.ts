import { describeResponse, expectNoBody, expectStatus, fail } from "./expect.ts";
import { splitList } from "./http-cases.ts";
import type { Origin, ReceivedResponse } from "./http.ts";

export function sendPreflight(
  api: Origin,
  origin: string,
  path: string,
  method: string,
  headers: readonly string[] = [],
): Promise<ReceivedResponse> {
  return api.send("OPTIONS", path, {
    Origin: origin,
    "Access-Control-Request-Method": method,
    ...(headers.length > 0 && { "Access-Control-Request-Headers": headers.join(",") }),
  });
}

export async function expectPreflightAllows(
  api: Origin,
  origin: string,
  path: string,
  method: string,
  headers: readonly string[],
): Promise<void> {
  const response = await sendPreflight(api, origin, path, method, headers);
  expectStatus(response, 204);
  expectNoBody(response);
  if (isAllowedByPreflight(response, origin, method, headers)) return;
  fail(response, "a preflight that browsers take for a yes", describeResponse(response));
}

/** Browsers send these whatever `Access-Control-Allow-Methods` lists. */
const CORS_SAFELISTED_METHODS = new Set(["GET", "HEAD", "POST"]);

/** Whether a browser would send the request after this response (Fetch, CORS-preflight fetch). */
export function isAllowedByPreflight(
  response: ReceivedResponse,
  origin: string,
  method: string,
  headers: readonly string[],
): boolean {
  const list = (name: string) => splitList(response.header(name)?.toLowerCase());
  const methods = list("Access-Control-Allow-Methods");
  const allowed = list("Access-Control-Allow-Headers");
  return (
    response.status >= 200 &&
    response.status < 300 &&
    ["*", origin].includes(response.header("Access-Control-Allow-Origin") ?? "") &&
    (CORS_SAFELISTED_METHODS.has(method) || methods.includes(method.toLowerCase())) &&
    headers.every((name) => allowed.includes(name) || allowed.includes("*"))
  );
}
