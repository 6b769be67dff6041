import type { XrplTransaction } from '#chains/xrpl/port.ts';
import { unpackConversion } from '#features/fiat/fx/fx.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { defineMachine, type Machine, type State } from '#kernel/effects/saga-machine.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { ended } from './audit.ts';
import { metaOf, reissueLegs } from './books.ts';
import type { XrplDeps } from './deps.ts';
import { endRecord } from './events.ts';
import { type JoinsPayouts, xrplPayout, xrplPayoutOperation } from './payout.ts';
import { mustWork, type XrplOfframp } from './redemption.ts';

type States = Record<string, State<XrplOfframp>>;
type Deps = Pick<XrplDeps, 'xrpl'> & { readonly payouts: Pick<JoinsPayouts, 'states'> };

/** The bank's part of an off-ramp: asked for, awaited, paid; or issued anew and given back. */
export const xrplBankStates = ({ xrpl, payouts }: Deps): States => ({
  ...payouts.states(xrplPayout),
  paid: {
    final: true,
    async enter(tx, saga) {
      const { id, data } = saga;
      await endRecord(tx, id, 'SUCCESS_RECEIVED');
      await logActivity(tx, ended(data, 'XRPL_OFFRAMP_DONE', id));
      await postWithin(tx, await xrplPayoutOperation(tx, saga, 'out'));
      return undefined;
    },
  },
  ...givingBack(xrpl),
});

/** What becomes of a pay-out that the bank has sent back after it had arrived. */
export const returningMachine = (xrpl: Deps['xrpl']): Machine<XrplOfframp> =>
  defineMachine<XrplOfframp>({
    type: 'xrpl-payout-returned',
    initial: 'reissue',
    concurrency: 8,
    states: givingBack(xrpl),
  });

const givingBack = (xrpl: Deps['xrpl']): States => ({
  reissue: {
    call: ({ data }, { key }) =>
      mustWork(xrpl.pay)({
        reference: key,
        purpose: 'pay-out failed',
        units: BigInt(data.units),
        from: 'issuer',
        to: 'platform',
      }),
    next: 'returned',
    onRefused: 'reissue',
    apply: async (_tx, _saga, { hash }: XrplTransaction) => ({ hash }),
  },
  returned: {
    final: true,
    async enter(tx, { id: flow, data }) {
      const id = data.of ?? flow;
      if (!data.conversion) throw new Error(`${id} sold nothing`);
      const { from, result } = unpackConversion(data.conversion);
      await endRecord(tx, id, 'FAILED');
      await logActivity(tx, ended(data, 'XRPL_OFFRAMP_FAILED', id));
      const trade = { payer: data.fiat?.payee ?? 0, sold: result, payee: data.payer, bought: from };
      const legs = await reissueLegs(tx, trade);
      const meta = metaOf(data, data.hash);
      await postWithin(tx, { key: `${id}:returned`, kind: 'xrpl-returned', legs, meta });
      return undefined;
    },
  },
});
