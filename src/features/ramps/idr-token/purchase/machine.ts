import { ending } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Machine, machineOf, type Saga } from '#kernel/effects/saga-machine.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { recordIdrTokenStep } from '../audit.ts';
import type { IdrBase, Onramp } from '../deps.ts';
import { emitIdrTokenPayment, emitMint } from '../events.ts';
import { WITHDRAWN, withdrawn } from '../issuer/issuer.ts';
import { confirmMint } from '../issuer/own-issuer.ts';
import { houseAccounts, mintedOperation, paidOperation, unmintedOperation } from '../legs.ts';
import { addToSupply } from '../supply/store.ts';
import { type PaymentInbox, requestLookUp } from './notifications.ts';
import {
  expireIdrTokenPayment,
  findIdrTokenPayment,
  type PaymentState,
  requestPayment,
} from './payments.ts';
import {
  markCancelled,
  markIdrTokenMinted,
  markIdrTokenPaid,
  markMintFailed,
  markSuccess,
  markUnissued,
  markUnminted,
  mintOf,
  recordRequested,
} from './store.ts';

/** The end of a payment, by the gateway or, in mock mode, by a caller. */
export interface PaymentResult {
  readonly status: 'PAID' | 'EXPIRED';
  /** The paid amount, in units of IDR, where the gateway has reported it. */
  readonly paid?: string;
}

type Flow = Saga<Onramp>;

const { step, wait, final, machine } = machineOf<Onramp>();

const MINUTE_MS = 60_000;
const AT_ONCE = 10;
/** A person watches a payment at first; an unreachable gateway is asked more and more seldom. */
const PAUSES = { firstMs: 5000, maxMs: 10 * MINUTE_MS };

/** The state after a payment. Another sum pays nothing, and the purchase ends when its time is over. */
const stateAfter =
  (mismatched: 'unpaid' | 'lapsed') =>
  (_: unknown, { status }: PaymentState) =>
    ({
      PENDING: 'unpaid' as const,
      PAID: 'paid' as const,
      MISMATCHED: mismatched,
      EXPIRED: 'lapsed' as const,
      NEVER_ASKED: 'lapsed' as const,
      REFUSED: 'refused' as const,
    })[status];

export interface OnrampDeps extends IdrBase {
  /** Asks the gateway for payments. */
  readonly payments: PaymentInbox;
}

/**
 * A purchase (contract part 3, States: on-ramp): requested, awaited, paid, minted, confirmed. An unpaid one is first
 * ended at the gateway when its time is over, whose answer tells whether a payer was faster.
 */
export const onrampMachine = (deps: OnrampDeps): Machine<Onramp> =>
  machine({
    type: 'idr-onramp',
    initial: 'request',
    concurrency: AT_ONCE,
    states: {
      request: step({
        pauses: PAUSES,
        call: ({ id }) => requestPayment(deps, id),
        lookUp: ({ id }) => findIdrTokenPayment(deps, id),
        apply: (tx, { id }, paying) => keepPayment(deps, tx, id, paying),
        next: stateAfter('unpaid'),
        onRefused: 'refused',
      }),
      unpaid: wait({
        wait: 'told',
        timeoutMs: ({ data }) => msUntil(deps, data.expiresAt),
        apply: async (_, __, result: PaymentResult | undefined) => paidOf(result?.paid),
        onEvent: (_, { status }: PaymentResult) => (status === 'PAID' ? 'paid' : 'lapse'),
        onTimeout: 'lapse',
      }),
      lapse: step({
        pauses: PAUSES,
        call: ({ id }) => expireIdrTokenPayment(deps, id),
        apply: (tx, { id }, paying) => keepEnd(deps, tx, id, paying),
        next: stateAfter('lapsed'),
        onRefused: 'lapse',
      }),
      lapsed: ending<Onramp>((tx, { id }) => cancel(deps, tx, id)),
      refused: ending<Onramp>((tx, { id, data }) => fail(deps, tx, id, data)),
      ...mintingStates(deps),
    },
  });

const mintingStates = (deps: OnrampDeps) => ({
  paid: step({ enter: (tx, saga) => bookPayment(deps, tx, saga), next: 'mint' }),
  mint: step({
    pauses: PAUSES,
    call: async ({ id, data }) => {
      const mint = await mintOf(deps.db, id);
      return mint.status === 'PAID' ? deps.issuer.mint(mint, data.attempt) : withdrawn();
    },
    lookUp: async ({ id, data }) => deps.issuer.findMint(await mintOf(deps.db, id), data.attempt),
    apply: async (_, __, minted) => minted,
    next: (_, minted) => ('failure' in minted ? 'unissued' : 'minted'),
    onRefused: (_, { code }) => (code === WITHDRAWN ? 'withdrawn' : 'pause'),
  }),
  minted: step({
    pauses: PAUSES,
    enter: (tx, saga) => bookMint(deps, tx, saga),
    call: async ({ id, data }) => confirmMint(deps, await mintOf(deps.db, id), data.attempt),
    apply: async (_, __, standing) => ('hash' in standing ? standing : {}),
    next: (_, standing) => ('isLost' in standing ? 'lost' : 'success'),
    onRefused: 'minted',
  }),
  lost: step({ enter: (tx, saga) => unbookMint(deps, tx, saga), next: 'pause' }),
  // The next mint has a name of its own, and the cause of the failure may take a while to pass.
  pause: wait({
    wait: 'nothing',
    timeoutMs: MINUTE_MS,
    apply: async (_, { data }) => ({ attempt: data.attempt + 1 }),
    onEvent: 'mint',
    onTimeout: 'mint',
  }),
  withdrawn: final(),
  unissued: ending<Onramp>((tx, saga) => failIssue(deps, tx, saga)),
  success: ending<Onramp>((tx, saga) => succeed(deps, tx, saga)),
});

const msUntil = ({ clock }: IdrBase, at: string): number =>
  Math.max(Date.parse(at) - clock.now().getTime(), 0);

async function keepPayment(
  deps: OnrampDeps,
  tx: Db,
  id: string,
  paying: PaymentState,
): Promise<Partial<Onramp>> {
  if ('why' in paying) return { failure: paying.why };
  await recordRequested(tx, id, paying);
  // In mock mode the request has paid it.
  if (deps.gateway.offline && paying.status === 'PENDING') await lookUp(deps, tx, id);
  return keepEnd(deps, tx, id, paying);
}

async function keepEnd(
  deps: OnrampDeps,
  tx: Db,
  id: string,
  paying: PaymentState,
): Promise<Partial<Onramp>> {
  if (paying.status === 'MISMATCHED') await lookUp(deps, tx, id);
  return paidBy(paying);
}

const lookUp = (deps: OnrampDeps, tx: Db, id: string): Promise<void> =>
  requestLookUp(deps, tx, deps.payments, id);

const paidBy = (paying: PaymentState): Partial<Onramp> =>
  paying.status === 'PAID' ? paidOf(String(paying.units)) : {};
const paidOf = (paid: string | undefined): Partial<Onramp> => (paid === undefined ? {} : { paid });

async function bookPayment(deps: OnrampDeps, tx: Db, { id, data }: Flow) {
  const { clock, issuer } = deps;
  const mint = await markIdrTokenPaid(tx, id, data.paid, clock.now());
  // An answer does not name which of the gateway's payments it was.
  if (mint.paid_receipt === null) await lookUp(deps, tx, id);
  await recordIdrTokenStep(tx, 'IDR_ONRAMP_PAID', mint);
  emitIdrTokenPayment(tx, 'succeeded', mint);
  await postWithin(tx, paidOperation(mint, await houseAccounts(tx), issuer));
  return undefined;
}

async function failIssue({ clock, log }: IdrBase, tx: Db, { id, data }: Flow): Promise<void> {
  const { failure = 'Not issued' } = data;
  const mint = await markUnissued(tx, id, failure, clock.now());
  log.error({ reference: id, failure }, 'The gateway does not issue what was paid for');
  await recordIdrTokenStep(tx, 'IDR_ONRAMP_FAILED', mint, { failure });
  emitIdrTokenPayment(tx, 'failed', mint);
}

async function bookMint({ clock }: IdrBase, tx: Db, { id, data }: Flow) {
  if (data.hash === undefined) throw new Error(`${id} was minted without a transaction`);
  const mint = await markIdrTokenMinted(tx, id, data.hash as `0x${string}`, clock.now());
  await recordIdrTokenStep(tx, 'IDR_ONRAMP_MINTED', mint, { tx_hash: data.hash });
  emitMint(tx, 'minted', mint);
  await addToSupply(tx, mint.chain_id, { minted: mint.amount_token });
  await postWithin(tx, mintedOperation(mint, data.attempt, await houseAccounts(tx)));
  return undefined;
}

async function unbookMint({ clock, log }: IdrBase, tx: Db, { id, data }: Flow) {
  const mint = await markUnminted(tx, id, clock.now());
  log.warn({ reference: id }, 'A mint was lost; it is minted again');
  await recordIdrTokenStep(tx, 'IDR_ONRAMP_MINT_LOST', mint, { tx_hash: data.hash });
  emitMint(tx, 'lost', mint);
  await addToSupply(tx, mint.chain_id, { minted: -mint.amount_token });
  await postWithin(tx, unmintedOperation(mint, data.attempt, await houseAccounts(tx)));
  return undefined;
}

async function succeed({ clock }: IdrBase, tx: Db, { id, data }: Flow): Promise<void> {
  const mint = await markSuccess(tx, id, data.hash as `0x${string}`, clock.now());
  await recordIdrTokenStep(tx, 'IDR_ONRAMP_SUCCESS', mint, { tx_hash: data.hash });
  emitMint(tx, 'completed', mint);
}

async function cancel(deps: OnrampDeps, tx: Db, id: string): Promise<void> {
  const mint = await markCancelled(tx, id, deps.clock.now());
  // There was money, and the gateway has ended the payment all the same: it is booked as unmatched.
  if (mint.paid_receipt !== null) await lookUp(deps, tx, id);
  await recordIdrTokenStep(tx, 'IDR_ONRAMP_CANCELLED', mint);
  emitIdrTokenPayment(tx, 'failed', mint);
}

async function fail({ clock }: IdrBase, tx: Db, id: string, data: Onramp): Promise<void> {
  const { user_id, client_id } = await mintOf(tx, id);
  const failure = data.failure ?? 'The gateway refused the payment';
  emitIdrTokenPayment(tx, 'failed', await markMintFailed(tx, id, failure, clock.now()));
  await recordIdrTokenStep(
    tx,
    'IDR_ONRAMP_FAILED',
    { user_id, client_id, reference_id: id },
    { failure },
  );
}
