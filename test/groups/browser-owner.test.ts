import { importGroup } from "./groups.ts";

importGroup("browser-owner");
