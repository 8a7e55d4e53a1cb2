import { expectHealth } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

export const pathsAreDecodedOnce: SyncCase = {
  id: "paths-are-decoded-once",
  title: "An escaped letter of a path is that letter",
  section: "Trellis decision, shared by all services: percent-decoding once",
  async run({ api }) {
    expectHealth(await api.get("/v1/he%61lth"));
  },
};
