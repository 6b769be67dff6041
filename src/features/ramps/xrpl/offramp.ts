import type { PayoutFlow } from '#features/fiat/payouts/payouts.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import { type Machine, machineOf, type Saga } from '#kernel/effects/saga-machine.ts';
import { hold, release } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { xrplBankStates } from './bank-states.ts';
import { issueLegs, metaOf, sendLegs } from './books.ts';
import { keepPayment, payStep, type XrplPayments } from './chain-step.ts';
import type { XrplDeps } from './deps.ts';
import { endXrplFlow } from './events.ts';
import { redeem, type XrplOfframp } from './redemption.ts';

const { step, machine } = machineOf<XrplOfframp>();

const units = ({ data }: Saga<XrplOfframp>): bigint => BigInt(data.units);

/**
 * Held, lent where mock mode sponsors it, sent; then done, credited to a wallet, or paid to a bank. A pay-out that
 * fails is reissued and refunded (contract: POST /xrpl/offramp/init).
 */
export const xrplOfframpMachine = (
  deps: Pick<XrplDeps, 'xrpl' | 'payouts'>,
  bank: PayoutFlow<XrplOfframp>,
): Machine<XrplOfframp> =>
  machine({
    type: 'xrpl-offramp',
    initial: 'begin',
    concurrency: 8,
    states: { ...sending(deps.xrpl), ...endings, ...xrplBankStates(deps, bank) },
  });

const sending = (xrpl: XrplPayments) => ({
  begin: step({
    async enter(tx, saga) {
      const legs = hold(saga.data.payer, units(saga));
      await postWithin(tx, { key: `${saga.id}:hold`, kind: 'xrpl-hold', legs });
      return undefined;
    },
    next: ({ data }) => (data.isSponsored ? 'lend' : 'send'),
  }),
  // The platform's address holds what users have, and nothing more: what mock mode gives is issued first.
  lend: step({
    ...payStep<XrplOfframp>(xrpl, (saga) => ({
      purpose: 'sponsored off-ramp',
      units: units(saga),
      from: 'issuer',
      to: 'platform',
    })),
    async apply(tx, saga, { hash }) {
      const legs = await issueLegs(tx, units(saga));
      const meta = metaOf({ client_id: saga.data.client_id }, hash);
      await postWithin(tx, { key: `${saga.id}:lend`, kind: 'xrpl-lend', legs, meta });
      return undefined;
    },
    next: 'send',
    onRefused: 'back',
  }),
  send: step({
    ...payStep<XrplOfframp>(xrpl, (saga) => {
      const { address, tag } = saga.data;
      const payee = address !== undefined && { address, ...(tag !== undefined && { tag }) };
      return { purpose: 'off-ramp', units: units(saga), from: 'platform', to: payee || 'issuer' };
    }),
    apply: keepPayment,
    next: ({ data }) => (data.fiat?.bank ? 'payout' : 'done'),
    onRefused: 'back',
  }),
});

const endings = {
  done: ending<XrplOfframp>(async (tx, saga) => {
    const { id, data } = saga;
    const status = data.fiat ? 'SUCCESS_RECEIVED' : 'tesSUCCESS';
    await endXrplFlow(tx, saga, status, 'XRPL_OFFRAMP_DONE');
    if (data.fiat) return redeem(tx, saga);
    const legs = await sendLegs(tx, data.payer, units(saga));
    await postWithin(tx, { key: id, kind: 'xrpl-offramp', legs, meta: metaOf(data, data.hash) });
  }),
  back: ending<XrplOfframp>(async (tx, saga) => {
    await endXrplFlow(tx, saga, 'FAILED', 'XRPL_OFFRAMP_FAILED');
    const legs = release(saga.data.payer, units(saga));
    await postWithin(tx, { key: `${saga.id}:release`, kind: 'xrpl-release', legs });
  }),
};
