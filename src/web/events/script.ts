/** The script of the account pages. Bundled into src/web/generated. They work without it, too. */
import { readPageData } from "../page-data.ts";
import { forgetLanguage, rememberLanguage } from "./remember-language.ts";
import { offerDeviceZone } from "./settings/device-zone.ts";
import { startPasswordChange } from "./settings/change-password.ts";
import type { PasswordData } from "./settings/password-data.ts";
import { stopDoubleSubmits } from "./stop-double-submits.ts";

rememberLanguage();
stopDoubleSubmits();
offerDeviceZone();
document.getElementById("profile-form")?.addEventListener("submit", forgetLanguage);
const data = readPageData<PasswordData>("change-password", "password");
if (data !== null) startPasswordChange(data);
