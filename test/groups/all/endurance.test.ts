import { importGroup } from "../groups.ts";

importGroup(import.meta.filename);
