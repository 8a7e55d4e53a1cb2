/** Moves an account: what one client shows is written as edits of another one. */
import type { Fields, StoredEntity } from "./entity.ts";
import { refuseFailed, stopsEdits, type RefusedEdit } from "./errors.ts";
import { splitFields } from "./restore.ts";
import type { SyncClient } from "./sync-client.ts";

/** How many entities a copy created or found present, and those that were refused. */
export interface CopyCounts {
  /** How many entities were made, or got fields that they lacked. */
  readonly copied: number;
  /** How many entities were left alone: they have every field already, or were deleted there. */
  readonly present: number;
  /** The entities that the target refused, each with the reason. */
  readonly refused: readonly RefusedCopy[];
}

/** What copying entities came to. A copy that stopped can be run again: what is present is skipped. */
export type CopyResult =
  /** Every entity was copied, present or refused. */
  | ({ readonly kind: "copied" } & CopyCounts)
  /** A client is closed or its storage failed; another call goes on from here. */
  | ({ readonly kind: "stopped"; readonly reason: string; readonly message: string } & CopyCounts);

/** An entity that the target refused, with the reason. */
export type RefusedCopy = RefusedEdit & { readonly entityId: string };

/** Edits that are submitted together share a transaction of the storage. */
const BATCH_ENTITIES = 100;

/**
 * Copies every visible entity with its id, payload and metadata, for a move to another server or to an
 * encrypted account. Only fields that the target lacks are written, and nothing that was deleted there comes
 * back, so a second call changes nothing and no newer edit is lost. Sync both clients first.
 * @param from - the client to copy from, which stays as it is
 * @param to - the client to copy to
 * @returns how much was copied, and what was refused
 * @example
 * ```ts
 * import { copyEntities, createMemorySyncStorage, createSyncClient } from "trellis/client";
 *
 * const redirectUri = "https://app.example.com/callback";
 * const [from, to] = await Promise.all(
 *   ["https://old.example.com", "https://new.example.com"].map((baseUrl) =>
 *     createSyncClient({ baseUrl, redirectUri, storage: createMemorySyncStorage() }),
 *   ),
 * );
 * if (from !== undefined && to !== undefined) {
 *   const result = await copyEntities(from, to);
 *   console.log(result.copied, result.refused);
 * }
 * ```
 */
export async function copyEntities(from: SyncClient, to: SyncClient): Promise<CopyResult> {
  const counts = { copied: 0, present: 0, refused: [] as RefusedCopy[] };
  const stop = ({ reason, message }: RefusedEdit) =>
    ({ kind: "stopped", reason, message, ...counts }) as const;
  for (const client of [from, to] as readonly (Partial<SyncClient> | undefined)[]) {
    if (typeof client?.transaction !== "function") {
      throw new TypeError("Cannot copy entities: from and to are clients of createSyncClient");
    }
  }
  await Promise.all([from.loaded, to.loaded]);
  // A client that was closed while it loaded shows only a part of its entities.
  for (const client of [from, to]) {
    const used = await client.transaction(() => {});
    if (used.kind === "refused") return stop(used);
  }
  const deleted = await to.deleted().catch(refuseFailed);
  if ("kind" in deleted) return stop(deleted);
  const deletedIds = new Set(deleted.map(({ entityId }) => entityId));
  const all = from.entities.list();
  const entities = all.filter(({ entityId }) => !deletedIds.has(entityId));
  counts.present = all.length - entities.length;
  for (let at = 0; at < entities.length; at += BATCH_ENTITIES) {
    const batch = entities.slice(at, at + BATCH_ENTITIES);
    const results = await Promise.all(batch.map((entity) => copyEntity(entity, to)));
    for (const [index, result] of results.entries()) {
      if (typeof result === "string") counts[result]++;
      else if (stopsEdits(result)) return stop(result);
      else counts.refused.push({ ...result, entityId: batch[index]?.entityId ?? "" });
    }
  }
  return { kind: "copied", ...counts };
}

async function copyEntity(
  { entityId, payload, metadata }: StoredEntity,
  to: SyncClient,
): Promise<"copied" | "present" | RefusedEdit> {
  const held = to.entities.get(entityId);
  const lacking = {
    payload: omitHeld(payload, held?.payload),
    metadata: omitHeld(metadata, held?.metadata),
  };
  const isPresent = lacking.payload.size === 0 && lacking.metadata.size === 0;
  if (held !== undefined && isPresent) return "present";
  const edits = splitFields(entityId, lacking).map((part, index) => {
    const edit = held === undefined && index === 0 ? to.create : to.patch;
    return edit(entityId, pick(payload, part.payload), pick(metadata, part.metadata));
  });
  const results = await Promise.all(edits);
  return results.find((result) => result.kind === "refused") ?? "copied";
}

/** The JSON texts of the fields that are not held. */
function omitHeld(fields: Fields, held: Fields = {}): Map<string, string> {
  const lacking = Object.entries(fields).filter(([name]) => !Object.hasOwn(held, name));
  return new Map(lacking.map(([name, value]) => [name, JSON.stringify(value)]));
}

function pick(fields: Fields, names: ReadonlyMap<string, string>): Fields {
  return Object.fromEntries([...names.keys()].map((name) => [name, fields[name]]));
}
