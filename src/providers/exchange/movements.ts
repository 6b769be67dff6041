import { type Money, toWire } from '#kernel/money/money.ts';
import { done, type Outcome } from '../../kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { ask } from './ccxt.ts';
import { type Client, EXCHANGES, type ExchangeId, pageFrom, sinceMs } from './client.ts';
import { WITHDRAWALS } from './exchange-codes.ts';
import { listFrom } from './pages.ts';
import type { Deposit, Deposits, Withdrawal, WithdrawalRequest } from './port.ts';
import {
  type CcxtDeposit,
  CcxtDeposits,
  CcxtReceipt,
  type CcxtWithdrawal,
  CcxtWithdrawals,
  exchangeUnitsOf,
} from './wire.ts';

/** Requests a withdrawal of USDC. */
export function withdrawExchange(
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

/** Withdrawals since then, as the exchange lists them. */
export const listWithdrawals = (
  client: Client,
  since: number,
): Promise<Outcome<CcxtWithdrawal[]>> =>
  ask(CcxtWithdrawals, async () =>
    (await client()).fetchWithdrawals('USDC', undefined, undefined, pageFrom(since)),
  );

export async function depositsSince(client: Client, since: Date): Promise<Outcome<Deposits>> {
  const listed = await listFrom((from) => listDeposits(client, from), sinceMs(since), PAGES_MAX);
  if (listed.kind !== 'done') return listed;
  const { all, isWhole } = listed.value;
  const arrived = all.filter(hasArrived).map(toDeposit);
  arrived.sort((a, b) => a.at.getTime() - b.at.getTime());
  return done({ arrived, isWhole });
}

/** Pages of a thousand: the deposits of 30 days, for which a conversion is polled. */
const PAGES_MAX = 100;

/** A page of deposits since then. */
export const listDeposits = (client: Client, since: number): Promise<Outcome<CcxtDeposit[]>> =>
  ask(CcxtDeposits, async () =>
    (await client()).fetchDeposits('IDR', undefined, undefined, pageFrom(since)),
  );

/** From its own fields, since ccxt omits this one. */
export const exchangeReferenceOf = ({ info }: CcxtWithdrawal): string =>
  String(info.clientId ?? '');

export const toWithdrawal = (one: CcxtWithdrawal): Withdrawal => ({
  id: one.id,
  status: meaningOf(WITHDRAWALS, one.status) ?? 'PROCESSING',
  arriving: exchangeUnitsOf('USDC', one.amount, 'down'),
  fee: exchangeUnitsOf('USDC', String(one.info.fee ?? '0'), 'up'),
  ...(one.txid && { txHash: one.txid }),
});

/** ccxt labels every row with the requested currency, even if it is of another one. */
export const hasArrived = ({ status, info }: CcxtDeposit): boolean =>
  status === 'ok' && info.asset === 'IDR';

export const toDeposit = ({ id, txid, amount, timestamp }: CcxtDeposit): Deposit => ({
  id,
  note: txid ?? '',
  units: exchangeUnitsOf('IDR', amount, 'down'),
  at: new Date(timestamp),
});
