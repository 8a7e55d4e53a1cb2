import type { Page } from "playwright-core";
import { approveSignIn, type Account } from "../sync/approve-sign-in.ts";

/** From now on the sign-in page of sync leads back to the app at once. */
export async function skipSignInPage(page: Page, syncUrl: string, account: Account): Promise<void> {
  await page.route(`${syncUrl}/v1/authorize?*`, async (route) => {
    const callback = await approveSignIn(route.request().url(), account);
    const script = `<script>location.replace(${JSON.stringify(callback)})</script>`;
    await route.fulfill({ contentType: "text/html", body: `<!doctype html>${script}` });
  });
}
