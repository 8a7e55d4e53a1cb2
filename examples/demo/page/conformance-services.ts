/** The services that the conformance kit tests, in the order of the page. */
import type { ConformanceService } from "./call-demo.ts";

export const CONFORMANCE_SERVICES: readonly ConformanceService[] = ["release", "sync", "events"];
