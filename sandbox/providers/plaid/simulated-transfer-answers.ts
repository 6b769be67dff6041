import type {
  ACHClass,
  Transfer,
  TransferAuthorization,
  TransferAuthorizationDecisionRationaleCode,
} from 'plaid';
import type { Authorization, StoredEvent, StoredTransfer } from './simulated-transfers.ts';

const owner = (legal_name: string) => ({
  legal_name,
  phone_number: null,
  email_address: null,
  address: null,
});

const RATIONALES: Readonly<Partial<Record<string, string>>> = {
  NSF: 'Transaction likely to result in a return due to insufficient funds',
  RISK: 'Transaction is high-risk',
  ITEM_LOGIN_REQUIRED: 'The owner of the account has to log in at the bank again',
};

/** The platform's own account at Plaid, and whose it is. */
const ORIGIN = {
  origination_account_id: '8945fedc-e703-463d-86b1-dc0607b55460',
  funding_account_id: '8945fedc-e703-463d-86b1-dc0607b55460',
  originator_client_id: null,
  iso_currency_code: 'USD',
  // The library's types leave out that these may be null.
  credit_funds_source: null as never,
};

/** As their answers have it. */
export function shownPlaidAuthorization({
  rationale,
  ...authorization
}: Authorization): TransferAuthorization {
  const description = rationale === null ? undefined : (RATIONALES[rationale] ?? rationale);
  return {
    id: authorization.id,
    created: new Date(authorization.created_at * 1000).toISOString(),
    decision: authorization.decision as TransferAuthorization['decision'],
    decision_rationale:
      rationale === null || description === undefined
        ? null
        : { code: rationale as TransferAuthorizationDecisionRationaleCode, description },
    guarantee_decision: null as never,
    guarantee_decision_rationale: null,
    payment_risk: null,
    proposed_transfer: {
      ...ORIGIN,
      account_id: authorization.account_id,
      type: 'debit' as Transfer['type'],
      network: 'ach',
      ach_class: 'web' as ACHClass,
      amount: authorization.amount,
      requested_amount: authorization.amount,
      user: owner(authorization.legal_name),
    },
  };
}

const DAY_MS = 86_400_000;
const dayAfter = (created: string, days: number): string =>
  new Date(Date.parse(created) + days * DAY_MS).toISOString().slice(0, 10);

export const shownPlaidTransfer = ({ legal_name, ...transfer }: StoredTransfer): Transfer => ({
  ...ORIGIN,
  ...transfer,
  status: transfer.status as Transfer['status'],
  ach_class: 'web' as ACHClass,
  type: 'debit' as Transfer['type'],
  network: 'ach' as Transfer['network'],
  user: owner(legal_name),
  cancellable: transfer.status === 'pending',
  guarantee_decision: null as never,
  guarantee_decision_rationale: null,
  // Two banking days, and sixty days for what the owner did not allow.
  standard_return_window: dayAfter(transfer.created, 4),
  unauthorized_return_window: dayAfter(transfer.created, 64),
  expected_settlement_date: dayAfter(transfer.created, 3),
  refunds: [],
  recurring_transfer_id: null,
});

export const shownPlaidEvent = (event: StoredEvent) => ({
  ...event,
  funding_account_id: null,
  origination_account_id: null,
  originator_client_id: null,
  sweep_id: null,
  sweep_amount: null,
  refund_id: null,
});
