import { importGroup } from "./groups.ts";

importGroup("events-service");
