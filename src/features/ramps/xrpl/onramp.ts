import type { XrplNetwork, XrplTransaction } from '#chains/xrpl/port.ts';
import { type PackedConversion, recordConversion, unpackConversion } from '#features/fiat/fx/fx.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { defineMachine, type Machine, type State } from '#kernel/effects/saga-machine.ts';
import { hold, release } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { ended } from './audit.ts';
import { metaOf, onrampLegs } from './books.ts';
import { endRecord } from './events.ts';
import { markSeen } from './store.ts';

/** What a flow needs to know from its beginning to its end. */
export interface XrplOnramp {
  readonly user_id: number;
  readonly client_id: number;
  /** The account that pays, of which it is set aside: a wallet, or in mock mode the house's. */
  readonly payer: number;
  /** Fiat to USDC. */
  readonly conversion: PackedConversion;
  readonly hash?: string;
}

/** Set aside, issued to the platform's address, booked; or given back (contract: POST /xrpl/onramp/init). */
export const xrplOnrampMachine = (
  xrpl: Pick<XrplNetwork, 'pay' | 'findPayment'>,
): Machine<XrplOnramp> =>
  defineMachine<XrplOnramp>({
    type: 'xrpl-onramp',
    initial: 'issue',
    concurrency: 8,
    states: {
      issue: {
        async enter(tx, { id, data }) {
          const legs = hold(data.payer, BigInt(data.conversion.from.units));
          await postWithin(tx, { key: `${id}:hold`, kind: 'xrpl-hold', legs });
          return undefined;
        },
        call: ({ data }, { key }) =>
          xrpl.pay({
            reference: key,
            purpose: 'on-ramp',
            from: 'issuer',
            to: 'platform',
            units: BigInt(data.conversion.result.units),
          }),
        lookUp: (_, { key }) => xrpl.findPayment(key),
        async apply(tx, { id }, { hash, response }: XrplTransaction) {
          await markSeen(tx, id, { tx_hash: hash, raw_response: response });
          return { hash };
        },
        next: 'done',
        onRefused: 'back',
      },
      ...endings,
    },
  });

const endings: Record<string, State<XrplOnramp>> = {
  done: {
    final: true,
    async enter(tx, { id, data }) {
      const { payer, user_id, hash } = data;
      const conversion = unpackConversion(data.conversion);
      const { from: sold, result: bought } = conversion;
      await endRecord(tx, id, 'tesSUCCESS');
      await recordConversion(tx, { reference: id, user_id }, conversion);
      await logActivity(tx, ended(data, 'XRPL_ONRAMP_DONE', id));
      const legs = await onrampLegs(tx, { payer, user_id, sold, bought });
      await postWithin(tx, { key: id, kind: 'xrpl-onramp', legs, meta: metaOf(data, hash) });
      return undefined;
    },
  },
  back: {
    final: true,
    async enter(tx, { id, data }) {
      await endRecord(tx, id, 'FAILED');
      await logActivity(tx, ended(data, 'XRPL_ONRAMP_FAILED', id));
      const legs = release(data.payer, BigInt(data.conversion.from.units));
      await postWithin(tx, { key: `${id}:release`, kind: 'xrpl-release', legs });
      return undefined;
    },
  },
};
