/**
 * Addresses of feeds at rest. Whoever knows such an address can read somebody's calendar, so the
 * store has it only sealed, and beside it a keyed hash to recognise it by.
 */
import { createHmac } from "node:crypto";
import type { InstanceKey } from "../../identity/instance-key.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import { createSealer, type SealContext } from "../../identity/seal.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import { EVENTS_REALM } from "../realm.ts";

export interface FeedUrlCipher {
  seal(accountId: string, url: URL): string;
  /** Null when it was sealed under another instance key or for another account. */
  open(accountId: string, sealedUrl: string): URL | null;
  /** The same for the same address of the same account, and telling nothing about either. */
  hash(accountId: string, url: URL): string;
}

export function createFeedUrlCipher(
  instanceKey: InstanceKey,
  randomBytes?: RandomBytes,
): FeedUrlCipher {
  const sealer = createSealer(instanceKey.derive("events/subscription-url"), randomBytes);
  const hashKey = instanceKey.derive("events/subscription-url-hash");
  const context = (account: string): SealContext => ({
    realm: EVENTS_REALM,
    account,
    purpose: "subscription-url",
  });
  return {
    seal: (accountId, { href }) =>
      encodeBase64Url(sealer.seal(Buffer.from(href, "utf8"), context(accountId))),
    open: (accountId, sealedUrl) => {
      const sealed = decodeBase64Url(sealedUrl) ?? new Uint8Array();
      const opened = sealer.open(sealed, context(accountId));
      return opened.kind === "opened" ? new URL(Buffer.from(opened.bytes).toString("utf8")) : null;
    },
    hash: (accountId, { href }) =>
      createHmac("sha256", hashKey)
        .update(JSON.stringify([accountId, href]))
        .digest("base64url"),
  };
}
