/** The recovery key: the first device makes it, and every other one asks for it. */

/** Shows in `place` what the person has to do about the key, and nothing while they have it. */
export function showKey(client, place) {
  let shown = "";
  const show = () => {
    const { kind } = client.encryption.state;
    if (kind === shown) return;
    shown = kind;
    const build = {
      "no-key": offerKey,
      "key-elsewhere": askKey,
      replaced: askKey,
      ready: showAgain,
    };
    place.replaceChildren(...(build[kind]?.(client.encryption) ?? []));
  };
  client.subscribe(show);
  show();
}

function offerKey(encryption) {
  const explanation = create(
    "p",
    "No key yet: this device makes it, and your notes are then encrypted.",
  );
  const result = create("p");
  const button = create("button", "Make the recovery key");
  button.addEventListener("click", async () => {
    const made = await encryption.createKey();
    if (made.kind === "refused") result.textContent = describe(made);
  });
  return [explanation, button, result];
}

function askKey(encryption) {
  const form = create("form");
  const label = create("label", "Recovery key of your other device ");
  const input = create("input");
  Object.assign(input, { required: true, autocomplete: "off" });
  label.append(input);
  const result = create("p");
  form.append(label, create("button", "Open my notes"), result);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const entered = await encryption.useKey(input.value);
    if (entered.kind === "refused") result.textContent = describe(entered);
  });
  return [form];
}

function showAgain(encryption) {
  const details = create("details");
  const key = create("code");
  details.append(create("summary", "Recovery key"), key);
  details.addEventListener("toggle", async () => {
    const recoveryKey = details.open ? await encryption.showRecoveryKey() : null;
    key.textContent = recoveryKey ?? "";
  });
  return [details];
}

const describe = ({ reason, error }) => error?.message ?? `This did not work: ${reason}`;

const create = (name, text = "") => {
  const element = Object.assign(document.createElement(name), { textContent: text });
  if (name === "button") element.className = "button";
  return element;
};
