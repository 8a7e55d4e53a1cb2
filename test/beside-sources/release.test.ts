import { importTests } from "./import-tests.ts";

importTests((folder) => folder === "release");
