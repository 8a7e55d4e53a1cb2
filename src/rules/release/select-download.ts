/** The smart-download selector: a path on the API origin, or the website. */
import {
  DEFAULT_ARCHITECTURES,
  type DistributionPlatform,
  type ReleaseChannel,
} from "../../contract/release/values.ts";
import { detectPlatform } from "./detect-platform.ts";

export interface DownloadRequest {
  readonly platform?: DistributionPlatform | undefined;
  readonly arch?: string | undefined;
  readonly channel: ReleaseChannel;
  readonly userAgent: string;
}

/** The path of the download route; null when no platform can be determined. */
export function selectDownload(request: DownloadRequest): string | null {
  const platform = request.platform ?? detectPlatform(request.userAgent);
  if (platform === null) return null;
  const architecture = request.arch ?? DEFAULT_ARCHITECTURES[platform];
  return withChannel(
    `/api/v1/download/${platform}/${encodeURIComponent(architecture)}`,
    request.channel,
  );
}

/** The stable channel is the default, so its paths have no query. */
export function withChannel(path: string, channel: ReleaseChannel): string {
  return channel === "beta" ? `${path}?channel=beta` : path;
}
