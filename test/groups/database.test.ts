import { importGroup } from "./groups.ts";

importGroup("database");
