import { CHAINS } from '#chains/evm/port.ts';
import type { Clock } from '#kernel/clock.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';
import { createAtGatewayOnce } from '../gateway/create-once.ts';
import type {
  GatewayPayment,
  KnownPayment,
  PaymentReceipt,
  PaymentRequest,
} from '../gateway/port.ts';
import type { IdrxCall } from './call.ts';
import { searchHistory } from './history.ts';
import { amountOf, idrxPaymentOf, idrxUnitsOf, MintAnswer, MintRecord, mintLine } from './wire.ts';

export interface MintCalls {
  readonly ask: IdrxCall;
  readonly clock: Clock;
  /** Where a payer is sent afterwards. */
  returnUrl(): string;
}

/** Whoever has paid has done so by then: a payment lives for a day. */
const SEARCH_MS = 2 * 86_400_000;
const MINUTE_MS = 60_000;

/** A request to mint, which is paid on their page by the way that the payer picks there. */
export async function createIdrxPayment(
  calls: MintCalls,
  request: PaymentRequest,
): Promise<Outcome<GatewayPayment>> {
  const { reference, mint } = request;
  if (mint === undefined) return refused('MINT_REQUIRED', 'IDRX sells its token only', 400);
  return createAtGatewayOnce({
    create: () => post(calls, request, mint),
    find: () => findIdrxPayment(calls, reference),
    // What is to be paid depends on the way, and that is picked later.
    isThis: (made) => made.reference === reference && made.units >= mint.units,
  });
}

async function post(
  { ask, clock, returnUrl }: MintCalls,
  { reference, expiresAt }: PaymentRequest,
  mint: NonNullable<PaymentRequest['mint']>,
): Promise<Outcome<GatewayPayment>> {
  const minutes = Math.floor((expiresAt.getTime() - clock.now().getTime()) / MINUTE_MS);
  if (minutes < 1) return refused('EXPIRED', 'The time to pay is over', 400);
  const made = await ask(MintAnswer, {
    name: 'mint',
    method: 'POST',
    path: '/transaction/mint-request',
    body: {
      toBeMinted: amountOf('IDRT', mint.units),
      destinationWalletAddress: mint.address,
      networkChainId: String(CHAINS[mint.chain].chainId),
      returnUrl: returnUrl(),
      requestType: 'idrx',
      expiryPeriod: minutes,
      productDetails: reference,
    },
  });
  if (made.kind !== 'done') return made;
  const { merchantOrderId: id, paymentUrl, amount } = made.value.data;
  return done({ id, reference, status: 'PENDING', units: idrxUnitsOf(amount), paymentUrl });
}

/** By their name of it where it is known, else by ours among the recent ones. */
export async function findIdrxPayment(
  calls: MintCalls,
  reference: string,
  known: KnownPayment = {},
): Promise<Outcome<GatewayPayment | undefined>> {
  const found = await recordsOf(calls, reference, known);
  if (found.kind !== 'done') return found;
  if (found.value.length === 0)
    return known.id === undefined ? done(undefined) : unknown('the history does not show it');
  const payments = found.value.map((record) => idrxPaymentOf(record, reference));
  const understood = payments.filter((payment) => payment !== undefined);
  if (understood.length < payments.length) return unknown('an answer that is not understood');
  const oldestFirst = understood.toReversed();
  const first = (status: GatewayPayment['status']) =>
    oldestFirst.find((one) => one.status === status);
  return done(first('PAID') ?? first('PENDING') ?? first('EXPIRED'));
}

/** As long as money may come late. */
const LATE_MS = 60 * 86_400_000;

/** Each request to mint that was paid: one that was repeated may be paid twice, and one that is over late. */
export async function idrxReceipts(
  { ask, clock }: MintCalls,
  reference: string,
  { id: own }: KnownPayment = {},
): Promise<Outcome<readonly PaymentReceipt[]>> {
  const found = await searchHistory(ask, MintRecord, {
    type: 'MINT',
    since: new Date(clock.now().getTime() - LATE_MS),
    matches: ({ productDetails, merchantOrderId }) =>
      productDetails === reference || merchantOrderId === own,
    tells: () => true,
  });
  if (found.kind !== 'done') return found;
  // Tokens are minted once for each payment: two records of one transaction on chain are one payment.
  const minted = new Map(
    found.value.map((record) => [record.txHash || record.merchantOrderId, record]),
  );
  // Of these the one that is known as the purchase's own.
  const [asked] = found.value.filter(({ merchantOrderId }) => merchantOrderId === own);
  if (asked) minted.set(asked.txHash || asked.merchantOrderId, asked);
  return done(
    [...minted.values()].toReversed().flatMap((record) => {
      const line = mintLine(record);
      return line ? [{ id: record.merchantOrderId, ...line }] : [];
    }),
  );
}

const recordsOf = (
  { ask, clock }: MintCalls,
  reference: string,
  { id }: KnownPayment,
): Promise<Outcome<readonly MintRecord[]>> =>
  searchHistory(ask, MintRecord, {
    type: 'MINT',
    ...(id === undefined ? {} : { merchantOrderId: id }),
    since: id === undefined ? new Date(clock.now().getTime() - SEARCH_MS) : new Date(0),
    matches: (record) =>
      id === undefined ? record.productDetails === reference : record.merchantOrderId === id,
    tells: (record) => id !== undefined || typeof record.productDetails === 'string',
  });

/** They end nothing on demand: what can still be paid stays open until its time is over. */
export async function expireIdrxPayment(
  calls: MintCalls,
  reference: string,
  known?: KnownPayment,
): Promise<Outcome<GatewayPayment>> {
  const found = await findIdrxPayment(calls, reference, known);
  if (found.kind !== 'done') return found;
  if (found.value === undefined) return refused('NOT_FOUND', 'There is no such payment', 404);
  const { status } = found.value;
  return status === 'PENDING' ? unknown('it lapses when its time is over') : done(found.value);
}
