/** Serves `examples/tasks` with this repository's source instead of the installed package. */
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { serveApp } from "../examples/tasks/serve.ts";
import { APP_BROWSERS, toEsbuildTarget } from "./browser-targets.ts";

const CLIENT = join(import.meta.dirname, "../src/client");

export const FROM_SOURCE: BuildOptions = {
  target: ["es2024", ...toEsbuildTarget(APP_BROWSERS)],
  alias: {
    "trellis/client": join(CLIENT, "index.ts"),
    "trellis/react": join(CLIENT, "react/index.ts"),
  },
};

if (import.meta.main) void serveApp(FROM_SOURCE);
