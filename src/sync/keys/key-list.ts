/** The keys beside the log: the list of an account's keys, which only devices that have one can read. */
import { KEY_HEADER } from "../../contract/sync/account-keys.ts";
import type { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import type { AccountKey } from "../../contract/sync/schemas.ts";
import type { Handlers } from "../../http/create-http-service.ts";
import type { HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import { streamText } from "../log/stream-text.ts";
import { errorResponse } from "../responses/error-response.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { AccessGrant, AddKeyResult } from "../store.ts";
import { readKeyProof } from "./key-proof.ts";

export function createKeyList({ store, profile }: SyncDependencies) {
  const isSealed = profile === "sealed";
  const handlers: Pick<Handlers<typeof SYNC_ROUTES, AccessGrant>, "getKeys" | "addKey"> = {
    async getKeys() {
      if (!isSealed) return { kind: "unknown-path" };
      const headers = { "Content-Type": "application/json; charset=utf-8" };
      return { status: 200, headers, body: await streamText(keyListPieces(store.keys.list())) };
    },
    async addKey(_input, context) {
      if (!isSealed) return { kind: "unknown-path" };
      const proof = readKeyProof(context.header(KEY_HEADER.toLowerCase()));
      return addKeyResponse(await store.keys.add(context.content.value, proof), context.requestId);
    },
  };
  return { handlers };
}

async function* keyListPieces(records: AsyncIterable<AccountKey>): AsyncGenerator<string> {
  let separator = `{"keys":[`;
  for await (const record of records) {
    yield `${separator}${JSON.stringify(record)}`;
    separator = ",";
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

/** Of two keys that follow one, the second is a conflict, which is 409; a push under a former key is 403. */
const CONFLICT = { status: 409 };

function addKeyResponse(result: AddKeyResult, requestId: string): HttpResponse | HttpError {
  switch (result.kind) {
    case "added":
      return jsonResponse(201, JSON.stringify({ keyId: result.keyId }));
    case "repeated":
      return jsonResponse(200, JSON.stringify({ keyId: result.keyId }));
    case "replaced":
      return errorResponse("key_replaced", requestId, CONFLICT);
    case "unknown":
      return errorResponse("key_unknown", requestId);
    case "too-many":
      return errorResponse("too_many_keys", requestId);
    case "invalid":
      return errorResponse("invalid_request", requestId, { message: INVALID_RECORD });
    case "cleared":
      return { kind: "unauthenticated" };
  }
}

const INVALID_RECORD =
  "keys must be sealed under the key of the record, and from, which the first record alone does not have, under the account's key";
