import { askToAuthorize } from "../../events/authorize.ts";
import type { EventsCase } from "../../events/target.ts";
import { violate } from "../../expect.ts";

export const cookiesAreForThisSiteAlone: EventsCase = {
  id: "cookies-are-for-this-site-alone",
  level: "trellis",
  title:
    "Cookies are HttpOnly, SameSite=Lax and for the whole host; with https also Secure and __Host-",
  section: "Trellis decision, events service: cookies",
  async run(target) {
    const isHttps = target.publicUrl.startsWith("https:");
    const answer = await askToAuthorize(target);
    const cookie = answer.header("Set-Cookie") ?? "none";
    const needed = ["HttpOnly", "SameSite=Lax", "Path=/", ...(isHttps ? ["Secure"] : [])];
    const given = new Set(cookie.split(/;\s*/).map((part) => part.toLowerCase()));
    for (const attribute of needed) {
      if (!given.has(attribute.toLowerCase())) {
        violate(answer.asked, `a cookie with ${attribute}`, cookie.replace(/=[^;]*/, "=…"));
      }
    }
    if (isHttps && !cookie.startsWith("__Host-")) {
      violate(answer.asked, "a cookie with the prefix __Host-", cookie.replace(/=[^;]*/, "=…"));
    }
  },
};
