import type { Queryable } from "../../database/database.ts";
import type { StreamRecord, StreamRecords } from "../store.ts";

export function createSqlStreams(tx: Queryable): StreamRecords {
  const put = async (streams: readonly StreamRecord[], expiresAt: number) => {
    await tx.queryRows(
      `INSERT INTO sync_streams (instance, stream_id, device_id, expires_at)
       SELECT $instance, r.stream_id, r.device_id, $1 FROM {rows} AS r WHERE true
       ON CONFLICT (instance, stream_id) DO UPDATE SET expires_at = excluded.expires_at`,
      {
        columns: { stream_id: "text", device_id: "text" },
        rows: streams.map(({ streamId, deviceId }) => [streamId, deviceId]),
      },
      [expiresAt],
    );
  };
  return {
    async open(stream, { expiresAt, now, limits }) {
      const [open] = await tx.query<{ total: number; own: number }>(
        `SELECT count(*) AS total, count(CASE WHEN device_id = $2 THEN 1 END) AS own
         FROM sync_streams WHERE instance = $instance AND expires_at > $1`,
        [now, stream.deviceId],
      );
      const { total = 0, own = 0 } = open ?? {};
      if (total >= limits.perInstance || own >= limits.perDevice) return false;
      await put([stream], expiresAt);
      return true;
    },
    renew: put,
    async close(streamIds) {
      await tx.queryRows(
        `DELETE FROM sync_streams WHERE instance = $instance
           AND stream_id IN (SELECT r.stream_id FROM {rows} AS r)`,
        { columns: { stream_id: "text" }, rows: streamIds.map((id) => [id]) },
      );
    },
  };
}

export async function pruneSqlStreams(tx: Queryable, now: number): Promise<void> {
  await tx.query("DELETE FROM sync_streams WHERE instance = $instance AND expires_at <= $1", [now]);
}
