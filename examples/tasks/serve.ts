/** Bundles the app and serves it on loopback: `node serve.ts [address of the sync server]`. */
import { createServer, type RequestListener } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type BuildOptions } from "esbuild";

const DEV_SERVER = "http://localhost:4811";
const PORT = 4820;

export async function createTasksSite(
  syncUrl: string,
  options: BuildOptions = {},
): Promise<RequestListener> {
  const { outputFiles } = await build({
    entryPoints: {
      app: join(import.meta.dirname, "src/main.tsx"),
      style: join(import.meta.dirname, "src/style.css"),
      "service-worker": join(import.meta.dirname, "src/service-worker.ts"),
    },
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

export async function serveTasks(syncUrl = DEV_SERVER, options?: BuildOptions): Promise<void> {
  const site = await createTasksSite(syncUrl, options);
  createServer(site).listen(PORT, "localhost", () =>
    console.log(`The tasks app is at http://localhost:${PORT}. Press Ctrl+C to stop.`),
  );
}

if (import.meta.main) void serveTasks(process.argv[2]);
