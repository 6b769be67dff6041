/** English texts in Indonesian. */
export const INDONESIAN: Readonly<Record<string, string>> = {};
