/**
 * By type, a test file that makes it happen: at the end of the file it must have been told. So nothing is
 * declared that never happens, and a file run by itself shows it for its own.
 */
export const TOLD_IN: Readonly<Record<string, readonly string[]>> = {};
