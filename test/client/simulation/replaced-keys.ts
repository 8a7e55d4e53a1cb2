/** A device that has learnt that its key was replaced seals no later edit under that key. */
import type { EncryptedSyncClient } from "../../../src/client/index.ts";
import { envelopeOf } from "../sealed/change-operation.ts";
import type { RunningApp } from "./simulated-device.ts";
import type { SimulationWorld } from "./simulation-world.ts";

/** None where a server may go back: a person can then enter a key that was replaced before. */
export function findReplacedKeys(
  { sealed, hasRecoveries, wire }: SimulationWorld,
  { client }: RunningApp,
): ReadonlySet<string> {
  if (sealed === null || hasRecoveries) return new Set();
  const { state } = (client as EncryptedSyncClient).encryption;
  return new Set(state.kind === "replaced" ? [...wire.keyIds].slice(0, -1) : []);
}

export function checkReplacedKeys({ history, wire, fail }: SimulationWorld): void {
  for (const { replacedKeyIds, result } of history.records) {
    const operation = result?.kind === "stored" ? wire.operations.get(result.operationId) : null;
    if (!operation || replacedKeyIds.size === 0) continue;
    const [, keyId = ""] = envelopeOf(operation).split(".");
    if (!replacedKeyIds.has(keyId)) continue;
    fail(`${operation.operationId} is sealed under a key that its device knew to be replaced`);
  }
}
