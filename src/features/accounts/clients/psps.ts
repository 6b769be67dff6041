import { PSP_A, PSP_A_COUNTRY } from '#features/accounts/psp-customers/psp-customers.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { findPsp, type Psp } from './store.ts';

/**
 * The PSP of the type FIAT_PSP that serves a country (contract: PSP assignment). Throws
 * NO_PSP_FOR_COUNTRY.
 */
export async function requirePsp(db: Db, country_code: string): Promise<Psp> {
  const psp = await findPsp(db, country_code);
  if (!psp) throw fail('NO_PSP_FOR_COUNTRY', `No PSP available for country ${country_code}`);
  return psp;
}

/** Whether users and companies of that PSP and country are customers of PSP A. */
export const isPspA = (psp: Psp, country_code: string): boolean =>
  psp.psp_name === PSP_A && country_code === PSP_A_COUNTRY;
