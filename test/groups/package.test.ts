import { importGroup } from "./groups.ts";

importGroup("package");
