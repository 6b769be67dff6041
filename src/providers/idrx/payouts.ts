import type { Static } from 'typebox';
import { CHAINS } from '#chains/evm/port.ts';
import type { Clock } from '#kernel/clock.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';
import { createAtGatewayOnce } from '../gateway/create-once.ts';
import type { BankAccount, Payout, PayoutRequest } from '../gateway/port.ts';
import type { IdrxCall } from './call.ts';
import { searchHistory } from './history.ts';
import type { BurntTokens } from './port.ts';
import {
  amountOf,
  BankList,
  idrxPayoutOf,
  idrxUnitsOf,
  RedeemAnswer,
  RedeemRecord,
  type RedeemRequest,
} from './wire.ts';

export interface RedeemCalls {
  readonly ask: IdrxCall;
  readonly clock: Clock;
}

/** A burn is redeemed once, at any time: we do not give up older ones either. */
const SEARCH_MS = 35 * 86_400_000;

/** Rupiah for burnt tokens. A burn is redeemed once, by its hash. */
export async function redeemAtIdrx(
  calls: RedeemCalls,
  request: PayoutRequest,
  burn: BurntTokens,
): Promise<Outcome<Payout>> {
  const { reference } = request;
  const made = await createAtGatewayOnce({
    create: () => post(calls, request, burn),
    find: () => find(calls, reference, burn.hash),
    isThis: (record) =>
      record.txHash.toLowerCase() === burn.hash.toLowerCase() &&
      idrxUnitsOf(record.amount) === burn.units &&
      record.bankAccountNumber === request.to.accountNumber,
  });
  return made.kind === 'done' ? understood(made.value, reference) : made;
}

async function post(
  { ask }: RedeemCalls,
  { reference, to }: PayoutRequest,
  burn: BurntTokens,
): Promise<Outcome<RedeemRecord>> {
  const bank = await bankOf(ask, to);
  if (bank.kind !== 'done') return bank;
  const body: Static<typeof RedeemRequest> = {
    txHash: burn.hash,
    networkChainId: String(CHAINS[burn.chain].chainId),
    amountTransfer: amountOf('IDRT', burn.units),
    bankAccount: to.accountNumber,
    ...bank.value,
    bankAccountName: to.accountName,
    walletAddress: burn.address,
    notes: reference,
  };
  const path = '/transaction/redeem-request';
  const made = await ask(RedeemAnswer, { name: 'redeem', method: 'POST', path, body });
  return made.kind === 'done' ? done(made.value.data) : made;
}

/** Their number and name of the bank; callers may use either. */
async function bankOf(
  ask: IdrxCall,
  { bankCode }: BankAccount,
): Promise<Outcome<{ bankCode: string; bankName: string }>> {
  const path = '/transaction/method';
  const banks = await ask(BankList, { name: 'banks', method: 'GET', path });
  if (banks.kind !== 'done') return banks.kind === 'refused' ? unknown(banks.message) : banks;
  const asked = bankCode.toUpperCase();
  const bank = banks.value.data.find(
    (one) => one.bankCode === asked || one.bankName.toUpperCase() === asked,
  );
  if (bank === undefined) return refused('BANK_NOT_SUPPORTED', 'IDRX does not know the bank', 400);
  return done({ bankCode: bank.bankCode, bankName: bank.bankName });
}

/** By the burn where it is known, else by the note that carries our reference. */
export async function findIdrxPayout(
  calls: RedeemCalls,
  reference: string,
  burnHash?: string,
): Promise<Outcome<Payout | undefined>> {
  const found = await find(calls, reference, burnHash);
  if (found.kind !== 'done') return found;
  return found.value === undefined ? done(undefined) : understood(found.value, reference);
}

async function find(
  { ask, clock }: RedeemCalls,
  reference: string,
  burnHash?: string,
): Promise<Outcome<RedeemRecord | undefined>> {
  const hash = burnHash?.toLowerCase();
  const found = await searchHistory(ask, RedeemRecord, {
    type: 'BURN',
    since: new Date(clock.now().getTime() - SEARCH_MS),
    matches: ({ txHash, notes }) =>
      hash === undefined ? notes === reference : txHash.toLowerCase() === hash,
    tells: ({ notes }) => hash !== undefined || typeof notes === 'string',
  });
  if (found.kind !== 'done') return found;
  if (found.value.length > 1) return unknown('answered two redemptions of one burn');
  return done(found.value[0]);
}

function understood(record: RedeemRecord, reference: string): Outcome<Payout> {
  const payout = idrxPayoutOf(record, reference);
  return payout === undefined ? unknown('an answer that is not understood') : done(payout);
}
