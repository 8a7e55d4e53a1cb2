/** A host with metrics, asked as a server would be. */
import assert from "node:assert/strict";
import { checkConfiguration } from "../../../src/configuration/configuration.ts";
import type { InstancesByName } from "../../../src/configuration/configuration-schema.ts";
import { toHostConfiguration } from "../../../src/configuration/instance.ts";
import type { HostSettings } from "../../../src/hosting/host-dependencies.ts";
import { startSyncHost, type RunningHost } from "../../../src/hosting/sync-host.ts";
import { createServerMetrics } from "../../../src/operate/metrics/server-metrics.ts";
import { createServiceObservers } from "../../../src/operate/service-observers.ts";
import type { Tracing } from "../../../src/operate/tracing/open-tracing.ts";
import { parseMetrics, type ParsedMetrics } from "../../fixtures/parse-metrics.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { postJson } from "../sync-client.ts";
import { askOf, bearer, closeHost, originOf, REDIRECT_URI, type HostPlace } from "./serve-host.ts";
import type { CleanUp } from "../../fixtures/clean-up.ts";

export interface ObservedHost {
  readonly host: RunningHost;
  readonly instances: InstancesByName;
  scrape(): Promise<ParsedMetrics>;
  push(name: string, accessToken: string, sequence: number): Promise<number>;
}

export function startObservedHost(
  t: CleanUp,
  { dataDir, store }: HostPlace,
  names: readonly string[],
  given: Partial<HostSettings> = {},
  tracing: Tracing | null = null,
): ObservedHost {
  const instances = Object.fromEntries(names.map((name) => [name, { baseUrl: originOf(name) }]));
  const section = {
    instances,
    redirectUris: [REDIRECT_URI],
    ...(store !== undefined && { store }),
  };
  const { sync } = checkConfiguration({ dataDir, sync: section }, "of the test");
  assert.ok(sync !== undefined);
  const metrics = createServerMetrics({ version: "test", build: null });
  t.after(() => metrics.close());
  const observers = createServiceObservers(metrics, tracing);
  assert.ok(observers !== undefined);
  const host = startSyncHost({
    ...toHostConfiguration(sync, dataDir),
    instances,
    createsFolders: true,
    trustedProxies: [],
    streamIdleTimeoutMs: 1000,
    log: () => undefined,
    onNotice: () => {},
    observers,
    ...given,
  });
  t.after(() => closeHost(host));
  return {
    host,
    instances,
    scrape: async () => parseMetrics(await metrics.render()),
    async push(name, accessToken, sequence) {
      const body = { operations: [createOperation({ sequence })] };
      return (await postJson(askOf(host, name), "/v1/push", body, bearer(accessToken))).status;
    },
  };
}
