/** A placeholder in a request: each sending replaces it by another key of the same length. */
export const FRESH_KEY = '00000000-0000-0000-0000-000000000000';
