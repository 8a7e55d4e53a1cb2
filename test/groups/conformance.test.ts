import { importGroup } from "./groups.ts";

importGroup("conformance");
