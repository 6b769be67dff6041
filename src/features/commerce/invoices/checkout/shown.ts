import type { PageLanguage } from '#kernel/http/pages/language.ts';
import type { Seller } from '../settings/store.ts';
import type { MerchantInvoice } from '../store.ts';
import type { InvoiceCheckout } from './state.ts';
import type { CheckoutTexts } from './texts.ts';

export interface CheckoutPage {
  readonly invoice: MerchantInvoice;
  readonly checkout: InvoiceCheckout;
  readonly seller: Seller;
  readonly language: PageLanguage;
  /** The address of what lies below the page, with its key and language. */
  path(below: string, language?: PageLanguage): string;
  readonly returnUrl: string | undefined;
  /** Seconds until it may not be paid any more. */
  readonly leftS: number;
  /** A code of what was refused just now, and its status. */
  readonly refused?: { readonly code: string; readonly status: number } | undefined;
}

/** A page with its texts. */
export type CheckoutShown = CheckoutPage & { readonly texts: CheckoutTexts };
