import type { Queryable } from "../../database/database.ts";
import { openWithFirst, type RingKeys } from "../../identity/reseal.ts";
import { createFeedUrlCipher } from "./feed-url.ts";

/** Seals feed URLs with the key in force. Sources keep their ids, from which event ids are made. */
export async function resealFeedUrls(
  tx: Queryable,
  [current, ...retired]: RingKeys,
): Promise<void> {
  const sealing = createFeedUrlCipher(current);
  const ciphers = [sealing, ...retired.map((key) => createFeedUrlCipher(key))];
  const subscriptions = await tx.query<{ source_id: string; account_id: string; sealed: string }>(
    "SELECT source_id, account_id, sealed_url AS sealed FROM events_subscriptions",
  );
  const rows = subscriptions.flatMap(({ source_id: sourceId, account_id: accountId, sealed }) => {
    const url = openWithFirst(ciphers, (cipher) => cipher.open(accountId, sealed));
    return url === null
      ? []
      : [[sourceId, sealing.seal(accountId, url), sealing.hash(accountId, url)]];
  });
  await tx.queryRows(
    `UPDATE events_subscriptions SET sealed_url = r.sealed_url, url_hash = r.url_hash
     FROM {rows} AS r WHERE events_subscriptions.source_id = r.source_id`,
    { columns: { source_id: "text", sealed_url: "text", url_hash: "text" }, rows },
  );
}
