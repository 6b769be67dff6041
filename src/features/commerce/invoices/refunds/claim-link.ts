import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { inEachLanguage, localAmount, localDay } from '#kernel/localised.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import type { MerchantInvoice } from '../store.ts';
import { CLAIM_MAIL_TEXTS } from './claim-texts.ts';
import type { RefundDeps } from './deps.ts';
import type { InvoiceRefund, NewInvoiceRefund } from './refund-store.ts';

/** 14 days. */
const CLAIM_MS = 14 * 86_400_000;
/** 144 bits in hexadecimal. */
const KEY_DIGITS = 36;

/** The key of a refund's link: the same whenever it is asked for, so that a repeated request answers the same. */
const keyOf = ({ vault }: Pick<Kernel, 'vault'>, refund: string): string =>
  vault.fingerprint(refund, 'refund-claim').toString('hex').slice(0, KEY_DIGITS);

/** What a row keeps of its link. */
export const newClaim = (
  deps: Pick<Kernel, 'vault' | 'clock'>,
  refund: string,
): Pick<NewInvoiceRefund, 'claim_digest' | 'claim_expires_at'> => ({
  claim_digest: digestOf(keyOf(deps, refund)),
  claim_expires_at: new Date(deps.clock.ms() + CLAIM_MS).toISOString(),
});

/** Where a person names an account, while that is waited for. */
export const claimUrlOf = (
  deps: Pick<RefundDeps, 'vault' | 'publicUrl'>,
  { status, object_id }: Pick<InvoiceRefund, 'status' | 'object_id'>,
): string | null =>
  status === 'AWAITING_PAYER'
    ? `${deps.publicUrl()}${API_PREFIX}/payment-gateway/claim/${keyOf(deps, object_id)}`
    : null;

interface Mailed {
  readonly refund: InvoiceRefund;
  readonly invoice: Pick<MerchantInvoice, 'customer' | 'description'>;
}

/** Sends the link to the customer of the invoice, where an address of theirs is known; else the merchant hands it on. */
export async function mailClaimLink(
  deps: Pick<RefundDeps, 'vault' | 'publicUrl' | 'messages'>,
  tx: Db,
  by: Requester,
  { refund, invoice: { customer, description } }: Mailed,
): Promise<void> {
  const to = customer?.email ?? customer?.phone;
  const url = claimUrlOf(deps, refund);
  if (!to || url === null || refund.claim_expires_at === null) return;
  const { currency, amount, claim_expires_at, way } = refund;
  const isMail = Boolean(customer?.email);
  await deps.messages.send(tx, by, {
    kind: 'invitation',
    channel: isMail ? 'email' : 'sms',
    to,
    words: inEachLanguage(CLAIM_MAIL_TEXTS, (words, language) => {
      const money = localAmount(language, { asset: currency, units: amount });
      const until = localDay(language, claim_expires_at);
      return words({ money, description, url, until, isToCard: way === 'card' });
    }),
    language: 'both',
    purpose: 'refund-claim',
    validUntil: new Date(claim_expires_at),
  });
}
