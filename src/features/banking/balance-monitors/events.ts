import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import { explained, Id, oneOfWords, Timestamp } from '#kernel/http/declare/schema.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format, isAsset } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { MONITOR_FIELDS, MONITOR_OPS, type Reading } from './rule.ts';
import type { BalanceMonitor } from './store.ts';

const Crossing = named('ThresholdCrossing', {
  wallet_id: Id,
  user_id: Id,
  monitor_id: objectIdField('mon'),
  currency: Type.String(),
  field: oneOfWords(MONITOR_FIELDS),
  op: oneOfWords(MONITOR_OPS),
  amount: explained(MoneyText, 'The one that the balance went below or above'),
  posted: MoneyText,
  held: MoneyText,
  available: MoneyText,
  sequence: explained(Type.Integer(), 'Of the line of the statement that has crossed it'),
  crossed_at: explained(Timestamp, 'When that line was posted'),
});

const crossed = defineEvent('wallet.threshold_crossed', {
  schema: Crossing,
  since: '2026-11',
  summary: 'A balance went below or above the amount of a monitor',
  example: {
    wallet_id: 3,
    user_id: 3,
    monitor_id: objectId('mon', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e31'),
    currency: 'USD',
    field: 'available',
    op: 'below',
    amount: '20.00',
    posted: '97.00',
    held: '80.00',
    available: '17.00',
    sequence: 12,
    crossed_at: '2026-11-22T03:00:58.447Z',
  },
});

export const BALANCE_MONITOR_EVENTS = [crossed];

/** In the transaction that moves the monitor on. */
export function emitCrossing(tx: Db, monitor: BalanceMonitor, reading: Reading): void {
  const { client_id, user_id, wallet_id, currency, field, op } = monitor;
  const { posted, held, seq, at } = reading;
  const money = moneyTextOf(currency);
  emit(tx, crossed, {
    client_id,
    user_id,
    id: wallet_id,
    data: {
      wallet_id,
      user_id,
      monitor_id: objectId('mon', monitor.monitor_id),
      currency,
      field,
      op,
      amount: money(monitor.amount),
      posted: money(posted),
      held: money(held),
      available: money(posted - held),
      sequence: seq,
      crossed_at: at,
    },
  });
}

/** Units of a monitor's currency as decimal text. */
export function moneyTextOf(asset: string): (units: bigint) => string {
  if (!isAsset(asset)) throw new Error(`${asset} is no asset`);
  return (units) => format({ asset, units });
}
