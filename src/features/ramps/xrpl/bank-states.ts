import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { unpackConversion } from '#features/fiat/fx/fx.ts';
import { bankFlow, type PayoutFlow, payoutHouse } from '#features/fiat/payouts/payouts.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import {
  ending,
  houseAccountsOf,
  packedReference,
  reversedLegs,
  unpackedReference,
} from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Machine, machineOf, type Saga } from '#kernel/effects/saga-machine.ts';
import { type Operation, withFee } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Money } from '#kernel/money/money.ts';
import { metaOf, reissueLegs } from './books.ts';
import type { XrplDeps } from './deps.ts';
import { auditEntry, endXrplFlow } from './events.ts';
import { redeem, refusalAsUnknown, type XrplOfframp } from './redemption.ts';
import { moveRecord } from './store.ts';

type Flow = Pick<Saga<XrplOfframp>, 'id' | 'data'>;

const { step, machine } = machineOf<XrplOfframp>();

/** What the gateway knows the pay-out of a flow by; and the bank host, whose references are shorter. */
const referenceOf = (saga: Flow): string =>
  soldFor(saga).asset === 'IDR'
    ? `${saga.id}-payout`
    : packedReference(HOST_PREFIX, saga.id.slice(PREFIX.length));
const PREFIX = 'xrpl-offramp-';
const HOST_PREFIX = 'XO';
const REFERENCE = /^(xrpl-offramp-[0-9a-f-]{36})-payout$/;

function flowOf(reference: string): string | undefined {
  const packed = unpackedReference(HOST_PREFIX, reference);
  return packed === undefined ? REFERENCE.exec(reference)?.[1] : `${PREFIX}${packed}`;
}

/** The bank's part of an off-ramp: requested, awaited, paid; or reissued and refunded. */
export const xrplBankStates = (
  { xrpl, payouts }: Pick<XrplDeps, 'xrpl' | 'payouts'>,
  flow: PayoutFlow<XrplOfframp>,
) => ({
  ...payouts.states(flow, {
    pay: 'payout',
    wait: 'wait',
    ask: 'ask',
    paid: 'paid',
    failed: 'reissue',
  }),
  paid: ending<XrplOfframp>(async (tx, saga) => {
    await endXrplFlow(tx, saga, 'SUCCESS_RECEIVED', 'XRPL_OFFRAMP_DONE');
    await postWithin(tx, await payoutOperation(tx, saga));
  }),
  ...refundStates(xrpl),
});

/** Refunds a pay-out that the bank has returned after it had arrived. */
export const returningMachine = (xrpl: XrplDeps['xrpl']): Machine<XrplOfframp> =>
  machine({
    type: 'xrpl-payout-returned',
    initial: 'reissue',
    concurrency: 8,
    states: refundStates(xrpl),
  });

const refundStates = (xrpl: XrplDeps['xrpl']) => ({
  reissue: step({
    call: ({ data }, { key }) =>
      refusalAsUnknown(xrpl.pay)({
        reference: key,
        purpose: 'pay-out failed',
        units: BigInt(data.units),
        from: 'issuer',
        to: 'platform',
      }),
    next: 'returned',
    onRefused: 'reissue',
    apply: async (_tx, _saga, { hash }) => ({ hash }),
  }),
  returned: ending<XrplOfframp>(async (tx, { id: flow, data }) => {
    const id = data.of ?? flow;
    if (!data.conversion) throw new Error(`${id} sold nothing`);
    const { from, result } = unpackConversion(data.conversion);
    await endXrplFlow(tx, { id, data }, 'FAILED', 'XRPL_OFFRAMP_FAILED');
    const trade = { payer: data.fiat?.payee ?? 0, sold: result, payee: data.payer, bought: from };
    const legs = await reissueLegs(tx, trade);
    const meta = metaOf(data, data.hash);
    await postWithin(tx, { key: `${id}:returned`, kind: 'xrpl-returned', legs, meta });
  }),
});

/** How an off-ramp pays a bank. A returned pay-out gets a flow of its own, which reissues the USDC. */
export const xrplBankFlow = (
  sagas: XrplDeps['sagas'],
  returning: Machine<XrplOfframp>,
): ReturnType<typeof bankFlow<XrplOfframp>> =>
  bankFlow<XrplOfframp>(sagas, {
    name: 'xrpl',
    rail: 'xrpl-payouts',
    table: 'xrpl_transactions',
    event: 'payout',
    flowOf,
    async requestOf(_, saga) {
      const { client_id, fiat, transferFee = '0' } = saga.data;
      if (!fiat?.bank) throw new Error(`${saga.id} goes to no bank`);
      const { asset, units: sold } = soldFor(saga);
      const units = sold - BigInt(transferFee);
      const reference = referenceOf(saga);
      return { reference, asset, units, to: fiat.bank, description: 'USDC redemption', client_id };
    },
    async enter(tx, saga) {
      await redeem(tx, saga);
      return undefined;
    },
    async bookReturn(tx, id, failure) {
      if (!(await moveRecord(tx, id, ['SUCCESS_RECEIVED', 'PENDING']))) return undefined;
      const flow = await sagas.find(tx, id);
      if (!flow) throw new Error(`The flow ${id} does not exist`);
      const data = { ...(flow.data as XrplOfframp), of: id, failure };
      await logActivity(tx, auditEntry({ id, data }, 'XRPL_PAYOUT_RETURNED'));
      await sagas.start(tx, returning, { id: `${id}-returned`, data });
      const { legs, meta } = await payoutOperation(tx, { id, data });
      const back = { key: `${id}:payout-back`, kind: 'xrpl-payout-back', ...(meta && { meta }) };
      return [{ ...back, legs: reversedLegs(legs) }];
    },
  });

/** The gateway has paid out; the platform keeps the fee. */
async function payoutOperation(tx: Db, saga: Flow): Promise<Operation> {
  const { client_id, fiat, transferFee = '0' } = saga.data;
  const { asset, units: amount } = soldFor(saga);
  const { paying, fees } = await houseAccountsOf(tx, {
    paying: [payoutHouse(asset), asset],
    fees: ['xrpl-fees', asset],
  });
  const from = fiat?.payee ?? 0;
  const legs = withFee({ from, to: paying, fees, amount, fee: BigInt(transferFee) });
  const meta = { payout: referenceOf(saga), client_id };
  return { key: `${saga.id}:paid`, kind: 'xrpl-payout', legs, meta };
}

function soldFor({ id, data }: Flow): Money<Fiat> {
  if (!data.conversion) throw new Error(`${id} sold nothing`);
  return unpackConversion(data.conversion).result as Money<Fiat>;
}
