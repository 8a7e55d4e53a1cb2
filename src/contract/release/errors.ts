/** The error codes of the release service; the list is closed. */

export const RELEASE_ERRORS = {
  invalid_pagination: { status: 400, message: "page must be 1 to 100000 and limit 1 to 100" },
  invalid_channel: { status: 400, message: 'channel must be "stable" or "beta"' },
  invalid_update_request: {
    status: 400,
    message:
      "platform, version (three-component SemVer) and build (a positive integer) are required",
  },
  not_found: { status: 404, message: "There is nothing at this address" },
  release_not_found: { status: 404, message: "No published release matches" },
  platform_not_supported: {
    status: 404,
    message: "Downloads exist for android, windows, linux and macos",
  },
  artifact_not_found: {
    status: 404,
    message: "The release has no artifact for this platform and architecture",
  },
  manifest_unavailable: { status: 503, message: "No signed manifest is loaded" },
  internal_error: { status: 500, message: "The request failed unexpectedly; try again later" },
} as const;

export type ReleaseErrorCode = keyof typeof RELEASE_ERRORS;
export const RELEASE_ERROR_CODES = Object.keys(RELEASE_ERRORS) as ReleaseErrorCode[];
