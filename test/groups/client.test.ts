import { importGroup } from "./groups.ts";

importGroup("client");
