import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Market } from '#kernel/money/cost.ts';
import type { MerchantInvoice } from '../store.ts';
import type { NewInvoiceRefund } from './refund-store.ts';
import type { Refundable } from './refundable.ts';

export interface GivingBack {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly invoice_id: string;
  /** All that is left where it is left out. */
  readonly amount: string | undefined;
  readonly reason: string;
  /** The merchant's recipient at a bank; the payer is asked where it is left out. */
  readonly recipient_id: string | undefined;
  readonly market: Market | undefined;
}

/** What is given back, and what belongs to it. */
export interface Giving extends GivingBack, Refundable {
  readonly invoice: MerchantInvoice;
  readonly made: Omit<NewInvoiceRefund, 'status' | 'way'>;
}

/** The same request is being answered elsewhere. */
export const underWay = () => fail('CONFLICT', 'The request is under way');
