import { keptName } from '#kernel/names.ts';

const NAME_MAX = 64;

/** What a person calls themselves at a messenger, as far as it can be shown: one line of signs that can be seen. */
export const shownName = (written: string): string | undefined =>
  written.isWellFormed() ? keptName([...written].slice(0, NAME_MAX).join('')) : undefined;
