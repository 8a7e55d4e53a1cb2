/** Shows the habits of one category, or all in groups. */
import { useApp } from "../app-context.ts";
import type { Preferences } from "../preferences.ts";
import { Icon } from "./icon.tsx";

export interface CategoriesProps {
  readonly categories: readonly string[];
  readonly chosen: string | null;
}

export function Categories({ categories, chosen }: CategoriesProps) {
  const { texts, preferences } = useApp();
  const { isGrouped } = preferences.get();
  const set = (changes: Partial<Preferences>) =>
    preferences.set({ ...preferences.get(), ...changes });
  const options = [
    { label: texts.today.allCategories, value: null },
    ...categories.map((category) => ({ label: category, value: category })),
  ];
  return (
    <div class="row buttons" role="group" aria-label={texts.today.categories}>
      {options.map(({ label, value }) => (
        <button
          key={value}
          type="button"
          class="button pill"
          aria-pressed={value === chosen}
          onClick={() => set({ category: value })}
        >
          {label}
        </button>
      ))}
      {chosen === null && (
        <button
          type="button"
          class="button pill"
          aria-pressed={isGrouped}
          onClick={() => set({ isGrouped: !isGrouped })}
        >
          <Icon name="handle" />
          {texts.today.group}
        </button>
      )}
    </div>
  );
}
