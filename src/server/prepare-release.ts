import type { LineWriter } from "../http/request-log.ts";
import { createReleaseService } from "../release/service.ts";
import type { Configuration, ReleaseConfiguration } from "../configuration/configuration-schema.ts";
import { describeNotice } from "../operate/notices.ts";
import type { ServiceObservers } from "../operate/service-observers.ts";
import type { ReadyService } from "./ready-service.ts";

export async function prepareRelease(
  { listen: at, smartDownload, ...settings }: ReleaseConfiguration,
  { trustedProxies }: Configuration,
  log: LineWriter,
  observers?: ServiceObservers,
): Promise<ReadyService> {
  let isCurrent = true;
  const service = createReleaseService({
    ...settings,
    smartDownloadUrl: smartDownload.url,
    trustedProxies,
    log,
    ...(observers && { observer: observers.requests("release") }),
    onNotice(notice) {
      if (notice.kind === "catalog-loaded") isCurrent = true;
      if (notice.kind === "catalog-refused") isCurrent = false;
      log.event(...describeNotice("release", notice));
    },
  });
  const { manifestExpiresAt } = service;
  observers?.metrics?.shared.watchRelease({ manifestExpiresAt, isCurrent: () => isCurrent });
  try {
    await service.ready;
  } catch (error) {
    await service.close();
    throw error;
  }
  return {
    name: "release",
    origins: [
      { name: "release", http: service.api, at },
      { name: "smartDownload", http: service.smartDownload, at: smartDownload.listen },
    ],
    close: service.close,
  };
}
