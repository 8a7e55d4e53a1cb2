/** `trellis/client/node`: what the clients need of Node. */
export { createSqliteStorage } from "./sqlite-storage.ts";
