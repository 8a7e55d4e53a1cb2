import type { FeedSettings } from "../contract/release/feed-values.ts";
import type { PreparedResponses } from "./responses/prepare-responses.ts";

/** What the two origins of a release service share: of a server that is open, or of an export. */
export interface ReleaseDependencies {
  readonly baseUrl: string;
  readonly smartDownloadUrl: string;
  readonly websiteDownloadUrl: string;
  readonly environment: string;
  readonly feeds: FeedSettings;
  now(): number;
  /** Called once for each request, so that a reload in between is atomic. */
  responses(): PreparedResponses;
}
