import { BATCH_HOLDS } from '#features/banking/batches/batches.ts';
import { CARD_PAYMENT_HOLDS } from '#features/banking/card-payments/card-payments.ts';
import { WALLET_HOLDS } from '#features/banking/wallet-holds/wallet-holds.ts';
import { TRANSFER_HOLDS } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { WITHDRAWAL_HOLDS } from '#features/banking/withdrawals/withdrawals.ts';
import { INVOICE_CARD_HOLDS, INVOICE_REFUND_HOLDS } from '#features/commerce/invoices/invoices.ts';
import { CARD_HOLDS } from '#features/fiat/cards/cards.ts';
import { CARDANO_HOLDS } from '#features/ramps/cardano/cardano.ts';
import { CONVERSION_HOLDS } from '#features/ramps/conversions/conversions.ts';
import { XRPL_HOLDS } from '#features/ramps/xrpl/xrpl.ts';
import type { HoldOwner } from '#kernel/ledger/holds.ts';

/** What the features declare of the money that they set aside, for programs that run without the service. */
export const HOLD_OWNERS: readonly HoldOwner[] = [
  CARD_HOLDS,
  CARD_PAYMENT_HOLDS,
  CONVERSION_HOLDS,
  ...CARDANO_HOLDS,
  XRPL_HOLDS,
  TRANSFER_HOLDS,
  WALLET_HOLDS,
  WITHDRAWAL_HOLDS,
  BATCH_HOLDS,
  INVOICE_REFUND_HOLDS,
  INVOICE_CARD_HOLDS,
];
