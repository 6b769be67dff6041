import type { DecidesApprovals } from '#features/accounts/approvals/approvals.ts';
import { createBalanceMonitors } from '#features/banking/balance-monitors/balance-monitors.ts';
import { createBatches, isRecipientInBatch } from '#features/banking/batches/batches.ts';
import { createCardDecisionWebhook } from '#features/banking/card-decision-webhook/card-decision-webhook.ts';
import { createCardDisputes } from '#features/banking/card-disputes/card-disputes.ts';
import { createCardPayments } from '#features/banking/card-payments/card-payments.ts';
import { createIssuedCards } from '#features/banking/issued-cards/issued-cards.ts';
import { createPaymentRequests } from '#features/banking/payment-requests/payment-requests.ts';
import { createRecipients } from '#features/banking/recipients/recipients.ts';
import { createWalletHolds } from '#features/banking/wallet-holds/wallet-holds.ts';
import { createWalletTransfers } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { createWithdrawals, isRecipientInUse } from '#features/banking/withdrawals/withdrawals.ts';
import type { Files } from '#features/messaging/files/files.ts';
import type { createMessages } from '#features/messaging/messages/messages.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Providers } from '../providers.ts';
import type { FiatParts } from './fiat.ts';

/** Services of features below that banking and commerce use. */
export interface BankingParts {
  readonly messages: ReturnType<typeof createMessages>;
}

interface BatchParts {
  readonly approvals: DecidesApprovals;
  readonly files: Files;
}

/** Money between people, and out to banks. */
export function bankingFeatures(
  kernel: Kernel,
  providers: Providers,
  { messages, payouts, ...parts }: Pick<FiatParts, 'payouts'> & BankingParts & BatchParts,
): Feature[] {
  const clients = createCardDecisionWebhook(kernel);
  const disputes = createCardDisputes({ ...kernel, ...providers, files: parts.files });
  return [
    createIssuedCards({ ...kernel, ...providers, messages }),
    clients,
    createCardPayments({ ...kernel, ...providers, clients, hear: disputes.hear }),
    disputes,
    createRecipients({ ...kernel, ...providers, isInUse }),
    createWithdrawals({ ...kernel, ...providers, payouts }),
    createBatches({ ...kernel, ...providers, payouts, ...parts }),
    createWalletTransfers({ ...kernel, ...providers, messages }),
    createPaymentRequests({ ...kernel, ...providers, messages }),
    createWalletHolds({ ...kernel, ...providers }),
    createBalanceMonitors(kernel),
  ];
}

/** Whether a payment to a recipient has not ended. */
const isInUse = async (tx: Db, recipient_id: string): Promise<boolean> =>
  (await isRecipientInUse(tx, recipient_id)) || (await isRecipientInBatch(tx, recipient_id));
