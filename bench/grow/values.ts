import { createHash } from 'node:crypto';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The hashes of transactions on chain in the data. */
export const hashOf = (n: number): string => `0x${md5(String(n))}${md5(`b${n}`)}`;

/** The names of transfers across chains in the data. */
export const uuidOf = (text: string): string =>
  md5(text).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A number of twelve digits that no request of the run has used. */
export const fresh = (n: number): string => `${Date.now()}${n}`.slice(-12);

/** Of the busy and the quiet user, set before the measurement. */
export const PASSWORD = 'Grown-up-since-1';
