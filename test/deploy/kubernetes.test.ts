/** The manifest agrees with itself, with the image and with the configuration; no cluster has run it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { rootCommand } from "../../src/cli/commands/root.ts";
import { loadConfiguration } from "../../src/configuration/configuration.ts";
import { parsePostgresAddress } from "../../src/database/postgres-address.ts";
import { environmentOf, lastOf, readDockerfile, ROOT } from "./read-dockerfile.ts";

interface Labels {
  readonly [name: string]: string;
}

interface Volume {
  readonly name: string;
  readonly configMap?: { readonly name: string };
  readonly projected?: {
    readonly defaultMode: number;
    readonly sources: readonly { readonly secret: { readonly name: string } }[];
  };
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly readinessProbe: { readonly exec: { readonly command: readonly string[] } };
  readonly livenessProbe: { readonly tcpSocket: { readonly port: string } };
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly [name: string]: unknown };
  readonly containers: readonly [Container];
  readonly volumes: readonly Volume[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  };
}

interface Service extends Manifest {
  readonly spec: {
    readonly selector: Labels;
    readonly ports: readonly { readonly targetPort: string }[];
  };
}

const text = readFileSync(join(ROOT, "deploy/kubernetes.yaml"), "utf8");
const documents = parseAllDocuments(text, { strict: true, uniqueKeys: true });
const manifests = documents.map((document) => document.toJS() as Manifest);
const secret = find("Secret");
const settings = find("ConfigMap");
const deployment = find("Deployment") as Deployment;
const service = find("Service") as Service;
const { spec } = deployment.spec.template;
const [container] = spec.containers;
const image = readDockerfile();

function find(kind: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind);
  assert.ok(found !== undefined, kind);
  return found;
}

function mountOf(volume: string): string {
  return container.volumeMounts.find(({ name }) => name === volume)?.mountPath ?? "";
}

test("the manifest is sound", () => {
  for (const { errors, warnings } of documents) assert.deepEqual([...errors, ...warnings], []);
  assert.deepEqual(
    manifests.map(({ kind }) => kind),
    ["Secret", "ConfigMap", "Deployment", "Service"],
  );
});

test("Trellis reads its configuration, and its secrets from files", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-kubernetes-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [[file, json] = ["", ""]] = Object.entries(settings.data ?? {});
  assert.equal(mountOf("config"), lastOf(image, "WORKDIR"));
  const path = join(folder, file);
  await writeFile(path, json);
  const [variable] = container.env;
  assert.equal(dirname(variable?.value ?? ""), mountOf("secrets"));
  const given = secret.stringData?.[basename(variable?.value ?? "")] ?? "";
  await writeFile(join(folder, "store"), given);
  const env = { ...environmentOf(image), [variable?.name ?? ""]: join(folder, "store") };
  const { sync, dataDir, http } = await loadConfiguration({ path, isRequired: true, env });
  assert.equal(sync?.store, given);
  assert.equal(parsePostgresAddress(given).tls.mode, "verify-full");
  assert.equal(dataDir, mountOf("data"));
  assert.equal(sync?.listen.host, "0.0.0.0");
  assert.equal(sync?.listen.port, container.ports[0]?.containerPort);
  assert.ok(spec.terminationGracePeriodSeconds > http.stopSeconds);
  const key = sync?.hostKeyFile ?? "";
  assert.equal(dirname(key), mountOf("secrets"));
  assert.ok(text.includes(`--from-file=${basename(key)}\n`), "the guide's Secret has it");
});

test("volumes, ports and labels are declared where they are used", () => {
  const mounted = container.volumeMounts.map(({ name }) => name).toSorted();
  assert.deepEqual(mounted, spec.volumes.map(({ name }) => name).toSorted());
  const { configMap, projected } = Object.assign({}, ...spec.volumes) as Volume;
  assert.equal(configMap?.name, settings.metadata.name);
  const secrets = projected?.sources.map((source) => source.secret.name) ?? [];
  assert.equal(secrets[0], secret.metadata.name);
  assert.ok(text.includes(`kubectl create secret generic ${secrets[1]} `));
  assert.equal(projected?.defaultMode, 0o440);
  const { labels } = deployment.spec.template.metadata;
  assert.deepEqual(deployment.spec.selector.matchLabels, labels);
  assert.deepEqual(service.spec.selector, labels);
  const port = container.ports[0]?.name;
  assert.equal(service.spec.ports[0]?.targetPort, port);
  assert.equal(container.livenessProbe.tcpSocket.port, port);
});

test("two processes run without rights, and are ready when they can write", () => {
  assert.ok(deployment.spec.replicas >= 2);
  const [, user] = /^(\d+):\d+$/.exec(lastOf(image, "USER")) ?? [];
  const { runAsNonRoot, runAsUser, fsGroup } = spec.securityContext;
  assert.deepEqual([runAsNonRoot, runAsUser, fsGroup], [true, Number(user), Number(user)]);
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  const [program, command = ""] = container.readinessProbe.exec.command;
  assert.equal(program, "trellis");
  assert.ok(command in rootCommand.commands, command);
});
