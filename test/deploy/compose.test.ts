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
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
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
    ["trellis", "caddy", "postgres"],
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
  assert.ok(caddyfile.includes(`reverse_proxy trellis:${sync?.listen.port}\n`), caddyfile);
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

test("the secrets of the guide open the database of the overlay", async (t) => {
  const folder = await makeSecrets(t);
  const { postgres } = overlays;
  const { sync } = await loadInContainer([base, postgres], folder);
  const password = await readFile(join(folder, "database-password"), "utf8");
  assert.match(password, /^[0-9a-f]{48}$/);
  const database = postgres.services["postgres"];
  const { POSTGRES_USER: user, POSTGRES_DB: name } = database?.environment ?? {};
  assert.equal(sync?.store, `postgres://${user}:${password}@postgres/${name}`);
  assert.doesNotThrow(() => parsePostgresAddress(sync?.store ?? ""));
  for (const [secret, { file }] of Object.entries(postgres.secrets ?? {})) {
    assert.equal(file, `./secrets/${secret}`);
    assert.ok(existsSync(join(folder, secret)), secret);
  }
  assert.equal(
    database?.environment?.["POSTGRES_PASSWORD_FILE"],
    `/run/secrets/${database?.secrets?.[0]}`,
  );
  assert.notEqual(database?.healthcheck, undefined);
  assert.deepEqual(postgres.services["trellis"]?.depends_on, {
    postgres: { condition: "service_healthy" },
  });
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
