import { importGroup } from "./groups.ts";

importGroup("stores");
