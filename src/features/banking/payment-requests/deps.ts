import type { TransferDeps } from '#features/banking/wallet-transfers/wallet-transfers.ts';

/** A request that is accepted is paid by a transfer. */
export type PaymentRequestDeps = TransferDeps;
