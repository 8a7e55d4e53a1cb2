import { ALL_FEEDS } from "../../../src/contract/release/feed-values.ts";

export const ADDRESSES = {
  baseUrl: "https://releases.example.com",
  smartDownloadUrl: "https://get.example.com",
  websiteDownloadUrl: "https://www.example.com/#download",
  environment: "production",
  feeds: ALL_FEEDS,
};
