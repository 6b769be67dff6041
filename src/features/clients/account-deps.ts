import { sql } from 'kysely';
import type { Messages } from '#features/messages/messages.ts';
import { PSP_A, PSP_A_COUNTRY, type PspCustomers } from '#features/psp-customers/psp-customers.ts';
import type { SignUps } from '#kernel/access/sign-ups.ts';
import { type Db, now } from '#kernel/db/db.ts';
import { fail } from '#kernel/http/error.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** What it takes to make an account, be it a client's or one of its users'. */
export type AccountDeps = Pick<
  Kernel,
  'db' | 'clock' | 'vault' | 'passwords' | 'config' | 'publicUrl'
> & {
  readonly messages: Messages;
  readonly pspCustomers: PspCustomers;
  readonly signUps: SignUps;
};

export interface Psp {
  readonly psp_id: number;
  readonly psp_name: string;
}

/**
 * The PSP of the type FIAT_PSP that serves a country (contract: PSP assignment). Throws
 * NO_PSP_FOR_COUNTRY.
 */
export async function requirePsp(db: Db, country_code: string): Promise<Psp> {
  const psp = await db
    .selectFrom('psps')
    .select(['psp_id', 'psp_name'])
    .where('country_code', '=', country_code)
    .where('psp_type', '=', 'FIAT_PSP')
    .orderBy('priority')
    .orderBy('created_at')
    .orderBy('psp_id')
    .limit(1)
    .executeTakeFirst();
  if (!psp) throw fail('NO_PSP_FOR_COUNTRY', `No PSP available for country ${country_code}`);
  return psp;
}

/** Whether people and companies of that PSP and country are customers of PSP A. */
export const isPspA = (psp: Psp, country_code: string): boolean =>
  psp.psp_name === PSP_A && country_code === PSP_A_COUNTRY;

/**
 * A company's result is its client's: approval makes it ACTIVE, and an approval that is taken back
 * makes it PENDING again.
 */
export async function verifyCompany(
  tx: Db,
  client_id: number,
  status: 'PENDING' | 'APPROVED' | 'REJECTED',
): Promise<void> {
  await tx
    .updateTable('clients')
    .set({
      ekyb_status: status,
      ekyc_status: status,
      client_status: sql<string>`case
        when ${status} = 'APPROVED' then 'ACTIVE'
        when ekyb_status = 'APPROVED' and client_status = 'ACTIVE' then 'PENDING'
        else client_status end`,
      updated: now,
    })
    .where('client_id', '=', client_id)
    .execute();
}

/**
 * An admin's approval of one who speaks for the client. What was decided about the company itself, for
 * or against it, weighs more and stays.
 */
export async function approveClient(tx: Db, client_id: number): Promise<void> {
  await tx
    .updateTable('clients')
    .set({ ekyc_status: 'APPROVED', updated: now })
    .where('client_id', '=', client_id)
    .where('ekyc_status', '=', 'PENDING')
    .execute();
}
