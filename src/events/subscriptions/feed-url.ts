/** Which addresses may be subscribed to: https in plain sight, on a port where the web may live. */
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-fault.ts";

export type FeedUrlResult =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly fault: FetchErrorCode };

const MAX_URL_CHARACTERS = 2048;

/** Below it are mail, shells, databases of old: a calendar has no business there. */
const FIRST_FREE_PORT = 1024;
const HTTPS_PORT = 443;

/** `webcal:` is https by another name. A fragment never goes over the wire and is dropped. */
export function parseFeedUrl(text: string, base?: URL): FeedUrlResult {
  const typed = text.trim().replace(/^webcals?:(?=\/\/)/i, "https:");
  if (typed === "" || typed.length > MAX_URL_CHARACTERS || !URL.canParse(typed, base?.href)) {
    return refuse("url-invalid");
  }
  const url = new URL(typed, base);
  // The parser mends `https:host` and `https:\\host`; whoever wrote that meant something else.
  const isPlain = base !== undefined || /^https:\/\/[^/\\]/i.test(typed);
  if (url.protocol !== "https:" || !isPlain) return refuse("url-invalid");
  if (url.username !== "" || url.password !== "") return refuse("url-credentials");
  const port = url.port === "" ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) return refuse("url-port");
  // One trailing dot makes the same host, but no certificate has it.
  url.hostname = url.hostname.replace(/\.$/, "");
  url.hash = "";
  return { ok: true, url };
}

function refuse(fault: FetchErrorCode): FeedUrlResult {
  return { ok: false, fault };
}
