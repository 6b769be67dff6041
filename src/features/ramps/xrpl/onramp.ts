import { type PackedConversion, recordConversion, unpackConversion } from '#features/fiat/fx/fx.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import { hold, release } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { metaOf, onrampLegs } from './books.ts';
import { keepPayment, payStep, type XrplPayments } from './chain-step.ts';
import { endXrplFlow } from './events.ts';

/** What a flow needs to know from its beginning to its end. */
export interface XrplOnramp {
  readonly user_id: number;
  readonly client_id: number;
  /** The account that pays, and from which the price is held: a wallet, or in mock mode the house's. */
  readonly payer: number;
  /** Fiat to USDC. */
  readonly conversion: PackedConversion;
  readonly hash?: string;
}

const { step, machine } = machineOf<XrplOnramp>();

/** Held, issued to the platform's address, booked; or released (contract: POST /xrpl/onramp/init). */
export const xrplOnrampMachine = (xrpl: XrplPayments): Machine<XrplOnramp> =>
  machine({
    type: 'xrpl-onramp',
    initial: 'issue',
    concurrency: 8,
    states: {
      issue: step({
        ...payStep<XrplOnramp>(xrpl, ({ data }) => ({
          purpose: 'on-ramp',
          from: 'issuer',
          to: 'platform',
          units: BigInt(data.conversion.result.units),
        })),
        async enter(tx, { id, data }) {
          const legs = hold(data.payer, BigInt(data.conversion.from.units));
          await postWithin(tx, { key: `${id}:hold`, kind: 'xrpl-hold', legs });
          return undefined;
        },
        apply: keepPayment,
        next: 'done',
        onRefused: 'back',
      }),
      ...endings,
    },
  });

const endings = {
  done: ending<XrplOnramp>(async (tx, saga) => {
    const { id, data } = saga;
    const { payer, user_id, hash } = data;
    const conversion = unpackConversion(data.conversion);
    const { from: sold, result: bought } = conversion;
    await endXrplFlow(tx, saga, 'tesSUCCESS', 'XRPL_ONRAMP_DONE');
    await recordConversion(tx, { reference: id, user_id }, conversion);
    const legs = await onrampLegs(tx, { payer, user_id, sold, bought });
    await postWithin(tx, { key: id, kind: 'xrpl-onramp', legs, meta: metaOf(data, hash) });
  }),
  back: ending<XrplOnramp>(async (tx, saga) => {
    const { id, data } = saga;
    await endXrplFlow(tx, saga, 'FAILED', 'XRPL_ONRAMP_FAILED');
    const legs = release(data.payer, BigInt(data.conversion.from.units));
    await postWithin(tx, { key: `${id}:release`, kind: 'xrpl-release', legs });
  }),
};
