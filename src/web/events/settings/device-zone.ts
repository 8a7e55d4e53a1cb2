/** Offers the zone of this device, when the list has it and another one is chosen. */
export function offerDeviceZone(): void {
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
