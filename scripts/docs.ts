/** Writes the docs to `site/dist`, or serves them while they are written. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { createSiteService } from "../src/server/site-service.ts";
import { checkSite } from "../site/check-site.ts";
import { renderDocs, type DocsSite } from "../site/render-docs.ts";
import { createNodeHandler } from "../src/http/node-handler.ts";
import { splitTarget } from "../src/http/target.ts";

const ROOT = join(import.meta.dirname, "..");
const USAGE = `npm run docs            writes the docs to site/dist: put it on any web server, or open index.html
npm run docs -- dev     serves them on this machine and renders each page again when it is loaded
npm run docs -- dev --port 8000`;

const command = readCommand();
if (command === null) console.error(USAGE);
else if (command.kind === "help") console.log(USAGE);
else if (command.kind === "dev") serve(command.port);
else build();
if (command === null) process.exitCode = 2;

type Command = { kind: "build" | "help" } | { kind: "dev"; port: number };

/** Null, with what is wrong on standard error, when the words make no sense. */
function readCommand(): Command | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" }, port: { type: "string" } },
    });
    const [name = "build", ...rest] = positionals;
    const port = Number(values.port ?? 0);
    if (values.help === true || name === "help") return { kind: "help" };
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new Error(`"${values.port}" is not a port`);
    if (rest.length === 0 && name === "dev") return { kind: "dev", port };
    if (rest.length === 0 && name === "build" && values.port === undefined)
      return { kind: "build" };
    throw new Error(`Cannot do "${process.argv.slice(2).join(" ")}"`);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}. Use one of these:\n`);
    return null;
  }
}

function build(): void {
  const { files } = renderDocs(ROOT);
  const folder = join(ROOT, "site/dist");
  rmSync(folder, { recursive: true, force: true });
  for (const { path, body } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), body);
  }
  const problems = checkSite(files);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log("The docs are in site/dist: put it on any web server, or open index.html");
}

function serve(port: number): void {
  let site: DocsSite = { files: [], headers: {} };
  const respond = createNodeHandler(createSiteService(() => site));
  const server = createServer((request, response) => {
    try {
      if (/(\/|\.html)$/.test(splitTarget(request.url ?? "/").path)) site = renderDocs(ROOT);
    } catch (error) {
      // The writer has not finished; the next load renders it again.
      return void response.writeHead(500).end(`${String(error)}\n`);
    }
    respond(request, response);
  });
  server.on("error", (error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    console.error(isTaken ? `Port ${port} is taken: choose another with --port` : String(error));
    process.exitCode = 1;
  });
  server.listen(port, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
}
