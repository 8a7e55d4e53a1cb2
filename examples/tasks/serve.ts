/** Bundles the app and serves it on loopback. `trellis dev -- node serve.ts` sets both variables. */
import { createServer, type RequestListener } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";

const { SYNC_URL = "http://localhost:4811", PORT = "4820" } = process.env;
/** The source of each file that the page loads. */
const ENTRIES = {
  app: "src/main.tsx",
  style: "src/style.css",
  "service-worker": "src/service-worker.ts",
};

export async function createAppSite(
  syncUrl: string,
  options: BuildOptions = {},
): Promise<RequestListener> {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ENTRIES,
    outdir: "/",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"', SYNC_URL: JSON.stringify(syncUrl) },
    ...options,
    write: false,
  });
  const page = await readFile(join(import.meta.dirname, "index.html"));
  const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = files.get(pathname);
    const type = pathname.endsWith(".css") ? "text/css" : "text/javascript";
    const headers = { "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff" };
    // Every other address is the page, that of the redirect after a sign-in among them.
    response
      .writeHead(200, { ...headers, "Content-Type": file === undefined ? "text/html" : type })
      .end(file ?? page);
  };
}

export async function serveApp(options?: BuildOptions): Promise<void> {
  const site = await createAppSite(SYNC_URL, options);
  createServer(site).listen(Number(PORT), "localhost", () =>
    console.log(`The app is at http://localhost:${PORT}`),
  );
}

if (import.meta.main) void serveApp();
