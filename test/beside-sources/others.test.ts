import { importTests } from "./import-tests.ts";

/** In the files beside this one; those of `identity` use PostgreSQL and have processes of their own. */
const ELSEWHERE = new Set(["cli", "http", "identity", "release", "rules", "server"]);

importTests((folder) => !ELSEWHERE.has(folder));
