import { importGroup } from "./groups.ts";

importGroup("sources");
