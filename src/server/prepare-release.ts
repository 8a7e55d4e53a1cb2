import type { LineWriter } from "../http/line-writer.ts";
import { createReleaseService } from "../release/service.ts";
import type { Configuration, ReleaseConfiguration } from "./configuration-schema.ts";
import { describeNotice } from "./notices.ts";
import type { ReadyService } from "./start.ts";

export async function prepareRelease(
  { listen: at, smartDownload, ...settings }: ReleaseConfiguration,
  { trustedProxies }: Configuration,
  log: LineWriter,
): Promise<ReadyService> {
  const service = createReleaseService({
    ...settings,
    smartDownloadUrl: smartDownload.url,
    trustedProxies,
    log,
    onNotice: (notice) => log.event(...describeNotice("release", notice)),
  });
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
