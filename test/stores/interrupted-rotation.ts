/**
 * A process that rotates the instance key and stops in the middle: the file has the new key, the store is
 * sealed with it in a transaction that never commits. Arguments: the key file, the store.
 */
import { dirname, join } from "node:path";
import { rotateKeyRing } from "../../src/identity/key-ring.ts";
import { changeKeyRing } from "../../src/operate/change-key-ring.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";

const [, , path = "", store = ""] = process.argv;
const service = {
  ...SYNC_STORE,
  reseal: () =>
    new Promise<never>(() => {
      process.stdout.write("sealing\n");
    }),
};
process.stdin.resume();
const highWaterPath = join(dirname(path), service.highWaterFile);
await changeKeyRing(path, [{ service, store, highWaterPath }], async (ring, [user]) => {
  const lastIssue = user === undefined ? 0 : await service.readLastIssue(user.database);
  return rotateKeyRing(ring, Date.now(), Math.max(Date.now(), lastIssue + 1));
});
process.stdout.write("completed\n", () => process.exit(1));
