/** The compose files agree with each other, with the image and with the configuration. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { BlockList } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { parseDocument } from "yaml";
import { parsePostgresAddress } from "../../src/database/postgres-address.ts";
import { loadConfiguration } from "../../src/configuration/configuration.ts";
import { environmentOf, readDockerfile, ROOT } from "./read-dockerfile.ts";

const DEPLOY = join(ROOT, "deploy");
const HOST = "sync.example.com";

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly ports?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly scale?: number;
  readonly build?: string | { readonly context: string; readonly dockerfile: string };
  readonly stop_grace_period?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: object;
  readonly networks?: Readonly<
    Record<string, { readonly ipam?: { readonly config: readonly { subnet: string }[] } } | null>
  >;
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>;
}

function readCompose(name: string): Compose {
  const text = readFileSync(join(DEPLOY, name), "utf8");
  const document = parseDocument(text, { strict: true, uniqueKeys: true, merge: true });
  assert.deepEqual([...document.errors, ...document.warnings], []);
  return document.toJS() as Compose;
}

const base = readCompose("compose.yaml");
const overlays = {
  postgres: readCompose("compose.postgres.yaml"),
  backup: readCompose("compose.backup.yaml"),
};
const all: readonly Compose[] = [base, ...Object.values(overlays)];
const image = readDockerfile();

/** What Trellis would load in its container, with secrets read from `secrets`. */
function loadInContainer(composes: readonly Compose[], secrets = "") {
  const given = Object.assign(
    {},
    ...composes.map(({ services }) => services["trellis"]?.environment),
  );
  const env = Object.entries(given as Record<string, string>).map(([name, value]) => [
    name,
    value.replace(/\$\{SYNC_HOST:\?[^}]+\}/, HOST).replace(/^\/run\/secrets\//, `${secrets}/`),
  ]);
  return loadConfiguration({
    path: join(DEPLOY, "trellis.config.json"),
    isRequired: true,
    env: { ...environmentOf(image), ...(Object.fromEntries(env) as Record<string, string>) },
  });
}

function volumesOf(composes: readonly Compose[], service: string) {
  return composes
    .flatMap(({ services }) => services[service]?.volumes ?? [])
    .map((text) => {
      const [source = "", target = "", mode] = text.split(":");
      return { source, target, mode };
    });
}

test("every container has a read-only root, no capabilities and no new privileges", () => {
  const whole = all.flatMap(({ services }) => Object.entries(services));
  const started = whole.filter(([, { image: name }]) => name !== undefined);
  assert.deepEqual(
    started.map(([name]) => name),
    ["trellis", "caddy", "pooler", "postgres", "replica"],
  );
  for (const [name, service] of started) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ["ALL"], name);
    assert.deepEqual(service.security_opt, ["no-new-privileges:true"], name);
    assert.deepEqual(service.cap_add, name === "caddy" ? ["NET_BIND_SERVICE"] : undefined, name);
    assert.ok(
      service.tmpfs?.some((mount) => mount.startsWith("/tmp:")),
      name,
    );
  }
});

test("only the proxy has ports on the host", () => {
  const open = all.flatMap(({ services }) =>
    Object.entries(services).filter(([, { ports }]) => ports !== undefined),
  );
  assert.deepEqual(
    open.map(([name]) => name),
    ["caddy"],
  );
});

test("volumes, networks and secrets are declared where they are used", () => {
  for (const [name, overlay] of Object.entries({ base, ...overlays })) {
    const parts = [base, overlay];
    for (const kind of ["volumes", "networks", "secrets"] as const) {
      const declared = new Set(parts.flatMap((part) => Object.keys(part[kind] ?? {})));
      const used = new Set(
        parts
          .flatMap(({ services }) => Object.values(services))
          .flatMap((service) =>
            kind === "networks"
              ? Object.keys(service.networks ?? {})
              : namesOf(service[kind] ?? []),
          ),
      );
      assert.deepEqual(used, declared, `${name}: ${kind}`);
    }
  }
});

/** Named volumes and secrets; not the folders and files of the host. */
function namesOf(entries: readonly string[]): string[] {
  return entries.map((entry) => entry.split(":")[0] ?? "").filter((name) => !/^[./]/.test(name));
}

test("every file that a container mounts exists and is read-only", () => {
  const files = all
    .flatMap(({ services }) => Object.keys(services))
    .flatMap((service) => volumesOf(all, service))
    .filter(({ source }) => source.startsWith("."));
  assert.ok(files.length >= 2);
  for (const { source, mode } of files) {
    assert.ok(existsSync(join(DEPLOY, source)), source);
    assert.equal(mode, "ro", source);
  }
});

test("what Trellis writes is in volumes, and its configuration is where it looks for it", async () => {
  const { dataDir, sync } = await loadInContainer([base]);
  const targets = volumesOf([base], "trellis").map(({ target }) => target);
  assert.deepEqual(targets, ["/etc/trellis/trellis.config.json", dataDir]);
  assert.ok(image.some(({ name, rest }) => name === "WORKDIR" && rest === "/etc/trellis"));
  assert.equal(sync?.store, `sqlite:${dataDir}/sync.db`);
  assert.equal(sync?.instanceKeyFile, `${dataDir}/instance.key`);
});

test("the proxy forwards to the listener, and Trellis trusts its address alone", async () => {
  const { sync, trustedProxies, http } = await loadInContainer([base]);
  assert.equal(sync?.baseUrl, `https://${HOST}`);
  assert.equal(sync?.listen.host, "0.0.0.0");
  const caddyfile = await readFile(join(DEPLOY, "Caddyfile"), "utf8");
  assert.match(caddyfile, /^\{\$SYNC_HOST\} \{\n/);
  assert.ok(caddyfile.includes(`dynamic a trellis ${sync?.listen.port}\n`), caddyfile);
  const address = base.services["caddy"]?.networks?.["proxy"]?.ipv4_address ?? "";
  assert.deepEqual(trustedProxies, [address]);
  const [network = "", prefix] = (base.networks?.["proxy"]?.ipam?.config[0]?.subnet ?? "").split(
    "/",
  );
  const subnet = new BlockList();
  subnet.addSubnet(network, Number(prefix));
  assert.ok(subnet.check(address), `${address} is in ${network}/${prefix}`);
  const grace = base.services["trellis"]?.stop_grace_period ?? "";
  assert.ok(Number.parseInt(grace, 10) > http.stopSeconds, grace);
  assert.match(await readFile(join(DEPLOY, ".env.example"), "utf8"), /^SYNC_HOST=/m);
});

async function makeSecrets(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-secrets-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const guide = await readFile(join(ROOT, "docs/operate/install.md"), "utf8");
  const [, script = ""] = /^```sh\n(mkdir [^`]*secrets.*?)^```/ms.exec(guide) ?? [];
  execFileSync("sh", ["-e", "-c", script], { cwd: folder });
  return join(folder, "secrets");
}

const { postgres } = overlays;

test("the secrets of the guide let two processes through the pooler", async (t) => {
  const folder = await makeSecrets(t);
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const { sync } = await loadInContainer([base, postgres], folder);
  const address = parsePostgresAddress(sync?.store ?? "");
  const password = await read("database-password");
  assert.match(password, /^[0-9a-f]{48}$/);
  assert.deepEqual([address.user, address.password], ["trellis", password]);
  assert.equal(await read("pooler-users"), `"trellis" "${password}"\n`);
  for (const [secret, { file }] of Object.entries(postgres.secrets ?? {})) {
    assert.equal(file, `./secrets/${secret}`);
    assert.ok(existsSync(join(folder, secret)), secret);
  }
  const passwords = ["superuser", "database", "replication"].map((of) => read(`${of}-password`));
  assert.equal(new Set(await Promise.all(passwords)).size, 3);

  assert.equal(postgres.services["trellis"]?.scale, 2);
  const pooler = readPoolerSettings();
  assert.equal(address.isPooled, true);
  assert.equal(pooler.get("pool_mode"), "transaction");
  assert.deepEqual(address.servers, [{ host: "pooler", port: Number(pooler.get("listen_port")) }]);
  assert.equal(pooler.get(address.database ?? ""), "host=postgres");
  assert.equal(
    pooler.get("auth_file"),
    `/run/secrets/${postgres.services["pooler"]?.secrets?.[0]}`,
  );
  assert.deepEqual(
    address.listen?.map(({ host }) => host),
    ["postgres", "replica"],
  );
  for (const { host } of address.listen ?? []) assert.ok(host in postgres.services, host);
});

function readPoolerSettings(): ReadonlyMap<string, string> {
  const text = readFileSync(join(DEPLOY, "postgres/pgbouncer.ini"), "utf8");
  return new Map(
    [...text.matchAll(/^(?<name>\w+) = ?(?<value>.*)$/gm)].map(({ groups }) => [
      groups?.["name"] ?? "",
      groups?.["value"] ?? "",
    ]),
  );
}

test("Trellis has a role of its own, and begins when the primary has its replica", async () => {
  const { trellis, pooler, postgres: primary, replica } = postgres.services;
  const isHealthy = { condition: "service_healthy" };
  assert.deepEqual(trellis?.depends_on, { pooler: isHealthy, replica: isHealthy });
  assert.deepEqual(pooler?.depends_on, { postgres: isHealthy });
  assert.deepEqual(replica?.depends_on, { postgres: isHealthy });
  for (const service of [pooler, primary, replica]) assert.ok(service?.healthcheck !== undefined);
  // The image makes this one a superuser, which Trellis refuses.
  assert.equal(primary?.environment?.["POSTGRES_USER"], undefined);
  const roles = await readScript("create-roles.sh");
  assert.match(roles, /^CREATE ROLE trellis LOGIN PASSWORD :'password';$/m);
  assert.match(roles, /^CREATE DATABASE trellis OWNER trellis /m);
  const follow = await readScript("follow-primary.sh");
  const [, name] = /application_name=(\w+)"/.exec(follow) ?? [];
  assert.ok(roles.includes(`synchronous_standby_names = '${name}'`), "commits wait for it");
  for (const [script, service] of [
    [roles, primary],
    [follow, replica],
  ] as const) {
    const used = [...script.matchAll(/(?:secret |\/run\/secrets\/)([a-z-]+)/g)];
    for (const [, secret = ""] of used) assert.ok(service?.secrets?.includes(secret), secret);
  }
});

/** A sound script that the overlay runs. */
async function readScript(name: string): Promise<string> {
  const path = join(DEPLOY, "postgres", name);
  execFileSync("sh", ["-n", path]);
  const mounted = ["postgres", "replica"].flatMap((service) => volumesOf([postgres], service));
  assert.ok(mounted.some(({ source }) => source === `./postgres/${name}`));
  return readFile(path, "utf8");
}

test("every image that is built has its files", () => {
  for (const { build } of all.flatMap(({ services }) => Object.values(services))) {
    if (build === undefined) continue;
    const { context, dockerfile } =
      typeof build === "string" ? { context: build, dockerfile: "Dockerfile" } : build;
    assert.ok(existsSync(join(DEPLOY, context, dockerfile)), `${context}/${dockerfile}`);
  }
});

test("backups go to a folder that the image gives to its user", async () => {
  const [mount] = volumesOf([overlays.backup], "trellis");
  assert.equal(mount?.target, "/backups");
  const { sync } = await loadInContainer([base, overlays.backup]);
  assert.deepEqual([sync?.backup?.to, sync?.backup?.every], [mount?.target, "day"]);
  assert.notEqual(mount?.source, "data");
  const made = image.findLast(({ name }) => name === "RUN")?.rest ?? "";
  assert.match(made, /--owner=trellis [^&]*\/backups /);
});
