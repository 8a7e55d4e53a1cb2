/** `trellis/client/node`: what the clients need of Node. */
export { createFileKeyStore } from "./file-key-store.ts";
export { createSqliteStorage } from "./sqlite-storage.ts";
