/** URLs of feeds: which ones may be fetched, and their encryption in the store. */
import { createKeyedHash, type InstanceKey } from "../../identity/instance-key.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { createSecretSealer, type SealContext } from "../../identity/seal.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-error.ts";
import { EVENTS_REALM } from "../store.ts";

export type FeedUrlResult =
  | { readonly kind: "valid"; readonly url: URL }
  | { readonly kind: "invalid"; readonly error: FetchErrorCode };

const MAX_URL_CHARACTERS = 2048;

/** Lower ports belong to mail, remote shells and other protocols. */
const FIRST_FREE_PORT = 1024;
const HTTPS_PORT = 443;

/** Accepts https and `webcal:`, without credentials. */
export function parseFeedUrl(text: string, base?: URL): FeedUrlResult {
  const typed = text.trim().replace(/^webcals?:(?=\/\/)/i, "https:");
  if (typed === "" || typed.length > MAX_URL_CHARACTERS || !URL.canParse(typed, base?.href)) {
    return refuse("url-invalid");
  }
  const url = new URL(typed, base);
  // The URL parser would accept `https:host` and `https:\\host` too.
  const isPlain = base !== undefined || /^https:\/\/[^/\\]/i.test(typed);
  if (url.protocol !== "https:" || !isPlain) return refuse("url-invalid");
  if (url.username !== "" || url.password !== "") return refuse("url-credentials");
  const port = url.port === "" ? HTTPS_PORT : Number(url.port);
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) return refuse("url-port");
  // A trailing dot names the same host, but certificates do not have it.
  url.hostname = url.hostname.replace(/\.$/, "");
  url.hash = "";
  return { kind: "valid", url };
}

function refuse(error: FetchErrorCode): FeedUrlResult {
  return { kind: "invalid", error };
}

export type FeedUrlCipher = ReturnType<typeof createFeedUrlCipher>;

/** A feed URL is a secret that gives access to a calendar, so the store has only its ciphertext and hash. */
export function createFeedUrlCipher(instanceKey: InstanceKey, randomBytes?: RandomBytes) {
  const sealer = createSecretSealer(instanceKey.derive("events/subscription-url"), randomBytes);
  const hash = createKeyedHash(instanceKey, "events/subscription-url-hash");
  const context = (account: string): SealContext => ({
    realm: EVENTS_REALM,
    account,
    purpose: "subscription-url",
  });
  return {
    seal: (accountId: string, { href }: URL): string =>
      encodeBase64Url(sealer.seal(Buffer.from(href, "utf8"), context(accountId))),
    /** Null when the URL was sealed under another instance key or for another account. */
    open: (accountId: string, sealedUrl: string): URL | null => {
      const sealed = decodeBase64Url(sealedUrl) ?? new Uint8Array();
      const opened = sealer.open(sealed, context(accountId));
      return opened.kind === "opened" ? new URL(Buffer.from(opened.bytes).toString("utf8")) : null;
    },
    hash: (accountId: string, { href }: URL): string => hash(accountId, href),
  };
}
