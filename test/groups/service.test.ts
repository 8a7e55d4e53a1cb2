import { importGroup } from "./groups.ts";

importGroup("service");
