import { importGroup } from "./groups.ts";

importGroup("events-operations");
