import type { XrplNetwork, XrplTransaction } from '#chains/xrpl/port.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import {
  defineMachine,
  type Machine,
  type Saga,
  type State,
} from '#kernel/effects/saga-machine.ts';
import { hold, release } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { ended } from './audit.ts';
import { xrplBankStates } from './bank-states.ts';
import { issueLegs, metaOf, sendLegs } from './books.ts';
import type { XrplDeps } from './deps.ts';
import { endRecord } from './events.ts';
import { redeem, type XrplOfframp } from './redemption.ts';
import { markSeen } from './store.ts';

const units = ({ data }: Saga<XrplOfframp>): bigint => BigInt(data.units);

/**
 * Set aside, lent where mock mode sponsors it, sent; then done, credited to a wallet, or paid to a bank;
 * what was paid out in vain is issued anew and given back (contract: POST /xrpl/offramp/init).
 */
export const xrplOfframpMachine = (
  deps: Pick<XrplDeps, 'xrpl' | 'payouts'>,
): Machine<XrplOfframp> =>
  defineMachine<XrplOfframp>({
    type: 'xrpl-offramp',
    initial: 'begin',
    concurrency: 8,
    states: { ...sending(deps.xrpl), ...endings, ...xrplBankStates(deps) },
  });

type Payer = Pick<XrplNetwork, 'pay' | 'findPayment'>;

const sending = (xrpl: Payer): Record<string, State<XrplOfframp>> => ({
  begin: {
    async enter(tx, saga) {
      const legs = hold(saga.data.payer, units(saga));
      await postWithin(tx, { key: `${saga.id}:hold`, kind: 'xrpl-hold', legs });
      return undefined;
    },
    next: ({ data }) => (data.isSponsored ? 'lend' : 'send'),
  },
  // The platform's address holds what users have, and nothing more: what is given away is issued.
  lend: {
    call: (saga, { key }) =>
      xrpl.pay({
        reference: key,
        purpose: 'sponsored off-ramp',
        units: units(saga),
        from: 'issuer',
        to: 'platform',
      }),
    lookUp: (_, { key }) => xrpl.findPayment(key),
    async apply(tx, saga, { hash }: XrplTransaction) {
      const legs = await issueLegs(tx, units(saga));
      const key = `${saga.id}:lend`;
      await postWithin(tx, {
        key,
        kind: 'xrpl-lend',
        legs,
        meta: metaOf({ client_id: saga.data.client_id }, hash),
      });
      return undefined;
    },
    next: 'send',
    onRefused: 'back',
  },
  send: {
    call: (saga, { key }) => {
      const { address, tag } = saga.data;
      const to =
        address === undefined
          ? ('issuer' as const)
          : { address, ...(tag !== undefined && { tag }) };
      const named = { reference: key, purpose: 'off-ramp', units: units(saga) };
      return xrpl.pay({ ...named, from: 'platform', to });
    },
    lookUp: (_, { key }) => xrpl.findPayment(key),
    async apply(tx, { id }, { hash, response }: XrplTransaction) {
      await markSeen(tx, id, { tx_hash: hash, raw_response: response });
      return { hash };
    },
    next: ({ data }) => (data.fiat?.bank ? 'payout' : 'done'),
    onRefused: 'back',
  },
});

const endings: Record<string, State<XrplOfframp>> = {
  done: {
    final: true,
    async enter(tx, saga) {
      const { id, data } = saga;
      await endRecord(tx, id, data.fiat ? 'SUCCESS_RECEIVED' : 'tesSUCCESS');
      await logActivity(tx, ended(data, 'XRPL_OFFRAMP_DONE', id));
      if (data.fiat) await redeem(tx, saga);
      else await sent(tx, saga);
      return undefined;
    },
  },
  back: {
    final: true,
    async enter(tx, saga) {
      await endRecord(tx, saga.id, 'FAILED');
      await logActivity(tx, ended(saga.data, 'XRPL_OFFRAMP_FAILED', saga.id));
      const legs = release(saga.data.payer, units(saga));
      await postWithin(tx, { key: `${saga.id}:release`, kind: 'xrpl-release', legs });
      return undefined;
    },
  },
};

async function sent(tx: Db, saga: Saga<XrplOfframp>): Promise<void> {
  const { id, data } = saga;
  const legs = await sendLegs(tx, data.payer, units(saga));
  await postWithin(tx, { key: id, kind: 'xrpl-offramp', legs, meta: metaOf(data, data.hash) });
}
