import { unpackConversion } from '#features/fiat/fx/fx.ts';
import type {
  PayoutFlow,
  PayoutPayer,
  PayoutRow,
  Payouts,
} from '#features/fiat/payouts/payouts.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import type { Machine, Saga } from '#kernel/effects/saga-machine.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Operation, transfer } from '#kernel/ledger/ledger.ts';
import { ended } from './audit.ts';
import { openFees } from './books.ts';
import type { XrplDeps } from './deps.ts';
import { redeem, type XrplOfframp } from './redemption.ts';
import { markReturning } from './store.ts';

const REFERENCE = /^(xrpl-offramp-[0-9a-f-]{36})-payout$/;
const GRACE_MS = 2 * 3_600_000;
/** By which a flow hears how its pay-out has ended. */
const EVENT = 'payout';

/** What the gateway knows the pay-out of a flow by. */
const referenceOf = ({ id }: Pick<Saga, 'id'>): string => `${id}-payout`;
const flowOf = (reference: string): string => {
  const [, id] = REFERENCE.exec(reference) ?? [];
  if (id === undefined) throw new Error(`${reference} is no pay-out of the XRP Ledger`);
  return id;
};

type Deps = Pick<XrplDeps, 'db' | 'sagas'> & { readonly returning: Machine<XrplOfframp> };

/** Off-ramps over the XRP Ledger that end at a bank. */
export const xrplPayer = (deps: Deps): PayoutPayer => ({
  ...PAYER,
  owns: (reference) => REFERENCE.test(reference),
  rail: {
    name: 'xrpl-payouts',
    graceMs: GRACE_MS,
    isUsed: (db) => hasRows(db, 'xrpl_transactions'),
  },
  hear: (tx, { reference }, word) =>
    deps.sagas.signal(tx, flowOf(reference), EVENT, word.status, { ...word }),
  takeBack: (tx, payout, failure) => takeBack(deps, tx, payout, failure),
  // From there on the flow issues the USDC again, and nothing stops it.
  payLate: async (_, { units: lost }) => ({ lost }),
});
const PAYER = { name: 'xrpl' } as const;

/** As before it was paid out; a flow of its own issues the USDC anew and gives it back. */
async function takeBack(
  { sagas, returning }: Deps,
  tx: Db,
  { reference }: PayoutRow,
  failure: string,
): Promise<readonly Operation[] | undefined> {
  const id = flowOf(reference);
  if (!(await markReturning(tx, id))) return undefined;
  const flow = await sagas.find(tx, id);
  if (!flow) throw new Error(`The flow of ${reference} is there no more`);
  const data = { ...(flow.data as XrplOfframp), of: id, failure };
  await logActivity(tx, ended(data, 'XRPL_PAYOUT_RETURNED', id));
  await sagas.start(tx, returning, { id: `${id}-returned`, data });
  return [await xrplPayoutOperation(tx, { id, data }, 'back')];
}

/** How an off-ramp's flow pays out. */
export const xrplPayout: PayoutFlow<XrplOfframp> = {
  payer: PAYER,
  names: { pay: 'payout', wait: 'wait', ask: 'ask', paid: 'paid', failed: 'reissue' },
  event: EVENT,
  async wish(_, saga) {
    const { bank: to } = saga.data.fiat ?? {};
    if (!to) throw new Error(`${saga.id} goes to no bank`);
    const units = soldFor(saga).units - feeOf(saga);
    const { client_id } = saga.data;
    return { reference: referenceOf(saga), units, to, description: 'USDC redemption', client_id };
  },
  async enter(tx, saga) {
    await redeem(tx, saga);
    return undefined;
  },
};

type Paying = Pick<Saga<XrplOfframp>, 'id' | 'data'>;

/** The gateway has paid out, or has it back. */
export async function xrplPayoutOperation(
  tx: Db,
  saga: Paying,
  way: 'out' | 'back',
): Promise<Operation> {
  const { asset, units } = soldFor(saga);
  const fee = feeOf(saga);
  const gatewayHolds = await openAccount(tx, houseAccount('gateway', asset));
  const payouts = saga.data.fiat?.payee ?? 0;
  const fees = await openFees(tx, asset);
  const isOut = way === 'out';
  const [from, to] = isOut ? [payouts, gatewayHolds] : [gatewayHolds, payouts];
  const [payer, payee] = isOut ? [payouts, fees] : [fees, payouts];
  const legs = [
    ...transfer(from, to, units - fee),
    ...(fee > 0n ? transfer(payer, payee, fee) : []),
  ];
  const meta = { payout: referenceOf(saga), client_id: saga.data.client_id };
  const names = isOut
    ? { key: `${saga.id}:paid`, kind: 'xrpl-payout' }
    : { key: `${saga.id}:payout-back`, kind: 'xrpl-payout-back' };
  return { ...names, legs, meta };
}

function soldFor({ id, data }: Paying) {
  if (!data.conversion) throw new Error(`${id} sold nothing`);
  return unpackConversion(data.conversion).result;
}

const feeOf = ({ data: { transferFee = '0' } }: Paying): bigint => BigInt(transferFee);

export type JoinsPayouts = Pick<Payouts, 'join' | 'states' | 'rail'>;
