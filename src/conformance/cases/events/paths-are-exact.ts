import { expectError } from "../../events/bodies.ts";
import type { EventsCase } from "../../events/target.ts";
import { expectEach } from "../../expect.ts";

const PATHS = [
  "/API/events",
  "/api/Events",
  "/api/events/",
  "//api/events",
  "/api//events",
  "/api/./events",
  "/api/x/../events",
  "/api%2Fevents",
  "/api/ev%2565nts",
  "/health/",
];

export const pathsAreExact: EventsCase = {
  id: "paths-are-exact",
  level: "trellis",
  title: "Paths are case-sensitive, without trailing slashes, empty segments or dot segments",
  section: "Trellis decision, shared by all services: paths are exact",
  async run({ api }) {
    await expectEach(PATHS, async (path) => void expectError(await api.get(path), "not_found"));
  },
};
