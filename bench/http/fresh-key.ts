/** Where a request has this, it is sent with another key each time, as long as this one. */
export const FRESH_KEY = '00000000-0000-0000-0000-000000000000';
