import { importGroup } from "./groups.ts";

importGroup("sync-service");
