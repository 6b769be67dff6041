import type { Localised } from '#kernel/localised.ts';
import { type Line, ours } from '#kernel/wording.ts';

/** The lines of a code to log in. `Code: ` is the same in all languages, for those who read it by program. */
export const MOBILE_CODE_TEXTS: Localised<(code: string) => readonly Line[]> = {
  en: (code) => [
    'Your code to log in, valid for 5 minutes:',
    ours(`Code: ${code}`),
    'Give it to no one.',
  ],
  id: (code) => [
    'Kode Anda untuk masuk, berlaku 5 menit:',
    ours(`Code: ${code}`),
    'Jangan berikan kepada siapa pun.',
  ],
};
