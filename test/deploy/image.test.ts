/** The Dockerfile agrees with the project, and its health check works against a real server. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { constants, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test, type TestContext } from "node:test";
import { checkConfiguration } from "../../src/configuration/configuration.ts";
import { SDK_PACKAGES } from "../../src/operate/tracing/sdk.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { freePort } from "../fixtures/free-port.ts";
import { runTrellis as runToEnd } from "../fixtures/run-trellis.ts";
import { trellisScript } from "../fixtures/trellis-program.ts";
import { runTrellis } from "../service/start-trellis.ts";
import { environmentOf, execForm, lastOf, readDockerfile, ROOT } from "./read-dockerfile.ts";

const image = readDockerfile();
const about = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  bin: { trellis: string };
  devDependencies: { node: string };
  peerDependencies: Record<string, string>;
};

function copiedFiles(stage: number, from?: string): string[] {
  const flag = from === undefined ? "" : `--from=${from} `;
  return image
    .filter(({ name, rest, stage: at }) => name === "COPY" && at === stage && rest.startsWith(flag))
    .flatMap(({ rest }) => rest.slice(flag.length).split(" ").slice(0, -1))
    .filter((word) => !word.startsWith("--"));
}

test("every file that the image copies exists and is sent to the builder", async () => {
  const sources = copiedFiles(0);
  assert.ok(sources.includes("src") && sources.includes("package-lock.json"), sources.join(" "));
  const ignored = (await readFile(join(ROOT, ".dockerignore"), "utf8")).split("\n");
  for (const source of sources) {
    assert.ok(existsSync(join(ROOT, source)), `${source} exists`);
    assert.ok(ignored.includes(`!${source}`), `${source} is let through by .dockerignore`);
  }
});

test("the image takes from the build what the package has, and puts the command on the path", () => {
  const built = copiedFiles(1, "build").map((path) => path.replace("/build/", ""));
  const made = ["node_modules", "dist"];
  for (const path of built) assert.ok(made.includes(path) || copiedFiles(0).includes(path), path);
  for (const path of [...made, "package.json"]) assert.ok(built.includes(path), path);
  const link = `ln -s /opt/trellis/${about.bin.trellis} /usr/local/bin/trellis`;
  assert.ok(lastOf(image, "RUN").includes(link), link);
});

test("the image keeps the packages for traces, which are optional peers of the package", () => {
  const forApps = new Set(["@tanstack/db", "react"]);
  const forServers = Object.keys(about.peerDependencies).filter((name) => !forApps.has(name));
  assert.deepEqual(forServers.sort(), [...SDK_PACKAGES].sort());
  // Peers that are not optional stay, and nothing else that is for development or for apps.
  const prune =
    "npm pkg delete devDependencies peerDependenciesMeta peerDependencies.@tanstack/db peerDependencies.react && npm prune --ignore-scripts";
  assert.ok(
    image.some(({ name, rest }) => name === "RUN" && rest.startsWith(prune)),
    prune,
  );
});

test("the image has the Node that the tests run on", () => {
  const [major] = about.devDependencies.node.split(".");
  assert.deepEqual(image[0], { name: "ARG", rest: `BASE=node:${major}-slim`, stage: -1 });
  const bases = image.filter(({ name }) => name === "FROM").map(({ rest }) => rest);
  assert.deepEqual(bases, ["$BASE AS build", "$BASE"]);
});

test("the image runs as a user without privileges, and stops by a signal that the server handles", () => {
  assert.match(lastOf(image, "USER"), /^[1-9]\d{3,}:[1-9]\d{3,}$/);
  assert.equal(lastOf(image, "STOPSIGNAL"), "SIGTERM");
  assert.ok("SIGTERM" in constants.signals);
  assert.deepEqual(execForm(lastOf(image, "ENTRYPOINT")), ["trellis"]);
  assert.deepEqual(execForm(lastOf(image, "CMD")), ["serve", "--operator"]);
});

test("the data folder is a volume, and the user owns it", () => {
  const { TRELLIS_DATA_DIR: dataDir } = environmentOf(image);
  assert.equal(lastOf(image, "VOLUME"), dataDir);
  assert.match(lastOf(image, "RUN"), /install --directory --owner=trellis [^&]* \/data \/backups /);
  const user = lastOf(image, "USER").split(":")[0];
  assert.match(lastOf(image, "RUN"), new RegExp(`useradd --uid ${user} `));
});

test("the exposed ports are those of the services", () => {
  const settings = { release: {}, sync: {}, events: {} };
  const { release, sync, events } = checkConfiguration(settings, "the defaults");
  const listeners = [release, release?.smartDownload, sync, events];
  assert.deepEqual(
    lastOf(image, "EXPOSE").split(" ").map(Number),
    listeners.map((section) => section?.listen.port),
  );
});

async function createInstance(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-health-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, "trellis.config.json");
  const configure = (port: number, host = "127.0.0.1") =>
    writeFile(
      config,
      JSON.stringify({
        operator: { listen: { host, port } },
        sync: { listen: { port: 0 }, baseUrl: "http://localhost:4811" },
      }),
    );
  return { folder, config, configure };
}

/** Runs the health check of the Dockerfile as a container does: in its working directory. */
async function checkHealth(folder: string): Promise<{ code: number; stderr: string }> {
  const [, command = ""] = /CMD (\[.*\])$/.exec(lastOf(image, "HEALTHCHECK")) ?? [];
  const [program = "", ...words] = execForm(command);
  const tools = join(folder, "bin");
  if (!existsSync(tools)) await makeTools(tools);
  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env["PATH"]}` };
  return new Promise((resolve) => {
    const child = execFile(program, words, { cwd: folder, env }, (_, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
}

async function makeTools(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, "trellis"), trellisScript(), { mode: 0o755 });
}

test("the health check passes while the server is ready, and fails once it has stopped", async (t) => {
  const { folder, config, configure } = await createInstance(t);
  await configure(await freePort(), "0.0.0.0");
  const server = runTrellis(t, ["serve", "--operator", "--config", config]);
  await server.line((line) => line.startsWith('{"event":"ready"'));
  assert.deepEqual(await checkHealth(folder), { code: 0, stderr: "" });
  server.child.kill(lastOf(image, "STOPSIGNAL") as NodeJS.Signals);
  assert.deepEqual(await server.ended, { code: 0, signal: null });
  const { code, stderr } = await checkHealth(folder);
  assert.equal(code, 1);
  assert.match(stderr, /^No server responds at http:\/\/127\.0\.0\.1:\d+\/readyz: start one/);
});

test("a container without a configuration says that it is missing", async (t) => {
  const { folder } = await createInstance(t);
  const env = environmentOf(image);
  const { code, stderr } = await runToEnd(folder, execForm(lastOf(image, "CMD")), { env });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Nothing to serve: there is no configuration at "[^."].*trellis\.config\.json"/,
  );
});

async function respondWith(t: TestContext, status: number, body: string): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

test("`ready` fails with the reason when a service is unavailable", async (t) => {
  const { folder, configure } = await createInstance(t);
  const body = {
    status: "unavailable",
    services: { sync: { status: "unavailable", reason: "The disk is full" } },
  };
  await configure(await respondWith(t, 503, JSON.stringify(body)));
  const { code, stderr } = await runInside(folder, ["ready"]);
  assert.equal(code, 1);
  assert.equal(stderr, "The server is not ready\nsync: The disk is full\n");
  const { stdout } = await runInside(folder, ["ready", "--json"]);
  assert.deepEqual(JSON.parse(stdout), {
    error: "The server is not ready\nsync: The disk is full",
    ...body,
  });
});

test("`ready` says so when another program listens at the operator's address", async (t) => {
  const { folder, configure } = await createInstance(t);
  await configure(await respondWith(t, 200, "<p>Hello"));
  const { code, stderr } = await runInside(folder, ["ready"]);
  assert.equal(code, 1);
  assert.match(stderr, /responds with 200 and no readiness: another program listens there/);
});
