import { people, type Sizes } from './sizes.ts';

/** Pieces of the statements that fill tables; `n` is the row's number. */
export const range = (n: number, from = 1) => `generate_series(${from}, ${n}) n`;
export const overriding = 'overriding system value';
export const ago = (unit: string) => `now() - n * interval '1 ${unit}'`;
export const uuid = (prefix: string) => `md5('${prefix}' || n)::uuid`;

export const ADDRESS = `'0x' || substr(md5(n::text) || md5(n::text), 1, 40)`;
export const HASH = `'0x' || md5(n::text) || md5('b' || n)`;

/** The owner of a row: eight of ten are the busy user's. */
export const mostlyBusy = (sizes: Sizes) =>
  `lateral (select case when n % 10 < 8 then ${people(sizes).busy} else 1 + n % ${sizes.users} end as u) t`;

/** Its ordinal within its user; the newest is the last, as lists are numbered. */
export const PLACE = 'row_number() over (partition by u order by n desc)';
