import { importGroup } from "./groups.ts";

importGroup("release");
