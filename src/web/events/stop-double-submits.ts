/** A form is sent once: fetching a calendar takes seconds, and a second click would do it twice. */
export function stopDoubleSubmits(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    // A form without a method is a script's own business.
    if (!(form instanceof HTMLFormElement) || form.method !== "post") return;
    if (form.classList.contains("busy")) {
      event.preventDefault();
      return;
    }
    form.classList.add("busy");
    event.submitter?.setAttribute("aria-disabled", "true");
  });
  // Whoever comes back by the browser's button finds a form that can be used.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
