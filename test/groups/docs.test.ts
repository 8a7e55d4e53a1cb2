import { importGroup } from "./groups.ts";

importGroup("docs");
