import { PSP_A, PSP_A_COUNTRY } from '#features/psp-customers/psp-customers.ts';
import type { Db } from '#kernel/db/db.ts';

export interface Psp {
  readonly psp_id: number;
  readonly psp_name: string;
}

/** Nothing when no PSP of the type FIAT_PSP serves the country (contract: PSP assignment). */
export const pspOf = (db: Db, country_code: string): Promise<Psp | undefined> =>
  db
    .selectFrom('psps')
    .select(['psp_id', 'psp_name'])
    .where('country_code', '=', country_code)
    .where('psp_type', '=', 'FIAT_PSP')
    .orderBy('priority')
    .orderBy('created_at')
    .orderBy('psp_id')
    .limit(1)
    .executeTakeFirst();

/** Whether people and companies of that PSP and country are customers of PSP A. */
export const isPspA = (psp: Psp, country_code: string): boolean =>
  psp.psp_name === PSP_A && country_code === PSP_A_COUNTRY;
