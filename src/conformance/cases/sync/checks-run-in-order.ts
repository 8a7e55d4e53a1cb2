import type { SyncErrorCode } from "../../../contract/sync/errors.ts";
import { expectEach } from "../../expect.ts";
import type { HttpResponse } from "../../http.ts";
import { expectError } from "../../sync/bodies.ts";
import { JSON_BODY } from "../../sync/device.ts";
import { MAX_TARGET_BYTES, FOREIGN_ORIGIN } from "../../sync/routes.ts";
import type { SyncCase } from "../../sync/target.ts";

export const checksRunInOrder: SyncCase = {
  id: "checks-run-in-order",
  title:
    "Target length, method and path, origin, query, authentication, content type, size, body: the first fault decides",
  section: "Trellis decision, sync service: order of checks",
  async run(target) {
    const { api } = target;
    const device = await target.device();
    const { maxBodyBytes } = await target.limits();
    const foreign = { Origin: FOREIGN_ORIGIN };
    const text = { "Content-Type": "text/plain" };
    const large = " ".repeat(maxBodyBytes + 1);
    const ask = (method: string, path: string, headers: Record<string, string>, body = "") =>
      api.send(method, path, headers, body);
    const questions: [code: SyncErrorCode, answer: () => Promise<HttpResponse>][] = [
      ["request_target_too_large", () => ask("PUT", `/${"y".repeat(MAX_TARGET_BYTES)}`, foreign)],
      ["not_found", () => ask("PUT", "/no/such/route?x=1", foreign)],
      ["method_not_allowed", () => ask("PUT", "/v1/push?x=1", foreign)],
      ["cors_denied", () => ask("GET", "/v1/pull?limit=0", foreign)],
      ["cors_denied", () => ask("POST", "/v1/push", { ...foreign, ...text }, "{")],
      ["invalid_request", () => ask("GET", "/v1/pull?limit=0", {})],
      ["invalid_cursor", () => ask("GET", "/v1/pull?cursor=", {})],
      ["invalid_request", () => ask("POST", "/v1/push?x=1", text, "{")],
      ["invalid_access_token", () => ask("POST", "/v1/push", text, "{")],
      ["invalid_access_token", () => ask("POST", "/v1/push", JSON_BODY, large)],
      [
        "unsupported_media_type",
        () => ask("POST", "/v1/push", { ...device.bearer, ...text }, large),
      ],
      [
        "payload_too_large",
        () => ask("POST", "/v1/push", { ...device.bearer, ...JSON_BODY }, large),
      ],
      ["unsupported_media_type", () => ask("POST", "/v1/token", text, "{")],
      ["invalid_json", () => ask("POST", "/v1/authorize", JSON_BODY, "{")],
      ["invalid_request", () => ask("POST", "/v1/authorize", JSON_BODY, "{}")],
    ];
    await expectEach(questions, async ([code, answer]) => {
      expectError(await answer(), code);
    });
  },
};
