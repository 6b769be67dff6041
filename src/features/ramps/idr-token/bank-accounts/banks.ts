import { verifiedNameOf } from '#features/accounts/verification/verification.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { isNameOf } from '#kernel/account-name.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { IdrTokenActor } from '../audit.ts';
import { emitBank } from './events.ts';
import {
  activeBanks,
  type Bank,
  deactivateBank,
  hasOpenRedeems,
  insertBank,
  lockBank,
  lockBankAccountOwner,
  type NewBank,
} from './store.ts';

/** Enough for every user, and few enough for one answer. */
const BANKS_MAX = 50;

/**
 * Registers a bank account of the caller's own: its name must be their verified name, else their username. In the
 * caller's transaction.
 */
export async function addBank(
  tx: Db,
  wanted: Omit<NewBank, 'user_id'>,
  by: IdrTokenActor,
): Promise<Bank> {
  const { user_id } = by.caller;
  const username = await lockBankAccountOwner(tx, user_id);
  const registered = (await verifiedNameOf(tx, user_id)) ?? username;
  if (!isNameOf(wanted.bank_account_name, registered))
    throw wrongField('accountName', 'must match the registered name');
  const known = await activeBanks(tx, user_id);
  if (known.some((bank) => isSame(bank, wanted)))
    throw fail('CONFLICT', 'This bank account is registered already');
  if (known.length >= BANKS_MAX)
    throw fail('LIMIT_EXCEEDED', `A user has at most ${BANKS_MAX} bank accounts`);
  const bank = await insertBank(tx, { ...wanted, user_id });
  await recordBank(tx, 'IDR_BANK_ADDED', bank, by);
  return bank;
}

/** Ends its use (contract: a deletion is a deactivation). In the caller's transaction. */
export async function removeBank(tx: Db, token_bank_id: number, by: IdrTokenActor): Promise<void> {
  const { user_id } = by.caller;
  await lockBankAccountOwner(tx, user_id);
  const banks = await activeBanks(tx, user_id);
  const bank = banks.find((one) => one.token_bank_id === token_bank_id);
  if (bank === undefined) throw fail('NOT_FOUND', 'Bank account not found or inactive');
  if (bank.is_primary || banks.length === 1)
    throw fail('INVALID_STATUS', 'Cannot delete primary bank or last remaining bank');
  await lockBank(tx, token_bank_id);
  if (await hasOpenRedeems(tx, token_bank_id))
    throw fail('INVALID_STATUS', 'Cannot delete a bank with pending transactions');
  await deactivateBank(tx, token_bank_id);
  await recordBank(tx, 'IDR_BANK_REMOVED', { ...bank, status: 'INACTIVE' }, by);
}

const isSame = (
  bank: Bank,
  { bank_code, bank_account_number }: Pick<NewBank, 'bank_code' | 'bank_account_number'>,
): boolean => bank.bank_code === bank_code && bank.bank_account_number === bank_account_number;

/** An account number identifies its owner, so that the log has its last digits only. */
async function recordBank(
  tx: Db,
  action: keyof typeof EVENT_OF,
  bank: Bank,
  { caller, request }: IdrTokenActor,
): Promise<void> {
  const { token_bank_id, bank_code, bank_account_number } = bank;
  await logActivity(tx, {
    action,
    actor: caller,
    subject_user_id: caller.user_id,
    details: { token_bank_id, bank_code, bank_account_last4: bank_account_number.slice(-4) },
    ...(request && { request }),
  });
  emitBank(tx, EVENT_OF[action], bank, caller.client_id);
}

const EVENT_OF = { IDR_BANK_ADDED: 'added', IDR_BANK_REMOVED: 'removed' } as const;
