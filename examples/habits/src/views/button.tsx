/** Buttons that submit nothing. */
import type { ComponentProps } from "preact";
import { Icon, type IconName } from "./icon.tsx";

type ButtonProps = Omit<ComponentProps<"button">, "type" | "class" | "icon">;

export function Button({ look, ...props }: ButtonProps & { look?: "primary" | "danger" }) {
  return (
    <button type="button" class={look === undefined ? "button" : `button ${look}`} {...props} />
  );
}

interface RoundButtonProps extends ButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** It keeps the focus, and does nothing. */
  readonly isOff?: boolean | undefined;
  readonly onClick: () => unknown;
}

export function RoundButton({ icon, label, isOff = false, onClick, ...props }: RoundButtonProps) {
  return (
    <button
      type="button"
      class="round"
      aria-label={label}
      aria-disabled={isOff}
      onClick={() => void (isOff || onClick())}
      {...props}
    >
      <Icon name={icon} />
    </button>
  );
}
