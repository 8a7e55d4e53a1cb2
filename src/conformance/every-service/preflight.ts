/** Preflights, judged as browsers judge them (Fetch, CORS-preflight fetch). */
import type { HttpResponse, Origin } from "../http.ts";

export function askPreflight(
  { api }: { readonly api: Origin },
  origin: string,
  path: string,
  method: string,
  headers: readonly string[] = [],
): Promise<HttpResponse> {
  return api.send("OPTIONS", path, {
    Origin: origin,
    "Access-Control-Request-Method": method,
    ...(headers.length > 0 && { "Access-Control-Request-Headers": headers.join(",") }),
  });
}

/** Browsers ask, but send these whatever the answer lists. */
const ALWAYS_ALLOWED = new Set(["GET", "HEAD", "POST"]);

export function allowsInBrowser(
  answer: HttpResponse,
  origin: string,
  method: string,
  headers: readonly string[],
): boolean {
  const list = (name: string) =>
    (answer.header(name) ?? "").split(",").map((item) => item.trim().toLowerCase());
  const methods = list("Access-Control-Allow-Methods");
  const allowed = list("Access-Control-Allow-Headers");
  return (
    answer.status >= 200 &&
    answer.status < 300 &&
    ["*", origin].includes(answer.header("Access-Control-Allow-Origin") ?? "") &&
    (ALWAYS_ALLOWED.has(method) || methods.includes(method.toLowerCase())) &&
    headers.every((name) => allowed.includes(name) || allowed.includes("*"))
  );
}
