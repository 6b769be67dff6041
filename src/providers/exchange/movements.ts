import { type Money, toWire } from '#kernel/money/money.ts';
import { done, type Outcome } from '../provider.ts';
import { ask } from './ccxt.ts';
import { type Client, EXCHANGES, type ExchangeId, LISTED_MAX, sinceMs } from './client.ts';
import { among } from './orders.ts';
import type { Deposit, Sought, Withdrawal, WithdrawalRequest } from './port.ts';
import {
  type CcxtDeposit,
  CcxtDeposits,
  CcxtReceipt,
  type CcxtWithdrawal,
  CcxtWithdrawals,
  unitsOf,
} from './wire.ts';

/** Asks for USDC to be paid out. */
export function withdraw(
  client: Client,
  id: ExchangeId,
  { reference, network, address, units }: WithdrawalRequest,
): Promise<Outcome<{ readonly id: string }>> {
  const { networks, reference: name } = EXCHANGES[id];
  const amount: Money = { asset: 'USDC', units };
  const params = { network: networks[network], [name]: reference };
  return ask(CcxtReceipt, async () =>
    (await client()).withdraw('USDC', toWire(amount), address, undefined, params),
  );
}

export async function findWithdrawal(
  client: Client,
  { reference, since }: Sought,
): Promise<Outcome<Withdrawal | undefined>> {
  const told = await ask(CcxtWithdrawals, async () =>
    (await client()).fetchWithdrawals('USDC', sinceMs(since), LISTED_MAX),
  );
  const found = among(told, (one) => referenceOf(one) === reference);
  return found.kind === 'done' ? done(found.value && toWithdrawal(found.value)) : found;
}

export async function depositsSince(
  client: Client,
  since: Date,
): Promise<Outcome<readonly Deposit[]>> {
  const told = await ask(CcxtDeposits, async () =>
    (await client()).fetchDeposits('IDR', sinceMs(since), LISTED_MAX),
  );
  if (told.kind !== 'done') return told;
  const arrived = told.value.filter(hasArrived).map(toDeposit);
  return done(arrived.sort((a, b) => a.at.getTime() - b.at.getTime()));
}

/** Of its own words, since ccxt leaves this one out. */
export const referenceOf = ({ info }: CcxtWithdrawal): string => String(info.clientId ?? '');

const STATUSES: Readonly<Record<string, Withdrawal['status']>> = {
  ok: 'COMPLETED',
  failed: 'FAILED',
  canceled: 'FAILED',
};

export const toWithdrawal = (one: CcxtWithdrawal): Withdrawal => ({
  id: one.id,
  status: STATUSES[one.status] ?? 'PROCESSING',
  arriving: unitsOf('USDC', one.amount, 'down'),
  fee: unitsOf('USDC', String(one.info.fee ?? '0'), 'up'),
  ...(one.txid && { txHash: one.txid }),
});

/** ccxt calls everything by the currency that was asked for, whatever it was. */
export const hasArrived = ({ status, info }: CcxtDeposit): boolean =>
  status === 'ok' && info.asset === 'IDR';

export const toDeposit = ({ id, txid, amount, timestamp }: CcxtDeposit): Deposit => ({
  id,
  note: txid ?? '',
  units: unitsOf('IDR', amount, 'down'),
  at: new Date(timestamp),
});
