import type { XrplTransaction } from '#chains/xrpl/port.ts';
import { logActivity } from '#features/activity/activity.ts';
import { unpackConversion } from '#features/fx/fx.ts';
import { unknown } from '#kernel/effects/outcome.ts';
import type { Saga, State } from '#kernel/effects/saga-machine.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Payout } from '#providers/gateway/port.ts';
import { ended } from './audit.ts';
import { metaOf, reissueLegs } from './books.ts';
import type { XrplDeps } from './deps.ts';
import { endRecord } from './events.ts';
import { mustWork, type Offramp, redeem } from './redemption.ts';

/** The gateway's own name for nothing but this pay-out; short and without what only we use. */
/** What the gateway knows the pay-out by. */
const referenceOf = ({ id }: Pick<Saga<Offramp>, 'id'>): string => `${id}-payout`;
const REFERENCE = /^(xrpl-offramp-[0-9a-f-]{36})-payout$/;
/** Whether a line of the gateway's books is of a pay-out of ours. */
export const isPayout = (reference: string): boolean => REFERENCE.test(reference);

/** News of a pay-out, whoever brings them: the flow asks the gateway itself. */
export async function hearPayout(
  { sagas, db }: Pick<XrplDeps, 'sagas' | 'db'>,
  { event, reference }: { readonly event: string; readonly reference: string },
): Promise<void> {
  const [, id] = REFERENCE.exec(reference) ?? [];
  // Anybody may call: what is no flow of ours that waits is not worth a row.
  const flow = id === undefined ? undefined : await sagas.find(db, id);
  if (flow?.state === 'wait') await sagas.signal(db, flow.id, 'payout', event, {});
}

const FIRST_PAUSE_MS = 60_000;
const PAUSE_MAX_MS = 3_600_000;

const leads = (_: unknown, { status }: Payout) =>
  ({ COMPLETED: 'paid', FAILED: 'reissue', PENDING: 'wait' })[status];

/** The bank's part of an off-ramp: asked for, awaited, paid; or issued anew and given back. */
export const bankStates = ({
  gateway,
  xrpl,
}: Pick<XrplDeps, 'gateway' | 'xrpl'>): Record<string, State<Offramp>> => ({
  ...paying(gateway),
  ...givingBack(xrpl),
});

const paying = (gateway: XrplDeps['gateway']): Record<string, State<Offramp>> => ({
  payout: {
    async enter(tx, saga) {
      await redeem(tx, saga);
      return undefined;
    },
    call: async (saga) => {
      const { data } = saga;
      const { bank: to } = data.fiat ?? {};
      if (!to || !data.conversion) throw new Error(`${saga.id} goes to no bank`);
      const units = BigInt(data.conversion.result.units);
      const description = 'USDC redemption';
      return gateway.createPayout({ reference: referenceOf(saga), units, to, description });
    },
    lookUp: (saga) => gateway.findPayout(referenceOf(saga)),
    next: leads,
    onRefused: 'reissue',
  },
  wait: {
    wait: 'payout',
    timeoutMs: ({ data }) => Math.min(FIRST_PAUSE_MS * 2 ** (data.asked ?? 0), PAUSE_MAX_MS),
    onEvent: 'ask',
    onTimeout: 'ask',
    apply: async (_tx, { data }) => ({ asked: Math.min((data.asked ?? 0) + 1, 10) }),
  },
  ask: {
    async call(saga) {
      const found = await gateway.findPayout(referenceOf(saga));
      if (found.kind === 'refused') return unknown(found.message);
      if (found.kind === 'done' && found.value === undefined)
        return unknown('The gateway knows it no more');
      return found;
    },
    next: leads,
    onRefused: 'wait',
  },
  paid: {
    final: true,
    async enter(tx, { id, data }) {
      const { asset, units } = bankMoney(data);
      const gatewayHolds = await openAccount(tx, houseAccount('gateway', asset));
      await endRecord(tx, id, 'SUCCESS_RECEIVED');
      await logActivity(tx, ended(data, 'XRPL_OFFRAMP_DONE', id));
      const legs = transfer(data.fiat?.payee ?? 0, gatewayHolds, units);
      const meta = { payout: referenceOf({ id }) };
      await postWithin(tx, { key: `${id}:paid`, kind: 'xrpl-payout', legs, meta });
      return undefined;
    },
  },
});

const givingBack = (xrpl: XrplDeps['xrpl']): Record<string, State<Offramp>> => ({
  reissue: {
    call: ({ data }, { key }) =>
      mustWork(xrpl.pay)({
        ...{ reference: key, purpose: 'pay-out failed', units: BigInt(data.units) },
        ...{ from: 'issuer', to: 'platform' },
      }),
    next: 'returned',
    onRefused: 'reissue',
    apply: async (_tx, _saga, { hash }: XrplTransaction) => ({ hash }),
  },
  returned: {
    final: true,
    async enter(tx, { id, data }) {
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

function bankMoney({ conversion }: Offramp) {
  if (!conversion) throw new Error('Nothing was sold');
  return unpackConversion(conversion).result;
}
