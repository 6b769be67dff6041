import { type Static, Type } from 'typebox';
import { ownPayingWallet } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { lockWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { cursorPage, cursorQuery, cursorReader } from '#kernel/http/declare/cursor.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField, objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import { at, endpoints, type Route, type UserCaller } from '#kernel/http/declare/route.ts';
import {
  explained,
  Id,
  IdInput,
  Nullable,
  oneOfWords,
  stamped,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { MoneyInput, MoneyText, moneyOf } from '#kernel/money/amount-fields.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { moneyTextOf } from './events.ts';
import { MONITOR_FIELDS, MONITOR_OPS, MONITOR_STATES, monitorStateAt } from './rule.ts';
import {
  type BalanceMonitor,
  deleteBalanceMonitor,
  hasMonitors,
  insertBalanceMonitor,
  lastReading,
  listBalanceMonitors,
} from './store.ts';

const endpoint = endpoints(codedEnvelope);

export type BalanceMonitorDeps = Pick<Kernel, 'clock'>;

const MONITORS_MAX = 10;

const ShownMonitor = named('BalanceMonitor', {
  monitor_id: objectIdField('mon'),
  wallet_id: Id,
  currency: Type.String(),
  field: oneOfWords(MONITOR_FIELDS),
  op: oneOfWords(MONITOR_OPS),
  amount: MoneyText,
  state: oneOfWords(MONITOR_STATES),
  crossings: explained(Type.Integer(), 'How often the balance has crossed the amount'),
  last_crossed_at: explained(Nullable(Timestamp), 'When it did so last'),
  created_at: Timestamp,
});

const shownMonitor = (row: BalanceMonitor): Static<typeof ShownMonitor> => ({
  monitor_id: objectId('mon', row.monitor_id),
  wallet_id: row.wallet_id,
  currency: row.currency,
  field: row.field,
  op: row.op,
  amount: moneyTextOf(row.currency)(row.amount),
  state: row.state,
  crossings: row.crossings,
  last_crossed_at: row.last_crossed_at,
  created_at: row.created_at,
});

const One = stamped({ data: ShownMonitor });
const ofWallet = Type.Object({ wallet_id: explained(IdInput, 'A wallet of one’s own') });
const MonitorInput = Type.Object({
  field: explained(oneOfWords(MONITOR_FIELDS), 'Which balance is watched'),
  op: explained(oneOfWords(MONITOR_OPS), 'On which side of the amount it has to be'),
  amount: explained(MoneyInput, 'In the currency of the wallet'),
});

const createRoute = (deps: BalanceMonitorDeps): Route =>
  endpoint('POST /wallets/fiat/{wallet_id}/monitors', {
    name: 'balanceMonitors.create',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND', '409 LIMIT_EXCEEDED'],
    summary: 'Watches a balance: an event each time that it goes below or above an amount',
    params: ofWallet,
    body: MonitorInput,
    example: { field: 'available', op: 'below', amount: '20.00' },
    reply: { 201: One },
    atomic: true,
    fault: 'Failed to add the monitor',
    async handler({ caller, params, body, db }) {
      const monitor = await addMonitor(deps, db, { caller, wallet_id: params.wallet_id, body });
      return at(201, { data: shownMonitor(monitor) });
    },
  });

interface MonitorOrder {
  readonly caller: UserCaller;
  readonly wallet_id: number;
  readonly body: Static<typeof MonitorInput>;
}

/** Throws WALLET_NOT_FOUND, VALIDATION_ERROR and LIMIT_EXCEEDED. */
async function addMonitor(
  { clock }: BalanceMonitorDeps,
  tx: Db,
  { caller, body, ...of }: MonitorOrder,
): Promise<BalanceMonitor> {
  // Locked: monitors that are added at once are counted one after another.
  const wallet = await lockWallet(tx, { user_id: caller.user_id }, of.wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  const { client_id, user_id, wallet_id, account_id, currency } = wallet;
  const { units } = moneyOf({ amount: body.amount, currency });
  if (await hasMonitors(tx, wallet_id, MONITORS_MAX))
    throw fail('LIMIT_EXCEEDED', `A wallet has at most ${MONITORS_MAX} monitors`, {
      status: 409,
      hint: 'Delete one that is not needed.',
      details: { limit_id: 'balance_monitors', limit: MONITORS_MAX, used: MONITORS_MAX },
    });
  const rule = { field: body.field, op: body.op, amount: units };
  const last = await lastReading(tx, account_id);
  return insertBalanceMonitor(tx, {
    ...rule,
    monitor_id: newObjectUuid(clock.ms()),
    client_id,
    user_id,
    wallet_id,
    account_id,
    currency,
    state: monitorStateAt(rule, last),
    seen_seq: last.seq,
  });
}

const listRoute: Route = endpoint('GET /wallets/fiat/{wallet_id}/monitors', {
  name: 'balanceMonitors.list',
  auth: 'user',
  errors: ['WALLET_NOT_FOUND', 'INVALID_PAGINATION'],
  summary: 'Lists the monitors of a wallet, newest first',
  params: ofWallet,
  query: Type.Object(cursorQuery),
  reply: { 200: stamped({ data: cursorPage(ShownMonitor) }) },
  fault: 'Failed to list monitors',
  async handler({ caller, params, query, db }) {
    const { wallet_id } = await ownPayingWallet(db, caller, params.wallet_id);
    const { wanted, page } = cursorReader({ ...query, wallet_id });
    const rows = await listBalanceMonitors(db, wallet_id, wanted);
    return { data: page(rows, ({ serial }) => serial, shownMonitor) };
  },
});

const deleteRoute: Route = endpoint('DELETE /wallets/fiat/{wallet_id}/monitors/{monitor_id}', {
  name: 'balanceMonitors.delete',
  auth: 'user',
  errors: ['WALLET_NOT_FOUND', 'NOT_FOUND'],
  summary: 'Watches a balance no more',
  params: Type.Object({
    wallet_id: explained(IdInput, 'A wallet of one’s own'),
    monitor_id: objectIdInput('mon'),
  }),
  reply: { 200: One },
  atomic: true,
  fault: 'Failed to delete the monitor',
  async handler({ caller, params, db }) {
    const { wallet_id } = await ownPayingWallet(db, caller, params.wallet_id);
    const row = await deleteBalanceMonitor(db, { wallet_id, monitor_id: params.monitor_id });
    if (!row) throw fail('NOT_FOUND', 'Monitor not found');
    return { data: shownMonitor(row) };
  },
});

/** What a wallet's owner watches of its balance. */
export const balanceMonitorRoutes = (deps: BalanceMonitorDeps): Route[] => [
  createRoute(deps),
  listRoute,
  deleteRoute,
];
