/** Runs the cases of the conformance kit against a server of their own, because some of them sign everyone out. */
import { checkEvents } from "../../conformance/events/check-events.ts";
import { checkRelease } from "../../conformance/release/check-release.ts";
import { checkSync } from "../../conformance/sync/check-sync.ts";
import { readCatalog } from "../../src/release/catalog/read-catalog.ts";
import type { ReleaseConfiguration } from "../../src/configuration/configuration-schema.ts";
import { trustedKeys } from "../../src/rules/release/catalog.ts";
import { DEMO_PRODUCT } from "./demo-releases.ts";
import { DEMO_CLIENT_ID } from "./demo-settings.ts";
import type { CaseResult } from "../../conformance/case.ts";
import type { RunOptions } from "../../conformance/run-cases.ts";
import type { ConformanceService, ShownCase } from "./page/call-demo.ts";

export type RunConformance = (
  service: ConformanceService,
  onResult: (result: ShownCase) => void,
  signal: AbortSignal,
) => Promise<void>;

/** A demo without devices. */
interface ServerUnderTest {
  readonly release: ReleaseConfiguration;
  readonly sync: { readonly baseUrl: string };
  readonly events: { readonly baseUrl: string };
  readonly account: { readonly username: string; readonly password: string };
  stop(): Promise<void>;
}

/** Runs at the same time share a server. It ends with the demo: `stops` are the steps of its stop. */
export function createRunConformance(
  start: () => Promise<ServerUnderTest>,
  stops: (() => unknown)[],
): RunConformance {
  let starting: Promise<ServerUnderTest> | null = null;
  let runs = 0;
  const startOnce = async () => {
    const server = await start();
    stops.push(server.stop);
    return server;
  };
  return async (service, onResult, signal) => {
    const shared = (starting ??= startOnce());
    runs++;
    try {
      const server = await shared;
      await CHECKS[service](server, { onResult: (result) => onResult(toShown(result)), signal });
    } finally {
      if (--runs === 0) {
        starting = null;
        // A start that failed has told each run.
        await shared.then(
          ({ stop }) => stop(),
          () => {},
        );
      }
    }
  };
}

type Check = (server: ServerUnderTest, options: RunOptions) => Promise<unknown>;

const CHECKS: Readonly<Record<ConformanceService, Check>> = {
  async release({ release }, options) {
    const read = await readCatalog(release.catalog, Date.now());
    const input = {
      baseUrl: release.baseUrl,
      smartDownloadUrl: release.smartDownload.url,
      websiteDownloadUrl: release.websiteDownloadUrl,
      product: DEMO_PRODUCT,
      ...(read.kind === "loaded" && { keys: trustedKeys(read.catalog) }),
    };
    return checkRelease(input, options);
  },
  sync: ({ sync: { baseUrl }, account }, options) =>
    checkSync({ baseUrl, ...account, allowRevokeAll: true }, options),
  events: ({ events: { baseUrl }, account }, options) =>
    checkEvents({ baseUrl, account, level: "trellis", clientId: DEMO_CLIENT_ID }, options),
};

function toShown({ id, title, outcome }: CaseResult): ShownCase {
  return { id, title, result: outcome.kind };
}
