import { importTests } from "./import-tests.ts";

importTests((folder) => ["cli", "http", "server"].includes(folder));
