/** The script of the account pages. Bundled into src/web/generated. Only the password and a new passkey need it. */
import { startPasswordForm } from "../login/change-password.ts";
import type { PasswordData } from "../login/password-form.ts";
import { startListFilters } from "../list-filter.ts";
import { readPageData, removeNotice } from "../page-script.ts";
import { startAddPasskey } from "../passkey/add.ts";
import { deleteLanguageCookie, setLanguageCookie } from "./language-cookie.ts";

/** Fetching a calendar takes seconds, and a second click would fetch it again. */
function preventDoubleSubmits(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    // A form without a method is handled by its own script.
    if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
    if (form.classList.contains("busy")) {
      event.preventDefault();
      return;
    }
    form.classList.add("busy");
    event.submitter?.setAttribute("aria-disabled", "true");
  });
  // A page from the back/forward cache would still be busy.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}

/** Offers the time zone of this device when the list has it and another one is selected. */
function offerDeviceZone(): void {
  const button = document.getElementById("device-zone");
  const select = document.getElementById("timeZone");
  if (!(button instanceof HTMLButtonElement) || !(select instanceof HTMLSelectElement)) return;
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isListed = [...select.options].some(({ value }) => value === zone);
  const update = () => {
    button.hidden = !isListed || select.value === zone;
  };
  button.textContent = (button.dataset["text"] ?? "").replace("{zone}", zone);
  button.addEventListener("click", () => {
    select.value = zone;
    select.focus();
    update();
  });
  select.addEventListener("change", update);
  update();
}

setLanguageCookie();
preventDoubleSubmits();
offerDeviceZone();
document.getElementById("profile-form")?.addEventListener("submit", deleteLanguageCookie);
const data = readPageData<PasswordData>("change-password", "password");
if (data !== null) startPasswordForm(data, "cookie");
startAddPasskey();
startListFilters();
removeNotice();
