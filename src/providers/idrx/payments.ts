import { CHAINS } from '#chains/evm/port.ts';
import type { Clock } from '#kernel/clock.ts';
import { done, type Outcome, refused, unknown } from '../../kernel/provider-call.ts';
import { createAtGatewayOnce } from '../gateway/create-once.ts';
import type { GatewayPayment, PaymentReceipt, PaymentRequest } from '../gateway/port.ts';
import type { IdrxCall } from './call.ts';
import { searchHistory } from './history.ts';
import type { TokenSale, VendorMint } from './port.ts';
import {
  amountOf,
  type IdrxPayment,
  idrxPaymentOf,
  idrxUnitsOf,
  MintAnswer,
  MintRecord,
  mintLine,
} from './wire.ts';

export interface MintCalls {
  readonly ask: IdrxCall;
  readonly clock: Clock;
  /** Where a payer is sent afterwards. */
  returnUrl(): string;
}

/** A payment can be made for a day, so that a paid one is in the history by then. */
const SEARCH_MS = 2 * 86_400_000;
const MINUTE_MS = 60_000;

/** Requests a mint, which the payer pays on their page by the way that the payer picks there. */
export async function sellAtIdrx(
  calls: MintCalls,
  request: PaymentRequest,
  sale: TokenSale,
): Promise<Outcome<GatewayPayment>> {
  const { reference } = request;
  return createAtGatewayOnce<GatewayPayment>({
    create: () => post(calls, request, sale),
    find: () => findIdrxPayment(calls, reference),
    // The price depends on the way to pay, which the payer picks later.
    isThis: (made) => made.reference === reference && made.units >= sale.units,
  });
}

async function post(
  { ask, clock, returnUrl }: MintCalls,
  { reference, expiresAt }: PaymentRequest,
  sale: TokenSale,
): Promise<Outcome<GatewayPayment>> {
  const minutes = Math.floor((expiresAt.getTime() - clock.now().getTime()) / MINUTE_MS);
  if (minutes < 1) return refused('EXPIRED', 'The time to pay is over', 400);
  const made = await ask(MintAnswer, {
    name: 'mint',
    method: 'POST',
    path: '/transaction/mint-request',
    body: {
      toBeMinted: amountOf('IDRT', sale.units),
      destinationWalletAddress: sale.address,
      networkChainId: String(CHAINS[sale.chain].chainId),
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
  id?: string,
): Promise<Outcome<IdrxPayment | undefined>> {
  const found = await recordsOf(calls, reference, id);
  if (found.kind !== 'done') return found;
  if (found.value.length === 0)
    return id === undefined ? done(undefined) : unknown('the history does not show it');
  const payments = found.value.map((record) => idrxPaymentOf(record, reference));
  const understood = payments.filter((payment) => payment !== undefined);
  if (understood.length < payments.length) return unknown('an answer that is not understood');
  const oldestFirst = understood.toReversed();
  const first = (status: GatewayPayment['status']) =>
    oldestFirst.find((one) => one.status === status);
  return done(first('PAID') ?? first('PENDING') ?? first('EXPIRED'));
}

/** The transaction of a paid sale, or why there will be none. */
export async function findIdrxMint(
  calls: MintCalls,
  reference: string,
  id?: string,
): Promise<Outcome<VendorMint | undefined>> {
  const found = await findIdrxPayment(calls, reference, id);
  return found.kind === 'done' ? done(found.value?.mint) : found;
}

/** As long as money may come late. */
const LATE_MS = 60 * 86_400_000;

/** Each paid request to mint: a repeated one may be paid twice, and an expired one late. */
export async function idrxReceipts(
  { ask, clock }: MintCalls,
  reference: string,
  own?: string,
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
  // Of two such records the purchase's own counts.
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
  id: string | undefined,
): Promise<Outcome<readonly MintRecord[]>> =>
  searchHistory(ask, MintRecord, {
    type: 'MINT',
    ...(id === undefined ? {} : { merchantOrderId: id }),
    since: id === undefined ? new Date(clock.now().getTime() - SEARCH_MS) : new Date(0),
    matches: (record) =>
      id === undefined ? record.productDetails === reference : record.merchantOrderId === id,
    tells: (record) => id !== undefined || typeof record.productDetails === 'string',
  });

/** IDRX ends no payment on demand: an unpaid one stays open until its time is over. */
export async function expireIdrxPayment(
  calls: MintCalls,
  reference: string,
  id?: string,
): Promise<Outcome<GatewayPayment>> {
  const found = await findIdrxPayment(calls, reference, id);
  if (found.kind !== 'done') return found;
  if (found.value === undefined) return refused('NOT_FOUND', 'There is no such payment', 404);
  const { status } = found.value;
  return status === 'PENDING' ? unknown('it lapses when its time is over') : done(found.value);
}
