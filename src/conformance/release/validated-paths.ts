/** The answers that carry a validator (ETag). */
import type { ReleaseTarget } from "./target.ts";

export async function validatedPaths(target: ReleaseTarget): Promise<string[]> {
  const [newest] = await target.latestOfEach();
  const paths = [
    "/api/v1/releases",
    `/api/v1/releases/latest?channel=${newest?.channel}`,
    `/api/v1/releases/${newest?.version}`,
    `/api/v1/releases/${newest?.version}/downloads`,
  ];
  const manifest = await target.api.get("/api/v1/manifest");
  return manifest.status === 503 ? paths : ["/api/v1/manifest", ...paths];
}
