// Made from the OpenAPI document by `npm run generate`.

/** The rows of a list, by where they stand in its answer. */
export type Row<A, Path extends string> = Path extends ''
  ? A extends readonly (infer R)[] ? R : never
  : Path extends `${infer First}.${infer Rest}`
    ? First extends keyof A ? Row<NonNullable<A[First]>, Rest> : never
    : Path extends keyof A ? Row<NonNullable<A[Path]>, ''> : never;

/** The version of the API that these types are of. */
export const API_VERSION = '2026-11-22';

/** What a failure says that it is. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'MALFORMED_JSON'
  | 'DUPLICATE_FIELD'
  | 'UNKNOWN_FIELD'
  | 'MISSING_FIELDS'
  | 'INVALID_AMOUNT'
  | 'INVALID_WALLET_FORMAT'
  | 'INVALID_WALLET_ID'
  | 'INVALID_PAGINATION'
  | 'INVALID_TX_HASH'
  | 'CONFIRMATION_REQUIRED'
  | 'INVALID_CODE'
  | 'CODE_EXPIRED'
  | 'INVALID_PASSWORD'
  | 'INVALID_TOKEN'
  | 'LINK_EXPIRED'
  | 'INSUFFICIENT_BALANCE'
  | 'INSUFFICIENT_FUNDS'
  | 'AMOUNT_BELOW_MINIMUM'
  | 'LIMIT_EXCEEDED'
  | 'FEE_BELOW_FLOOR'
  | 'NUMBER_NOT_SERVED'
  | 'PROVIDER_REJECTED'
  | 'PRICE_UNREADABLE'
  | 'PRODUCT_NOT_READ'
  | 'INVALID_STATUS'
  | 'TOKEN_NOT_SUPPORTED'
  | 'NO_PSP_FOR_COUNTRY'
  | 'PAYOUT_CURRENCY_UNAVAILABLE'
  | 'DESTINATION_TAG_REQUIRED'
  | 'EMAIL_EXISTS'
  | 'TWO_FACTOR_ALREADY_ENABLED'
  | 'TWO_FACTOR_NOT_SETUP'
  | 'TWO_FACTOR_NOT_ENABLED'
  | 'MISSING_TOKEN'
  | 'MISSING_USER_ID'
  | 'NO_WALLET_IN_TOKEN'
  | 'CANNOT_DISCONNECT_PRIMARY'
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'AMOUNT_MISMATCH'
  | 'CURRENCY_MISMATCH'
  | 'SAME_WALLET'
  | 'RAIL_NOT_AVAILABLE'
  | 'METHOD_NOT_AVAILABLE'
  | 'API_KEY_MISSING'
  | 'API_KEY_INVALID'
  | 'TOKEN_MISSING'
  | 'TOKEN_INVALID'
  | 'TOKEN_EXPIRED'
  | 'INVALID_CREDENTIALS'
  | 'AUTHENTICATION_FAILED'
  | 'INVALID_SIGNATURE'
  | 'REFRESH_INVALID'
  | 'REFRESH_REUSED'
  | 'DEVICE_PROOF_INVALID'
  | 'PASSKEY_UNKNOWN'
  | 'UNKNOWN_VERSION'
  | 'CARD_DECLINED'
  | 'FORBIDDEN'
  | 'ACCESS_DENIED'
  | 'WALLET_ACCESS_DENIED'
  | 'ACCOUNT_NOT_ACTIVE'
  | 'WALLET_FROZEN'
  | 'FRESH_LOGIN_REQUIRED'
  | 'STEP_UP_REQUIRED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'RECONCILIATION_FAILED'
  | 'CONFIRMATION_PENDING'
  | 'SECOND_PERSON_REQUIRED'
  | 'CLIENT_NOT_APPROVED'
  | 'IP_NOT_ALLOWED'
  | 'POLICY_DENIED'
  | 'ACCOUNT_CLOSING'
  | 'VERIFICATION_REQUIRED'
  | 'NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'CLIENT_NOT_FOUND'
  | 'WALLET_NOT_FOUND'
  | 'NO_PRIMARY_WALLET'
  | 'JOB_NOT_FOUND'
  | 'TRANSACTION_NOT_FOUND'
  | 'AUTH_NOT_FOUND'
  | 'APPLICANT_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'DEBT_OUTSTANDING'
  | 'PRICE_CHANGED'
  | 'NOT_REVERSIBLE'
  | 'ALREADY_REVERSED'
  | 'ALREADY_RETURNED'
  | 'EMAIL_IN_USE'
  | 'ACCOUNT_EXISTS'
  | 'MAPPING_EXISTS'
  | 'WALLET_ALREADY_LINKED'
  | 'CHAIN_EXISTS'
  | 'TOKEN_ALREADY_EXISTS'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'IDEMPOTENCY_ANSWER_NOT_KEPT'
  | 'REFERENCE_IN_USE'
  | 'VERSION_CONFLICT'
  | 'CONTENT_CHANGED'
  | 'QUOTE_EXPIRED'
  | 'QUOTE_USED'
  | 'QUOTE_MISMATCH'
  | 'DUPLICATE_RECIPIENT'
  | 'RECIPIENT_UNAVAILABLE'
  | 'DEVICE_LIMIT_REACHED'
  | 'ACCOUNT_NOT_EMPTY'
  | 'LAST_ADMIN'
  | 'REFUND_EXCEEDS_PAID'
  | 'REFUND_NOT_POSSIBLE'
  | 'REFUND_WINDOW_OVER'
  | 'ACCOUNT_LINKED_ELSEWHERE'
  | 'FILE_IN_USE'
  | 'EVENTS_EXPIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'INTERNAL'
  | 'PAGE_UNREADABLE'
  | 'HEALTH_CHECK_FAILED'
  | 'STATS_ERROR'
  | 'ORIGINAL_NOT_FOUND'
  | 'ALREADY_REFUNDED'
  | 'DISBURSEMENT_FAILED'
  | 'DAILY_CONVERSION_FAILED'
  | 'JOB_EXECUTION_FAILED'
  | 'SEARCH_FAILED'
  | 'CHAT_UNAVAILABLE'
  | 'NOT_READY'
  | 'PROVIDER_UNAVAILABLE'
  | 'PROVIDER_NOT_CONFIGURED'
  | 'OVERLOADED'
  | 'SHUTTING_DOWN'
  | 'POSITION_LIMIT';

export type AccessChange = {
  /** In words for people */
  message: string;
  /** A person’s */
  user_id: number;
  pending_change: PendingChangeProposed | null;
};

export type AddressVerification = {
  street: string;
  postal_code: string;
  city: string;
  /** A part of the country */
  state: string;
  /** Of the recipient, ISO 3166 */
  country: string;
};

export type Adjustment = {
  /** Of a correction of the ledger, as its proposal has answered it */
  adjustment_id: string;
  /** Of what kind it is */
  kind: "reversal" | "adjustment" | (string & {});
  /** How it stands */
  status: "PROPOSED" | "BOOKED" | "REJECTED" | "WITHDRAWN" | "EXPIRED" | "VOIDED" | (string & {});
  /** Why, in words */
  reason: string;
  /** Of a reversal, the reference of the transfer that it undoes */
  of: string | null;
  /** A person’s */
  user_id: number | null;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number | null;
  direction: "credit" | "debit" | (string & {}) | null;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Units that the correction adds to each account; below zero where it takes them */
  entries: ({
  account: string;
  /** In units of its currency, not in cents */
  amount: string;
})[];
  /** The transfer that it reverses or has posted; null until it is booked */
  reference: string | null;
  /** The admin who proposed it */
  proposed_by: number;
  /** When it was made, in UTC */
  created_at: string;
  /** Another admin has to decide before */
  expires_at: string;
  /** Who has decided */
  decided_by: number | null;
  decided_at: string | null;
  /** Why it was rejected */
  decision_note: string | null;
};

export type AdjustmentBookedEvent = (Event) & ({
  type: "adjustment.booked";
  data: Adjustment;
});

export type AdjustmentExpiredEvent = (Event) & ({
  type: "adjustment.expired";
  data: Adjustment;
});

export type AdjustmentProposedEvent = (Event) & ({
  type: "adjustment.proposed";
  data: Adjustment;
});

export type AdjustmentRejectedEvent = (Event) & ({
  type: "adjustment.rejected";
  data: Adjustment;
});

export type AdjustmentToDecide = {
  /** Of a correction of the ledger, as its proposal has answered it */
  adjustment_id: string;
  /** Of what kind it is */
  kind: "reversal" | "adjustment" | (string & {});
  /** How it stands */
  status: "PROPOSED" | "BOOKED" | "REJECTED" | "WITHDRAWN" | "EXPIRED" | "VOIDED" | (string & {});
  /** Why, in words */
  reason: string;
  /** Of a reversal, the reference of the transfer that it undoes */
  of: string | null;
  /** A person’s */
  user_id: number | null;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number | null;
  direction: "credit" | "debit" | (string & {}) | null;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Units that the correction adds to each account; below zero where it takes them */
  entries: ({
  account: string;
  /** In units of its currency, not in cents */
  amount: string;
})[];
  /** The transfer that it reverses or has posted; null until it is booked */
  reference: string | null;
  /** The admin who proposed it */
  proposed_by: number;
  /** When it was made, in UTC */
  created_at: string;
  /** Another admin has to decide before */
  expires_at: string;
  /** Who has decided */
  decided_by: number | null;
  decided_at: string | null;
  /** Why it was rejected */
  decision_note: string | null;
  /** What the reader may do about it; nothing else is accepted from them */
  you_may: ("approve" | "reject" | "withdraw" | (string & {}))[];
};

export type AdjustmentVoidedEvent = (Event) & ({
  type: "adjustment.voided";
  data: Adjustment;
});

export type AdjustmentWithdrawnEvent = (Event) & ({
  type: "adjustment.withdrawn";
  data: Adjustment;
});

export type AdministeredUser = {
  user: {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  /** What they may do */
  role: string;
  user_status: string;
  created: string;
  updated: string;
  /** Whether the person only waits to be let in */
  is_wishlist: boolean;
  tos_accepted_at: string | null;
  twofa_enabled: boolean;
  social_username: string | null;
  social_verified: boolean;
  /** The public key of the device, as a JWK of P-256; its private key never leaves the device */
  public_key: string | null;
  profile_picture: string | null;
  psp_id: string | null;
  /** The organisation */
  client_id: number;
  /** What the organisation is called */
  client_alias: string;
  /** What kind of organisation it is, such as `BUSINESS` */
  client_type: string;
  country_code: string;
  client_code: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  /** When the person was verified, in UTC */
  ekyc_verified_at: string | null;
  ekyc_provider: string | null;
  ekyc_applicant_id: string | null;
  /** How the verification of the company stands */
  ekyb_status: string;
  ekyb_verified_at: string | null;
  ekyb_applicant_id: string | null;
};
  psp_a_integration: {
  country_code: string;
  psp_provider: string;
  customer_info: {
  customer_id: string;
  customer_type: string;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
} | null;
} | null;
};

export type AgentAnswer = {
  /** The instruction for the agent, in English or Indonesian */
  user_input: string;
  ai_response: string;
  /** In words for people */
  message: string;
  intent_type: "create_wallet" | "add_address" | "balance" | "history" | "import_token" | "send" | "crosschain_transfer" | "help" | "cancel" | "unknown" | (string & {});
  completed: boolean;
  cancelled: boolean;
  requires_onboarding: boolean;
  requires_input: boolean;
  missing_parameter: string | null;
  available_options: (string)[];
  suggested_actions: (string)[];
  data: unknown;
  execution_result: {
  data: unknown;
};
  conversation_state: ConversationState;
};

export type ApiKey = {
  /** Its first and last characters */
  api_key: string;
  /** What the key is for, in your words */
  provider_name: string;
  /** When it was made, in UTC */
  created_at: string;
  last_used: string | null;
  usage_count: number;
  /** The version of the API that it was made for */
  api_version: string;
  /** What the key may be used for. Without any, for everything */
  scopes: (string)[];
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string | null;
  allowed_ips: (string)[] | null;
  rate_per_minute: number | null;
  /** The address of its last caller */
  last_ip: string | null;
};

export type ApiKeyChangedEvent = (Event) & ({
  type: "api_key.changed";
  data: ApiKeyEventData;
});

export type ApiKeyCreatedEvent = (Event) & ({
  type: "api_key.created";
  data: ApiKeyEventData;
});

export type ApiKeyDeletedEvent = (Event) & ({
  type: "api_key.deleted";
  data: ApiKeyEventData;
});

export type ApiKeyEventData = {
  key_id: number;
  /** Its first and last characters */
  api_key: string;
  /** What the key is for, in your words */
  provider_name: string;
  /** A person’s */
  user_id: number | null;
  /** What the key may be used for. Without any, for everything */
  scopes: (string)[];
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string | null;
};

export type ApiKeyExpiringEvent = (Event) & ({
  type: "api_key.expiring";
  data: ApiKeyEventData;
});

export type ApiKeyRotatedEvent = (Event) & ({
  type: "api_key.rotated";
  data: ApiKeyEventData;
});

export type AppGrant = {
  /** The consent */
  grant_id: string;
  /** The `client_id` of the program */
  app_id: string;
  /** As the program calls itself */
  name: string;
  /** Where the person went on to */
  place: string;
  /** What the key may be used for. Without any, for everything */
  scopes: ("mcp:read" | "mcp:write" | "mcp:pay" | (string & {}))[];
  /** When it was made, in UTC */
  created_at: string;
  last_used_at: string | null;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};

export type AppTokens = {
  /** The token, for `Authorization: Bearer` at `POST /mcp-server`, without an API key */
  access_token: string;
  /** Always `Bearer` */
  token_type: "Bearer";
  /** Seconds for which the access token counts */
  expires_in: number;
  /** For the next pair */
  refresh_token: string;
  scope: string;
};

export type Approval = {
  /** Of something that waits for other people */
  approval_id: string;
  /** The organisation */
  client_id: number;
  /** Of what kind it is */
  kind: "transfer" | "request" | "withdrawal" | "batch" | "refund" | "conversion" | "card" | "bridge" | "send" | "agent" | (string & {});
  /** What waits for it */
  object: ApprovalObject;
  /** What is approved, in one line */
  summary: string;
  /** SHA-256 of the content: an approval names the one that was read */
  content_hash: string;
  /** How many people have to approve it */
  needed: number;
  /** Whose admins may approve it */
  roles: ("admin" | "operator" | (string & {}))[];
  made_by: number;
  /** Of a policy; limits are named by it too */
  policy_id: string;
  approvals: (ApprovalVote)[];
  /** How it stands */
  status: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "CANCELLED" | (string & {});
  /** The version that was read; another one is refused with 409 */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  ended_at: string | null;
};

export type ApprovalObject = {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
};

export type ApprovalVote = {
  by: number;
  at: string;
};

export type AskedExport = {
  /** The export */
  export_id: string;
  /** How it stands */
  status: "PENDING" | "READY" | "EXPIRED" | "FAILED" | (string & {});
  /** When it was made, in UTC */
  created_at: string;
  ready_at: string | null;
  /** When the file goes */
  expires_at: string | null;
  /** There once it is `READY` */
  download_url: null;
};

export type AuditEntry = {
  /** Names this one */
  id: number;
  /** A word in capitals, such as `CARD_TOPUP` */
  action: string;
  /** The organisation */
  client_id: number | null;
  actor_user_id: number | null;
  actor_username: string;
  subject_user_id: number | null;
  /** What identifies the account or address, by the requirements of its rail */
  details: unknown;
  ip: string | null;
  user_agent: string | null;
  /** The header `x-request-id` */
  request_id: string | null;
  at: string;
};

export type AwardedPoints = {
  /** In words for people */
  message: string;
  /** Points of the rewards app */
  points_awarded: number;
  already_rewarded: boolean;
};

export type BacktestDifference = {
  /** Of one payment */
  payment_id: string | null;
  at: string;
  /** What happens to an operation that a policy applies to: one of these */
  then: "ALLOW" | "DENY" | "LIMIT" | "STEP_UP" | "APPROVE" | "HOLD" | (string & {});
  now: "ALLOW" | "DENY" | "LIMIT" | "STEP_UP" | "APPROVE" | "HOLD" | (string & {});
};

export type BalanceCheck = {
  rule: string;
  ok: boolean;
};

export type BalanceExplanation = {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** ISO 4217 */
  currency: string;
  /** The moment, its whole millisecond included */
  at: string;
  posted: string;
  /** What is set aside */
  held: string;
  available: string;
  /** The end of the month before, in UTC */
  since: string;
  /** What was posted at `since` */
  opening: string;
  by_kind: (BalanceKind)[];
  holds: (BalanceHold)[];
  /** Rules that were checked for this answer */
  checks: (BalanceCheck)[];
  /** SHA-256 of all the other fields but `next_attempt_at`: the same moment has the same one for good */
  digest: string;
};

export type BalanceHold = {
  /** In units of its currency, not in cents */
  amount: string;
  /** Of the payment or order that the money is set aside for */
  reference: string;
  /** As `type` of the line of the statement that has set it aside */
  kind: string;
  since: string;
  /** When it is freed at the latest; null where only `freed_by` frees it */
  until: string | null;
  /** When the service asks again, as of this request; null where it is freed by now */
  next_attempt_at: string | null;
  /** What frees it */
  freed_by: string;
};

export type BalanceKind = {
  /** As `type` of the statement */
  kind: string;
  /** How many */
  count: number;
  /** What came less what went; all kinds and the opening sum to `posted` */
  amount: string;
};

export type BalanceMonitor = {
  /** A monitor of a wallet’s balance */
  monitor_id: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** ISO 4217 */
  currency: string;
  field: "posted" | "available" | (string & {});
  op: "below" | "above" | (string & {});
  /** Decimal text with all digits of its currency */
  amount: string;
  /** How it stands */
  state: "armed" | "crossed" | (string & {});
  /** How often the balance has crossed the amount */
  crossings: number;
  /** When it did so last */
  last_crossed_at: string | null;
  /** When it was made, in UTC */
  created_at: string;
};

export type BankAccount = {
  token_bank_id: number;
  /** What the bank is called */
  bank_name: string;
  /** The bank: by its code, or its BIC */
  bank_code: string;
  bank_account_number: string;
  bank_account_name: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
};

export type BankAccountAddedEvent = (Event) & ({
  type: "bank_account.added";
  data: {
  token_bank_id: number;
  /** A person’s */
  user_id: number;
  /** What the bank is called */
  bank_name: string;
  /** The bank: by its code, or its BIC */
  bank_code: string;
  bank_account_last4: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type BankAccountRemovedEvent = (Event) & ({
  type: "bank_account.removed";
  data: {
  token_bank_id: number;
  /** A person’s */
  user_id: number;
  /** What the bank is called */
  bank_name: string;
  /** The bank: by its code, or its BIC */
  bank_code: string;
  bank_account_last4: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type BankConnectionEventData = {
  connection_id: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  institution_name: string | null;
};

export type BankConnectionLinkedEvent = (Event) & ({
  type: "bank_connection.linked";
  data: BankConnectionEventData;
});

export type BankConnectionUnlinkedEvent = (Event) & ({
  type: "bank_connection.unlinked";
  data: BankConnectionEventData;
});

export type BankPaymentEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "bank";
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: "USD";
  /** How it stands */
  status: "PENDING" | "SUCCESS_RECEIVED" | "FAILED" | "RETURNED" | (string & {});
  failure: string | null;
  /** Of the bank’s transfer */
  transfer_id: string | null;
  /** When it was made, in UTC */
  created_at: string;
  settled_at: string | null;
};

export type BankTopUp = {
  /** How it stands */
  status: "SUCCESS";
  /** What a card has paid, or was declined for */
  transaction_id: string;
  transaction: {
  /** Of what kind it is */
  type: "TOPUP";
  /** How it stands */
  status: "PENDING" | "SUCCESS_RECEIVED" | "FAILED" | "RETURNED" | (string & {});
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: "USD";
  failure: string | null;
  /** When it was made, in UTC */
  created_at: string;
  settled_at: string | null;
  returned_at: string | null;
};
};

export type Batch = {
  /** Of a batch */
  batch_id: string;
  /** What it is called */
  name: string;
  /** The wallet that pays */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** Of the wallet */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** What arrives of all of it: by a quote in its currency */
  received: BatchReceived;
  /** By which another currency is paid */
  quote_id: string | null;
  /** `at_approval` holds everything at once, `per_item` each payment before it goes */
  funding: "at_approval" | "per_item" | (string & {});
  /** When it was asked to be paid */
  execute_at: string | null;
  /** From when on it is paid, or was */
  executes_at: string | null;
  /** Payments; rows with errors are not among them */
  count: number;
  /** What leaves the wallet */
  total: string;
  /** On top of it */
  fees: string;
  completed_count: number;
  failed_count: number;
  cancelled_count: number;
  /** What had arrived and came back */
  returned_count: number;
  /** What the wallet has paid for what arrived, returned payments not counted */
  completed_total: string;
  /** Rows that cannot be paid: up to a thousand are listed */
  errors: (BatchRowError)[];
  /** Over lines and terms: submissions and approvals name it */
  content_hash: string;
  /** The user who has submitted it, and cannot approve it */
  submitted_by: number | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "DRAFT" | "PENDING_APPROVAL" | "SCHEDULED" | "PROCESSING" | "COMPLETED" | "PARTIALLY_COMPLETED" | "FAILED" | "REJECTED" | "CANCELLED" | "EXPIRED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  draft_at?: string;
  pending_approval_at?: string;
  scheduled_at?: string;
  processing_at?: string;
  completed_at?: string;
  partially_completed_at?: string;
  failed_at?: string;
  rejected_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  expired_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type BatchAccountInput = {
  /** The bank, as the requirements name it */
  bank_code?: string | undefined;
  /** The account there */
  account_number?: string | undefined;
  /** Of a wallet of the same client */
  wallet_id?: number | undefined;
  /** Of an address on a chain */
  network?: string | undefined;
  /** On a chain */
  address?: string | undefined;
  /** Of an address on the XRP Ledger */
  tag?: number | undefined;
};

export type BatchApprovedEvent = (Event) & ({
  type: "batch.approved";
  data: Batch;
});

export type BatchCancelledEvent = (Event) & ({
  type: "batch.cancelled";
  data: Batch;
});

export type BatchCompletedEvent = (Event) & ({
  type: "batch.completed";
  data: Batch;
});

export type BatchCreatedEvent = (Event) & ({
  type: "batch.created";
  data: Batch;
});

export type BatchFailedEvent = (Event) & ({
  type: "batch.failed";
  data: Batch;
});

export type BatchItem = {
  /** Of a payment of a batch; its payment is found by it, too */
  item_id: string;
  /** Of a batch */
  batch_id: string;
  /** Of what was sent, from 1 on */
  line: number;
  /** To whom the goods go */
  recipient: BatchRecipient;
  /** What leaves the wallet; the fee comes on top */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** What arrives: by a quote in its currency */
  received: BatchItemReceived;
  /** Decimal text with all digits of its currency */
  fee: string;
  /** The caller’s: never paid twice over all batches */
  reference: string;
  /** In words */
  note: string | null;
  /** By which its payment is read; null before it has begun */
  payment_id: string | null;
  /** The bank’s own number of the transfer */
  provider_reference: string | null;
  /** What came back after it had arrived */
  returned: ReturnedItem | null;
  /** How it stands */
  status: "PENDING" | "HELD" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED" | "RETURNED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_at?: string;
  held_at?: string;
  processing_at?: string;
  completed_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  returned_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type BatchItemEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "batch";
  /** Of a payment of a batch; its payment is found by it, too */
  item_id: string;
  /** Of a batch */
  batch_id: string;
  /** Of what was sent, from 1 on */
  line: number;
  /** To whom the goods go */
  recipient: BatchRecipient;
  /** What leaves the wallet; the fee comes on top */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** What arrives: by a quote in its currency */
  received: BatchItemReceived;
  /** Decimal text with all digits of its currency */
  fee: string;
  /** The caller’s: never paid twice over all batches */
  reference: string;
  /** In words */
  note: string | null;
  /** By which its payment is read; null before it has begun */
  payment_id: string | null;
  /** The bank’s own number of the transfer */
  provider_reference: string | null;
  /** What came back after it had arrived */
  returned: ReturnedItem | null;
  /** How it stands */
  status: "PENDING" | "HELD" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED" | "RETURNED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_at?: string;
  held_at?: string;
  processing_at?: string;
  completed_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  returned_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type BatchItemInput = {
  /** A recipient of the wallet’s owner, or `recipient` */
  recipient_id?: string | undefined;
  /** To whom the goods go */
  recipient?: BatchRecipientInput | undefined;
  /** What arrives, as decimal text or an exact number */
  amount?: string | undefined;
  /** Up to 100 printable ASCII characters without blanks, never paid twice over all batches; made where it is left out */
  reference?: string | undefined;
  /** For the payee, up to 140 characters */
  note?: string | undefined;
};

export type BatchItemReceived = {
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
};

export type BatchPartiallyCompletedEvent = (Event) & ({
  type: "batch.partially_completed";
  data: Batch;
});

export type BatchProcessingEvent = (Event) & ({
  type: "batch.processing";
  data: Batch;
});

export type BatchReceived = {
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
};

export type BatchRecipient = {
  /** Null where the line named an account */
  recipient_id: string | null;
  /** What it is called */
  name: string;
  /** The bank and the last digits of the account, or the wallet */
  detail: string;
};

export type BatchRecipientInput = {
  /** The holder of the account */
  name?: string | undefined;
  /** `bank` or `wallet` */
  kind?: string | undefined;
  /** Of a bank account: ISO 3166 */
  country?: string | undefined;
  /** That of the wallet that pays, or what its quote buys */
  currency?: string | undefined;
  /** What identifies the account or address, by the requirements of its rail */
  details?: BatchAccountInput | undefined;
};

export type BatchRejectedEvent = (Event) & ({
  type: "batch.rejected";
  data: Batch;
});

export type BatchRowError = {
  /** Of what was sent, from 1 on */
  line: number;
  field: string;
  /** In words for people */
  message: string;
};

export type BatchSubmittedEvent = (Event) & ({
  type: "batch.submitted";
  data: Batch;
});

export type Break = {
  break_id: number;
  /** Which books are compared, such as `card-network` */
  rail: string;
  reference: string;
  /** Of what kind it is */
  kind: string;
  /** The coin of the network, or a token of the platform */
  asset: string;
  /** In what the two sides differ */
  cause: "MISSING_AT_PROVIDER" | "MISSING_IN_OUR_BOOKS" | "AMOUNT_DIFFERS" | "DAY_DIFFERS" | "DOUBLED_AT_PROVIDER" | "DOUBLED_IN_OUR_BOOKS" | (string & {});
  /** How it stands */
  state: "OPEN" | "EXPLAINED" | "RESOLVED" | (string & {});
  our_amount: string | null;
  our_time: string | null;
  their_amount: string | null;
  their_time: string | null;
  /** The organisation */
  client_id: number | null;
  found_at: string;
  resolved_at: string | null;
  age_seconds: number;
  /** In words */
  note: string | null;
  history: unknown;
};

export type BridgeAdvance = {
  /** Why, in words */
  reason: string;
  proposed_by: number;
  approved_by: number | null;
};

export type BridgeMode = {
  /** Who signs */
  mode: "fast" | "standard" | (string & {});
  fee: {
  /** The platform’s fee is at least this */
  flat: string;
  /** Of the amount, in hundredths of a percent */
  bps: number;
};
  /** The least amount */
  min: string;
  /** The most */
  max: string;
  /** From the request to the arrival, as measured */
  estimated_seconds: MeasuredSeconds;
};

export type BridgeQuote = {
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
  /** Of what kind it is */
  kind: "fx" | "bridge" | (string & {});
  /** How it stands */
  status: "OPEN" | "USED" | "EXPIRED" | "CANCELLED" | (string & {});
  /** The side whose amount was asked for; the other one was worked out */
  fixed_side: "from" | "to" | (string & {});
  /** The currency that is sold */
  from_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** Decimal text with all digits of its currency */
  from_amount: string;
  /** The currency that is bought */
  to_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** Decimal text with all digits of its currency */
  to_amount: string;
  /** Of the two amounts: what one of the first currency buys */
  rate: string;
  /** Of the two amounts: what one of the second currency costs */
  inverse_rate: string;
  /** The middle of the market, without the spread */
  mid_rate: string;
  /** Taken off the middle, in hundredths of a percent */
  spread_bps: number;
  /** How long the price holds: the longer, the higher the spread */
  valid_for: "30s" | "5m" | "1h" | "24h" | "60s" | (string & {});
  rate_source: string;
  rates_at: string;
  /** From which currency over which to which */
  route: string;
  rounding: {
  /** The amount that was worked out is rounded down where it is paid out, and up where it is paid */
  mode: "down" | "up" | (string & {});
  /** What rounding leaves to the platform, in the currency of the amount that was worked out */
  residue: string;
};
  /** What a conversion by this quote costs beside the amounts */
  fees: (QuoteFee)[];
  /** The one thing that was made by it */
  used_by: string | null;
  /** The conversion that it takes back; a conversion alone uses such a quote */
  reverses: string | null;
  /** Where a quote of the bridge leads; its fees are off the amount already */
  bridge: QuotedBridge | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  /** The terms as a JSON Web Signature (EdDSA) by a key of `GET /fx/quote-keys` */
  signature: string;
  /** On which the tokens are burnt */
  from_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl" | (string & {});
  /** On which they are minted */
  to_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl" | (string & {});
  /** Who signs */
  mode: "fast" | "standard" | (string & {});
  /** Who gets it, on the other chain */
  recipient_address: string;
  /** Whose it is at that address, where its ledger knows tags */
  recipient_tag: number | null;
  /** Decimal text with all digits of its currency */
  platform_fee: string;
  /** What the chains take for the mint and the payment */
  network_fee: string;
  /** What arrives at least */
  min_received: string;
  estimated_seconds: MeasuredSeconds;
};

export type BridgeRoute = {
  /** The two chains, as GET /bridge/routes lists them */
  route_id: string;
  /** On which the tokens are burnt */
  from_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl" | (string & {});
  /** On which they are minted */
  to_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl" | (string & {});
  modes: (BridgeMode)[];
  /** How it stands */
  status: "UP" | "DEGRADED" | "DOWN" | (string & {});
  /** Why the operator has stopped it; null where it is open */
  stop_reason: string | null;
  /** What may be begun on a UTC day, of all users */
  daily_cap: string;
  /** The version that was read; another one is refused with 409 */
  version: number;
};

export type BridgeStep = {
  /** What it is called */
  name: "burn" | "attest" | "mint" | "send" | "advance" | (string & {});
  /** Our word for a chain */
  chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl" | (string & {});
  /** How it stands */
  state: "PENDING" | "DONE" | "FAILED" | (string & {});
  /** Of its transaction */
  hash: string | null;
  block: number | null;
  /** That were counted when it was last looked at */
  confirmations: number;
  /** From so many confirmations on it counts */
  needed: number;
  /** Where a person sees the transaction */
  explorer_url: string | null;
  /** Where this API shows it decoded, as the chain has it now */
  proof_url: string | null;
  at: string;
};

export type BridgeTransfer = {
  /** The id of a transfer, as POST /bridge/transfers answers it */
  bridge_transfer_id: string;
  /** Which books are compared, such as `card-network` */
  rail: "bridge";
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
  /** On which the tokens are burnt */
  from_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl" | (string & {});
  /** On which they are minted */
  to_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl" | (string & {});
  /** Who signs */
  mode: string;
  /** ISO 4217 */
  currency: "USDC";
  /** What leaves the source, the fees among it */
  amount: string;
  /** What arrives at the recipient */
  received: string;
  /** Both fees together */
  fees: string;
  /** Decimal text with all digits of its currency */
  platform_fee: string;
  /** Decimal text with all digits of its currency */
  network_fee: string;
  source_address: string;
  /** Who gets it, on the other chain */
  recipient_address: string;
  /** Whose it is at that address, where its ledger knows tags; null without one */
  recipient_tag: number | null;
  /** What was done on each chain, in order */
  steps: (BridgeStep)[];
  /** Why it takes long, in words; null where it does not */
  delay_reason: string | null;
  /** The operator’s decision to pay the source ahead of a mint that has not come */
  advance: BridgeAdvance | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "AWAITING_FUNDS" | "BURNING" | "BURNED" | "ATTESTED" | "MINTING" | "SENDING" | "COMPLETED" | "STALLED" | "ADVANCED" | "FAILED" | "CANCELLED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  awaiting_funds_at?: string;
  burning_at?: string;
  burned_at?: string;
  attested_at?: string;
  minting_at?: string;
  sending_at?: string;
  completed_at?: string;
  stalled_at?: string;
  advanced_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type BridgeTransferAdvancedEvent = (Event) & ({
  type: "bridge_transfer.advanced";
  data: BridgeTransfer;
});

export type BridgeTransferAttestedEvent = (Event) & ({
  type: "bridge_transfer.attested";
  data: BridgeTransfer;
});

export type BridgeTransferBurnedEvent = (Event) & ({
  type: "bridge_transfer.burned";
  data: BridgeTransfer;
});

export type BridgeTransferBurningEvent = (Event) & ({
  type: "bridge_transfer.burning";
  data: BridgeTransfer;
});

export type BridgeTransferCompletedEvent = (Event) & ({
  type: "bridge_transfer.completed";
  data: BridgeTransfer;
});

export type BridgeTransferFailedEvent = (Event) & ({
  type: "bridge_transfer.failed";
  data: BridgeTransfer;
});

export type BridgeTransferMintingEvent = (Event) & ({
  type: "bridge_transfer.minting";
  data: BridgeTransfer;
});

export type BridgeTransferSendingEvent = (Event) & ({
  type: "bridge_transfer.sending";
  data: BridgeTransfer;
});

export type BridgeTransferStalledEvent = (Event) & ({
  type: "bridge_transfer.stalled";
  data: BridgeTransfer;
});

export type CallerReference = string;

export type CallerReferenceInput = string;

export type CardActivatedEvent = (Event) & ({
  type: "card.activated";
  data: IssuedCard;
});

export type CardChangedEvent = (Event) & ({
  type: "card.changed";
  data: IssuedCard;
});

export type CardClosedEvent = (Event) & ({
  type: "card.closed";
  data: IssuedCard;
});

export type CardControls = {
  /** How much it pays in an interval, in its currency */
  spending_limits?: (CardSpendingLimit)[];
  /** It pays nowhere else */
  allowed?: CardMerchants;
  /** It does not pay there, whatever is allowed */
  blocked?: CardMerchants;
  /** Whether it pays where the card is not present; yes without it */
  online?: boolean;
};

export type CardCreatedEvent = (Event) & ({
  type: "card.created";
  data: IssuedCard;
});

export type CardDecision = {
  /** What was decided about a card */
  decision_id: string;
  /** The card */
  card_id: string;
  /** What a card has paid, or was declined for */
  transaction_id: string | null;
  /** Of what kind it is */
  type: "authorization" | "balance_inquiry" | (string & {});
  /** How it stands */
  status: "PENDING" | "RESPONDED" | "TIMED_OUT" | (string & {});
  /** What the person says to the change */
  decision: "approve" | "decline" | (string & {}) | null;
  /** What the shop has asked for */
  requested_amount: string;
  /** What was said yes to */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Why it was declined */
  reason: "insufficient_funds" | "wallet_frozen" | "card_not_active" | "card_frozen" | "card_closed" | "card_expired" | "single_use_spent" | "limit_transaction" | "limit_day" | "limit_week" | "limit_month" | "limit_all_time" | "mcc_blocked" | "country_blocked" | "merchant_blocked" | "online_blocked" | "policy_denied" | "user_stopped" | "wrong_cvv" | "wrong_pin" | "suspected_fraud" | "client_declined" | "client_timed_out" | "decision_timed_out" | "stand_in_declined" | "unknown_card" | "currency_not_supported" | (string & {}) | null;
  /** Who has decided */
  decided_by: "rules" | "client" | "stand_in" | (string & {}) | null;
  /** What came of the question to your own system; null where it was not asked */
  client_answer: "approve" | "decline" | "late" | "broken" | "busy" | (string & {}) | null;
  /** Why your own system has declined, in its words */
  client_reason: string | null;
  /** When the question came */
  received_at: string;
  /** A yes after this is none */
  timeout_at: string;
  /** When it was answered */
  responded_at: string | null;
  /** From the question to the answer */
  ms: number | null;
};

export type CardDecisionCeiling = {
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
};

export type CardDecisionCeilingInput = {
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC";
};

export type CardDecisionFallback = {
  /** Declines whatever was not answered */
  decline?: true;
  /** Approves up to this amount, in the card’s currency; declines the rest */
  approve_within?: CardDecisionCeiling;
};

export type CardDecisionFallbackInput = {
  /** Declines whatever was not answered */
  decline?: true | undefined;
  /** Approves up to this amount, in the card’s currency; declines the rest */
  approve_within?: CardDecisionCeilingInput | undefined;
};

export type CardDecisionTimedOutEvent = (Event) & ({
  type: "card_decision.timed_out";
  data: CardDecision;
});

export type CardDecisionWebhook = {
  /** The organisation */
  client_id: number;
  /** Of the page */
  url: string;
  /** How long your system has for its answer, in milliseconds */
  timeout_ms: number;
  /** What counts where your system does not answer */
  fallback: CardDecisionFallback;
  /** The version that was read; another one is refused with 409 */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type CardDispute = {
  /** A dispute of what a card has paid */
  dispute_id: string;
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** The card */
  card_id: string;
  /** A person’s */
  user_id: number;
  /** Why, in words */
  reason: "FRAUD" | "NOT_RECEIVED" | "NOT_AS_DESCRIBED" | "DUPLICATE" | "WRONG_AMOUNT" | "CANCELLED" | "REFUND_MISSING" | (string & {});
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** What has happened, in its holder’s words */
  explanation: string;
  /** What its holder has said to the shop’s answer */
  response: string | null;
  /** Files that go along */
  evidence: (CardDisputeEvidence)[];
  /** Without a response until then it is lost */
  respond_by: string | null;
  /** What its holder has until it is decided */
  provisional_credit: ProvisionalCredit | null;
  /** What the network has said, oldest first */
  network_events: (CardDisputeEvent)[];
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "DRAFT" | "SUBMITTED" | "PENDING_RESPONSE" | "PREARBITRATION" | "WON" | "LOST" | "WITHDRAWN" | "REJECTED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  draft_at?: string;
  submitted_at?: string;
  pending_response_at?: string;
  prearbitration_at?: string;
  won_at?: string;
  lost_at?: string;
  withdrawn_at?: string;
  rejected_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type CardDisputeDraftEvent = (Event) & ({
  type: "card_dispute.draft";
  data: CardDispute;
});

export type CardDisputeEvent = {
  at: string;
  /** As the processor calls it */
  type: string;
  /** In units of its currency, not in cents */
  amount: string | null;
  text: string | null;
};

export type CardDisputeEvidence = {
  file_id: string;
  stage: "CLAIM" | "RESPONSE" | (string & {});
};

export type CardDisputeLostEvent = (Event) & ({
  type: "card_dispute.lost";
  data: CardDispute;
});

export type CardDisputePendingResponseEvent = (Event) & ({
  type: "card_dispute.pending_response";
  data: CardDispute;
});

export type CardDisputePrearbitrationEvent = (Event) & ({
  type: "card_dispute.prearbitration";
  data: CardDispute;
});

export type CardDisputeRejectedEvent = (Event) & ({
  type: "card_dispute.rejected";
  data: CardDispute;
});

export type CardDisputeSubmittedEvent = (Event) & ({
  type: "card_dispute.submitted";
  data: CardDispute;
});

export type CardDisputeUpdatedEvent = (Event) & ({
  type: "card_dispute.updated";
  data: CardDispute;
});

export type CardDisputeWithdrawnEvent = (Event) & ({
  type: "card_dispute.withdrawn";
  data: CardDispute;
});

export type CardDisputeWonEvent = (Event) & ({
  type: "card_dispute.won";
  data: CardDispute;
});

export type CardElement = {
  /** Of what kind it is */
  type: "authorization" | "decline" | "increment" | "reversal" | "expiration" | "settlement" | "refund_authorization" | "refund" | "validation" | "balance_inquiry" | "advice" | "chargeback" | "representment" | (string & {});
  /** Decimal text with all digits of its currency */
  amount: string;
  /** When it happened, as the processor says */
  at: string;
  /** The network’s number of the payment */
  network_reference: string;
  /** What was decided about it, where we were asked */
  decision_id: string | null;
};

export type CardExpiredEvent = (Event) & ({
  type: "card.expired";
  data: IssuedCard;
});

export type CardFailedEvent = (Event) & ({
  type: "card.failed";
  data: IssuedCard;
});

export type CardFrozenEvent = (Event) & ({
  type: "card.frozen";
  data: IssuedCard;
});

export type CardFundingAnswer = {
  /** The object of the question, with the amount of the yes or the reason of the no */
  jit_funding: Record<string, unknown>;
};

export type CardIssuedEvent = (Event) & ({
  type: "card.issued";
  data: IssuedCard;
});

export type CardMerchant = {
  /** What it is called */
  name: string;
  terminal_id: string;
  id_code: string;
};

export type CardMerchants = {
  /** Categories of merchants, by their four digits (ISO 18245) */
  mcc?: (string)[];
  /** Of the merchant */
  country?: (string)[];
  /** By the acquirer’s number */
  merchant_id?: (string)[];
};

export type CardMerchantsInput = {
  /** Categories of merchants, by their four digits (ISO 18245) */
  mcc?: (string)[] | undefined;
  /** Of the merchant */
  country?: (string)[] | undefined;
  /** By the acquirer’s number */
  merchant_id?: (string)[] | undefined;
};

export type CardPage = {
  /** A page of the processor, for the card’s owner alone */
  url: string;
  /** It has to be opened before, and opens once */
  expires_at: string;
};

export type CardPaymentEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "card";
  /** Names this one */
  id: number;
  /** Of what kind it is */
  type: "TOPUP" | "REFUND" | (string & {});
  card_last4: string;
  /** In units of its currency, not in cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** How it stands */
  status: string;
  /** Of the card’s issuer */
  approval_code: string | null;
  /** By which the card network knows it, for refunds */
  transaction_identifier: string | null;
  /** Names one payment in all later calls */
  reference_id: string;
  /** When it was made, in UTC */
  created_at: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: number;
  /** The amount less the platform’s fee */
  net_amount: number;
  /** By which the card network knows it */
  retrieval_reference_number: string;
  original_reference: string | null;
  /** When it last changed, in UTC */
  updated_at: string;
  /** The network’s code for the failure */
  failure: string | null;
};

export type CardPaymentMerchant = {
  /** By the acquirer’s number */
  id: string | null;
  /** What it is called */
  name: string;
  /** Its category (ISO 18245) */
  mcc: string | null;
  city: string | null;
  /** Of the recipient, ISO 3166 */
  country: string | null;
};

export type CardReplacedEvent = (Event) & ({
  type: "card.replaced";
  data: IssuedCard;
});

export type CardSpendingLimit = {
  /** Days, weeks from Monday and months are those of the client’s time zone */
  interval: "transaction" | "day" | "week" | "month" | "all_time" | (string & {});
  /** Decimal text with all digits of its currency */
  amount: string;
  /** Only what is spent at these categories counts; all without it */
  mcc?: (string)[];
};

export type CardSpendingLimitInput = {
  /** Days, weeks from Monday and months are those of the client’s time zone */
  interval: "transaction" | "day" | "week" | "month" | "all_time";
  /** In units of its currency, not in cents */
  amount: string;
  /** Only what is spent at these categories counts; all without it */
  mcc?: (string)[] | undefined;
};

export type CardTopUp = {
  /** In words for people */
  message: string;
  data: {
  /** Names one payment in all later calls */
  reference_id: string;
  /** Of the card’s issuer */
  approval_code: string;
  /** By which the card network knows it, for refunds */
  transaction_identifier: string;
  card_last4: string;
  /** In units of its currency, not in cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** How it stands */
  status: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: number;
  /** The amount less the platform’s fee */
  net_amount: number;
  steps: ({
  step: number;
  /** What it is, in words */
  description: string;
})[];
};
};

export type CardTransaction = {
  /** Names this one */
  id: number;
  /** Of what kind it is */
  type: "TOPUP" | "REFUND" | (string & {});
  card_last4: string;
  /** In units of its currency, not in cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** How it stands */
  status: string;
  /** Of the card’s issuer */
  approval_code: string | null;
  /** By which the card network knows it, for refunds */
  transaction_identifier: string | null;
  /** Names one payment in all later calls */
  reference_id: string;
  /** When it was made, in UTC */
  created_at: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: number;
  /** The amount less the platform’s fee */
  net_amount: number;
  /** By which the card network knows it */
  retrieval_reference_number: string;
  original_reference: string | null;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type CardTransactionDeclinedEvent = (Event) & ({
  type: "card_transaction.declined";
  data: IssuedCardTransaction;
});

export type CardTransactionFlaggedEvent = (Event) & ({
  type: "card_transaction.flagged";
  data: IssuedCardTransaction;
});

export type CardUnfrozenEvent = (Event) & ({
  type: "card.unfrozen";
  data: IssuedCard;
});

export type CardanoBalance = {
  /** On a chain */
  address: string;
  balances: {
  ada: {
  /** In units of its currency, not in cents */
  amount: string;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  lovelace: string;
  usd_value: number | null;
};
  /** Whole USDC with 6 decimals, as text */
  usdc: {
  /** In units of its currency, not in cents */
  amount: string;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  /** Of a policy; limits are named by it too */
  policy_id: string;
  asset_name: string;
  asset_id: string;
  usd_value: number | null;
};
  total_usd_value: number | null;
};
  /** By which the exchange sends, in its word */
  network: string;
  last_updated: string;
};

export type CardanoBankIn = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** How it stands */
  status: string;
  /** In which it is paid, ISO 4217 */
  currency_from: string;
  /** In currency_from, on top of the amount; where there is one */
  network_fee?: string;
  provider: string;
};

export type CardanoBankOut = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** How it stands */
  status: string;
  /** In which it arrives, ISO 4217 */
  currency_to: string;
  provider: string;
};

export type CardanoOrderBegunEvent = (Event) & ({
  type: "cardano_order.begun";
  data: CardanoOrderEventData;
});

export type CardanoOrderBurntEvent = (Event) & ({
  type: "cardano_order.burnt";
  data: CardanoOrderEventData;
});

export type CardanoOrderCompletedEvent = (Event) & ({
  type: "cardano_order.completed";
  data: CardanoOrderEventData;
});

export type CardanoOrderEventData = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** A person’s */
  user_id: number;
  /** Where it comes from */
  source: "CARD" | "WALLET" | (string & {});
  target: "WALLET" | "BANK" | "ADDRESS" | (string & {});
  /** In units of its currency, not in cents */
  amount: string;
  /** In which it is paid, ISO 4217 */
  currency_from: string;
  /** In which it arrives, ISO 4217 */
  currency_to: string | null;
  /** Whole USDC with 6 decimals, as text */
  usdc: string | null;
  /** Who gets it, on that chain */
  to_address: string | null;
  /** How it stands */
  status: "OPEN" | "PAYING" | "DONE" | "FAILED" | (string & {});
  failure: string | null;
  mint_hash: string | null;
  burn_hash: string | null;
  /** When it was made, in UTC */
  created_at: string;
};

export type CardanoOrderGivenBackEvent = (Event) & ({
  type: "cardano_order.given_back";
  data: CardanoOrderEventData;
});

export type CardanoOrderMadeAnewEvent = (Event) & ({
  type: "cardano_order.made_anew";
  data: CardanoOrderEventData;
});

export type CardanoOrderMintedEvent = (Event) & ({
  type: "cardano_order.minted";
  data: CardanoOrderEventData;
});

export type CardanoOrderPayoutReturnedEvent = (Event) & ({
  type: "cardano_order.payout_returned";
  data: CardanoOrderEventData;
});

export type CardanoOrderTakenBackEvent = (Event) & ({
  type: "cardano_order.taken_back";
  data: CardanoOrderEventData;
});

export type CardanoOrderUnpaidEvent = (Event) & ({
  type: "cardano_order.unpaid";
  data: CardanoOrderEventData;
});

export type CardanoPayout = {
  txHash: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Who gets it, on that chain */
  to_address: string;
};

export type CardanoTransaction = {
  /** Where it comes from */
  source: string;
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number;
  tx_type: string;
  tx_flow: string;
  /** Of the transaction on its chain */
  tx_hash: string | null;
  from_address: string | null;
  /** Who gets it, on that chain */
  to_address: string | null;
  /** In units of its currency, not in cents */
  amount: string;
  /** In units of its currency, not in cents */
  fiat_amount: string | null;
  /** In which it is paid, ISO 4217 */
  currency_from: string | null;
  /** In which it arrives, ISO 4217 */
  currency_to: string | null;
  /** How much of the second currency one of the first is worth */
  fx_rate: string | null;
  /** What identifies the account or address, by the requirements of its rail */
  details: {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  rates_source: string;
  rates_at: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number | null;
  /** In currency_from, charged on top of the amount */
  network_fee: string;
};
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** Names one payment in all later calls */
  reference_id: string;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: string;
  partner_fee: string;
  /** What the bank is called */
  bank_name: string | null;
  provider: string;
};

export type CardanoTransfer = {
  txHash: string;
  /** In units of its currency, not in cents */
  amount: string;
};

export type CardanoWalletIn = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** How it stands */
  status: string;
  /** In which it arrives, ISO 4217 */
  currency_to: string;
  provider: string;
};

export type CardanoWalletOut = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** How it stands */
  status: string;
  /** In which it is paid, ISO 4217 */
  currency_from: string;
  /** In currency_from, on top of the amount; where there is one */
  network_fee?: string;
  /** Of what kind it is */
  type: "WITHDRAW";
};

export type CarriedPurchaseProduct = {
  /** What it is called */
  title: string;
  /** The price as the page has it, such as `USD 25.00` */
  priceText: string | null;
  /** What it is, in words */
  description: string | null;
  /** A picture of it */
  image: string | null;
  /** The shop whose page it is */
  site: string | null;
  /** Of the page */
  url: string | null;
  page_seal: string | null;
};

export type ChainBalance = {
  /** Our word for a chain */
  chain_id: string;
  /** On its chain */
  wallet_address: string;
  native_balance: string | null;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string | null;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string | null;
  native_symbol: string;
  tokens: (TokenBalance)[];
  total_usd: number | null;
  /** What went wrong */
  error?: {
  /** A word for programs */
  code: string;
  /** In words for people */
  message: string;
};
};

export type CheckoutState = {
  /** The invoice */
  invoice_id: string;
  /** How it stands */
  status: "OPEN" | "CHECKING" | "PARTIALLY_PAID" | "PAID" | "EXPIRED" | "CANCELLED" | (string & {});
  /** ISO 4217 */
  currency: string;
  /** Decimal text with all digits of its currency */
  to_pay: string;
  /** Decimal text with all digits of its currency */
  paid_amount: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  /** How it can be paid now */
  ways: (CheckoutWay)[];
  /** What was begun and waits for its payer, the latest first */
  tries: (CheckoutTry)[];
  /** Whether the last try has failed */
  has_failed: boolean;
  /** Where the payer goes back to, signed */
  return_url: string | null;
  /** Another one once anything of it has changed */
  mark: string;
};

export type CheckoutTry = {
  /** Of one payment */
  payment_id: string;
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet" | (string & {});
  /** Decimal text with all digits of its currency */
  amount: string;
  /** A word in capitals, such as `CARD_TOPUP` */
  action: InvoicePaymentAction | null;
};

export type CheckoutWay = {
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet" | (string & {});
  /** With the fee, where the payer bears it */
  amount: string;
};

export type Client = {
  /** The organisation */
  client_id: number;
  client_code: string;
  /** An e-mail address */
  email: string;
  /** What the organisation is called */
  client_alias: string;
  /** What kind of organisation it is, such as `BUSINESS` */
  client_type: string;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  country_code: string;
  psp_id: number | null;
  /** With the country code in front, such as +12025550100 */
  phone: string;
  /** In which days are meant, such as `Asia/Jakarta` */
  time_zone: string;
};

export type ClientCreatedEvent = (Event) & ({
  type: "client.created";
  data: Client;
});

export type ClientLetInEvent = (Event) & ({
  type: "client.let_in";
  data: Client;
});

export type ClientStanding = {
  /** The organisation */
  client_id: number;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status: string;
  is_stopped: boolean;
  /** Why, in words */
  reason: string | null;
  stopped_by: number | null;
  stopped_at: string | null;
};

export type ClientStoppedEvent = (Event) & ({
  type: "client.stopped";
  data: Client;
});

export type ClientUpdatedEvent = (Event) & ({
  type: "client.updated";
  data: Client;
});

export type CodeNeeded = {
  success: true;
  /** In words for people */
  message: string;
  requires_2fa: true;
  data: {
  /** A person’s */
  user_id: number;
  /** An e-mail address */
  email: string;
};
};

export type CompletedPayment = {
  tx_hash_payment: string;
  tx_hash_mcp: string;
  mcp_status: "RECORDED";
  offramp_status: "SUCCESS_RECEIVED";
  amount_paid: string;
  /** On its chain */
  wallet_address: string;
};

export type CompletedPurchase = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** How it stands */
  status: "COMPLETED";
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type ConnectedAccount = {
  /** Names this one */
  id: number;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  provider: string;
  auth_provider: string;
  /** On its chain */
  wallet_address: string | null;
  is_primary: boolean;
  connected_at: string;
  last_used: string;
  /** How it stands */
  status: "primary" | "secondary" | (string & {});
};

export type ConsoleLogIn = {
  /** The next step: none, a code of the second factor, or setting one up before the console opens */
  state: "signed_in" | "second_factor" | "set_up_second_factor" | (string & {});
  /** A person’s */
  user_id: number;
  /** The second factors of which a code is accepted */
  methods?: (string)[];
};

export type ConversationState = {
  onboarding_required: boolean;
  input_required: boolean;
  completed: boolean;
  cancelled: boolean;
  has_data: boolean;
};

export type ConversionCompletedEvent = (Event) & ({
  type: "conversion.completed";
  data: ConversionEventData;
});

export type ConversionConfirmedEvent = (Event) & ({
  type: "conversion.confirmed";
  data: ConversionEventData;
});

export type ConversionDisbursedEvent = (Event) & ({
  type: "conversion.disbursed";
  data: ConversionEventData;
});

export type ConversionEstimate = {
  /** By the reference rate, before fees */
  usdc_bought: string | null;
  /** By what the exchange took of the latest trade */
  exchange_fee_usdc: string | null;
  /** What the latest withdrawal on the network of the primary wallet cost */
  network_fee_usdc: string | null;
  /** What is left of it for the wallet */
  usdc_arriving: string | null;
};

export type ConversionEventData = {
  job_id: number;
  /** Names one payment in all later calls */
  reference_id: string;
  /** A person’s */
  user_id: number;
  batch_amount_idr: number;
};

export type ConversionFailedEvent = (Event) & ({
  type: "conversion.failed";
  data: ConversionEventData;
});

export type ConversionJob = {
  job_id: number;
  /** A person’s */
  user_id: number;
  batch_amount_idr: number;
  disbursement_id: string | null;
  /** Names one payment in all later calls */
  reference_id: string;
  /** How it stands */
  status: string;
  /** Why, in words */
  reason: {
  /** A word for programs */
  code: string;
  /** In words for people */
  message: string | null;
} | null;
  reconciliation: ConversionReconciliation;
  trade: {
  spent_idr: number;
  fee_idr: number;
  returned_idr: number;
  bought_usdc: string;
  fee_usdc: string;
} | null;
  withdrawal: {
  /** By which the exchange sends, in its word */
  network: string;
  /** On a chain */
  address: string;
  /** In units of its currency, not in cents */
  amount: string;
  fee: string | null;
  /** Of the transaction on its chain */
  tx_hash: string | null;
} | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type ConversionOrderRefusedEvent = (Event) & ({
  type: "conversion.order_refused";
  data: ConversionEventData;
});

export type ConversionPayoutReturnedEvent = (Event) & ({
  type: "conversion.payout_returned";
  data: ConversionEventData;
});

export type ConversionReconciliation = {
  reconciliation_id: number;
  /** How it stands */
  status: string;
  requires_admin_attention: boolean;
  /** What is under way at the gateway and explains a difference; for the operator alone */
  in_flight?: {
  going_out_idr: number;
  coming_in_idr: number;
};
};

export type ConversionReversal = {
  /** Holds the quoted price for a while, as it was answered */
  quote: Quote;
  /** What was paid less what comes back; below zero where the rate has moved in your favour */
  cost: string;
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
};

export type ConversionStartedEvent = (Event) & ({
  type: "conversion.started";
  data: ConversionEventData;
});

export type ConversionTradedEvent = (Event) & ({
  type: "conversion.traded";
  data: ConversionEventData;
});

export type ConversionWithdrawalRefusedEvent = (Event) & ({
  type: "conversion.withdrawal_refused";
  data: ConversionEventData;
});

export type Country = {
  country_code: string;
  country_name: string;
};

export type CreatedInstance = {
  /** In words for people */
  message: string;
  instance: {
  instance_id: number;
  /** The organisation */
  client_id: number;
  /** What the shop, app or branch is called */
  instance_name: string;
  /** What the organisation is called */
  client_alias: string | null;
  instance_status: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};
};

export type CreatedUser = {
  /** In words for people */
  message: string;
  user: {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  /** What they may do */
  role: string;
  user_status: string;
  created: string;
  updated: string;
  /** Whether the person only waits to be let in */
  is_wishlist: boolean;
};
  temp_password: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  psp_a_integration?: {
  psp_provider: string;
  customer_status: string;
  customer_id: string | null;
  customer_type: string;
  database_id: number;
};
};

export type CrosschainStep = {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the transaction on its chain */
  tx_hash: string | null;
  /** How it stands */
  status: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type CrosschainTransfer = {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the burn, as its message has it */
  nonce: string;
  /** A person’s */
  user_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** Which token */
  token: string;
  /** On which the tokens are burnt */
  from_chain: string;
  /** On which they are minted */
  to_chain: string;
  /** Who gets it, on the other chain */
  recipient_address: string;
  /** Where it goes back to if the transfer fails */
  return_address: string | null;
  /** How it stands */
  status: string;
  burn_tx_hash: string | null;
  mint_tx_hash: string | null;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type CrosschainTransferBurnLostEvent = (Event) & ({
  type: "crosschain_transfer.burn_lost";
  data: CrosschainTransfer;
});

export type CrosschainTransferBurnRefusedEvent = (Event) & ({
  type: "crosschain_transfer.burn_refused";
  data: CrosschainTransfer;
});

export type CrosschainTransferBurnStartedEvent = (Event) & ({
  type: "crosschain_transfer.burn_started";
  data: CrosschainTransfer;
});

export type CrosschainTransferBurnedEvent = (Event) & ({
  type: "crosschain_transfer.burned";
  data: CrosschainTransfer;
});

export type CrosschainTransferFailedEvent = (Event) & ({
  type: "crosschain_transfer.failed";
  data: CrosschainTransfer;
});

export type CrosschainTransferInitiatedEvent = (Event) & ({
  type: "crosschain_transfer.initiated";
  data: CrosschainTransfer;
});

export type CrosschainTransferMintLostEvent = (Event) & ({
  type: "crosschain_transfer.mint_lost";
  data: CrosschainTransfer;
});

export type CrosschainTransferMintRefusedEvent = (Event) & ({
  type: "crosschain_transfer.mint_refused";
  data: CrosschainTransfer;
});

export type CrosschainTransferMintStartedEvent = (Event) & ({
  type: "crosschain_transfer.mint_started";
  data: CrosschainTransfer;
});

export type CrosschainTransferMintedEvent = (Event) & ({
  type: "crosschain_transfer.minted";
  data: CrosschainTransfer;
});

export type CryptoAddress = {
  address_id: number;
  /** Of a wallet on chains */
  bw_id: number;
  /** On its chain */
  wallet_address: string;
  /** Our word for a chain */
  chain_id: string;
  /** When it was made, in UTC */
  created_at: string;
  asset_count: number;
  native_symbol: string;
  has_assets: boolean;
};

export type CryptoAddressEventData = {
  address_id: number;
  /** Of a wallet on chains */
  bw_id: number;
  /** A person’s */
  user_id: number;
  /** Our word for a chain */
  chain_id: string;
  /** On its chain */
  wallet_address: string;
  /** When it was made, in UTC */
  created_at: string;
};

export type CryptoWallet = {
  /** Of a wallet on chains */
  bw_id: number;
  /** A person’s */
  user_id: number;
  /** What the wallet is called */
  wallet_name: string;
  wallet_label: string;
  /** By which the exchange sends, in its word */
  network: "evm";
  is_primary: boolean;
  /** When it was made, in UTC */
  created_at: string;
  addresses: (CryptoAddress)[];
  address_count: number;
  active_chains: number;
  supported_chains: (string)[];
  total_tokens: number;
  total_assets: number;
  total_value_usd: number | null;
  /** How it stands */
  status: "setup_needed" | "active" | (string & {});
  has_addresses: boolean;
};

export type CryptoWalletCreatedEvent = (Event) & ({
  type: "crypto_wallet.created";
  data: CryptoWalletEventData;
});

export type CryptoWalletDeletedEvent = (Event) & ({
  type: "crypto_wallet.deleted";
  data: CryptoWalletEventData;
});

export type CryptoWalletEventData = {
  /** Of a wallet on chains */
  bw_id: number;
  /** A person’s */
  user_id: number;
  /** What the wallet is called */
  wallet_name: string;
  wallet_label: string;
  is_primary: boolean;
  /** When it was made, in UTC */
  created_at: string;
};

export type CurrencyConversion = {
  /** The id of a conversion, as POST /fx/conversions answers it */
  conversion_id: string;
  /** Which books are compared, such as `card-network` */
  rail: "fx";
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
  from_wallet_id: number;
  to_wallet_id: number;
  /** Decimal text with all digits of its currency */
  from_amount: string;
  /** The currency that is sold */
  from_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** Decimal text with all digits of its currency */
  to_amount: string;
  /** The currency that is bought */
  to_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** Of the two amounts: what one of the first currency buys */
  rate: string;
  /** On top of what is sold, in its currency */
  fee: string;
  /** The conversion that it takes back */
  reverses: string | null;
  /** The conversion that has taken it back */
  reversed_by: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "COMPLETED";
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  completed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type DestinationBank = {
  /** What the bank is called */
  bank_name: string;
  /** The BIC, or the national code (BSB, IFSC, routing number); without it bank_name is read as one */
  bank_code?: string | undefined;
  /** At that bank */
  account_number: string;
  /** Whose account it is */
  account_name: string;
};

export type Device = {
  /** The device, as we call it */
  device_id: string;
  /** What it is called */
  name: string;
  /** Which social platform */
  platform: "ios" | "android" | "web" | (string & {});
  /** When it was made, in UTC */
  created_at: string;
  last_used_at: string;
  /** Its last /24 or /48 */
  last_network: string;
  /** The device of the request */
  is_current: boolean;
};

export type DeviceAddedEvent = (Event) & ({
  type: "device.added";
  data: DeviceEventData;
});

export type DeviceEventData = {
  /** A person’s */
  user_id: number;
  /** The device, as we call it */
  device_id: string;
  /** What it is called */
  name: string;
  /** Which social platform */
  platform: "ios" | "android" | "web" | (string & {});
  /** When it was made, in UTC */
  created_at: string;
  last_used_at: string;
  /** Its last /24 or /48 */
  last_network: string;
};

export type DeviceInput = {
  /** The app’s own, the same at every log-in of this device */
  id: string;
  /** What it is called */
  name: string;
  /** Which social platform */
  platform: "ios" | "android" | "web";
  /** The public key of the device, as a JWK of P-256; its private key never leaves the device */
  public_key: DeviceKey;
  /** Where the device gets its notifications */
  push_token?: string | undefined;
};

export type DeviceKey = {
  /** Always EC */
  kty: "EC";
  /** Always P-256 */
  crv: "P-256";
  /** A coordinate of the public key, in base64url */
  x: string;
  /** A coordinate of the public key, in base64url */
  y: string;
};

export type DeviceLoggedIn = {
  /** For `Authorization: Bearer` */
  token: string;
  /** Of the token */
  expires_at: string;
  /** The last refresh token of the device */
  refresh_token: string;
  /** Unless it is used before */
  refresh_expires_at: string;
  user: {
  /** A person’s */
  user_id: number;
  /** An e-mail address */
  email: string;
  /** What they may do */
  role: string;
  /** What the person is called */
  username: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  /** How the verification of the person stands */
  ekyc_status: string;
};
  /** The device, as its app describes it */
  device: Device;
};

export type DeviceRemovedEvent = (Event) & ({
  type: "device.removed";
  data: DeviceEventData;
});

export type DryRun = {
  dry_run: true;
  would: {
  /** Of the answer; null where it depends on a call outside */
  status: number | null;
  /** The answer; null where it depends on a call outside */
  body: unknown;
  /** Changes of balances and of what is held. `account` is `wallet:<id>`, the name of an account of the platform, or `another wallet` */
  postings: ({
  account: string;
  /** The coin of the network, or a token of the platform */
  asset: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** What this line sets aside. Below zero it frees some */
  held: string;
})[];
  /** Those of the postings that are fees */
  fees: ({
  account: string;
  /** The coin of the network, or a token of the platform */
  asset: string;
  /** In units of its currency, not in cents */
  amount: string;
})[];
  /** The currencies whose limit changes */
  limits: ({
  limit_id: string;
  used: string;
  /** The most that is allowed */
  limit: string;
})[];
  /** The decision of the policies; null without one */
  policy: unknown;
  /** Types of the events that would be stored */
  events: (string)[];
  calls: ({
  provider: string;
  /** What would be done, as policies see it */
  operation: string;
})[];
  messages: ({
  channel: string;
})[];
};
  /** That of the first page: later pages then are of the same list */
  as_of: string;
};

export type Event = {
  /** The same in every repetition */
  id: string;
  /** Of what kind it is */
  type: string;
  /** When this was answered, in UTC */
  timestamp: string;
  schema_version: number;
  /** The organisation */
  client_id: number;
  /** Counts the events of the client, without a gap */
  sequence: number;
  /** False wherever money is not real */
  live: boolean;
  object: EventObject;
  request: EventRequest;
  data: unknown;
};

export type EventObject = {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
  /** Of two events of an object the larger one is newer */
  version: number;
};

export type EventRequest = {
  /** Names this one */
  id: string | null;
  idempotency_key: string | null;
  actor: string;
  /** What would be done, as policies see it */
  operation: string | null;
};

export type ExchangeWallet = {
  /** Of a wallet on chains */
  bw_id: number;
  /** On its chain */
  wallet_address: string;
  /** By which the exchange sends, in its word */
  network: string;
  /** Our word for a chain */
  chain_id: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
};

export type ExchangeWalletCreatedEvent = (Event) & ({
  type: "exchange_wallet.created";
  data: {
  /** Of a wallet on chains */
  bw_id: number;
  /** A person’s */
  user_id: number;
  /** By which the exchange sends, in its word */
  network: string;
  /** On its chain */
  wallet_address: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type ExchangeWalletDeletedEvent = (Event) & ({
  type: "exchange_wallet.deleted";
  data: {
  /** Of a wallet on chains */
  bw_id: number;
  /** A person’s */
  user_id: number;
  /** By which the exchange sends, in its word */
  network: string;
  /** On its chain */
  wallet_address: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type ExchangeWalletUpdatedEvent = (Event) & ({
  type: "exchange_wallet.updated";
  data: {
  /** Of a wallet on chains */
  bw_id: number;
  /** A person’s */
  user_id: number;
  /** By which the exchange sends, in its word */
  network: string;
  /** On its chain */
  wallet_address: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type ExternalAuth = {
  /** How the person has logged in */
  method: string;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  verified_at: string;
  is_new_user: boolean;
};

export type ExternalIdentityLinkedEvent = (Event) & ({
  type: "external_identity.linked";
  data: {
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  auth_provider: string;
  /** On its chain */
  wallet_address: string | null;
  connected_at: string;
};
});

export type ExternalIdentityUnlinkedEvent = (Event) & ({
  type: "external_identity.unlinked";
  data: {
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  auth_provider: string;
  /** On its chain */
  wallet_address: string | null;
  connected_at: string;
};
});

export type ExternalProfile = {
  /** A person’s */
  user_id: number;
  total_connected_accounts: number;
  connected_accounts: (ConnectedAccount)[];
  primary_auth: {
  provider: string;
  connected_at: string;
} | null;
};

export type ExternalUser = {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** What they may do */
  role: string;
  user_status: string;
  created: string;
};

export type FaucetGift = {
  /** A network, as `GET /networks` names it */
  network_id: string;
  /** The coin of the network, or a token of the platform */
  asset: "native" | "USDC" | "IDRT" | (string & {});
  /** On a chain */
  address: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** How it stands */
  status: "PENDING" | "SENT" | "FAILED" | (string & {});
  /** Null until it is in a block */
  tx_hash: string | null;
  /** When it was made, in UTC */
  created_at: string;
};

export type FeeRow = {
  /** Which books are compared, such as `card-network` */
  rail: "wallet" | "withdrawal" | "batch" | "invoice" | "issued_card" | "fx" | "bridge" | (string & {});
  /** Null counts for every method that has no row of its own */
  method: string | null;
  /** ISO 4217 */
  currency: string;
  /** A fee for each payment, in its currency */
  flat: string;
  /** Hundredths of a percent of the amount, rounded up */
  bps: number;
  /** The fee is no less */
  min: string | null;
  /** The fee is no more */
  max: string | null;
};

export type FeeSettings = {
  /** Names this one */
  id: number;
  /** What it takes of an amount, in per cent */
  platform_fee_percentage: number;
  /** What the platform takes at the least, in USD */
  minimum_platform_fee_usd: number;
  /** By how much more than the chain’s price of gas is counted */
  gas_price_multiplier: number;
  updated_by_admin_id: number;
  is_active: boolean;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type FeeSettingsUpdatedEvent = (Event) & ({
  type: "fee_settings.updated";
  data: FeeSettings;
});

export type FiatWallet = {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** ISO 4217 */
  currency: string;
  /** In units of the currency or token. What is held for payments under way is still in it */
  balance: string;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  /** Money comes in, and none goes out */
  is_frozen: boolean;
  /** When it was made, in UTC */
  created_at: string;
};

export type FiatWalletBalance = {
  posted: string;
  /** What is set aside */
  held: string;
  available: string;
  /** ISO 4217 */
  currency: string;
  /** The moment, its whole millisecond included */
  as_of: string;
  /** Of the last line of the statement by then; 0 where there is none */
  sequence: number;
};

export type File = {
  file_id: string;
  /** What the file is for: it decides which types are taken, and how large they may be */
  purpose: "dispute_evidence" | "batch_import" | "logo" | "statement" | "export" | "batch_result" | (string & {});
  /** What it is called */
  name: string;
  content_type: string;
  /** In bytes */
  size: number;
  /** Of the bytes, in hexadecimal digits */
  sha256: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it goes, unless something names it then */
  expires_at: string;
};

export type FrozenWallet = {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  is_frozen: boolean;
  /** Why, in words */
  reason: string | null;
  frozen_by: number | null;
  frozen_at: string | null;
};

export type FxCurrency = {
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** After the point */
  digits: number;
  /** One smallest unit; the other amount has to come to one as well */
  min: string;
  /** What the platform buys or sells of it at most, at the present rates */
  max: string;
  /** How long the price holds: the longer, the higher the spread */
  valid_for: (FxPeriod)[];
};

export type FxLimitInput = {
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC";
  /** How much of it may be bought or sold and not yet balanced, in US dollars */
  max_open_usd: string;
};

export type FxPeriod = {
  period: "30s" | "5m" | "1h" | "24h" | (string & {});
  /** In hundredths of a percent, of pairs that have no spread of their own */
  spread_bps: number;
};

export type FxPosition = {
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** Bought less sold; below zero where more was sold */
  posted: string;
  /** What quotes that are open or not yet paid would bring in */
  quoted_in: string;
  /** What they would pay out */
  quoted_out: string;
  /** Of what is posted, at the middle of the market; null while there are no rates */
  worth_usd: string | null;
  /** Decimal text with all digits of its currency */
  max_open_usd: string;
};

export type FxQuote = {
  /** The currency that is given */
  from: string;
  /** The currency that is asked for */
  to: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Whole USDC with 6 decimals, as text */
  usdc: string;
  /** What came of it */
  result: string;
  /** From which currency over which to which */
  route: string;
  rates: {
  in: string;
  out: string;
};
  /** Where it comes from */
  source: string;
  rates_at: string;
  usable_until: string;
};

export type FxSpread = {
  /** Null in both: every pair without a row of its own */
  from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {}) | null;
  /** Null in both: every pair without a row of its own */
  to: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {}) | null;
  /** How long the price holds: the longer, the higher the spread */
  valid_for: "30s" | "5m" | "1h" | "24h" | (string & {});
  /** Hundredths of a percent */
  bps: number;
};

export type FxSpreadInput = {
  /** Where it comes from */
  from?: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | null | undefined;
  /** Where it goes */
  to?: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | null | undefined;
  /** How long the price holds: the longer, the higher the spread */
  valid_for: "30s" | "5m" | "1h" | "24h";
  /** Hundredths of a percent of the amount */
  bps: number;
};

export type FxSpreads = {
  /** Of one’s own client; of the operator those of all clients */
  rows: (FxSpread)[];
  /** The operator’s, of which and one’s own the higher one counts */
  floor: (FxSpread)[];
  /** The version that was read; another one is refused with 409 */
  version: number;
};

export type GatewaySettings = {
  /** Who asks for money, as payers read it; else the client */
  display_name: string | null;
  /** A picture of the client, kept under `/files` */
  logo_file_id: string | null;
  /** Of buttons on the page, `#rrggbb`; white text is readable on it */
  color: string | null;
  /** Where payers ask */
  support_email: string | null;
  /** Whose pages may show the page in a frame */
  embed_origins: (string)[];
  /** All ways to pay, and whether each is offered */
  methods: (SwitchedMethod)[];
  /** Whether return addresses are signed */
  signs_returns: boolean;
  /** 0 before they are set */
  version: number;
  /** When it last changed, in UTC */
  updated_at: string | null;
};

export type GatewaySettingsUpdatedEvent = (Event) & ({
  type: "gateway_settings.updated";
  data: GatewaySettings;
});

export type HoldTo = {
  /** Of a person of the same client */
  wallet_id: number;
};

export type IdrMintCompletedEvent = (Event) & ({
  type: "idr_mint.completed";
  data: IdrTokenPaymentEventData;
});

export type IdrMintLostEvent = (Event) & ({
  type: "idr_mint.lost";
  data: IdrTokenPaymentEventData;
});

export type IdrMintMintedEvent = (Event) & ({
  type: "idr_mint.minted";
  data: IdrTokenPaymentEventData;
});

export type IdrPaymentAssignedEvent = (Event) & ({
  type: "idr_payment.assigned";
  data: IdrTokenUnmatchedPayment;
});

export type IdrPaymentRefundedEvent = (Event) & ({
  type: "idr_payment.refunded";
  data: IdrTokenUnmatchedPayment;
});

export type IdrPaymentUnmatchedEvent = (Event) & ({
  type: "idr_payment.unmatched";
  data: IdrTokenUnmatchedPayment;
});

export type IdrTokenMint = {
  /** Names this one */
  id: number;
  /** Names one payment in all later calls */
  reference_id: string;
  /** In rupiah */
  amount_idr: number;
  amount_token: string;
  fee_amount: number;
  total_amount_idr: number;
  payment_method: string;
  /** How it stands */
  status: string;
  payment_status: string;
  /** Money came in that does not pay it and waits for the operator: `LATE`, `UNDERPAID`, `OVERPAID`, `PAID_ALREADY` (once more); `REFUNDED` when it has gone back */
  payment_note: string | null;
  /** When it was made, in UTC */
  created_at: string;
  expired_at: string;
};

export type IdrTokenPaymentEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "idr_token";
  /** Names this one */
  id: number;
  /** Names one payment in all later calls */
  reference_id: string;
  /** In rupiah */
  amount_idr: number;
  amount_token: string;
  fee_amount: number;
  total_amount_idr: number;
  payment_method: string;
  /** How it stands */
  status: string;
  payment_status: string;
  /** Money came in that does not pay it and waits for the operator: `LATE`, `UNDERPAID`, `OVERPAID`, `PAID_ALREADY` (once more); `REFUNDED` when it has gone back */
  payment_note: string | null;
  /** When it was made, in UTC */
  created_at: string;
  expired_at: string;
};

export type IdrTokenPayoutEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "idr_token";
  /** Names this one */
  id: number;
  /** Names one payment in all later calls */
  reference_id: string;
  amount_token: string;
  /** In rupiah */
  amount_idr: number;
  fee_amount: number;
  net_amount_idr: number;
  /** What the bank is called */
  bank_name: string;
  bank_account_number: string;
  /** How it stands */
  status: string;
  bank_transfer_status: string;
  /** When it was made, in UTC */
  created_at: string;
};

export type IdrTokenRedemption = {
  /** Names this one */
  id: number;
  /** Names one payment in all later calls */
  reference_id: string;
  amount_token: string;
  /** In rupiah */
  amount_idr: number;
  fee_amount: number;
  net_amount_idr: number;
  /** What the bank is called */
  bank_name: string;
  bank_account_number: string;
  /** How it stands */
  status: string;
  bank_transfer_status: string;
  /** When it was made, in UTC */
  created_at: string;
};

export type IdrTokenRefundEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "idr_token";
  /** Names this one */
  id: number;
  /** Names one payment in all later calls */
  reference_id: string;
  /** A person’s */
  user_id: number;
  /** In rupiah */
  amount_idr: number;
  fee_amount: number;
  net_amount_idr: number;
  /** Why, in words */
  reason: string;
  /** How it stands */
  status: "TAKING_BACK" | "DONE" | "FAILED" | (string & {});
  /** When it was made, in UTC */
  created_at: string;
};

export type IdrTokenUnmatchedPayment = {
  /** Of one payment */
  payment_id: number;
  /** The purchase that the money came for */
  reference_id: string;
  /** A person’s */
  user_id: number;
  /** In rupiah */
  amount_idr: number;
  /** What of it waits for the operator */
  owed_idr: number;
  /** `LATE`: after the purchase had ended; `UNDERPAID`, `OVERPAID`: another sum; `PAID_ALREADY`: once more */
  reason: "LATE" | "UNDERPAID" | "OVERPAID" | "PAID_ALREADY" | (string & {});
  /** `OWED`: waits for the operator; `SENT`: has gone back; `NONE`: all of it was given to a purchase */
  refund: "NONE" | "OWED" | "SENT" | (string & {});
  /** The purchase that it was given to */
  assigned_mint_id: number | null;
  /** How it went back without a refund of ours */
  settled_note: string | null;
  /** The gateway’s name of the payment */
  gateway_payment_id: string;
  came_at: string;
};

export type ImportedToken = {
  asset_ids: (number)[];
  /** A person’s */
  user_id: number;
  /** Our word for a chain */
  chain_id: string;
  token_address: string;
  token_info: {
  symbol: string;
  /** What it is called */
  name: string;
  /** Of the token */
  decimals: number;
};
  imported_to_wallets: number;
  wallet_details: ({
  /** Of a wallet on chains */
  bw_id: number;
  /** What the wallet is called */
  wallet_name: string;
  asset_id: number;
})[];
  imported_at: string;
};

export type InTheWay = {
  /** Such as `balance`, `hold`, `payment`, `card` and `debt` */
  type: string;
  /** Names this one */
  id: string;
  /** Where it is money */
  amount: string | null;
  /** ISO 4217 */
  currency: string | null;
  /** Where it is shown */
  href: string | null;
};

export type InstanceCreatedEvent = (Event) & ({
  type: "instance.created";
  data: InstanceEventData;
});

export type InstanceDeletedEvent = (Event) & ({
  type: "instance.deleted";
  data: InstanceEventData;
});

export type InstanceEventData = {
  instance_id: number;
  /** The organisation */
  client_id: number;
  /** What the shop, app or branch is called */
  instance_name: string;
  /** What the organisation is called */
  client_alias: string | null;
  instance_status: string;
};

export type InstanceUpdatedEvent = (Event) & ({
  type: "instance.updated";
  data: InstanceEventData;
});

export type Invoice = {
  /** The invoice */
  invoice_id: string;
  /** Where the money arrives */
  wallet_id: number;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** What is still owed, without the fee of the payment where the customer bears it */
  to_pay: string;
  /** Decimal text with all digits of its currency */
  paid_amount: string;
  /** Decimal text with all digits of its currency */
  refunded_amount: string;
  refund_status: "NONE" | "PARTIAL" | "FULL" | (string & {});
  /** What it is, in words */
  description: string;
  /** Of whom the money is asked */
  customer: InvoiceCustomer | null;
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (InvoiceItem)[];
  split: (InvoiceSplit)[];
  fee_bearer: "merchant" | "customer" | (string & {});
  /** Whether it can be paid in parts */
  allow_partial: boolean;
  /** The ways to pay it; null where it is by all that the client offers */
  methods: ("qris" | "va" | "ewallet" | "card" | "wallet" | (string & {}))[] | null;
  /** The link by which a payer has made it */
  link_id: string | null;
  /** Where the page leads the payer afterwards */
  return_url: string | null;
  /** Where the page leads the payer once the time to pay is over */
  recovery_url: string | null;
  /** The earliest first */
  payments: (PaymentOfInvoice)[];
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "OPEN" | "PROCESSING" | "PARTIALLY_PAID" | "PAID" | "EXPIRED" | "CANCELLED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  open_at?: string;
  processing_at?: string;
  partially_paid_at?: string;
  paid_at?: string;
  expired_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** Where people pay it; the address is all they need */
  checkout_url: string;
};

export type InvoiceCancelledEvent = (Event) & ({
  type: "invoice.cancelled";
  data: InvoiceEventData;
});

export type InvoiceCreatedEvent = (Event) & ({
  type: "invoice.created";
  data: InvoiceEventData;
});

export type InvoiceCustomer = {
  /** What the person is called */
  name: string | null;
  /** An e-mail address */
  email: string | null;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
};

export type InvoiceCustomerInput = {
  /** What the person is called */
  name?: string | undefined;
  /** An e-mail address */
  email?: string | undefined;
  /** With its country code, or as people dial it in the country of the client */
  phone?: string | undefined;
};

export type InvoiceEventData = {
  /** The invoice */
  invoice_id: string;
  /** Where the money arrives */
  wallet_id: number;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** What is still owed, without the fee of the payment where the customer bears it */
  to_pay: string;
  /** Decimal text with all digits of its currency */
  paid_amount: string;
  /** Decimal text with all digits of its currency */
  refunded_amount: string;
  refund_status: "NONE" | "PARTIAL" | "FULL" | (string & {});
  /** What it is, in words */
  description: string;
  /** Of whom the money is asked */
  customer: InvoiceCustomer | null;
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (InvoiceItem)[];
  split: (InvoiceSplit)[];
  fee_bearer: "merchant" | "customer" | (string & {});
  /** Whether it can be paid in parts */
  allow_partial: boolean;
  /** The ways to pay it; null where it is by all that the client offers */
  methods: ("qris" | "va" | "ewallet" | "card" | "wallet" | (string & {}))[] | null;
  /** The link by which a payer has made it */
  link_id: string | null;
  /** Where the page leads the payer afterwards */
  return_url: string | null;
  /** Where the page leads the payer once the time to pay is over */
  recovery_url: string | null;
  /** The earliest first */
  payments: (PaymentOfInvoice)[];
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "OPEN" | "PROCESSING" | "PARTIALLY_PAID" | "PAID" | "EXPIRED" | "CANCELLED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  open_at?: string;
  processing_at?: string;
  partially_paid_at?: string;
  paid_at?: string;
  expired_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type InvoiceExpiredEvent = (Event) & ({
  type: "invoice.expired";
  data: InvoiceEventData;
});

export type InvoiceItem = {
  /** What it is called */
  name: string;
  /** How many of it */
  quantity: number;
  /** Decimal text with all digits of its currency */
  unit_amount: string;
};

export type InvoiceItemInput = {
  /** What it is called */
  name: string;
  /** How many of it */
  quantity: number;
  /** The price of one */
  unit_amount: string;
};

export type InvoicePaidEvent = (Event) & ({
  type: "invoice.paid";
  data: InvoiceEventData;
});

export type InvoicePartiallyPaidEvent = (Event) & ({
  type: "invoice.partially_paid";
  data: InvoiceEventData;
});

export type InvoicePayment = {
  /** Of one payment */
  payment_id: string;
  /** The invoice */
  invoice_id: string;
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet" | (string & {});
  /** What the payer pays */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Of the amount; it is not given back with a refund */
  fee: string;
  /** What arrives, split among the wallets of the invoice */
  net: string;
  /** Decimal text with all digits of its currency */
  refunded_amount: string;
  /** What the payer has to do, while it is open and the gateway has answered */
  action: InvoicePaymentAction | null;
  /** The gateway’s own name of it */
  provider_reference: string | null;
  /** How it stands */
  status: "REQUIRES_ACTION" | "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "DISPUTED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  requires_action_at?: string;
  pending_at?: string;
  succeeded_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  disputed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
};

export type InvoicePaymentAccount = {
  /** The bank: by its code, or its BIC */
  bank_code: string;
  /** At that bank */
  account_number: string;
  /** Whose account it is */
  account_name: string;
};

export type InvoicePaymentAction = {
  /** Of what kind it is */
  type: "redirect" | "virtual_account" | (string & {});
  /** The page on which the payer pays */
  url: string;
  /** Of a virtual account: any of them takes the exact amount; none where the gateway shows them on its page alone */
  accounts: (InvoicePaymentAccount)[];
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string | null;
};

export type InvoicePaymentAssignedEvent = (Event) & ({
  type: "invoice_payment.assigned";
  data: UnmatchedInvoiceMoney;
});

export type InvoicePaymentEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "invoice";
  /** Of one payment */
  payment_id: string;
  /** The invoice */
  invoice_id: string;
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet" | (string & {});
  /** What the payer pays */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Of the amount; it is not given back with a refund */
  fee: string;
  /** What arrives, split among the wallets of the invoice */
  net: string;
  /** Decimal text with all digits of its currency */
  refunded_amount: string;
  /** What the payer has to do, while it is open and the gateway has answered */
  action: InvoicePaymentAction | null;
  /** The gateway’s own name of it */
  provider_reference: string | null;
  /** How it stands */
  status: "REQUIRES_ACTION" | "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "DISPUTED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  requires_action_at?: string;
  pending_at?: string;
  succeeded_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  disputed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
};

export type InvoicePaymentRefundedEvent = (Event) & ({
  type: "invoice_payment.refunded";
  data: UnmatchedInvoiceMoney;
});

export type InvoicePaymentRefundingEvent = (Event) & ({
  type: "invoice_payment.refunding";
  data: UnmatchedInvoiceMoney;
});

export type InvoicePaymentUnmatchedEvent = (Event) & ({
  type: "invoice_payment.unmatched";
  data: UnmatchedInvoiceMoney;
});

export type InvoicePaymentWrittenOffEvent = (Event) & ({
  type: "invoice_payment.written_off";
  data: UnmatchedInvoiceMoney;
});

export type InvoiceRefund = {
  refund_id: string;
  /** The invoice */
  invoice_id: string;
  /** Of one payment */
  payment_id: string;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Why, in words */
  reason: string;
  /** Where it goes */
  way: "wallet" | "bank" | "card" | (string & {});
  /** The bank account that is paid; null where a wallet is, or its payer has not named one yet */
  payee: RefundPayee | null;
  /** Until when the payer can name an account; null where there is no link */
  claim_expires_at: string | null;
  /** The bank’s own number of the transfer */
  provider_reference: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "PENDING" | "AWAITING_PAYER" | "SUCCEEDED" | "FAILED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_at?: string;
  awaiting_payer_at?: string;
  succeeded_at?: string;
  failed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type InvoiceRefundEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "invoice";
  refund_id: string;
  /** The invoice */
  invoice_id: string;
  /** Of one payment */
  payment_id: string;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Why, in words */
  reason: string;
  /** Where it goes */
  way: "wallet" | "bank" | "card" | (string & {});
  /** The bank account that is paid; null where a wallet is, or its payer has not named one yet */
  payee: RefundPayee | null;
  /** Until when the payer can name an account; null where there is no link */
  claim_expires_at: string | null;
  /** The bank’s own number of the transfer */
  provider_reference: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "PENDING" | "AWAITING_PAYER" | "SUCCEEDED" | "FAILED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_at?: string;
  awaiting_payer_at?: string;
  succeeded_at?: string;
  failed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type InvoiceRefundedEvent = (Event) & ({
  type: "invoice.refunded";
  data: InvoiceEventData;
});

export type InvoiceSplit = {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** Of the invoice, where the part was given so */
  percent: string | null;
  reference: string;
};

export type InvoiceSplitInput = {
  /** A wallet of a person of the same client */
  wallet_id: number;
  /** In units of its currency, not in cents */
  amount?: string | undefined;
  /** Of the amount of the invoice, instead of an amount */
  percent?: string | undefined;
  /** What you call the part */
  reference: string;
};

export type IssuedCard = {
  /** The card */
  card_id: string;
  /** A person’s */
  user_id: number;
  /** The wallet that it pays from */
  wallet_id: number;
  /** ISO 4217 */
  currency: string;
  brand: "VISA";
  /** Null until the processor has made it */
  last4: string | null;
  /** The month after whose end it is not valid, `MM/YY` */
  expiry: string | null;
  /** Letters, blanks, points, apostrophes and hyphens */
  name_on_card: string;
  /** For how many payments it is */
  usage: "many" | "single" | (string & {});
  /** An earlier end, where one was given */
  valid_until: string | null;
  /** How it stands */
  status: "PENDING" | "INACTIVE" | "ACTIVE" | "FROZEN" | "CLOSED" | "EXPIRED" | "FAILED" | (string & {});
  /** Who has frozen it: what an admin has frozen its owner does not unfreeze */
  frozen_by: "OWNER" | "ADMIN" | (string & {}) | null;
  closed_reason: "USER" | "LOST" | "STOLEN" | "FRAUD" | (string & {}) | null;
  /** Why the processor has not made it */
  failure_code: string | null;
  /** The card in whose place it was made */
  replaces: string | null;
  /** The card that was made in its place */
  replaced_by: string | null;
  /** What its owner allows the card to pay */
  controls: CardControls;
  /** What the client allows the card to pay: both count */
  client_controls: CardControls;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** The version that was read; another one is refused with 409 */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type IssuedCardTransaction = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** Which books are compared, such as `card-network` */
  rail: "issued_card";
  /** The card */
  card_id: string;
  /** A person’s */
  user_id: number;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** The shop */
  merchant: CardPaymentMerchant;
  /** ISO 4217 */
  currency: string;
  /** As the shop has it, where it sells in another currency */
  merchant_amount: string | null;
  merchant_currency: string | null;
  /** What was said yes to at first */
  authorized: string;
  /** What was said yes to on top of it */
  incremented: string;
  /** What the shop has given up */
  reversed: string;
  /** What was not settled in time */
  expired: string;
  /** What the shop was paid */
  settled: string;
  /** What the shop has announced to give back */
  refund_authorized: string;
  /** What the shop has given back */
  refunded: string;
  /** What is still promised, with its markup */
  held: string;
  /** What was charged on top of what was settled in another currency, less what was given back of it */
  markup: string;
  /** What was paid in all; below zero where more came back */
  net: string;
  /** What disputes have brought back of that, for good or until they are decided */
  credited: string;
  elements: (CardElement)[];
  /** Whether its holder disputes it */
  disputed: boolean;
  /** More than a fifth above what was held was settled, or shop and network have both given back: a person looks at it */
  flagged: boolean;
  /** How it stands */
  status: "DECLINED" | "AUTHORIZED" | "PARTIALLY_SETTLED" | "SETTLED" | "REVERSED" | "EXPIRED" | "REFUNDED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  declined_at?: string;
  authorized_at?: string;
  partially_settled_at?: string;
  settled_at?: string;
  reversed_at?: string;
  expired_at?: string;
  refunded_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type LeftByClient = {
  /** Changes of accounts that its admins had proposed; none takes effect */
  orders_voided: ({
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
})[];
};

export type LeftByUser = {
  /** Changes of accounts that they had ordered or proposed; none takes effect */
  orders_voided: ({
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
})[];
  /** Corrections that they had proposed; none is booked */
  proposals_voided: (string)[];
  /** Endpoints that they created; paused until another admin resumes them by POST /webhook-endpoints/{endpoint_id}/resume */
  webhook_endpoints: ({
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** The organisation */
  client_id: number;
  /** Where the events go */
  url: string;
  /** How it stands */
  status: string;
})[];
  /** Keys that they had made and that still name the application; stop the user with `end_keys` to end them */
  keys: ({
  key_id: number;
  /** Its first and last characters */
  api_key: string;
  /** What the key is for, in your words */
  provider_name: string;
  /** What the key may be used for. Without any, for everything */
  scopes: (string)[];
})[];
  keys_ended: number;
};

export type LinkedAccount = {
  account_id: string;
  balances: {
  available: number | null;
  current: number | null;
  iso_currency_code: string | null;
};
  /** What it is called */
  name: string;
  /** Of what kind it is */
  type: string;
  subtype: string | null;
  mask: string | null;
};

export type ListedAdmin = {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  user_status: string;
  kyc_status: string;
};

export type ListedBankAccount = {
  token_bank_id: number;
  /** What the bank is called */
  bank_name: string;
  /** The bank: by its code, or its BIC */
  bank_code: string;
  bank_account_number: string;
  bank_account_name: string;
  is_primary: boolean;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
};

export type ListedCardTransaction = {
  /** Names this one */
  id: number;
  /** Of what kind it is */
  type: "TOPUP" | "REFUND" | (string & {});
  card_last4: string;
  /** In units of its currency, not in cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** How it stands */
  status: string;
  /** Of the card’s issuer */
  approval_code: string | null;
  /** By which the card network knows it, for refunds */
  transaction_identifier: string | null;
  /** Names one payment in all later calls */
  reference_id: string;
  /** When it was made, in UTC */
  created_at: string;
};

export type ListedClient = {
  /** The organisation */
  client_id: number;
  client_code: string;
  /** An e-mail address */
  email: string;
  /** What the organisation is called */
  client_alias: string;
  /** What kind of organisation it is, such as `BUSINESS` */
  client_type: string;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  country_code: string;
  psp_id: number | null;
  /** With the country code in front, such as +12025550100 */
  phone: string;
  /** In which days are meant, such as `Asia/Jakarta` */
  time_zone: string;
  created: string;
  updated: string;
};

export type ListedUser = {
  /** A person’s */
  user_id: number;
  /** An e-mail address */
  email: string;
  /** What the person is called */
  username: string;
  /** The organisation */
  client_id: number;
  user_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  transactions_count: number;
  /** Of all that has come in and gone out, with its currency */
  total_volume: string;
  /** Of all wallets, with its currency */
  total_balance: string;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  /** Currencies that the sums lack, where no rate is known at the moment */
  unconverted?: (string)[];
};

export type LoggedIn = {
  success: true;
  /** In words for people */
  message: string;
  requires_2fa: false;
  data: {
  /** For `Authorization: Bearer` */
  token: string;
  user: {
  /** A person’s */
  user_id: number;
  /** An e-mail address */
  email: string;
  /** What they may do */
  role: string;
  /** What the person is called */
  username: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  /** How the verification of the person stands */
  ekyc_status: string;
};
  client: {
  /** The organisation */
  client_id: number;
  /** What kind of organisation it is, such as `BUSINESS` */
  client_type: string;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  /** How the verification of the company stands */
  ekyb_status: string;
};
  /** Only where the password is a temporary one, which we mailed */
  password_change_required?: boolean;
  /** Only where the terms of service have a version that the user has not accepted: show them the link of GET /users/{user_id}/tos-acceptance-link */
  tos_acceptance_required?: boolean;
};
};

export type MadeInvoiceRefund = {
  refund_id: string;
  /** The invoice */
  invoice_id: string;
  /** Of one payment */
  payment_id: string;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Why, in words */
  reason: string;
  /** Where it goes */
  way: "wallet" | "bank" | "card" | (string & {});
  /** The bank account that is paid; null where a wallet is, or its payer has not named one yet */
  payee: RefundPayee | null;
  /** Until when the payer can name an account; null where there is no link */
  claim_expires_at: string | null;
  /** The bank’s own number of the transfer */
  provider_reference: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "PENDING" | "AWAITING_PAYER" | "SUCCEEDED" | "FAILED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_at?: string;
  awaiting_payer_at?: string;
  succeeded_at?: string;
  failed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** The page on which the payer names an account, where one is waited for. It is shown once, and mailed to the customer of the invoice */
  claim_url: string | null;
};

export type MarketplaceOrder = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** A person’s */
  user_id: number;
  product_data: {
  /** Names this one */
  id: string;
  /** What it is called */
  title: string;
  /** What it is, in words */
  description: string;
  /** A picture of it */
  image: string | null;
  /** Of the page */
  url: string;
  /** Where it comes from */
  source: "marketplace_1" | "marketplace_2" | (string & {});
};
  vendor_data: {
  /** What it is called */
  name: string;
  /** What the marketplace is called */
  marketplace: string;
  /** What the shop is called */
  shop_name: string;
  /** Where the shop is */
  shop_url: string;
};
  pricing_data: {
  /** In the shop’s own currency */
  original_price: number;
  /** ISO 4217 */
  original_currency: string;
  usd_amount: number;
  /** Whole USDC, with up to 6 decimals */
  usdc_amount: string;
  /** What sending it costs, in the same currency */
  shipping: number;
  total_usd: number;
  /** How much of the second currency one of the first is worth */
  fx_rate: number | null;
  fx_timestamp: string | null;
};
  recipient_data: {
  /** What it is called */
  name: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  /** Where the person lives */
  address: string;
  /** An e-mail address */
  email: string | null;
  /** For the person who delivers */
  notes: string | null;
};
  payment_token: "USDC";
  token_amount: string;
  /** In units of its currency, not in cents */
  fiat_amount: number;
  /** ISO 4217 */
  fiat_currency: string;
  /** Our word for a chain */
  chain_id: string;
  /** On its chain */
  wallet_address: string;
  /** Of the token’s contract */
  contract_address: string;
  payment_status: "PENDING" | "PAID" | "COMPLETED" | "FAILED" | "CANCELLED" | (string & {});
  blockchain_tx_hash: string | null;
  /** When it was made, in UTC */
  created_at: string;
  paid_at: string | null;
  completed_at: string | null;
};

export type MarketplaceOrderCancelledEvent = (Event) & ({
  type: "marketplace_order.cancelled";
  data: MarketplaceOrder;
});

export type MarketplaceOrderCompletedEvent = (Event) & ({
  type: "marketplace_order.completed";
  data: MarketplaceOrder;
});

export type MarketplaceOrderCreatedEvent = (Event) & ({
  type: "marketplace_order.created";
  data: MarketplaceOrder;
});

export type MarketplaceOrderFailedEvent = (Event) & ({
  type: "marketplace_order.failed";
  data: MarketplaceOrder;
});

export type MarketplaceOrderPaidEvent = (Event) & ({
  type: "marketplace_order.paid";
  data: MarketplaceOrder;
});

export type MarketplaceOrderUnpaidEvent = (Event) & ({
  type: "marketplace_order.unpaid";
  data: MarketplaceOrder;
});

export type MarketplacePayment = {
  /** Of one payment */
  payment_id: number;
  /** Our word for a chain */
  chain_id: string;
  /** Of the transaction on its chain */
  tx_hash: string;
  payer: string;
  /** Which token */
  token: string;
  /** In units of its currency, not in cents */
  amount: string;
  owed: string;
  /** Why, in words */
  reason: string | null;
  /** Of one order, as it was answered when it was made */
  order_id: string | null;
  refund: string;
  refund_tx_hash: string | null;
  /** `GONE`: the chain has dropped it, and not brought it back */
  state: "SEEN" | "COUNTED" | "GONE" | (string & {});
  /** The order that the operator has given it to */
  assigned_order_id: string | null;
  /** How what was owed went back without a refund of ours */
  settled_note: string | null;
  /** What was bought or sent back for it before it was GONE */
  lost: string;
  /** What the operator says of that */
  loss_note: string | null;
  seen_at: string;
};

export type MarketplacePaymentAssignedEvent = (Event) & ({
  type: "marketplace_payment.assigned";
  data: MarketplacePayment;
});

export type MarketplacePaymentFoundAgainEvent = (Event) & ({
  type: "marketplace_payment.found_again";
  data: MarketplacePayment;
});

export type MarketplacePaymentLostEvent = (Event) & ({
  type: "marketplace_payment.lost";
  data: MarketplacePayment;
});

export type MarketplacePaymentRefundFailedEvent = (Event) & ({
  type: "marketplace_payment.refund_failed";
  data: MarketplacePayment;
});

export type MarketplacePaymentRefundStartedEvent = (Event) & ({
  type: "marketplace_payment.refund_started";
  data: MarketplacePayment;
});

export type MarketplacePaymentRefundedEvent = (Event) & ({
  type: "marketplace_payment.refunded";
  data: MarketplacePayment;
});

export type MarketplacePaymentUndeliveredEvent = (Event) & ({
  type: "marketplace_payment.undelivered";
  data: MarketplacePayment;
});

export type MarketplacePaymentUnmatchedEvent = (Event) & ({
  type: "marketplace_payment.unmatched";
  data: MarketplacePayment;
});

export type MarketplacePaymentWrittenOffEvent = (Event) & ({
  type: "marketplace_payment.written_off";
  data: MarketplacePayment;
});

export type MarketplaceProduct = {
  /** By which the marketplace knows it */
  productId: string;
  /** What it is called */
  title: string;
  /** What it is, in words */
  description: string;
  /** A picture of it */
  image: string | null;
  /** Pictures of it */
  images: (string)[];
  /** Where it comes from */
  source: "marketplace_1" | "marketplace_2" | (string & {});
  /** Of the page */
  url: string;
  /** Who sells it */
  vendor: MarketplaceVendor;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: {
  /** Of the goods alone, in units of its currency */
  price: number;
  /** ISO 4217 */
  currency: string;
  /** In the shop’s own currency */
  original_price: number;
  /** ISO 4217 */
  original_currency?: string;
  /** What sending it costs, in the same currency */
  shipping: number;
  /** Of all of it */
  total: number;
  /** How much of the second currency one of the first is worth */
  fx_rate?: number;
};
  /** Whether the goods are in stock, as the marketplace says */
  availability: "in_stock" | "out_of_stock" | (string & {});
  /** What the shop says of it */
  metadata: {
  rating?: number;
  reviews?: number;
  tags: (string)[];
  sales?: number;
  stock: number;
};
};

export type MarketplaceVendor = {
  /** What it is called */
  name: string;
  /** What the marketplace is called */
  marketplace: string;
  /** What the shop is called */
  shop_name: string;
  /** Where the shop is */
  shop_url: string;
  /** The country of the shop */
  shop_location?: string;
};

export type MeasuredSeconds = {
  p50: number | null;
  p95: number | null;
  /** How many transfers were measured; a hundred at most */
  of: number;
};

export type MemberJoinedEvent = (Event) & ({
  type: "member.joined";
  data: RewardsMemberEventData;
});

export type Metadata = Record<string, string>;

export type MetadataChange = Record<string, string | null>;

export type MethodFee = {
  /** Decimal text with all digits of its currency */
  flat: string;
  /** Hundredths of a percent of the amount */
  bps: number;
};

export type NamedPerson = {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** The organisation */
  client_id: number;
  organisation: string;
};

export type Network = {
  /** A network, as `GET /networks` names it */
  network_id: string;
  /** The family of the network */
  kind: string;
  /** What it is called */
  name: string;
  /** By which its transactions name it, as EIP-155 has it */
  chain_id: number;
  native: {
  symbol: string;
  digits: number;
};
  /** How it stands */
  status: "UP" | "BEHIND" | "DOWN" | (string & {});
  /** The newest block, or the last one seen; null before the first */
  head: {
  number: number;
  /** The hash of a transaction, in the form of its network */
  hash: string;
  at: string;
  age_s: number;
} | null;
  finality: {
  blocks: number;
  /** Median of our latest transactions; null before the first */
  seconds_p50: number | null;
};
  /** Null while the network is away */
  fees: {
  slow: NetworkFee;
  normal: NetworkFee;
  fast: NetworkFee;
} | null;
  contracts: Record<string, string>;
  tokens: ({
  symbol: string;
  /** On a chain */
  address: string;
  digits: number;
  /** Whether it takes EIP-2612 permits */
  permit: boolean;
  /** Whether it takes EIP-3009 authorizations */
  transfer_with_authorization: boolean;
})[];
  explorer_url: string;
  is_testnet: boolean;
};

export type NetworkAddress = {
  balances: ({
  /** The coin of the network, or a token of the platform */
  asset: string;
  /** In units of its currency, not in cents */
  amount: string;
})[];
  /** Transactions it has sent, or its next sequence */
  nonce?: number;
  is_contract?: boolean;
  /** It takes no payment without a tag */
  requires_tag?: boolean;
  trust_lines?: (TrustLine)[];
};

export type NetworkDownEvent = (Event) & ({
  type: "network.down";
  data: {
  /** A network, as `GET /networks` names it */
  network_id: string;
  /** How it stands */
  status: "UP" | "DOWN" | (string & {});
  since: string;
  head: {
  number: number;
  /** The hash of a transaction, in the form of its network */
  hash: string;
  at: string;
} | null;
};
});

export type NetworkFee = {
  /** Smallest units of the coin for one of gas, byte or transaction */
  price: string;
  /** What a plain transfer costs, in the coin */
  transfer_cost: string;
  transfer_cost_usd: string | null;
  max_fee_per_gas?: string;
  max_priority_fee_per_gas?: string;
};

export type NetworkTransaction = {
  /** The hash of a transaction, in the form of its network */
  hash: string;
  /** How it stands */
  status: "PENDING" | "MINED" | "FINAL" | "FAILED" | "UNKNOWN" | (string & {});
  block: number | null;
  confirmations: number;
  /** In the network’s coin */
  fee: string | null;
  moves: ({
  /** The coin of the network, or a token of the platform */
  asset: string;
  /** Null of what is minted */
  from: string | null;
  /** Null of what is burnt */
  to: string | null;
  /** In units of its currency, not in cents */
  amount: string;
})[];
  /** What it does, in one sentence */
  what: string;
  /** Where a person sees the same from another side */
  proof_url: string;
  /** The thing of one’s own that it belongs to; null without a log-in */
  own: OwnThing | null;
};

export type NetworkUpEvent = (Event) & ({
  type: "network.up";
  data: {
  /** A network, as `GET /networks` names it */
  network_id: string;
  /** How it stands */
  status: "UP" | "DOWN" | (string & {});
  since: string;
  head: {
  number: number;
  /** The hash of a transaction, in the form of its network */
  hash: string;
  at: string;
} | null;
};
});

export type NewCryptoAddress = {
  address_id: number;
  /** Of a wallet on chains */
  bw_id: number;
  /** What the wallet is called */
  wallet_name: string;
  /** On its chain */
  wallet_address: string;
  /** Our word for a chain */
  chain_id: string;
  /** When it was made, in UTC */
  created_at: string;
  mnemonic: string;
  native_symbol: string;
};

export type NewCryptoWallet = {
  /** Of a wallet on chains */
  bw_id: number;
  /** A person’s */
  user_id: number;
  /** What the wallet is called */
  wallet_name: string;
  wallet_label: string;
  /** By which the exchange sends, in its word */
  network: "evm";
  /** Our word for a chain */
  chain_id: string;
  is_primary: boolean;
  /** When it was made, in UTC */
  created_at: string;
  addresses: (CryptoAddress)[];
  address_count: number;
  /** How it stands */
  status: "setup_needed";
};

export type NumberedPage = {
  /** From 1 */
  page: number;
  /** How many at the most */
  limit: number;
  /** How many there are in all */
  total: number;
};

export type ObjectFailure = {
  /** A word for programs */
  code: string;
  /** In words for people */
  message: string;
  /** Whether the same may succeed when it is made again */
  retryable: boolean;
  /** The code that the provider gave */
  provider_code?: string;
  at: string;
};

export type OnchainEventData = {
  /** What would be done, as policies see it */
  operation: string;
  /** A person’s */
  user_id: number;
  /** Of a wallet on chains */
  bw_id: number;
  /** Our word for a chain */
  chain_id: string;
  /** On its chain */
  wallet_address: string;
  destination_wallet: string;
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol: string;
  /** Of the token’s contract. `native` for the chain’s own coin */
  token_contract: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: string;
  /** How it stands */
  status: "PENDING" | "CONFIRMED" | "FAILED" | (string & {});
  failure: string | null;
  /** Of the transaction on its chain */
  tx_hash: string | null;
};

export type OnchainSend = {
  transaction: {
  /** Of the transaction on its chain */
  tx_hash: string;
  block_number: number;
  gas_used: number;
  /** Of one gas, in the native coin */
  gas_price: string;
  /** In the native coin */
  gas_fee: string;
  /** In the token that was sent */
  platform_fee: string;
  /** How it stands */
  status: "CONFIRMED";
  explorer_url: string;
};
  /** Of one transfer, as its beginning has answered it */
  log_id: number;
};

export type OnchainTransaction = {
  /** Names this one */
  id: number;
  /** Of a wallet on chains */
  bw_id: number;
  tx_type: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** How it stands */
  status: string;
  destination_wallet: string;
  tx_flow: string;
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol: string;
  /** Our word for a chain */
  chain_id: string;
  /** Of the token’s contract. `native` for the chain’s own coin */
  token_contract: string;
  /** In the chain’s own coin */
  gas_fee: string;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: string;
  /** When it was made, in UTC */
  created_at: string;
  /** What the wallet is called */
  wallet_name: string;
  wallet_label: string;
  explorer_url: string;
};

export type OpenWork = {
  needs_person: boolean;
  queues: ({
  /** What it is called */
  name: string;
  due: number;
  delayed: number;
  retrying: number;
  active: number;
  oldest_s: number;
})[];
  dead_letters: ({
  /** Names this one */
  id: string;
  /** What it is called */
  name: string;
  /** What went wrong */
  error: string | null;
  attempts: number;
  died_at: string;
})[];
  effects: ({
  /** Of what kind it is */
  kind: string;
  open: number;
  stalled: number;
  /** Open for longer than that kind usually is */
  overdue: number;
  oldest_s: number;
})[];
  /** The calls whose outcome is unknown, oldest first, at most 100 */
  in_doubt: ({
  /** Of what kind it is */
  kind: string;
  /** Names this one */
  id: string;
  since: string;
  calls: number;
  look_ups: number;
  is_overdue: boolean;
  /** In words */
  note: string | null;
})[];
  /** Money that was taken back or paid out although it had been returned before: claim it from the network or bank, or write it off */
  returned_twice: ({
  payment: string;
  /** ISO 4217 */
  currency: string;
  /** In units of its currency, not in cents */
  amount: string;
  since: string;
})[];
  /** Where the other side reports another sum than our books: nothing is booked of it by itself */
  discrepancies: ({
  /** ANOTHER_SUM: a provider reports another sum than we ordered, and it waits until it reports ours. REVERSED_AFTER_REFUND: the card network calls a top-up undone after we had given back a part; decide by `POST /card-checkout/reversals/decide` */
  cause: "ANOTHER_SUM" | "REVERSED_AFTER_REFUND" | (string & {});
  /** Of what kind it is */
  kind: string;
  /** Names this one */
  id: string;
  /** ISO 4217 */
  currency: string;
  /** The sum that we ordered, or have refunded */
  ours: string;
  /** The sum that the other side reports */
  theirs: string;
  since: string;
})[];
  inbox: ({
  /** Where it comes from */
  source: string;
  open: number;
  stalled: number;
  oldest_s: number;
})[];
  flows: ({
  /** Of what kind it is */
  type: string;
  /** How it stands */
  state: string;
  /** How many */
  count: number;
  stalled: number;
})[];
  stalled: ({
  /** Of what kind it is */
  what: "effect" | "flow" | "inbox" | (string & {});
  /** Names this one */
  id: string;
  /** Of what kind it is */
  kind: string;
  since: string;
  /** What went wrong */
  error: string | null;
})[];
  breaks: ({
  /** Which books are compared, such as `card-network` */
  rail: string;
  /** In what the two sides differ */
  cause: string;
  open: number;
  oldest_s: number;
})[];
  unmatched: ({
  /** Which books are compared, such as `card-network` */
  rail: string;
  /** Why, in words */
  reason: string;
  open: number;
})[];
};

export type OwnThing = {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
};

export type OwnedInstance = {
  instance_id: number;
  /** The organisation */
  client_id: number;
  /** What the shop, app or branch is called */
  instance_name: string;
  /** What the organisation is called */
  client_alias: string | null;
  instance_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  client_code: string;
  country_code: string;
};

export type Page = {
  /** How many at the most */
  limit: number;
  /** Whether there is another page */
  has_more: boolean;
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
};

export type PartnerAccount = {
  /** Names this one */
  id: string;
  /** Of what kind it is */
  type: string;
  /** How it stands */
  status: string;
  /** ISO 4217 */
  currency: string;
};

export type PartnerCapability = {
  /** Names this one */
  id: string;
  /** How it stands */
  status: string;
  supported_currencies: (string)[];
};

export type PartnerCustomerCreatedEvent = (Event) & ({
  type: "partner_customer.created";
  data: PartnerCustomerEventData;
});

export type PartnerCustomerEventData = {
  /** A person’s */
  user_id: number;
  pspb_customer_id: string;
  /** How it stands */
  status: string;
  kyc_status: string;
};

export type PartnerCustomerUpdatedEvent = (Event) & ({
  type: "partner_customer.updated";
  data: PartnerCustomerEventData;
});

export type Passkey = {
  /** The passkey, as we call it */
  passkey_id: string;
  /** What it is called */
  name: string;
  /** When it was made, in UTC */
  created_at: string;
  last_used_at: string | null;
  /** Whether it is on several devices of its owner */
  is_synced: boolean;
};

export type PasskeyAddedEvent = (Event) & ({
  type: "passkey.added";
  data: PasskeyEventData;
});

export type PasskeyEventData = {
  /** A person’s */
  user_id: number;
  /** The passkey, as we call it */
  passkey_id: string;
  /** What it is called */
  name: string;
  /** When it was made, in UTC */
  created_at: string;
  last_used_at: string | null;
  /** Whether it is on several devices of its owner */
  is_synced: boolean;
};

export type PasskeyRemovedEvent = (Event) & ({
  type: "passkey.removed";
  data: PasskeyEventData;
});

export type PasskeyResponse = {
  /** Names this one */
  id: string;
  /** The id of the credential, in base64url */
  rawId: string;
  /** Of what kind it is */
  type: "public-key";
  /** As `toJSON()` of the browser’s credential writes it */
  response: Record<string, unknown>;
  /** As the browser has answered it */
  clientExtensionResults?: Record<string, unknown> | undefined;
  /** As the browser has answered it */
  authenticatorAttachment?: string | null | undefined;
};

export type PayeeVerification = {
  /** How the name compares with that of the account’s holder */
  result: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE" | (string & {});
  /** The holder’s name, of a close match only */
  suggested_name: string | null;
  checked_at: string;
  /** Who was asked */
  source: "gateway" | "bank-host" | (string & {});
};

export type PayingMethod = {
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet" | (string & {});
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  fee: MethodFee;
  /** Decimal text with all digits of its currency */
  min: string;
  /** Decimal text with all digits of its currency */
  max: string;
  /** How a payment can be given back */
  refunds: "in_parts" | "once" | (string & {});
  /** When the merchant has the money */
  settles: "at_once";
};

export type Payment = {
  /** Of one payment */
  payment_id: string;
  /** What it goes over. The list is open */
  rail: string;
  /** What it is on that rail. The list is open */
  kind: string;
  /** `in`: to the user; `out`: from the user; `internal`: between two places on the platform */
  direction: "in" | "out" | "internal" | (string & {});
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Below zero where the platform gives back its part of one */
  fee: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number | null;
  /** A person’s */
  user_id: number | null;
  counterparty: PaymentCounterparty;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  our_reference: string;
  provider_reference: string | null;
  /** The thing behind it */
  object: PaymentObject;
  refunded_amount: string;
  /** How it stands */
  status: "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "RETURNED" | "REFUNDED" | "PARTIALLY_REFUNDED" | "DISPUTED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_at?: string;
  succeeded_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  returned_at?: string;
  refunded_at?: string;
  partially_refunded_at?: string;
  disputed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type PaymentCancelledEvent = (Event) & ({
  type: "payment.cancelled";
  data: InvoicePaymentEventData;
});

export type PaymentChargedBackEvent = (Event) & ({
  type: "payment.charged_back";
  data: CardPaymentEventData;
});

export type PaymentCounterparty = {
  /** What the person is called */
  name: string | null;
  /** The ends of a card’s number, an account or an address */
  detail: string | null;
};

export type PaymentDelayedEvent = (Event) & ({
  type: "payment.delayed";
  data: Payment;
});

export type PaymentDisputedEvent = (Event) & ({
  type: "payment.disputed";
  data: InvoicePaymentEventData;
});

export type PaymentFailedEvent = (Event) & ({
  type: "payment.failed";
  data: CardPaymentEventData | BankPaymentEventData | IdrTokenPaymentEventData | IssuedCardTransaction | InvoicePaymentEventData;
});

export type PaymentFailures = {
  /** A word for programs */
  code: string;
  /** How many */
  count: number;
};

export type PaymentFigures = {
  /** A day in UTC, on which these payments began */
  day: string;
  /** ISO 4217 */
  currency: string;
  direction: "in" | "out" | "internal" | (string & {});
  /** Payments that arrived, also those that came back later */
  succeeded: number;
  failed: number;
  cancelled: number;
  pending: number;
  /** Of those that arrived */
  amount: string;
};

export type PaymentLink = {
  /** The link */
  link_id: string;
  /** Where the money arrives */
  wallet_id: number;
  /** What it is called */
  title: string;
  /** ISO 4217 */
  currency: string;
  /** Null where the payer names it */
  amount: string | null;
  /** The fee is no less */
  min: string | null;
  /** The fee is no more */
  max: string | null;
  /** For how many payments it is */
  usage: "once" | "many" | (string & {});
  max_payments: number | null;
  /** Invoices of it that can be paid now; each has one of the places */
  open: number;
  /** Invoices of it that are paid */
  paid: number;
  /** The ways to pay; null where they are all that the client offers */
  methods: ("qris" | "va" | "ewallet" | "card" | "wallet" | (string & {}))[] | null;
  /** Where the page leads the payer afterwards */
  return_url: string | null;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "ACTIVE" | "PAUSED" | "EXHAUSTED" | "EXPIRED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  active_at?: string;
  paused_at?: string;
  exhausted_at?: string;
  expired_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** Where people pay; the address is all they need */
  url: string;
};

export type PaymentLinkChangedEvent = (Event) & ({
  type: "payment_link.changed";
  data: PaymentLinkEventData;
});

export type PaymentLinkCreatedEvent = (Event) & ({
  type: "payment_link.created";
  data: PaymentLinkEventData;
});

export type PaymentLinkEventData = {
  /** The link */
  link_id: string;
  /** Where the money arrives */
  wallet_id: number;
  /** What it is called */
  title: string;
  /** ISO 4217 */
  currency: string;
  /** Null where the payer names it */
  amount: string | null;
  /** The fee is no less */
  min: string | null;
  /** The fee is no more */
  max: string | null;
  /** For how many payments it is */
  usage: "once" | "many" | (string & {});
  max_payments: number | null;
  /** Invoices of it that can be paid now; each has one of the places */
  open: number;
  /** Invoices of it that are paid */
  paid: number;
  /** The ways to pay; null where they are all that the client offers */
  methods: ("qris" | "va" | "ewallet" | "card" | "wallet" | (string & {}))[] | null;
  /** Where the page leads the payer afterwards */
  return_url: string | null;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "ACTIVE" | "PAUSED" | "EXHAUSTED" | "EXPIRED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  active_at?: string;
  paused_at?: string;
  exhausted_at?: string;
  expired_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type PaymentLinkExhaustedEvent = (Event) & ({
  type: "payment_link.exhausted";
  data: PaymentLinkEventData;
});

export type PaymentLinkExpiredEvent = (Event) & ({
  type: "payment_link.expired";
  data: PaymentLinkEventData;
});

export type PaymentMoment = {
  at: string;
  /** `you`: the caller; `another`: another person or key; `provider`: a call to one or a message from one */
  by: "you" | "another" | "platform" | "provider" | "chain" | (string & {});
  /** An event, a call, a posting, a step. The list is open */
  what: string;
  text: string;
  /** How it stands */
  status: string | null;
  /** What a posting has added to the owner’s wallet */
  amount: string | null;
  /** The hash of a transaction, in the form of its network */
  hash: string | null;
  explorer_url: string | null;
};

export type PaymentObject = {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
  /** Where the API has it */
  href: string | null;
};

export type PaymentOfInvoice = {
  /** Of one payment */
  payment_id: string;
  /** The invoice */
  invoice_id: string;
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet" | (string & {});
  /** What the payer pays */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** Of the amount; it is not given back with a refund */
  fee: string;
  /** What arrives, split among the wallets of the invoice */
  net: string;
  /** Decimal text with all digits of its currency */
  refunded_amount: string;
  /** What the payer has to do, while it is open and the gateway has answered */
  action: InvoicePaymentAction | null;
  /** The gateway’s own name of it */
  provider_reference: string | null;
  /** How it stands */
  status: "REQUIRES_ACTION" | "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "DISPUTED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  requires_action_at?: string;
  pending_at?: string;
  succeeded_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  disputed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type PaymentPartiallyRefundedEvent = (Event) & ({
  type: "payment.partially_refunded";
  data: CardPaymentEventData | InvoicePaymentEventData;
});

export type PaymentPendingEvent = (Event) & ({
  type: "payment.pending";
  data: CardPaymentEventData | BankPaymentEventData | IdrTokenPaymentEventData | IssuedCardTransaction | InvoicePaymentEventData;
});

export type PaymentRefundedEvent = (Event) & ({
  type: "payment.refunded";
  data: CardPaymentEventData | InvoicePaymentEventData;
});

export type PaymentRequest = {
  /** The header `x-request-id` */
  request_id: string;
  /** Of the reader: who asks has sent it */
  side: "sent" | "received" | (string & {});
  /** Who asks */
  from: TransferParty;
  /** Who is asked to pay */
  to: TransferParty;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** In words */
  note: string | null;
  /** The transfer that pays it, once accepted */
  transfer_id: string | null;
  /** Until when it may be accepted */
  expires_at: string;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "OPEN" | "ACCEPTED" | "DECLINED" | "CANCELLED" | "EXPIRED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  open_at?: string;
  accepted_at?: string;
  declined_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  expired_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type PaymentRequestAcceptedEvent = (Event) & ({
  type: "payment_request.accepted";
  data: PaymentRequest;
});

export type PaymentRequestCancelledEvent = (Event) & ({
  type: "payment_request.cancelled";
  data: PaymentRequest;
});

export type PaymentRequestCreatedEvent = (Event) & ({
  type: "payment_request.created";
  data: PaymentRequest;
});

export type PaymentRequestDeclinedEvent = (Event) & ({
  type: "payment_request.declined";
  data: PaymentRequest;
});

export type PaymentRequestExpiredEvent = (Event) & ({
  type: "payment_request.expired";
  data: PaymentRequest;
});

export type PaymentRestoredEvent = (Event) & ({
  type: "payment.restored";
  data: CardPaymentEventData | InvoicePaymentEventData;
});

export type PaymentReturnedEvent = (Event) & ({
  type: "payment.returned";
  data: BankPaymentEventData;
});

export type PaymentSucceededEvent = (Event) & ({
  type: "payment.succeeded";
  data: CardPaymentEventData | BankPaymentEventData | CurrencyConversion | IdrTokenPaymentEventData | IssuedCardTransaction | InvoicePaymentEventData;
});

export type PaymentUpdatedEvent = (Event) & ({
  type: "payment.updated";
  data: CardPaymentEventData | IssuedCardTransaction;
});

export type PayoutCameBackEvent = (Event) & ({
  type: "payout.came_back";
  data: CardPaymentEventData;
});

export type PayoutCancelledEvent = (Event) & ({
  type: "payout.cancelled";
  data: WithdrawalEventData;
});

export type PayoutFailedEvent = (Event) & ({
  type: "payout.failed";
  data: CardPaymentEventData | IdrTokenPayoutEventData | WithdrawalEventData | BatchItemEventData;
});

export type PayoutLeftAgainEvent = (Event) & ({
  type: "payout.left_again";
  data: CardPaymentEventData;
});

export type PayoutPendingEvent = (Event) & ({
  type: "payout.pending";
  data: CardPaymentEventData | IdrTokenPayoutEventData | WithdrawalEventData;
});

export type PayoutProcessingEvent = (Event) & ({
  type: "payout.processing";
  data: IdrTokenPayoutEventData | WithdrawalEventData | BatchItemEventData;
});

export type PayoutReturnedEvent = (Event) & ({
  type: "payout.returned";
  data: IdrTokenPayoutEventData | WithdrawalEventData | BatchItemEventData;
});

export type PayoutSucceededEvent = (Event) & ({
  type: "payout.succeeded";
  data: CardPaymentEventData | IdrTokenPayoutEventData | WithdrawalEventData | BatchItemEventData;
});

export type PayoutUpdatedEvent = (Event) & ({
  type: "payout.updated";
  data: CardPaymentEventData;
});

export type PendingChangeConfirmedEvent = (Event) & ({
  type: "pending_change.confirmed";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeDroppedEvent = (Event) & ({
  type: "pending_change.dropped";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeFailedEvent = (Event) & ({
  type: "pending_change.failed";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeOrderedEvent = (Event) & ({
  type: "pending_change.ordered";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeProposed = {
  change_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};

export type PendingChangeProposedEvent = (Event) & ({
  type: "pending_change.proposed";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeRefusedEvent = (Event) & ({
  type: "pending_change.refused";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeTookEffectEvent = (Event) & ({
  type: "pending_change.took_effect";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeVoidedEvent = (Event) & ({
  type: "pending_change.voided";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PendingChangeWithdrawnEvent = (Event) & ({
  type: "pending_change.withdrawn";
  data: {
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
  subject: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  takes_effect_at: string | null;
};
});

export type PersonExport = {
  /** The export */
  export_id: string;
  /** How it stands */
  status: "PENDING" | "READY" | "EXPIRED" | "FAILED" | (string & {});
  /** When it was made, in UTC */
  created_at: string;
  ready_at: string | null;
  /** When the file goes */
  expires_at: string | null;
  /** Opens once, without a log-in */
  download_url: string | null;
};

export type Policy = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
  /** Whose policy it is; null for the operator’s, which apply to all clients */
  client_id: number | null;
  /** What it is called */
  name: string;
  /** The kinds of operations that a policy is about */
  applies_to: ("transfer" | "request" | "withdrawal" | "batch" | "refund" | "conversion" | "card" | "bridge" | "send" | "agent" | (string & {}))[];
  /** An expression in CEL; null applies to all */
  when: string | null;
  /** What happens to an operation that a policy applies to: one of these */
  then: PolicyOutcome;
  priority: number;
  /** How it stands */
  status: "DRAFT" | "PUBLISHED" | "RETIRED" | (string & {});
  /** The version that was read; another one is refused with 409 */
  version: number;
  /** Who wrote it last, and cannot publish it */
  edited_by: number | null;
  edited_at: string;
  /** What the one admin of a client has asked for, 24 hours before it happens */
  takes_effect: PolicyEffect | null;
  published_by: number | null;
  published_at: string | null;
  retired_by: number | null;
  retired_at: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type PolicyAnnouncedEvent = (Event) & ({
  type: "policy.announced";
  data: Policy;
});

export type PolicyBacktest = {
  /** Of a back-test of a policy */
  backtest_id: string;
  /** Of a policy; limits are named by it too */
  policy_id: string;
  days: number;
  /** How it stands */
  status: "PENDING" | "READY" | "FAILED" | (string & {});
  /** Recorded decisions that it has read */
  seen: number;
  /** Of these: refused, also by a limit */
  denied: number;
  /** How many operations it would have held */
  held: number;
  to_approve: number;
  to_prove: number;
  /** Decided otherwise than then */
  differing: number;
  /** The first 1,000 of them */
  differences: (BacktestDifference)[];
  /** When it was made, in UTC */
  created_at: string;
  ended_at: string | null;
};

export type PolicyChangedEvent = (Event) & ({
  type: "policy.changed";
  data: Policy;
});

export type PolicyCreatedEvent = (Event) & ({
  type: "policy.created";
  data: Policy;
});

export type PolicyDeletedEvent = (Event) & ({
  type: "policy.deleted";
  data: Policy;
});

export type PolicyEffect = {
  act: "publish" | "retire" | (string & {});
  at: string;
};

export type PolicyLimit = {
  /** In units of its currency, not in cents */
  amount?: string;
  /** How many */
  count?: number | string;
  /** ISO 4217 */
  currency?: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "EUR" | "GBP" | "JPY" | "USDC" | "IDRT" | "ADA" | "XRP" | "ETH" | "POL" | "NEON" | "POINTS" | (string & {});
  /** Whose sum a limit is about */
  per: "user" | "client" | "wallet" | "recipient" | "card" | "key" | (string & {});
  /** The time that a limit is about */
  window: "1h" | "1d" | "7d" | "30d" | (string & {});
};

export type PolicyLimitInput = {
  /** In units of its currency, not in cents */
  amount?: string | undefined;
  /** How many */
  count?: number | undefined;
  /** ISO 4217 */
  currency?: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "EUR" | "GBP" | "JPY" | "USDC" | "IDRT" | "ADA" | "XRP" | "ETH" | "POL" | "NEON" | "POINTS" | undefined;
  /** Whose sum a limit is about */
  per: "user" | "client" | "wallet" | "recipient" | "card" | "key";
  /** The time that a limit is about */
  window: "1h" | "1d" | "7d" | "30d";
};

export type PolicyOutcome = {
  /** It is refused, with this message */
  deny?: {
  /** In words for people */
  message: string;
};
  /** So much or so many in a window of time; windows begin at whole hours, days, Mondays and thirties of days in UTC */
  limit?: PolicyLimit;
  /** So many other people have to approve it: admins of the client, of the operator, or of either */
  approve?: {
  /** How many */
  count: number | string;
  /** Whose admins may approve it */
  roles?: ("admin" | "operator" | (string & {}))[];
};
  /** It begins so many seconds later */
  hold_s?: number | string;
  /** The user proves to be there, by POST /step-up */
  step_up?: true;
};

export type PolicyOutcomeInput = {
  /** It is refused, with this message */
  deny?: {
  /** In words for people */
  message: string;
} | undefined;
  /** So much or so many in a window of time; windows begin at whole hours, days, Mondays and thirties of days in UTC */
  limit?: PolicyLimitInput | undefined;
  /** So many other people have to approve it: admins of the client, of the operator, or of either */
  approve?: {
  /** How many */
  count: number;
  /** Whose admins may approve it */
  roles?: ("admin" | "operator")[] | undefined;
} | undefined;
  /** It begins so many seconds later */
  hold_s?: number | undefined;
  /** The user proves to be there, by POST /step-up */
  step_up?: true | undefined;
};

export type PolicyPublishedEvent = (Event) & ({
  type: "policy.published";
  data: Policy;
});

export type PolicyRetiredEvent = (Event) & ({
  type: "policy.retired";
  data: Policy;
});

export type Profile = {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  /** As on the identity document */
  first_name: string | null;
  /** As on the identity document */
  last_name: string | null;
  /** The identity is verified: the names stay */
  is_verified: boolean;
  /** The language of messages: English or Indonesian */
  locale: "en" | "id" | (string & {}) | null;
  /** In which days are meant, such as `Asia/Jakarta` */
  time_zone: string | null;
  /** By which ways news may come */
  preferences: {
  /** An e-mail address */
  email: boolean;
  /** By SMS */
  sms: boolean;
  /** By a message to the phone */
  push: boolean;
};
  pending_change: {
  /** The new e-mail address */
  new_email: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
} | null;
  /** Where the account is being closed */
  closing: {
  /** When the account is erased, unless it is kept */
  erases_at: string;
  /** What was in the way when the time had come */
  items: (InTheWay)[];
} | null;
  /** The version that was read; another one is refused with 409 */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type ProvenWallet = {
  proof_id: number;
  /** A person’s */
  user_id: number;
  /** Our word for a chain */
  chain_id: string;
  reach: string;
  /** On its chain */
  wallet_address: string;
  proven_at: string;
};

export type ProvisionalCredit = {
  /** Decimal text with all digits of its currency */
  amount: string;
  /** What the shop has given back of it by itself: that is no longer credited */
  refunded: string;
  credited_at: string;
  /** When it was taken back: the dispute was not won */
  taken_back_at: string | null;
};

export type PspCustomerActivatedEvent = (Event) & ({
  type: "psp_customer.activated";
  data: {
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number | null;
  customer_type: string;
  /** How it stands */
  status: string;
  customer_id: string | null;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type PspCustomerFailedEvent = (Event) & ({
  type: "psp_customer.failed";
  data: {
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number | null;
  customer_type: string;
  /** How it stands */
  status: string;
  customer_id: string | null;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type PspCustomerRequestedEvent = (Event) & ({
  type: "psp_customer.requested";
  data: {
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number | null;
  customer_type: string;
  /** How it stands */
  status: string;
  customer_id: string | null;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type PspCustomerState = {
  /** How it stands */
  status: string;
  customer_id: string | null;
  customer_type: string;
};

export type PurchaseChain = {
  /** On which it is paid; without one the answer lists those that would do */
  selected_chain: string;
  chain_name: string;
  contract_info: PurchaseContract;
};

export type PurchaseChainOption = {
  /** Names this one */
  id: string;
  /** What it is called */
  name: string;
  symbol: string;
  is_testnet: boolean;
  recommended: boolean;
  gas_estimate: string | null;
  contract_info: PurchaseContract;
};

export type PurchaseCompletedEvent = (Event) & ({
  type: "purchase.completed";
  data: PurchaseEventData;
});

export type PurchaseConfirmedEvent = (Event) & ({
  type: "purchase.confirmed";
  data: PurchaseEventData;
});

export type PurchaseContract = {
  usdc_contract: string;
  mcp_contract: string;
  rpc_url: string | null;
  explorer_url: string;
};

export type PurchaseCreatedEvent = (Event) & ({
  type: "purchase.created";
  data: PurchaseEventData;
});

export type PurchaseEventData = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** A person’s */
  user_id: number;
  /** The version that was read; another one is refused with 409 */
  version: "v1" | "v2" | (string & {});
  /** How it stands */
  status: "CREATED" | "PAYING" | "PAID" | "COMPLETED" | "REFUNDING" | "REFUNDED" | "FAILED" | "EXPIRED" | (string & {});
  /** On which it is paid; without one the answer lists those that would do */
  selected_chain: string;
  /** On its chain */
  wallet_address: string;
  /** As the page, or the search, has answered it */
  product: PurchaseProduct;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: PurchasePricing;
  /** To whom the goods go */
  recipient: PurchaseRecipient;
  tx_hash_payment: string | null;
  tx_hash_mcp: string | null;
  tx_hash_refund: string | null;
  failure: string | null;
  email_sent: boolean;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};

export type PurchaseExpiredEvent = (Event) & ({
  type: "purchase.expired";
  data: PurchaseEventData;
});

export type PurchaseFailedEvent = (Event) & ({
  type: "purchase.failed";
  data: PurchaseEventData;
});

export type PurchaseOrdered = {
  step: "create-order";
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** When it was made, in UTC */
  created_at: string;
  wallet: {
  /** On a chain */
  address: string;
  balance_usdc: string;
  balance_formatted: string;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
};
  transaction: PurchaseTransaction;
  /** To whom the goods go */
  recipient: PurchaseRecipient;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: PurchasePricing;
  ready_for_payment: boolean;
};

export type PurchaseOrderedOnChain = {
  step: "create-order-v2";
  /** The version that was read; another one is refused with 409 */
  version: "v2";
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** When it was made, in UTC */
  created_at: string;
  chain_info: PurchaseChain;
  wallet: {
  /** On a chain */
  address: string;
  balance_usdc: string;
  balance_display: string;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  validated: boolean;
};
  transaction: PurchaseTransaction;
  order_details: {
  /** As the page, or the search, has answered it */
  product: PurchaseProduct;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: PurchasePricing;
  /** To whom the goods go */
  recipient: PurchaseRecipient;
};
  next_step: "execute-order";
  ready_for_payment: boolean;
};

export type PurchasePaidEvent = (Event) & ({
  type: "purchase.paid";
  data: PurchaseEventData;
});

export type PurchasePricing = {
  /** In the shop’s own currency */
  original: ShopPrice;
  /** Whole USDC with 6 decimals, as text */
  usdc: {
  /** In units of its currency, not in cents */
  amount: string;
  /** The amount with its currency, for people */
  formatted: string;
};
  /** How much of the second currency one of the first is worth */
  conversion_rate: string;
  /** From which currency over which to which */
  route: string;
};

export type PurchasePricingInput = {
  /** In the shop’s own currency */
  original: {
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** The amount with its currency, for people */
  formatted?: unknown | undefined;
};
  /** Whole USDC with 6 decimals, as text */
  usdc: {
  /** In units of its currency, not in cents */
  amount: string;
  /** The amount with its currency, for people */
  formatted?: unknown | undefined;
};
  /** How much of the second currency one of the first is worth */
  conversion_rate?: unknown | undefined;
  /** From which currency over which to which */
  route?: unknown | undefined;
  /** Holds the quoted price for a while, as it was answered */
  quote?: string | undefined;
  /** Until when the quote holds, in UTC */
  quote_expires_at?: unknown | undefined;
};

export type PurchaseProduct = {
  /** What it is called */
  title: string;
  /** The price as the page has it, such as `USD 25.00` */
  priceText: string | null;
  /** What it is, in words */
  description: string | null;
  /** A picture of it */
  image: string | null;
  /** The shop whose page it is */
  site: string | null;
  /** Of the page */
  url: string | null;
};

export type PurchaseProductInput = {
  /** What it is called */
  title: string;
  /** The price as the page has it, such as `USD 25.00` */
  priceText: string;
  /** What it is, in words */
  description?: string | null | undefined;
  /** A picture of it */
  image?: string | null | undefined;
  /** The shop whose page it is */
  site?: string | null | undefined;
  /** Of the page */
  url?: string | null | undefined;
  /** As step 2 answered it: proves for half an hour what the page said of its product */
  page_seal?: string | null | undefined;
};

export type PurchaseRecipient = {
  /** What the person is called */
  name: string;
  /** With the country code in front, such as +12025550100 */
  phone: string;
  /** Where the person lives */
  address: string;
  /** For the person who delivers */
  notes: string | null;
};

export type PurchaseRecipientInput = {
  /** What the person is called */
  name: string;
  /** With the country code in front, such as +12025550100 */
  phone: string;
  /** Where the person lives */
  address: string;
  /** For the person who delivers */
  notes?: string | null | undefined;
};

export type PurchaseRefundStartedEvent = (Event) & ({
  type: "purchase.refund_started";
  data: PurchaseEventData;
});

export type PurchaseRefundedEvent = (Event) & ({
  type: "purchase.refunded";
  data: PurchaseEventData;
});

export type PurchaseTransaction = {
  required_usdc: string;
  sufficient_balance: boolean;
  can_proceed: boolean;
};

export type Quote = {
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
  /** Of what kind it is */
  kind: "fx" | "bridge" | (string & {});
  /** How it stands */
  status: "OPEN" | "USED" | "EXPIRED" | "CANCELLED" | (string & {});
  /** The side whose amount was asked for; the other one was worked out */
  fixed_side: "from" | "to" | (string & {});
  /** The currency that is sold */
  from_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** Decimal text with all digits of its currency */
  from_amount: string;
  /** The currency that is bought */
  to_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
  /** Decimal text with all digits of its currency */
  to_amount: string;
  /** Of the two amounts: what one of the first currency buys */
  rate: string;
  /** Of the two amounts: what one of the second currency costs */
  inverse_rate: string;
  /** The middle of the market, without the spread */
  mid_rate: string;
  /** Taken off the middle, in hundredths of a percent */
  spread_bps: number;
  /** How long the price holds: the longer, the higher the spread */
  valid_for: "30s" | "5m" | "1h" | "24h" | "60s" | (string & {});
  rate_source: string;
  rates_at: string;
  /** From which currency over which to which */
  route: string;
  rounding: {
  /** The amount that was worked out is rounded down where it is paid out, and up where it is paid */
  mode: "down" | "up" | (string & {});
  /** What rounding leaves to the platform, in the currency of the amount that was worked out */
  residue: string;
};
  /** What a conversion by this quote costs beside the amounts */
  fees: (QuoteFee)[];
  /** The one thing that was made by it */
  used_by: string | null;
  /** The conversion that it takes back; a conversion alone uses such a quote */
  reverses: string | null;
  /** Where a quote of the bridge leads; its fees are off the amount already */
  bridge: QuotedBridge | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  /** The terms as a JSON Web Signature (EdDSA) by a key of `GET /fx/quote-keys` */
  signature: string;
};

export type QuoteFee = {
  /** Which books are compared, such as `card-network` */
  rail: string;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC" | (string & {});
};

export type QuoteKey = {
  /** Always EC */
  kty: "OKP";
  /** Always P-256 */
  crv: "Ed25519";
  /** The public key, in base64url */
  x: string;
  /** As the head of a signature names it */
  kid: string;
  alg: "EdDSA";
  use: "sig";
};

export type QuotedBridge = {
  /** On which the tokens are burnt */
  from_chain: string;
  /** On which they are minted */
  to_chain: string;
  /** Who signs */
  mode: string;
  /** Who gets it, on the other chain */
  recipient_address: string;
  /** Whose it is at that address, where its chain knows tags */
  recipient_tag: number | null;
};

export type RailStanding = {
  /** Which books are compared, such as `card-network` */
  rail: string;
  compared_until: string;
  failing_since: string | null;
  failure: string | null;
};

export type RailStatus = {
  /** Which books are compared, such as `card-network` */
  rail: string;
  /** `DEGRADED`: a call is in doubt for longer than usual; `DOWN`: several are, and no payment has succeeded since */
  status: "UP" | "DEGRADED" | "DOWN" | (string & {});
  /** From the request to the money’s arrival, of the latest payments; null before the first one */
  usual_seconds: {
  p50: number | null;
  p95: number | null;
};
  /** Payments with a call whose outcome is unknown */
  in_doubt: number;
  oldest_in_doubt_since: string | null;
};

export type Recipient = {
  /** The same for the same recipient */
  recipient_id: string;
  /** A person’s */
  user_id: number;
  /** Whose account it is */
  name: string;
  /** A bank account, a wallet of a user of the same client, or an address on a chain */
  kind: "bank" | "wallet" | "evm" | "xrpl" | "cardano" | (string & {});
  /** Of a bank account: ISO 3166 */
  country: string | null;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** What identifies the account or address, by the requirements of its rail */
  details: RecipientDetails;
  /** An e-mail address */
  email: string | null;
  /** The same for the same details of one kind */
  fingerprint: string;
  /** Of bank accounts */
  verification: PayeeVerification | null;
  /** Payments to it wait until then */
  usable_from: string;
  last_paid_at: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type RecipientChangedEvent = (Event) & ({
  type: "recipient.changed";
  data: Recipient;
});

export type RecipientCreatedEvent = (Event) & ({
  type: "recipient.created";
  data: Recipient;
});

export type RecipientDeletedEvent = (Event) & ({
  type: "recipient.deleted";
  data: Recipient;
});

export type RecipientDetails = {
  /** The bank: by its code, or its BIC */
  bank_code?: string;
  /** At that bank */
  account_number?: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id?: number;
  /** By which the exchange sends, in its word */
  network?: string;
  /** On a chain */
  address?: string;
  /** The destination tag of an address of many people */
  tag?: number;
};

export type RecipientDetailsInput = {
  /** The bank: by its code, or its BIC */
  bank_code?: string | undefined;
  /** At that bank */
  account_number?: string | undefined;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id?: number | undefined;
  /** By which the exchange sends, in its word */
  network?: string | undefined;
  /** On a chain */
  address?: string | undefined;
  /** The destination tag of an address of many people */
  tag?: number | undefined;
};

export type RecipientVerifiedEvent = (Event) & ({
  type: "recipient.verified";
  data: Recipient;
});

export type ReconciliationBreakChangedEvent = (Event) & ({
  type: "reconciliation.break_changed";
  data: Break;
});

export type ReconciliationBreakExplainedEvent = (Event) & ({
  type: "reconciliation.break_explained";
  data: Break;
});

export type ReconciliationBreakFoundEvent = (Event) & ({
  type: "reconciliation.break_found";
  data: Break;
});

export type ReconciliationBreakResolvedEvent = (Event) & ({
  type: "reconciliation.break_resolved";
  data: Break;
});

export type RefundCameBackEvent = (Event) & ({
  type: "refund.came_back";
  data: CardPaymentEventData;
});

export type RefundFailedEvent = (Event) & ({
  type: "refund.failed";
  data: CardPaymentEventData | IdrTokenRefundEventData | InvoiceRefundEventData;
});

export type RefundLeftAgainEvent = (Event) & ({
  type: "refund.left_again";
  data: CardPaymentEventData;
});

export type RefundPayee = {
  /** What it is called */
  name: string;
  /** The bank, and the last digits of the account */
  detail: string;
};

export type RefundPendingEvent = (Event) & ({
  type: "refund.pending";
  data: CardPaymentEventData | IdrTokenRefundEventData | InvoiceRefundEventData;
});

export type RefundSucceededEvent = (Event) & ({
  type: "refund.succeeded";
  data: CardPaymentEventData | IdrTokenRefundEventData | IssuedCardTransaction | InvoiceRefundEventData;
});

export type RefundUpdatedEvent = (Event) & ({
  type: "refund.updated";
  data: CardPaymentEventData;
});

export type RefundedInvoiceMoney = {
  /** The money that pays no invoice */
  unmatched_id: string;
  /** The invoice that it was meant for */
  invoice_id: string;
  /** The payment by which it has come in */
  payment_id: string;
  /** The merchant */
  user_id: number;
  /** What has come in, or what of it was too much */
  amount: string;
  /** What of it is still to be assigned or given back */
  owed: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** How it is paid */
  method: string;
  /** Why, in words */
  reason: "LATE" | "UNDERPAID" | "OVERPAID" | "DUPLICATE" | (string & {});
  /** The gateway’s name of the money */
  receipt: string;
  /** The invoice that it was assigned to */
  assigned_invoice_id: string | null;
  /** How it was settled without a refund of ours */
  settled_note: string | null;
  /** How it stands */
  status: "OPEN" | "ASSIGNED" | "REFUNDING" | "REFUNDED" | "WRITTEN_OFF" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  open_at?: string;
  assigned_at?: string;
  refunding_at?: string;
  refunded_at?: string;
  written_off_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** By which the bank knows it */
  refund_id: string;
  /** The page on which the payer names an account, where one is waited for. It is shown once, and mailed to the customer of the invoice */
  claim_url: string | null;
};

export type RegisteredApp = {
  /** The organisation */
  client_id: string;
  /** When it was registered, in seconds since 1970 */
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: (string)[];
  /** Always `none`: there is no secret */
  token_endpoint_auth_method: "none";
  /** What the app may get tokens by */
  grant_types: (string)[];
  /** What the page answers */
  response_types: (string)[];
  scope: string;
};

export type RemovedTeamMember = {
  /** A person’s */
  user_id: number;
  /** Keys that they had made: ended, or kept with no more than the role that their maker had */
  keys: ({
  key_id: number;
  /** Its first and last characters */
  api_key: string;
  /** What the key is for, in your words */
  provider_name: string;
  /** What the key may be used for. Without any, for everything */
  scopes: (string)[];
})[];
  keys_are: "keep" | "stop" | (string & {});
  /** Endpoints that they had made: paused, or kept as they are */
  webhook_endpoints: ({
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** The organisation */
  client_id: number;
  /** Of the page */
  url: string;
  /** How it stands */
  status: string;
})[];
  endpoints_are: "keep" | "stop" | (string & {});
  /** Changes of accounts that they had ordered or proposed; none takes effect */
  orders_voided: ({
  change_id: number;
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: string;
})[];
  /** Corrections that they had proposed; none is booked */
  proposals_voided: (string)[];
  /** Open invitations of theirs */
  invitations_revoked: number;
};

export type ReportedTransferLoggedEvent = (Event) & ({
  type: "reported_transfer.logged";
  data: {
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number;
  /** Of a wallet on chains */
  bw_id: number;
  /** Our word for a chain */
  chain_id: string;
  destination_wallet: string;
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol: string;
  /** Of the token’s contract. `native` for the chain’s own coin */
  token_contract: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** In the chain’s own coin */
  gas_fee: string;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: string;
  /** How it stands */
  status: string;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** When it was made, in UTC */
  created_at: string;
};
});

export type RequestLog = {
  /** As `x-request-id` of the answer */
  request_id: string;
  at: string;
  /** Of HTTP */
  method: string;
  /** The path of the endpoint as the reference has it */
  path: string;
  /** How it stands */
  status: number;
  /** Milliseconds from the request to its answer */
  ms: number;
  error_code: string | null;
  /** The first characters of the API key */
  key_prefix: string | null;
  /** A person’s */
  user_id: number | null;
  /** The /24 or /56 of the caller’s address */
  network: string | null;
  /** The version that the request or its key names */
  api_version: string | null;
  /** `first` with an `Idempotency-Key`, `replayed` where an earlier answer was sent again */
  idempotency: "none" | "first" | "replayed" | (string & {});
  dry_run: boolean;
  /** The first object that the request made or changed, as its events name it */
  object: RequestLogObject | null;
};

export type RequestLogObject = {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
};

export type ReturnedItem = {
  /** The bank’s code */
  reason_code: string;
  /** What was credited */
  amount: string;
  /** Of the wallet that was credited */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  at: string;
};

export type ReturnedPayout = {
  /** The bank’s code */
  reason_code: string;
  /** What was credited */
  amount: string;
  /** Of the wallet that was credited */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  at: string;
};

export type RewardGrantedEvent = (Event) & ({
  type: "reward.granted";
  data: RewardsPointsEventData;
});

export type RewardsMemberEventData = {
  userx_id: number;
};

export type RewardsPointsEventData = {
  userx_id: number;
  /** What the points are for */
  action: string;
  points: number;
};

export type RewardsProfile = {
  userx_id: number;
  usernamex: string | null;
  emailx: string | null;
  phonex: string;
  point_balance: number;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  claim_username: boolean;
  verify_email: boolean;
  sync_contact: boolean;
  social_platform_1: boolean;
  social_platform_2: boolean;
  social_platform_3: boolean;
  social_platform_4: boolean;
};

export type SavedExchangeWallet = {
  /** Of a wallet on chains */
  bw_id: number;
  /** On its chain */
  wallet_address: string;
  /** By which the exchange sends, in its word */
  network: string;
  /** Our word for a chain */
  chain_id: string;
  is_primary: boolean;
  /** Whether it was added or changed */
  action: string;
};

export type SeenPurchasePricing = {
  /** In the shop’s own currency */
  original: {
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: string;
  /** The amount with its currency, for people */
  formatted?: unknown | undefined;
};
  /** Whole USDC with 6 decimals, as text */
  usdc: {
  /** In units of its currency, not in cents */
  amount: string;
  /** The amount with its currency, for people */
  formatted?: unknown | undefined;
};
  /** How much of the second currency one of the first is worth */
  conversion_rate?: unknown | undefined;
  /** From which currency over which to which */
  route?: unknown | undefined;
  /** Holds the quoted price for a while, as it was answered */
  quote?: string | undefined;
  /** Until when the quote holds, in UTC */
  quote_expires_at?: unknown | undefined;
};

export type SeenPurchaseProduct = {
  /** What it is called */
  title: string;
  /** The price as the page has it, such as `USD 25.00` */
  priceText: string;
  /** What it is, in words */
  description?: string | null | undefined;
  /** A picture of it */
  image?: string | null | undefined;
  /** The shop whose page it is */
  site?: string | null | undefined;
  /** Of the page */
  url?: string | null | undefined;
  /** As step 2 answered it: proves for half an hour what the page said of its product */
  page_seal?: string | null | undefined;
};

export type SeenPurchaseRecipient = {
  /** What the person is called */
  name: string;
  /** With the country code in front, such as +12025550100 */
  phone: string;
  /** Where the person lives */
  address: string;
  /** For the person who delivers */
  notes?: string | null | undefined;
};

export type SentWebhook = {
  /** Of one try to deliver an event */
  attempt_id: number;
  /** Of one event */
  event_id: string;
  /** What has happened, by its type */
  event_type: string;
  object: {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
};
  /** Which one of 10: at once, after 5 s, after 5 min, after 30 min, after 2 h, after 5 h, after 10 h, after 14 h, after 20 h, after 24 h, each up to a fifth sooner or later */
  attempt: number;
  at: string;
  /** Why it was sent */
  cause: "event" | "retry" | "probe" | "replay" | "resend" | "test" | (string & {});
  /** `exhausted`: the last try of all; send it again by hand */
  result: "delivered" | "failed" | "exhausted" | (string & {});
  /** Without its query, which may hold a secret */
  url: string;
  /** How it stands */
  status: number | null;
  ms: number;
  /** What went wrong */
  error: string | null;
  /** How the answer began, up to 2 KiB */
  response: string | null;
  /** The bytes that were sent, as long as the event is kept; a test’s are not */
  request_body: string | null;
};

export type Session = {
  /** Of an open log-in, as the list of sessions has it */
  session_id: string;
  /** How the person has logged in */
  method: string;
  ip: string | null;
  user_agent: string | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  current: boolean;
};

export type SessionEventData = {
  /** Of an open log-in, as the list of sessions has it */
  session_id: string;
  /** A person’s */
  user_id: number | null;
  userx_id: number | null;
  /** How the person has logged in */
  method: string;
  ip: string | null;
  user_agent: string | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};

export type SessionOpenedEvent = (Event) & ({
  type: "session.opened";
  data: SessionEventData;
});

export type SessionRevokedEvent = (Event) & ({
  type: "session.revoked";
  data: SessionEventData;
});

export type ShopPrice = {
  /** In units of its currency, not in cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** The amount with its currency, for people */
  formatted: string;
};

export type SimulatedPolicy = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
  /** What it is called */
  name: string;
  /** Whether it applies to the operation */
  matched: boolean;
  /** Why it does not apply: the first part of its expression that does not hold. Or why it stops the operation */
  unmet: string | null;
};

export type SocialAccount = {
  /** As the person calls themselves there */
  display_name: string | null;
  /** Username or number, masked */
  handle: string | null;
};

export type SocialLink = {
  /** The link */
  link_id: string;
  /** Which social platform */
  platform: "telegram" | "whatsapp" | (string & {});
  /** How it stands */
  status: "PENDING" | "ASKED" | "CONFIRMING" | "LINKED" | "REJECTED" | "EXPIRED" | "CONFLICT" | "UNLINKED" | (string & {});
  /** Who answered; null before, and a day after the end */
  account: SocialAccount | null;
  /** What the link has paid */
  points_awarded: number;
  /** The platform was rewarded before */
  already_rewarded: boolean;
  /** When it was made, in UTC */
  created_at: string;
  /** Until then it can be confirmed */
  expires_at: string;
  linked_at: string | null;
};

export type SocialLinkEventData = {
  userx_id: number;
  /** The link */
  link_id: string;
  /** Which social platform */
  platform: "telegram" | "whatsapp" | (string & {});
  /** How it stands */
  status: "PENDING" | "ASKED" | "CONFIRMING" | "LINKED" | "REJECTED" | "EXPIRED" | "CONFLICT" | "UNLINKED" | (string & {});
  /** Who answered; null before, and a day after the end */
  account: SocialAccount | null;
  /** What the link has paid */
  points_awarded: number;
  /** The platform was rewarded before */
  already_rewarded: boolean;
  /** When it was made, in UTC */
  created_at: string;
  /** Until then it can be confirmed */
  expires_at: string;
  linked_at: string | null;
};

export type SocialLinkLinkedEvent = (Event) & ({
  type: "social_link.linked";
  data: SocialLinkEventData;
});

export type SocialLinkRejectedEvent = (Event) & ({
  type: "social_link.rejected";
  data: SocialLinkEventData;
});

export type SocialLinkUnlinkedEvent = (Event) & ({
  type: "social_link.unlinked";
  data: SocialLinkEventData;
});

export type SocialStatus = {
  /** The account that is linked at Telegram */
  telegram: SocialLink | null;
  /** The account that is linked at WhatsApp */
  whatsapp: SocialLink | null;
};

export type SplitPart = {
  /** Who gets it */
  to: TransferTo;
  /** In units of its currency, not in cents */
  amount: string;
  /** For the other side, in words */
  note?: string | undefined;
};

export type StatementCounterparty = {
  /** What it is called */
  name: string | null;
  detail: string | null;
};

export type StatementLine = {
  seq: number;
  reference: string;
  /** Of what kind it is */
  type: string;
  /** TOPUP, REFUND or PUSH for money between a wallet and a card or bank, else the type in capitals */
  tx_type: string;
  /** Money has come or gone, was set aside, or is free again */
  status: "SUCCESS_RECEIVED" | "COMPLETED" | "HELD" | "RELEASED" | (string & {});
  /** In units of its currency, not in cents */
  amount: string;
  /** What this line sets aside. Below zero it frees some */
  held: string;
  /** Of the wallet, once this has been booked */
  balance_after: string;
  /** When it was made, in UTC */
  created_at: string;
  /** A text where the type says too little: of corrections */
  description: string | null;
};

export type StatementSum = {
  /** How many */
  count: number;
  /** Never below zero */
  amount: string;
};

export type StoppedClient = {
  /** The organisation */
  client_id: number;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status: string;
  is_stopped: boolean;
  /** Why, in words */
  reason: string | null;
  stopped_by: number | null;
  stopped_at: string | null;
  left: LeftByClient;
};

export type StoppedUser = {
  /** A person’s */
  user_id: number;
  user_status: string;
  is_stopped: boolean;
  /** Why, in words */
  reason: string | null;
  stopped_by: number | null;
  stopped_at: string | null;
  left: LeftByUser;
};

export type SwitchedMethod = {
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet" | (string & {});
  /** Whether it is offered */
  enabled: boolean;
};

export type SwitchedMethodInput = {
  /** How it is paid */
  method: "qris" | "va" | "ewallet" | "card" | "wallet";
  /** Whether it is offered */
  enabled: boolean;
};

export type TeamInvitation = {
  /** Of an invitation, as the list of the team has it */
  invitation_id: string;
  /** An e-mail address */
  email: string;
  /** What an admin may do at their client */
  team_role: "owner" | "developer" | "finance" | "support" | "viewer" | (string & {});
  invited_by: number;
  /** When it was made, in UTC */
  created_at: string;
  /** Until when the link works */
  expires_at: string;
  accepted_by: number | null;
};

export type TeamInvitationAcceptedEvent = (Event) & ({
  type: "team_invitation.accepted";
  data: TeamInvitation;
});

export type TeamInvitationCreatedEvent = (Event) & ({
  type: "team_invitation.created";
  data: TeamInvitation;
});

export type TeamInvitationRevokedEvent = (Event) & ({
  type: "team_invitation.revoked";
  data: TeamInvitation;
});

export type TeamMember = {
  /** A person’s */
  user_id: number;
  /** The organisation */
  client_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** What an admin may do at their client */
  team_role: "owner" | "developer" | "finance" | "support" | "viewer" | (string & {});
  user_status: string;
  second_factor: boolean;
  /** When somebody gave them the role; null of an admin from before there were roles */
  role_since: string | null;
  /** When their approvals begin to count, a day after they got the role and with a second factor alone; null where they count, or never do */
  approves_from: string | null;
};

export type TeamMemberJoinedEvent = (Event) & ({
  type: "team_member.joined";
  data: TeamMember;
});

export type TeamMemberRemovedEvent = (Event) & ({
  type: "team_member.removed";
  data: TeamMember;
});

export type TeamMemberRoleChangedEvent = (Event) & ({
  type: "team_member.role_changed";
  data: TeamMember;
});

export type TelegramAnswer = {
  /** A method of the Bot API; without it the bot says nothing */
  method?: string;
  /** The chat of the person */
  chat_id?: number;
  /** What the bot says */
  text?: string;
  /** The buttons below it */
  reply_markup?: Record<string, unknown>;
  /** The press that is answered */
  callback_query_id?: string;
  /** Shown until it is closed */
  show_alert?: boolean;
};

export type TestPingEvent = (Event) & ({
  type: "test.ping";
  data: {
  /** In words for people */
  message: string;
};
});

export type ThresholdCrossing = {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** A monitor of a wallet’s balance */
  monitor_id: string;
  /** ISO 4217 */
  currency: string;
  field: "posted" | "available" | (string & {});
  op: "below" | "above" | (string & {});
  /** The one that the balance went below or above */
  amount: string;
  /** Decimal text with all digits of its currency */
  posted: string;
  /** Decimal text with all digits of its currency */
  held: string;
  /** Decimal text with all digits of its currency */
  available: string;
  /** Of the line of the statement that has crossed it */
  sequence: number;
  /** When that line was posted */
  crossed_at: string;
};

export type Timeline = {
  people: ({
  /** A person’s */
  user_id: number;
  /** The organisation */
  client_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string | null;
  /** What they may do */
  role: string;
  user_status: string;
  is_stopped: boolean;
  /** Why, in words */
  reason: string | null;
  stopped_by: number | null;
  stopped_at: string | null;
})[];
  clients: ({
  /** The organisation */
  client_id: number;
  client_code: string;
  /** What the organisation is called */
  client_alias: string;
  /** An e-mail address */
  email: string;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status: string;
  is_stopped: boolean;
  /** Why, in words */
  reason: string | null;
  stopped_by: number | null;
  stopped_at: string | null;
})[];
  names: (string)[];
  moments: ({
  at: string;
  /** Of what kind it is */
  what: string;
  /** Of what kind it is */
  type: string;
  about: string;
  /** What identifies the account or address, by the requirements of its rail */
  details: unknown;
})[];
};

export type TokenBalance = {
  symbol: string;
  /** In units of the currency or token. What is held for payments under way is still in it */
  balance: string | null;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string | null;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string | null;
  /** Of the token’s contract */
  contract_address: string;
  value_usd: number | null;
};

export type TransferConfirmedEvent = (Event) & ({
  type: "transfer.confirmed";
  data: OnchainEventData;
});

export type TransferFailedEvent = (Event) & ({
  type: "transfer.failed";
  data: OnchainEventData;
});

export type TransferParty = {
  /** With its first letter, or the ends of an address */
  display_name: string;
  /** One’s own wallet, or one that the sender has named */
  wallet_id: number | null;
};

export type TransferReceived = {
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: string;
};

export type TransferRequestedEvent = (Event) & ({
  type: "transfer.requested";
  data: OnchainEventData;
});

export type TransferSentEvent = (Event) & ({
  type: "transfer.sent";
  data: OnchainEventData;
});

export type TransferTo = {
  /** A wallet of a person of the same client */
  wallet_id?: number | undefined;
  /** A person of the same client */
  user_id?: number | undefined;
  /** A confirmed address of a person; else they are asked to claim it */
  email?: string | undefined;
  /** The money is claimed by the link in a message */
  phone?: string | undefined;
};

export type TransferWithdrawnEvent = (Event) & ({
  type: "transfer.withdrawn";
  data: OnchainEventData;
});

export type TrustLine = {
  /** ISO 4217 */
  currency: string;
  issuer: string;
  /** The most that the line takes */
  limit: string;
  /** In units of the currency or token. What is held for payments under way is still in it */
  balance: string;
};

export type TwoFactorDisabledEvent = (Event) & ({
  type: "two_factor.disabled";
  data: TwoFactorEventData;
});

export type TwoFactorEnabledEvent = (Event) & ({
  type: "two_factor.enabled";
  data: TwoFactorEventData;
});

export type TwoFactorEventData = {
  /** A person’s */
  user_id: number;
  is_enabled: boolean;
};

export type UnmatchedInvoiceMoney = {
  /** The money that pays no invoice */
  unmatched_id: string;
  /** The invoice that it was meant for */
  invoice_id: string;
  /** The payment by which it has come in */
  payment_id: string;
  /** The merchant */
  user_id: number;
  /** What has come in, or what of it was too much */
  amount: string;
  /** What of it is still to be assigned or given back */
  owed: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** How it is paid */
  method: string;
  /** Why, in words */
  reason: "LATE" | "UNDERPAID" | "OVERPAID" | "DUPLICATE" | (string & {});
  /** The gateway’s name of the money */
  receipt: string;
  /** The invoice that it was assigned to */
  assigned_invoice_id: string | null;
  /** How it was settled without a refund of ours */
  settled_note: string | null;
  /** How it stands */
  status: "OPEN" | "ASSIGNED" | "REFUNDING" | "REFUNDED" | "WRITTEN_OFF" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  open_at?: string;
  assigned_at?: string;
  refunding_at?: string;
  refunded_at?: string;
  written_off_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type User = {
  /** A person’s */
  user_id: number;
  /** An e-mail address */
  email: string;
  /** What the person is called */
  username: string;
  /** What they may do */
  role: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  user_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  /** The organisation */
  client_id: number;
  created: string;
  updated: string;
  /** Whether the person only waits to be let in */
  is_wishlist: boolean;
  tos_accepted_at: string | null;
  /** Which terms of service the user has accepted */
  tos_version: string | null;
  confirmed_at: string | null;
  /** When the person was verified, in UTC */
  ekyc_verified_at: string | null;
  ekyc_provider: string | null;
  ekyc_applicant_id: string | null;
  /** How the verification of the company stands */
  ekyb_status: string;
  ekyb_verified_at: string | null;
  ekyb_applicant_id: string | null;
  social_username: string | null;
  social_verified: boolean;
  twofa_enabled: boolean;
  /** The public key of the device, as a JWK of P-256; its private key never leaves the device */
  public_key: string | null;
  profile_picture: string | null;
  psp_id: string | null;
  /** What the organisation is called */
  client_alias: string;
  /** What kind of organisation it is, such as `BUSINESS` */
  client_type: string;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status: string;
  country_code: string;
  client_code: string;
  user: {
  /** A person’s */
  user_id: number;
  /** An e-mail address */
  email: string;
  /** What the person is called */
  username: string;
  /** What they may do */
  role: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  user_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
};
};

export type UserActivatedEvent = (Event) & ({
  type: "user.activated";
  data: User;
});

export type UserClosingCancelledEvent = (Event) & ({
  type: "user.closing_cancelled";
  data: User;
});

export type UserClosingEvent = (Event) & ({
  type: "user.closing";
  data: User;
});

export type UserCreatedEvent = (Event) & ({
  type: "user.created";
  data: User;
});

export type UserErasedEvent = (Event) & ({
  type: "user.erased";
  data: User;
});

export type UserLetInEvent = (Event) & ({
  type: "user.let_in";
  data: User;
});

export type UserStanding = {
  /** A person’s */
  user_id: number;
  user_status: string;
  is_stopped: boolean;
  /** Why, in words */
  reason: string | null;
  stopped_by: number | null;
  stopped_at: string | null;
};

export type UserStoppedEvent = (Event) & ({
  type: "user.stopped";
  data: User;
});

export type UserUpdatedEvent = (Event) & ({
  type: "user.updated";
  data: User;
});

export type VerificationApprovedEvent = (Event) & ({
  type: "verification.approved";
  data: VerificationEventData;
});

export type VerificationEventData = {
  /** A person’s */
  user_id: number;
  /** Of what kind it is */
  kind: "KYC" | "KYB" | (string & {});
  /** How it stands */
  status: "PENDING" | "APPROVED" | "REJECTED" | (string & {});
  /** Where it comes from */
  source: string;
};

export type VerificationPendingEvent = (Event) & ({
  type: "verification.pending";
  data: VerificationEventData;
});

export type VerificationRejectedEvent = (Event) & ({
  type: "verification.rejected";
  data: VerificationEventData;
});

export type VerificationStatus = {
  /** In words for people */
  message: string;
  data: {
  /** A person’s */
  user_id: number;
  /** How the verification of the person stands */
  ekyc_status: string;
  /** When the person was verified, in UTC */
  ekyc_verified_at: string | null;
  user_status: string;
};
};

export type VerificationStep = {
  /** Names this one */
  id: number;
  /** `KYC` of a person, `KYB` of a company */
  verification_type: string;
  /** How it stands */
  status: string;
  /** Where it comes from */
  source: string;
  at: string;
};

export type WalletAddressCreatedEvent = (Event) & ({
  type: "wallet_address.created";
  data: CryptoAddressEventData;
});

export type WalletCreatedEvent = (Event) & ({
  type: "wallet.created";
  data: FiatWallet;
});

export type WalletCreditedEvent = (Event) & ({
  type: "wallet.credited";
  data: WalletEntryEventData;
});

export type WalletDebitedEvent = (Event) & ({
  type: "wallet.debited";
  data: WalletEntryEventData;
});

export type WalletEntryEventData = {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** ISO 4217 */
  currency: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** What this line sets aside. Below zero it frees some */
  held: string;
  /** Of the wallet, once this has been booked */
  balance_after: string;
  held_after: string;
  seq: number;
  reference: string;
  /** Of what kind it is */
  type: string;
};

export type WalletFrozenEvent = (Event) & ({
  type: "wallet.frozen";
  data: FiatWallet;
});

export type WalletHold = {
  /** Money that a payer has set aside */
  hold_id: string;
  /** Of the reader: the payer’s is `sent` */
  side: "sent" | "received" | (string & {});
  /** The wallet that pays */
  from: TransferParty;
  /** Who gets it */
  to: TransferParty;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** What its payee has taken so far */
  captured: string;
  /** What can still be taken */
  remaining: string;
  /** ISO 4217 */
  currency: string;
  /** What the payer is charged on top for what was taken */
  fee: string;
  /** For the other side, in words */
  note: string | null;
  /** When what was not taken is the payer’s again */
  expires_at: string;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "OPEN" | "PARTIALLY_CAPTURED" | "CAPTURED" | "VOIDED" | "EXPIRED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  open_at?: string;
  partially_captured_at?: string;
  captured_at?: string;
  voided_at?: string;
  expired_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type WalletHoldCapturedEvent = (Event) & ({
  type: "wallet_hold.captured";
  data: WalletHold;
});

export type WalletHoldExpiredEvent = (Event) & ({
  type: "wallet_hold.expired";
  data: WalletHold;
});

export type WalletHoldPlacedEvent = (Event) & ({
  type: "wallet.hold_placed";
  data: WalletEntryEventData;
});

export type WalletHoldReleasedEvent = (Event) & ({
  type: "wallet.hold_released";
  data: WalletEntryEventData;
});

export type WalletHoldVoidedEvent = (Event) & ({
  type: "wallet_hold.voided";
  data: WalletHold;
});

export type WalletMovement = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** Of the burn, as its message has it */
  nonce: string | null;
  transaction_type: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Which token */
  token: string;
  /** On which the tokens are burnt */
  from_chain: string;
  /** On which they are minted */
  to_chain: string;
  /** Who gets it, on the other chain */
  recipient_address: string;
  /** How it stands */
  status: string;
  /** Of the transaction on its chain */
  tx_hash: string | null;
  mint_tx_hash: string | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  is_crosschain: boolean;
  is_cancellable: boolean;
};

export type WalletProofProvenEvent = (Event) & ({
  type: "wallet_proof.proven";
  data: ProvenWallet;
});

export type WalletProofRemovedEvent = (Event) & ({
  type: "wallet_proof.removed";
  data: ProvenWallet;
});

export type WalletProofSupersededEvent = (Event) & ({
  type: "wallet_proof.superseded";
  data: ProvenWallet;
});

export type WalletStatement = {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** ISO 4217 */
  currency: string;
  /** The name that the person was verified by, else the user’s name */
  holder: string;
  /** The client’s name */
  issuer: string;
  /** The first day */
  from: string;
  /** The last day, which it includes */
  to: string;
  /** To which the days belong */
  time_zone: string;
  /** The last moment that it covers: the end of the last day, or the present before that, or `at` */
  as_of: string;
  opening_balance: string;
  closing_balance: string;
  /** What has come */
  credits: StatementSum;
  /** What has left */
  debits: StatementSum;
  /** SHA-256 of what the ledger has of it; in all formats the same, and the header `x-statement-digest` */
  digest: string;
  /** Oldest first */
  entries: (WalletStatementEntry)[];
};

export type WalletStatementEntry = {
  /** As in the wallet’s transactions; what only sets money aside is no entry */
  seq: number;
  booked_at: string;
  /** Of what kind it is */
  type: string;
  /** As in the wallet’s transactions */
  reference: string;
  /** What its caller calls the payment */
  caller_reference: string | null;
  /** In the list of payments */
  payment_id: string | null;
  counterparty: StatementCounterparty;
  /** A text where the type says too little: of corrections */
  description: string | null;
  /** Below zero where it has left */
  amount: string;
  /** Of the wallet, once this has been booked */
  balance_after: string;
};

export type WalletThresholdCrossedEvent = (Event) & ({
  type: "wallet.threshold_crossed";
  data: ThresholdCrossing;
});

export type WalletTransfer = {
  /** Of the bank’s transfer */
  transfer_id: string;
  /** Of the reader */
  side: "sent" | "received" | (string & {});
  /** The wallet that pays */
  from: TransferParty;
  /** Null of a split, whose parts say it */
  to: TransferParty | null;
  /** What its sender pays beside the fee; of a receiver, their part */
  amount: string;
  /** ISO 4217 */
  currency: string;
  received: TransferReceived;
  /** What the sender is charged on top; nothing is charged to a receiver */
  fee: string;
  /** For the other side, in words */
  note: string | null;
  /** By which another currency arrives; for its sender */
  quote_id: string | null;
  /** Of a split, for its sender */
  parts: (WalletTransferPart)[];
  /** Until when a person without an account may claim it */
  claim_expires_at: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "PENDING_APPROVAL" | "PENDING" | "COMPLETED" | "CANCELLED" | "EXPIRED" | "FAILED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_approval_at?: string;
  pending_at?: string;
  completed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  expired_at?: string;
  failed_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type WalletTransferCancelledEvent = (Event) & ({
  type: "wallet_transfer.cancelled";
  data: WalletTransfer;
});

export type WalletTransferCompletedEvent = (Event) & ({
  type: "wallet_transfer.completed";
  data: WalletTransfer;
});

export type WalletTransferExpiredEvent = (Event) & ({
  type: "wallet_transfer.expired";
  data: WalletTransfer;
});

export type WalletTransferFailedEvent = (Event) & ({
  type: "wallet_transfer.failed";
  data: WalletTransfer;
});

export type WalletTransferPart = {
  /** Who gets it */
  to: TransferParty;
  /** Decimal text with all digits of its currency */
  amount: string;
  /** For the other side, in words */
  note: string | null;
};

export type WalletTransferPendingEvent = (Event) & ({
  type: "wallet_transfer.pending";
  data: WalletTransfer;
});

export type WalletUnfrozenEvent = (Event) & ({
  type: "wallet.unfrozen";
  data: FiatWallet;
});

export type WebhookAttempt = {
  /** Of one try to deliver an event */
  attempt_id: number;
  /** Of one event */
  event_id: string;
  /** What has happened, by its type */
  event_type: string;
  object: {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
};
  /** Which one of 10: at once, after 5 s, after 5 min, after 30 min, after 2 h, after 5 h, after 10 h, after 14 h, after 20 h, after 24 h, each up to a fifth sooner or later */
  attempt: number;
  at: string;
  /** Why it was sent */
  cause: "event" | "retry" | "probe" | "replay" | "resend" | "test" | (string & {});
  /** `exhausted`: the last try of all; send it again by hand */
  result: "delivered" | "failed" | "exhausted" | (string & {});
  /** Without its query, which may hold a secret */
  url: string;
  /** How it stands */
  status: number | null;
  ms: number;
  /** What went wrong */
  error: string | null;
  /** How the answer began, up to 2 KiB */
  response: string | null;
};

export type WebhookDelivery = {
  /** Of one event */
  event_id: string;
  /** What has happened, by its type */
  event_type: string;
  object: {
  /** Of what kind it is */
  type: string;
  /** Names this one */
  id: string;
};
  /** `waiting` for another try, or behind another event of its object */
  status: "delivered" | "waiting" | "exhausted" | (string & {});
  attempts: number;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  last_status: number | null;
  last_error: string | null;
};

export type WebhookEndpoint = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** The organisation */
  client_id: number;
  /** In events without its query, which may hold a secret */
  url: string;
  /** What it is, in words */
  description: string;
  /** Types of events, or `payment.*` for all of a kind */
  types: (string)[];
  payload: string;
  /** Which version of a type it gets; the first one of those that are not named */
  schema_versions: Record<string, number>;
  ordering: string;
  concurrency: number;
  /** How many webhooks a second it takes at the most; nothing for no limit */
  rate_limit: number | null;
  headers: (string)[];
  /** `failing`: only probes are sent until one is taken */
  status: "active" | "failing" | "paused" | "disabled" | (string & {});
  /** `gone`: it answered 410; `failing`: for five days; `not_public`: its address is not public any more */
  disabled_why: string | null;
  /** Tries in a row that have failed */
  failures: number;
  failing_since: string | null;
  next_probe_at: string | null;
  last_success_at: string | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type WebhookEndpointCreatedEvent = (Event) & ({
  type: "webhook_endpoint.created";
  data: WebhookEndpoint;
});

export type WebhookEndpointDeletedEvent = (Event) & ({
  type: "webhook_endpoint.deleted";
  data: WebhookEndpoint;
});

export type WebhookEndpointDisabledEvent = (Event) & ({
  type: "webhook_endpoint.disabled";
  data: WebhookEndpoint;
});

export type WebhookEndpointEventsExpiredEvent = (Event) & ({
  type: "webhook_endpoint.events_expired";
  data: WebhookEndpoint;
});

export type WebhookEndpointFailingEvent = (Event) & ({
  type: "webhook_endpoint.failing";
  data: WebhookEndpoint;
});

export type WebhookEndpointRecoveredEvent = (Event) & ({
  type: "webhook_endpoint.recovered";
  data: WebhookEndpoint;
});

export type WebhookEndpointUpdatedEvent = (Event) & ({
  type: "webhook_endpoint.updated";
  data: WebhookEndpoint;
});

export type Withdrawal = {
  /** Of a withdrawal; its payment is found by it, too */
  withdrawal_id: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** The owner of the wallet, or an admin who has prepared it */
  requested_by: number;
  /** Who is paid */
  recipient: WithdrawalRecipient;
  /** What leaves the wallet; the fee comes on top */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** What arrives: by a quote in its currency */
  received: WithdrawalReceived;
  /** By which another currency is paid */
  quote_id: string | null;
  /** Decimal text with all digits of its currency */
  fee: string;
  /** For the other side, in words */
  note: string | null;
  /** When it was asked to be paid */
  execute_at: string | null;
  /** From when on the bank is paid, or was */
  executes_at: string;
  /** What came back after it had arrived */
  returned: ReturnedPayout | null;
  /** The bank’s own number of the transfer */
  provider_reference: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "PENDING_APPROVAL" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED" | "RETURNED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_approval_at?: string;
  pending_at?: string;
  processing_at?: string;
  completed_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  returned_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type WithdrawalEventData = {
  /** Which books are compared, such as `card-network` */
  rail: "withdrawal";
  /** Of a withdrawal; its payment is found by it, too */
  withdrawal_id: string;
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** A person’s */
  user_id: number;
  /** The owner of the wallet, or an admin who has prepared it */
  requested_by: number;
  /** Who is paid */
  recipient: WithdrawalRecipient;
  /** What leaves the wallet; the fee comes on top */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
  /** What arrives: by a quote in its currency */
  received: WithdrawalReceived;
  /** By which another currency is paid */
  quote_id: string | null;
  /** Decimal text with all digits of its currency */
  fee: string;
  /** For the other side, in words */
  note: string | null;
  /** When it was asked to be paid */
  execute_at: string | null;
  /** From when on the bank is paid, or was */
  executes_at: string;
  /** What came back after it had arrived */
  returned: ReturnedPayout | null;
  /** The bank’s own number of the transfer */
  provider_reference: string | null;
  reference: CallerReference | null;
  /** The caller’s own texts by their own names */
  metadata: Record<string, string>;
  /** How it stands */
  status: "PENDING_APPROVAL" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED" | "RETURNED" | (string & {});
  /** What it waits for: in_doubt, stalled, waiting_for_provider, waiting_for_approval, waiting_for_funds, waiting_for_person, scheduled, held_by_policy. The list is open */
  substatus: string | null;
  /** When it was in each status for the first time */
  status_times: {
  pending_approval_at?: string;
  pending_at?: string;
  processing_at?: string;
  completed_at?: string;
  failed_at?: string;
  /** When the account was kept */
  cancelled_at?: string;
  returned_at?: string;
};
  /** Why it failed */
  failure: ObjectFailure | null;
  /** Since when the outcome of a call is unknown; null without doubt */
  in_doubt_since: string | null;
  /** When that call is looked up next */
  next_attempt_at: string | null;
  /** Counts changes */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type WithdrawalReceived = {
  /** Decimal text with all digits of its currency */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | (string & {});
};

export type WithdrawalRecipient = {
  /** The same for the same recipient */
  recipient_id: string;
  /** Whose account it is */
  name: string;
  /** The bank and the last digits of the account, or the wallet */
  detail: string;
};

export type WorkGivenUpEvent = (Event) & ({
  type: "work.given_up";
  data: {
  /** `effect.card`, `flow.idr-onramp`, `crosschain.look-for-burn` */
  what: string;
  /** Names this one */
  id: string;
};
});

export type WorkStalledEvent = (Event) & ({
  type: "work.stalled";
  data: {
  /** `effect.card`, `flow.idr-onramp`, `crosschain.look-for-burn` */
  what: string;
  /** Names this one */
  id: string;
};
});

export type XrplPayout = {
  /** In which it is paid out, ISO 4217 */
  target_fiat: string | null;
  /** In units of its currency, not in cents */
  fiat_amount: number | null;
  /** Where the money goes: into a wallet here, or to a bank account */
  payout_type: string | null;
  /** The bank account that it goes to */
  destination_bank: unknown;
  /** In which the receiver gets it, ISO 4217 */
  receiver_currency: string | null;
  receiver_amount: number | null;
  /** What is taken off for the bank transfer, null where none is made */
  transfer_fee: number | null;
};

export type XrplRate = {
  /** From which currency over which to which */
  route: string;
  usdcIntermediate: string;
  /** What came of it */
  result: string;
  rate: string;
  /** Where it comes from */
  source: string;
  at: string;
};

export type XrplTransaction = {
  /** Names this one */
  id: number;
  /** A person’s */
  user_id: number;
  tx_type: string;
  /** Of the transaction on its chain */
  tx_hash: string | null;
  source_address: string | null;
  /** Who gets the USDC, on the XRP Ledger; instead of `target_fiat` */
  destination_address: string | null;
  destination_tag: number | null;
  /** ISO 4217 */
  currency_code: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** How it stands */
  status: string;
  raw_response: string | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
};

export type XrplTransactionFailedEvent = (Event) & ({
  type: "xrpl_transaction.failed";
  data: XrplTransaction;
});

export type XrplTransactionPendingEvent = (Event) & ({
  type: "xrpl_transaction.pending";
  data: XrplTransaction;
});

export type XrplTransactionSucceededEvent = (Event) & ({
  type: "xrpl_transaction.succeeded";
  data: XrplTransaction;
});

export type KeysGenerateParams = {
  /** What the key is for, in your words */
  provider_name?: string | undefined;
};

export type KeysGenerateAnswer = {
  success: true;
  /** The key itself */
  api_key: string;
  /** What the key is for, in your words */
  provider_name: string;
  /** When it was made, in UTC */
  created_at: string;
};

export type KeysCreateParams = {
  /** What the key is for, in your words */
  provider_name?: string | undefined;
  /** When the key ends; of a day, when that day is over */
  expires_at?: string | undefined;
  /** Seconds after which it ends; instead of `expires_at` */
  expires_in?: number | undefined;
  /** Addresses and networks (IPv4 or IPv6, as CIDR) from where the key may be used; null for everywhere */
  allowed_ips?: (string)[] | null | undefined;
  /** Requests of the key in a minute, below the limit that all keys have; null for that limit alone */
  rate_per_minute?: number | null | undefined;
  /** What the key may be used for. Without any, for everything */
  scopes?: (string)[] | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type KeysCreateAnswer = {
  success: true;
  /** The key itself */
  api_key: string;
  /** What the key is for, in your words */
  provider_name: string;
  /** When it was made, in UTC */
  created_at: string;
  /** A person’s */
  user_id: number;
  /** What the key may be used for. Without any, for everything */
  scopes: (string)[];
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string | null;
  allowed_ips: (string)[] | null;
  rate_per_minute: number | null;
};

export type KeysListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type KeysListAnswer = {
  success: true;
  data: (ApiKey)[];
};

export type KeysDeleteParams = {
  /** The key itself */
  api_key: string;
};

export type KeysDeleteAnswer = {
  success: true;
  /** In words for people */
  message: string;
  deleted_key: string;
};

export type KeysLimitParams = {
  /** The key itself */
  api_key: string;
  /** Addresses and networks (IPv4 or IPv6, as CIDR) from where the key may be used; null for everywhere */
  allowed_ips?: (string)[] | null | undefined;
  /** Requests of the key in a minute, below the limit that all keys have; null for that limit alone */
  rate_per_minute?: number | null | undefined;
};

export type KeysLimitAnswer = {
  success: true;
  data: ApiKey;
};

export type KeysRotateParams = {
  /** The key itself */
  api_key: string;
  /** When the key ends; of a day, when that day is over */
  expires_at?: string | undefined;
  /** Seconds after which it ends; instead of `expires_at` */
  expires_in?: number | undefined;
  /** Addresses and networks (IPv4 or IPv6, as CIDR) from where the key may be used; null for everywhere */
  allowed_ips?: (string)[] | null | undefined;
  /** Requests of the key in a minute, below the limit that all keys have; null for that limit alone */
  rate_per_minute?: number | null | undefined;
  /** How long the old key goes on beside the new one. A day unless said */
  overlap_seconds?: number | undefined;
};

export type KeysRotateAnswer = {
  success: true;
  /** The key itself */
  api_key: string;
  /** What the key is for, in your words */
  provider_name: string;
  /** When it was made, in UTC */
  created_at: string;
  /** A person’s */
  user_id: number;
  /** What the key may be used for. Without any, for everything */
  scopes: (string)[];
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string | null;
  allowed_ips: (string)[] | null;
  rate_per_minute: number | null;
  replaced_key: string;
  replaced_until: string;
};

export type ClientsCreateParams = {
  /** An e-mail address */
  email: string;
  /** What the organisation is called */
  client_alias: string;
  /** What kind of organisation it is, such as `BUSINESS` */
  client_type: string;
  /** Whether the organisation was approved: `ACTIVE`. `PENDING` as long as it was not */
  client_status?: string | undefined;
  /** ISO 3166-1 alpha-2 */
  country_code: string;
  /** With its country code, or as people dial it in the country of the client */
  phone: string;
  /** In which its days begin and end; default: one of its country */
  time_zone?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type ClientsCreateAnswer = {
  /** In words for people */
  message: string;
  client: Client;
  admin_user: {
  /** A person’s */
  user_id: number;
  /** The organisation */
  client_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  /** What they may do */
  role: string;
  user_status: string;
  /** How the verification of the person stands */
  ekyc_status: string;
};
  /** How the verification of the person stands */
  ekyc_status: string;
  psp_a_integration?: {
  psp_provider: string;
  business_customer: PspCustomerState;
  admin_customer: PspCustomerState;
};
};

export type ClientsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type ClientsListAnswer = (ListedClient)[];

export type ClientsStopParams = {
  /** 1 to 2147483647 */
  client_id: number;
  /** Why; for the audit log, which the admins of the client can read */
  reason: string;
};

export type ClientsStopAnswer = StoppedClient;

export type ClientsLetInParams = {
  /** 1 to 2147483647 */
  client_id: number;
  /** Why; for the audit log, which the admins of the client can read */
  reason: string;
};

export type ClientsLetInAnswer = ClientStanding;

export type AuthLogInParams = {
  /** Of the person who logs in */
  usernameoremail: string;
  /** Of the person’s log-in */
  password: string;
};

export type AuthLogInAnswer = LoggedIn | CodeNeeded;

export type AuthCompleteLogInParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** A code of the authenticator app or a backup code */
  two_fa_token: string;
};

export type AuthCompleteLogInAnswer = LoggedIn;

export type UsersGetParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type UsersGetAnswer = {
  success: true;
  data: User;
};

export type UsersListParams = {
  /** 1 to 2147483647 */
  client_id?: number | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type UsersListAnswer = (ListedUser)[];

export type UsersListCountriesParams = Record<string, never>;

export type UsersListCountriesAnswer = {
  countries: (Country)[];
};

export type UsersLogOutParams = Record<string, never>;

export type UsersLogOutAnswer = {
  /** In words for people */
  message: string;
  /** A person’s */
  user_id: number;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type UsersReportVerificationParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** How the verification of the person stands */
  ekyc_status: "PENDING" | "APPROVED" | "REJECTED";
  /** When the person was verified, in UTC */
  ekyc_verified_at: string;
  /** ISO 3166-1 alpha-2 */
  country_code: string;
};

export type UsersReportVerificationAnswer = {
  /** In words for people */
  message: string;
};

export type UsersUpdateProfileParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What the person is called */
  username?: string | undefined;
  /** An e-mail address */
  email?: string | undefined;
  /** With its country code, or as people dial it in the country of the client */
  phone?: string | undefined;
  /** Proves that it is the person who asks */
  current_password: string;
  /** The six digits that were sent to the person */
  otp_code?: string | undefined;
};

export type UsersUpdateProfileAnswer = {
  /** In words for people */
  message: string;
  data: {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** With the country code in front, such as +12025550100 */
  phone: string | null;
  updated: string;
};
  pending_change?: PendingChangeProposed;
};

export type UsersRequestCodeParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type UsersRequestCodeAnswer = {
  /** In words for people */
  message: string;
  otp?: string;
};

export type UsersGetTermsLinkParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type UsersGetTermsLinkAnswer = {
  /** In words for people */
  message: string;
  link: string;
};

export type UsersAcceptTermsParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** Of the link in the mail */
  token: string;
  /** The version that the user has seen; without it the one in force */
  tos_version?: string | undefined;
};

export type UsersAcceptTermsAnswer = {
  /** In words for people */
  message: string;
  /** A person’s */
  user_id: number;
  tos_accepted_at: string;
};

export type UsersConfirmParams = {
  /** Of the link in the mail */
  token: string;
};

export type UsersConfirmAddressParams = {
  /** Of the link in the mail */
  token: string;
};

export type UsersConfirmAddressAnswer = {
  /** In words for people */
  message: string;
};

export type UsersResendConfirmationParams = {
  /** An e-mail address */
  email: string;
};

export type UsersResendConfirmationAnswer = {
  /** In words for people */
  message: string;
};

export type UsersConfirmChangeParams = {
  /** Of the link in the mail */
  token: string;
  /** What the person says to the change */
  decision: "confirm" | "refuse";
};

export type UsersConfirmChangeAnswer = {
  /** In words for people */
  message: string;
};

export type UsersListChangesParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type UsersListChangesAnswer = {
  pending_changes: (PendingChangeProposed)[];
};

export type UsersCancelChangeParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** 1 to 2147483647 */
  change_id: number;
};

export type UsersCancelChangeAnswer = {
  /** In words for people */
  message: string;
};

export type AdminsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type AdminsListAnswer = {
  admins: (ListedAdmin)[];
};

export type AdminsCreateUserParams = {
  /** 1 to 2147483647 */
  client_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** With its country code, or as people dial it in the country of the client */
  phone: string;
  /** ISO 3166-1 alpha-2 */
  country_code: string;
  /** What they may do */
  role?: "admin" | "user" | undefined;
  /** Whether the person only waits to be let in */
  is_wishlist?: boolean | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type AdminsCreateUserAnswer = CreatedUser;

export type AdminsApproveKycParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type AdminsApproveKycAnswer = {
  /** In words for people */
  message: string;
  user: {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** How the verification of the person stands */
  ekyc_status: string;
  user_status: string;
};
  psp_a_info?: {
  country_code: string;
  psp_provider: string;
  kyc_approved_in_platform: boolean;
};
};

export type AdminsGetUserParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type AdminsGetUserAnswer = AdministeredUser;

export type AdminsAuditParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** A word in capitals, such as `CARD_TOPUP` */
  action?: string | undefined;
};

export type AdminsAuditAnswer = {
  entries: (AuditEntry)[];
  /** Whether there is another page */
  has_more: boolean;
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
};

export type AdminsRemoveSecondFactorParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** Why, and how the person was recognised; for the audit log */
  reason: string;
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type AdminsRemoveSecondFactorAnswer = AccessChange;

export type AdminsMoveAddressParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** An e-mail address */
  email: string;
  /** Why, and how the person was recognised; for the audit log */
  reason: string;
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type AdminsMoveAddressAnswer = AccessChange;

export type AdminsStopUserParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** Why; for the audit log, which the admins of the client can read */
  reason: string;
  /** Whether the API keys that they have made end for good; otherwise they are listed */
  end_keys?: boolean | undefined;
};

export type AdminsStopUserAnswer = StoppedUser;

export type AdminsLetUserInParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** Why; for the audit log, which the admins of the client can read */
  reason: string;
};

export type AdminsLetUserInAnswer = UserStanding;

export type InstancesListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type InstancesListAnswer = {
  instances: (OwnedInstance)[];
};

export type InstancesCreateParams = {
  /** What the shop, app or branch is called */
  instance_name: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type InstancesCreateAnswer = CreatedInstance;

export type InstancesRenameParams = {
  /** 1 to 2147483647 */
  instance_id: number;
  /** What it is called from now on */
  alias: string;
};

export type InstancesRenameAnswer = {
  /** In words for people */
  message: string;
};

export type InstancesDeleteParams = {
  /** 1 to 2147483647 */
  instance_id: number;
};

export type InstancesDeleteAnswer = {
  /** In words for people */
  message: string;
};

export type SessionsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: string | undefined;
};

export type SessionsListAnswer = {
  success: true;
  data: (Session)[];
};

export type SessionsEndOthersParams = Record<string, never>;

export type SessionsEndOthersAnswer = {
  success: true;
  /** In words for people */
  message: string;
  ended: number;
};

export type SessionsEndParams = {
  /** Of an open log-in, as the list of sessions has it */
  session_id: string;
};

export type SessionsEndAnswer = {
  success: true;
  /** In words for people */
  message: string;
  /** Of an open log-in, as the list of sessions has it */
  session_id: string;
};

export type SessionsProveParams = {
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type SessionsProveAnswer = {
  success: true;
  data: {
  /** Until then no other proof is needed */
  proved_until: string;
};
};

export type PasswordRequestResetParams = {
  /** An e-mail address */
  email: string;
};

export type PasswordRequestResetAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type PasswordRequestWithoutKeyParams = {
  /** An e-mail address */
  email: string;
};

export type PasswordRequestWithoutKeyAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type PasswordResetParams = {
  /** Of the link in the mail */
  token: string;
  /** 8 characters or more */
  new_password: string;
  /** Removes what was added since the last reset: log-ins, second factor, API keys */
  undo?: boolean | undefined;
};

export type PasswordResetAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type TwoFactorSetUpParams = {
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type TwoFactorSetUpAnswer = {
  success: true;
  data: {
  secret: string;
  qr_code: string;
  backup_codes: (string)[];
  manual_entry_key: string;
  issuer: string;
  /** Whose account it is */
  account_name: string;
};
};

export type TwoFactorEnableParams = {
  /** Six digits of the authenticator app */
  token: string;
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type TwoFactorEnableAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type TwoFactorDisableParams = {
  /** A code of the authenticator app or a backup code */
  token: string;
  /** Of the person’s log-in */
  password: string;
};

export type TwoFactorDisableAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type TwoFactorListBackupCodesParams = {
  /** Of the person’s log-in */
  password: string;
};

export type TwoFactorListBackupCodesAnswer = {
  success: true;
  /** In words for people */
  message?: string;
  data: {
  backup_codes: (string)[];
};
};

export type TwoFactorGetStatusParams = Record<string, never>;

export type TwoFactorGetStatusAnswer = {
  success: true;
  data: {
  is_enabled: boolean;
  is_setup: boolean;
  setup_completed_at: string | null;
  last_used_at: string | null;
  backup_codes_count: number;
};
};

export type TwoFactorAuditParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type TwoFactorAuditAnswer = {
  success: true;
  data: ({
  /** Names this one */
  id: number;
  /** A word in capitals, such as `CARD_TOPUP` */
  action: string;
  client_ip: string | null;
  user_agent: string | null;
  success: boolean;
  failure_reason: string | null;
  /** When it was made, in UTC */
  created_at: string;
})[];
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
};

export type TwoFactorVerifyLogInParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** A code of the authenticator app or a backup code */
  token: string;
};

export type TwoFactorVerifyLogInAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type MobileRequestCodeParams = {
  /** With its country code, or as people dial it in the country of the client */
  phone: string;
  /** Default `auto`: WhatsApp, and SMS where that is refused */
  channel?: "wa" | "sms" | "auto" | undefined;
};

export type MobileRequestCodeAnswer = {
  success: true;
  data: {
  /** The code, by the answer to its request */
  otp_id: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
  /** From then on another one may be requested */
  resend_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type MobileLogInParams = {
  /** The code, by the answer to its request */
  otp_id: string;
  /** The six digits that were sent to the person */
  otp_code: string;
  /** The device, as its app describes it */
  device: DeviceInput;
};

export type MobileLogInAnswer = {
  success: true;
  data: DeviceLoggedIn | {
  two_factor_required: true;
  /** The log-in that waits for the second factor */
  login_id: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type MobileCompleteLogInParams = {
  /** The log-in that waits for the second factor */
  login_id: string;
  /** A code of the authenticator app or a backup code */
  two_fa_token: string;
};

export type MobileCompleteLogInAnswer = {
  success: true;
  data: DeviceLoggedIn;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type MobileRefreshParams = {
  /** The last refresh token of the device */
  refresh_token: string;
};

export type MobileRefreshAnswer = {
  success: true;
  data: {
  /** For `Authorization: Bearer` */
  token: string;
  /** Of the token */
  expires_at: string;
  /** The last refresh token of the device */
  refresh_token: string;
  /** Unless it is used before */
  refresh_expires_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type MobileLogOutParams = Record<string, never>;

export type MobileLogOutAnswer = {
  success: true;
  data: {
  /** In words for people */
  message: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type MobileListDevicesParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type MobileListDevicesAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Device)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type MobileUpdateDeviceParams = {
  /** The device, as we call it */
  device_id: string;
  /** What it is called */
  name?: string | undefined;
  /** Where the device gets its notifications */
  push_token?: string | undefined;
};

export type MobileUpdateDeviceAnswer = {
  success: true;
  data: Device;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type MobileDeleteDeviceParams = {
  /** The device, as we call it */
  device_id: string;
};

export type MobileDeleteDeviceAnswer = {
  success: true;
  data: Device;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PasskeysGetRegistrationOptionsParams = {
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type PasskeysGetRegistrationOptionsAnswer = {
  success: true;
  data: {
  /** Of the challenge, as its making has answered it */
  challenge_id: string;
  /** What the authenticator is asked (WebAuthn, as JSON) */
  options: unknown;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PasskeysCreateParams = {
  /** Of the challenge, as its making has answered it */
  challenge_id: string;
  /** What `navigator.credentials` of the browser has answered */
  response: PasskeyResponse;
  /** What it is called */
  name: string;
};

export type PasskeysCreateAnswer = {
  success: true;
  data: Passkey;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PasskeysListParams = Record<string, never>;

export type PasskeysListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Passkey)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PasskeysUpdateParams = {
  /** The passkey, as we call it */
  passkey_id: string;
  /** What it is called */
  name: string;
};

export type PasskeysUpdateAnswer = {
  success: true;
  data: Passkey;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PasskeysDeleteParams = {
  /** The passkey, as we call it */
  passkey_id: string;
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type PasskeysDeleteAnswer = {
  success: true;
  data: Passkey;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PasskeysBeginLogInParams = Record<string, never>;

export type PasskeysBeginLogInAnswer = {
  success: true;
  data: {
  /** Of the challenge, as its making has answered it */
  challenge_id: string;
  /** What the authenticator is asked (WebAuthn, as JSON) */
  options: unknown;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PasskeysLogInParams = {
  /** Of the challenge, as its making has answered it */
  challenge_id: string;
  /** What `navigator.credentials` of the browser has answered */
  response: PasskeyResponse;
  /** The device, as its app describes it */
  device: DeviceInput;
};

export type PasskeysLogInAnswer = {
  success: true;
  data: DeviceLoggedIn;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileGetParams = Record<string, never>;

export type ProfileGetAnswer = {
  success: true;
  data: Profile;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileUpdateParams = {
  /** As on the identity document */
  first_name?: string | undefined;
  /** As on the identity document */
  last_name?: string | undefined;
  /** The language of messages: English or Indonesian */
  locale?: "en" | "id" | null | undefined;
  /** In which days are meant, such as `Asia/Jakarta` */
  time_zone?: string | null | undefined;
  /** By which ways news may come; what guards the account comes always */
  preferences?: {
  /** An e-mail address */
  email?: boolean | undefined;
  /** By SMS */
  sms?: boolean | undefined;
  /** By a message to the phone */
  push?: boolean | undefined;
} | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type ProfileUpdateAnswer = {
  success: true;
  data: Profile;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileChangePasswordParams = {
  /** Proves that it is the person who asks */
  current_password: string;
  /** 8 characters or more */
  new_password: string;
};

export type ProfileChangePasswordAnswer = {
  success: true;
  data: {
  /** In words for people */
  message: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileChangeEmailParams = {
  /** The new e-mail address */
  new_email: string;
  /** Proves that it is the person who asks */
  current_password: string;
  /** A code of the authenticator app or a backup code */
  two_fa_token?: string | undefined;
};

export type ProfileChangeEmailAnswer = {
  success: true;
  data: {
  pending_change: {
  /** The new e-mail address */
  new_email: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileConfirmEmailParams = {
  /** For `Authorization: Bearer` */
  token: string;
};

export type ProfileConfirmEmailAnswer = {
  success: true;
  data: {
  /** In words for people */
  message: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileUndoEmailParams = {
  /** For `Authorization: Bearer` */
  token: string;
};

export type ProfileUndoEmailAnswer = {
  success: true;
  data: {
  /** In words for people */
  message: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileChangePhoneParams = {
  /** With its country code, or as people dial it in the country of the client */
  new_phone: string;
  /** Default: WhatsApp */
  channel?: "wa" | "sms" | undefined;
  /** Proves that it is the person who asks */
  current_password: string;
};

export type ProfileChangePhoneAnswer = {
  success: true;
  data: {
  /** The code, by the answer to its request */
  otp_id: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileConfirmPhoneParams = {
  /** The code, by the answer to its request */
  otp_id: string;
  /** The six digits that were sent to the person */
  otp_code: string;
};

export type ProfileConfirmPhoneAnswer = {
  success: true;
  data: {
  /** With the country code in front, such as +12025550100 */
  phone: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileListActivityParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type ProfileListActivityAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: ({
  at: string;
  /** A word in capitals, such as `CARD_TOPUP` */
  action: string;
  /** The /24 or /56 that it came from */
  network: string | null;
  user_agent: string | null;
})[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileExportParams = Record<string, never>;

export type ProfileExportAnswer = {
  success: true;
  data: AskedExport;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileGetExportParams = {
  /** Names this one */
  id: string;
};

export type ProfileGetExportAnswer = {
  success: true;
  data: PersonExport;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileDownloadExportParams = {
  /** Names this one */
  id: string;
  /** For `Authorization: Bearer` */
  token: string;
};

export type ProfileCloseParams = {
  /** Proves that it is the person who asks */
  current_password: string;
  /** A code of the authenticator app or a backup code */
  two_fa_token?: string | undefined;
};

export type ProfileCloseAnswer = {
  success: true;
  data: {
  /** How it stands */
  status: "CLOSING";
  /** When the account is erased, unless it is kept */
  erases_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ProfileCancelClosingParams = Record<string, never>;

export type ProfileCancelClosingAnswer = {
  success: true;
  data: {
  /** How it stands */
  status: "CANCELLED";
  /** When the account was kept */
  cancelled_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExternalLoginLogInParams = {
  /** The external provider's token; may come in `Authorization` instead */
  ext_token?: string | undefined;
};

export type ExternalLoginLogInAnswer = {
  success: true;
  /** In words for people */
  message: string;
  requires_2fa: boolean;
  data: {
  user: ExternalUser;
  auth: ExternalAuth;
  session?: {
  /** A person’s */
  user_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** What they may do */
  role: string;
  auth_method: string;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  verified_at: string;
};
  /** For `Authorization: Bearer` */
  token?: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExternalLoginLinkParams = {
  /** The external provider's token */
  ext_token: string;
  /** Another user, whom only admins may name */
  user_id?: number | undefined;
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type ExternalLoginLinkAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  user: ExternalUser;
  ext_mapping: {
  /** Names this one */
  id: number;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  auth_provider: string;
  /** On its chain */
  wallet_address: string | null;
  is_primary: boolean;
  /** When it was made, in UTC */
  created_at: string;
};
};
  message_detail: string;
  /** When this was answered, in UTC */
  timestamp: string;
} | {
  success: true;
  /** In words for people */
  message: string;
  data: {
  user: ExternalUser;
  pending_change: PendingChangeProposed;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExternalLoginLinkWalletParams = {
  /** The external provider's token */
  ext_token: string;
  /** One of the wallets that the token proves; without it the first */
  wallet_address?: string | undefined;
  /** Another user, whom only admins may name */
  user_id?: number | undefined;
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type ExternalLoginLinkWalletAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** A person’s */
  user_id: number;
  /** On its chain */
  wallet_address: string;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  auth_provider: "wallet";
  linked_at: string;
};
  instructions: (string)[];
  /** When this was answered, in UTC */
  timestamp: string;
} | {
  success: true;
  /** In words for people */
  message: string;
  data: {
  user: ExternalUser;
  pending_change: PendingChangeProposed;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExternalLoginDisconnectParams = {
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  /** The word by which somebody says that they mean it */
  confirmation: "disconnect";
  /** Another user, whom only admins may name */
  user_id?: number | undefined;
};

export type ExternalLoginDisconnectAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** A person’s */
  user_id: number;
  disconnected_provider: string;
  /** By which the external log-in provider knows the person */
  ext_user_id: string;
  disconnected_at: string;
};
  security_notice: string;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExternalLoginGetProfileParams = {
  /** Another user, whom only admins may name */
  user_id?: number | undefined;
};

export type ExternalLoginGetProfileAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ExternalProfile;
  security_info: {
  has_multiple_methods: boolean;
  can_remove_accounts: boolean;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExternalLoginGetUserProfileParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type ExternalLoginGetUserProfileAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ExternalProfile;
  security_info: {
  has_multiple_methods: boolean;
  can_remove_accounts: boolean;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExternalLoginStatsParams = Record<string, never>;

export type ExternalLoginStatsAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  overview: {
  total_ext_accounts: number;
  unique_users: number;
  primary_auth_methods: number;
  accounts_per_user_avg: number;
};
  auth_methods: Record<string, number>;
  activity: {
  active_last_24h: number;
  active_last_7d: number;
  new_accounts_30d: number;
};
  recent_signups: ({
  date: string;
  new_accounts: number;
})[];
};
  generated_at: string;
};

export type ExternalLoginHealthParams = Record<string, never>;

export type ExternalLoginHealthAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  service: string;
  /** How it stands */
  status: "operational" | "degraded" | (string & {});
  /** The version that was read; another one is refused with 409 */
  version: string;
  environment: string;
  configuration: {
  app_id: "configured" | "missing" | (string & {});
  app_secret: "configured" | "missing" | (string & {});
  verification_key: "configured" | "missing" | (string & {});
  database_connection: "active";
};
  endpoints: (string)[];
  issues?: (string)[];
  /** When this was answered, in UTC */
  timestamp: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TeamListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type TeamListAnswer = {
  success: true;
  data: {
  members: (TeamMember)[];
  invitations: (TeamInvitation)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TeamInviteParams = {
  /** An e-mail address */
  email: string;
  /** What an admin may do at their client */
  team_role: "owner" | "developer" | "finance" | "support" | "viewer";
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type TeamInviteAnswer = {
  success: true;
  data: TeamInvitation;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TeamRevokeInvitationParams = {
  /** Of an invitation, as the list of the team has it */
  invitation_id: string;
};

export type TeamRevokeInvitationAnswer = {
  success: true;
  data: TeamInvitation;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TeamAcceptParams = {
  /** For `Authorization: Bearer` */
  token: string;
  /** What the person is called */
  username: string;
  /** Of the person’s log-in */
  password: string;
  /** Of `message` */
  language?: "en" | "id" | undefined;
};

export type TeamAcceptAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: TeamMember;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TeamSetRoleParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What an admin may do at their client */
  team_role: "owner" | "developer" | "finance" | "support" | "viewer";
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type TeamSetRoleAnswer = {
  success: true;
  data: TeamMember;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TeamRemoveParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** Whether the keys that they have made go on working */
  keys: "keep" | "stop";
  /** Whether the webhook endpoints that they have made go on */
  endpoints: "keep" | "stop";
};

export type TeamRemoveAnswer = {
  success: true;
  data: RemovedTeamMember;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type VerificationGetStatusParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** 1 to 2147483647 */
  client_id: number;
};

export type VerificationGetStatusAnswer = VerificationStatus;

export type VerificationListHistoryParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type VerificationListHistoryAnswer = {
  /** A person’s */
  user_id: number;
  history: (VerificationStep)[];
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
};

export type VerificationCreateTokenParams = Record<string, never>;

export type VerificationCreateTokenAnswer = {
  /** For the page of the identity provider */
  token: string;
};

export type VerificationCreateCompanyTokenParams = Record<string, never>;

export type VerificationCreateCompanyTokenAnswer = {
  /** For the page of the identity provider */
  token: string;
};

export type VerificationCreateLinkParams = {
  /** 1 to 2147483647 */
  userId: number;
};

export type VerificationCreateLinkAnswer = {
  sdkLink: string;
};

export type VerificationCreateCompanyLinkParams = {
  /** 1 to 2147483647 */
  userId: number;
};

export type VerificationCreateCompanyLinkAnswer = {
  sdkLink: string;
};

export type VerificationChangeLevelParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** Which checks the identity provider makes, by its name for them */
  levelName: string;
};

export type VerificationChangeLevelAnswer = {
  success: true;
  data: {
  /** By which the identity provider knows the person */
  applicantId: string;
  /** Which checks the identity provider makes, by its name for them */
  levelName: string;
  createdAt: string;
};
};

export type VerificationSyncStatusParams = {
  /** By which the identity provider knows the person */
  applicantId: string;
  /** 1 to 2147483647 */
  user_id: number;
  /** How far the identity provider’s review is, in its word */
  reviewStatus: string;
  /** What the review has found: `GREEN` or `RED` */
  reviewAnswer: string;
  /** `KYC` of a person, `KYB` of a company */
  verification_type?: "KYC" | "KYB" | undefined;
};

export type VerificationSyncStatusAnswer = {
  /** In words for people */
  message: string;
  current_status?: string;
  /** What the review has found: `GREEN` or `RED` */
  reviewAnswer?: string | null;
};

export type PartnerCustomersCreateParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type PartnerCustomersCreateAnswer = {
  /** Names this one */
  id: string;
  /** How it stands */
  status: string;
  /** Of what kind it is */
  type: string;
  kyc_status: string;
  capabilities: (PartnerCapability)[];
  external_accounts: (PartnerAccount)[];
  /** When it was made, in UTC */
  created_at: string;
  signed_agreement_id: string | null;
};

export type PartnerCustomersGetStatusParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type PartnerCustomersGetStatusAnswer = {
  /** Names this one */
  id: string;
  /** How it stands */
  status: string;
  /** Of what kind it is */
  type: string;
  kyc_status: string;
  capabilities: (PartnerCapability)[];
  external_accounts: (PartnerAccount)[];
  /** When it was made, in UTC */
  created_at: string;
  /** How the name of the account fits: MATCH, CLOSE_MATCH, NO_MATCH */
  verification: {
  identity_status: string;
  documents_status: string;
  risk_assessment: string;
};
  /** When it last changed, in UTC */
  updated_at: string;
};

export type PartnerCustomersSyncStatusParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type PartnerCustomersSyncStatusAnswer = {
  /** A person’s */
  user_id: number;
  pspb_customer_id: string;
  sync_status: string;
  previous_status: string;
  current_status: string;
  capabilities_updated: boolean;
  changes_detected: ({
  field: string;
  /** The status before */
  from: unknown;
  /** The status since */
  to: unknown;
})[];
  sync_timestamp: string;
};

export type PartnerCustomersGetLinksParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type PartnerCustomersGetLinksAnswer = {
  tos_link: string;
  kyc_link: string;
};

export type PartnerCustomersGetModeParams = Record<string, never>;

export type PartnerCustomersGetModeAnswer = {
  /** Which side serves it */
  mode: string;
};

export type PaymentsListParams = {
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller’s own reference, or ours */
  reference?: string | undefined;
  /** Which books are compared, such as `card-network` */
  rail?: string | undefined;
  /** Only what goes that way */
  direction?: "in" | "out" | "internal" | undefined;
  /** How it stands */
  status?: "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "RETURNED" | "REFUNDED" | "PARTIALLY_REFUNDED" | "DISPUTED" | undefined;
  /** Only what waits for that, such as in_doubt */
  substatus?: string | undefined;
  /** ISO 4217 */
  currency?: string | undefined;
  /** 1 to 2147483647 */
  wallet_id?: number | undefined;
  /** For admins: one person’s */
  user_id?: number | undefined;
  /** What another side calls it: a provider’s id, a hash, a retrieval number */
  provider_reference?: string | undefined;
  /** At least that much, in its currency */
  amount_from?: string | undefined;
  /** At most that much, in its currency */
  amount_to?: string | undefined;
  /** Only those with a call in doubt */
  in_doubt?: "true" | undefined;
  /** Any name of it: `pay_…`, the id of the thing behind it, the caller’s own reference or ours, what another side calls it */
  q?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type PaymentsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Payment)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentsGetParams = {
  /** `pay_…`, the id of the thing behind it, or our reference of it */
  payment_id: string;
};

export type PaymentsGetAnswer = {
  success: true;
  data: Payment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentsTimelineParams = {
  /** `pay_…`, the id of the thing behind it, or our reference of it */
  payment_id: string;
};

export type PaymentsTimelineAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (PaymentMoment)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentsSetMetadataParams = {
  /** `pay_…`, the id of the thing behind it, or our reference of it */
  payment_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type PaymentsSetMetadataAnswer = {
  success: true;
  data: Payment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentsRailsParams = Record<string, never>;

export type PaymentsRailsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (RailStatus)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentsFiguresParams = {
  /** The first day, in UTC; 29 days before the last one */
  from?: string | undefined;
  /** The last day, in UTC; today. At most 92 days with the first */
  to?: string | undefined;
  /** For the operator: of that client alone */
  client_id?: number | undefined;
};

export type PaymentsFiguresAnswer = {
  success: true;
  data: {
  /** Where it comes from */
  from: string;
  /** Where it goes */
  to: string;
  /** Oldest first; a day without payments is left out */
  days: (PaymentFigures)[];
  /** The commonest codes of failures in these days */
  failures: (PaymentFailures)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsOpenParams = {
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** 1 to 2147483647 */
  user_id?: number | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type FiatWalletsOpenAnswer = {
  success: true;
  data: FiatWallet;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsListParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type FiatWalletsListAnswer = {
  success: true;
  data: {
  wallets: (FiatWallet)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsListTransactionsParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the reference of an entry */
  reference?: string | undefined;
};

export type FiatWalletsListTransactionsAnswer = {
  success: true;
  data: {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  /** ISO 4217 */
  currency: string;
  transactions: (StatementLine)[];
  pagination: Page;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsGetBalanceParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** A moment that is over; the present where it is left out */
  at?: string | undefined;
};

export type FiatWalletsGetBalanceAnswer = {
  success: true;
  data: FiatWalletBalance;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsExplainParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** A moment that is over; the present where it is left out */
  at?: string | undefined;
};

export type FiatWalletsExplainAnswer = {
  success: true;
  data: BalanceExplanation;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsGetStatementParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** The first day */
  from: string;
  /** The last day, which it includes; within 366 days of the first */
  to: string;
  /** `json` where it is left out */
  format?: "json" | "csv" | "pdf" | "camt.053" | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** A moment that is over: the statement as it was then, without what was booked later */
  at?: string | undefined;
};

export type FiatWalletsGetStatementAnswer = {
  success: true;
  data: WalletStatement;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsFreezeParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** Why; for the audit log, which the admins of the client can read */
  reason: string;
};

export type FiatWalletsFreezeAnswer = {
  success: true;
  data: FrozenWallet;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FiatWalletsUnfreezeParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** Why; for the audit log, which the admins of the client can read */
  reason: string;
};

export type FiatWalletsUnfreezeAnswer = {
  success: true;
  data: FrozenWallet;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BankLinkCreateTokenParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** With its country code, or as people dial it in the country of the client */
  phone_number?: string | undefined;
};

export type BankLinkCreateTokenAnswer = {
  /** How it stands */
  status: "SUCCESS";
  link_token: string;
  expiration: string;
};

export type BankLinkExchangeTokenParams = {
  /** What the bank’s link flow has handed to your page */
  public_token: string;
  /** What the link flow says beside the token, as it came */
  metadata?: unknown | undefined;
};

export type BankLinkExchangeTokenAnswer = {
  /** How it stands */
  status: "SUCCESS";
  /** In words for people */
  message: string;
};

export type BankLinkLinkAccountParams = {
  /** What the bank’s link flow has handed to your page */
  public_token: string;
  /** What the link flow says beside the token, as it came */
  metadata?: unknown | undefined;
  /** 1 to 2147483647 */
  wallet_id?: number | undefined;
};

export type BankLinkLinkAccountAnswer = {
  /** How it stands */
  status: "SUCCESS" | "ALREADY_CONNECTED" | (string & {});
  /** Opens the linked bank account; keep it secret */
  access_token: string;
  /** Of a payment of a batch; its payment is found by it, too */
  item_id: string;
};

export type BankLinkCheckParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
};

export type BankLinkCheckAnswer = {
  connected: boolean;
};

export type BankLinkUnlinkParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
};

export type BankLinkUnlinkAnswer = {
  /** In words for people */
  message: string;
};

export type BankLinkListAccountsParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type BankLinkListAccountsAnswer = {
  accounts: (LinkedAccount)[];
};

export type BankLinkRemoveItemParams = {
  /** Opens the linked bank account; keep it secret */
  access_token: string;
};

export type BankLinkRemoveItemAnswer = {
  /** In words for people */
  message: string;
  data: {
  removed: true;
};
};

export type BankLinkGetAccessTokenParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
};

export type BankLinkGetAccessTokenAnswer = {
  /** Opens the linked bank account; keep it secret */
  access_token: string;
};

export type BankLinkTopUpParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency?: "USD" | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type BankLinkTopUpAnswer = {
  /** How it stands */
  status: "SUCCESS";
  /** What a card has paid, or was declined for */
  transaction_id: string;
  transaction: {
  /** Of what kind it is */
  type: "TOPUP";
  /** How it stands */
  status: "PENDING" | "SUCCESS_RECEIVED" | "FAILED" | "RETURNED" | (string & {});
};
};

export type BankLinkGetTopUpParams = {
  /** As the top-up answered it, or the bank’s name of the transfer */
  transaction_id: string;
};

export type BankLinkGetTopUpAnswer = BankTopUp;

export type BankLinkAdvanceTransferParams = {
  /** Of the bank’s transfer */
  transfer_id: string;
  /** What has happened, by its type */
  event_type?: "posted" | "settled" | "failed" | "funds_available" | "returned" | undefined;
};

export type BankLinkAdvanceTransferAnswer = {
  /** In words for people */
  message: string;
  data: {
  /** Of the bank’s transfer */
  transfer_id: string;
  /** What has happened, by its type */
  event_type: string;
  /** When this was answered, in UTC */
  timestamp: string;
};
};

export type BankLinkCompletePaymentParams = {
  /** By which the payment is known where it is made */
  payment_id: string;
};

export type BankLinkCompletePaymentAnswer = {
  /** In words for people */
  message: string;
  data: {
  /** By which the payment is known where it is made */
  payment_id: string;
  /** How it stands */
  status: "COMPLETED";
  /** When this was answered, in UTC */
  timestamp: string;
};
};

export type FxQuoteParams = {
  /** The currency that is given */
  from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC";
  /** The currency that is asked for */
  to: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC";
  /** In units of its currency, not in cents */
  amount: string;
};

export type FxQuoteAnswer = {
  success: true;
  data: FxQuote;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxListRatesParams = Record<string, never>;

export type FxListRatesAnswer = {
  success: true;
  data: {
  base: string;
  rates: Record<string, string>;
  /** Where it comes from */
  source: string;
  rates_at: string;
  usable_until: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxListCurrenciesParams = Record<string, never>;

export type FxListCurrenciesAnswer = {
  success: true;
  data: (FxCurrency)[];
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxListQuoteKeysParams = Record<string, never>;

export type FxListQuoteKeysAnswer = {
  success: true;
  data: {
  /** A set of JSON Web Keys (RFC 7517) */
  keys: (QuoteKey)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxCreateQuoteParams = {
  /** The currency that is sold */
  from_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC";
  /** The currency that is bought */
  to_currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | "USDC";
  /** What is sold; or `to_amount` */
  from_amount?: string | undefined;
  /** What is bought; or `from_amount` */
  to_amount?: string | undefined;
  /** How long the price holds: the longer, the higher the spread */
  valid_for?: "30s" | "5m" | "1h" | "24h" | undefined;
};

export type FxCreateQuoteAnswer = {
  success: true;
  data: Quote;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxListQuotesParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** How it stands */
  status?: "OPEN" | "USED" | "EXPIRED" | "CANCELLED" | undefined;
  /** Of what kind it is */
  kind?: "fx" | "bridge" | undefined;
};

export type FxListQuotesAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Quote)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxGetQuoteParams = {
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
};

export type FxGetQuoteAnswer = {
  success: true;
  data: Quote;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxCancelQuoteParams = {
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
};

export type FxCancelQuoteAnswer = {
  success: true;
  data: Quote;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxConvertParams = {
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type FxConvertAnswer = {
  success: true;
  data: CurrencyConversion;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxListConversionsParams = {
  /** Only what is in it now */
  status?: "COMPLETED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type FxListConversionsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (CurrencyConversion)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxGetConversionParams = {
  /** The id of a conversion, as POST /fx/conversions answers it */
  conversion_id: string;
};

export type FxGetConversionAnswer = {
  success: true;
  data: CurrencyConversion;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxSetMetadataParams = {
  /** The id of a conversion, as POST /fx/conversions answers it */
  conversion_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type FxSetMetadataAnswer = {
  success: true;
  data: CurrencyConversion;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxQuoteReversalParams = {
  /** The id of a conversion, as POST /fx/conversions answers it */
  conversion_id: string;
  /** How long the price holds: the longer, the higher the spread */
  valid_for?: "30s" | "5m" | "1h" | "24h" | undefined;
};

export type FxQuoteReversalAnswer = {
  success: true;
  data: ConversionReversal;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxListSpreadsParams = Record<string, never>;

export type FxListSpreadsAnswer = {
  success: true;
  data: FxSpreads;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxSetSpreadsParams = {
  /** All rows of the client: what is left out is charged by the operator’s rows */
  rows: (FxSpreadInput)[];
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type FxSetSpreadsAnswer = {
  success: true;
  data: FxSpreads;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxListPositionsParams = Record<string, never>;

export type FxListPositionsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (FxPosition)[];
  /** The version that was read; another one is refused with 409 */
  version: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FxSetLimitsParams = {
  /** The currencies whose limit changes */
  limits: (FxLimitInput)[];
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type FxSetLimitsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (FxPosition)[];
  /** The version that was read; another one is refused with 409 */
  version: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FeesListParams = Record<string, never>;

export type FeesListAnswer = {
  success: true;
  data: {
  /** All rows of the client: what is left out is charged by the operator’s rows */
  rows: (FeeRow)[];
  /** Of the rows of the client itself; 0 where it has none */
  version: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FeesReplaceParams = {
  /** All rows of the client: what is left out is charged by the operator’s rows */
  rows: ({
  /** Which books are compared, such as `card-network` */
  rail: "wallet" | "withdrawal" | "batch" | "invoice" | "issued_card" | "fx" | "bridge";
  /** Without one it counts for every method that has no row of its own */
  method?: string | undefined;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC";
  /** A fee for each payment, in its currency */
  flat: string;
  /** Hundredths of a percent of the amount */
  bps: number;
  /** The fee is no less */
  min?: string | undefined;
  /** The fee is no more */
  max?: string | undefined;
})[];
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type FeesReplaceAnswer = {
  success: true;
  data: {
  /** All rows of the client: what is left out is charged by the operator’s rows */
  rows: (FeeRow)[];
  /** Of the rows of the client itself; 0 where it has none */
  version: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsGetRequirementsParams = {
  /** A bank account, a wallet of a user of the same client, or an address on a chain */
  kind: "bank" | "wallet" | "evm" | "xrpl" | "cardano";
  /** ISO 3166-1 alpha-2 */
  country?: string | undefined;
  /** ISO 4217 */
  currency?: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | undefined;
};

export type RecipientsGetRequirementsAnswer = {
  success: true;
  /** A JSON Schema of draft 2020-12, by which the details are validated */
  data: unknown;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsCreateParams = {
  /** Whose account it is */
  name: string;
  /** A bank account, a wallet of a user of the same client, or an address on a chain */
  kind: "bank" | "wallet" | "evm" | "xrpl" | "cardano";
  /** ISO 3166-1 alpha-2 */
  country?: string | undefined;
  /** ISO 4217 */
  currency?: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC" | undefined;
  /** What identifies the account or address, by the requirements of its rail */
  details: RecipientDetailsInput;
  /** An e-mail address */
  email?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type RecipientsCreateAnswer = {
  success: true;
  data: Recipient;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** A bank account, a wallet of a user of the same client, or an address on a chain */
  kind?: "bank" | "wallet" | "evm" | "xrpl" | "cardano" | undefined;
};

export type RecipientsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Recipient)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsGetParams = {
  /** The same for the same recipient */
  recipient_id: string;
};

export type RecipientsGetAnswer = {
  success: true;
  data: Recipient;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsUpdateParams = {
  /** The same for the same recipient */
  recipient_id: string;
  /** Whose account it is */
  name?: string | undefined;
  /** An e-mail address */
  email?: string | null | undefined;
  /** All details of the new account; kind and currency stay */
  details?: RecipientDetailsInput | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type RecipientsUpdateAnswer = {
  success: true;
  data: Recipient;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsDeleteParams = {
  /** The same for the same recipient */
  recipient_id: string;
};

export type RecipientsDeleteAnswer = {
  success: true;
  data: Recipient;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsVerifyParams = {
  /** The same for the same recipient */
  recipient_id: string;
};

export type RecipientsVerifyAnswer = {
  success: true;
  data: Recipient;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RecipientsSetMetadataParams = {
  /** The same for the same recipient */
  recipient_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type RecipientsSetMetadataAnswer = {
  success: true;
  data: Recipient;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WithdrawalsCreateParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** The same for the same recipient */
  recipient_id: string;
  /** For the payee */
  note?: string | undefined;
  /** When it is paid; within 90 days */
  execute_at?: string | undefined;
  /** A quote that sells `amount` for the recipient’s currency: what it buys arrives */
  quote_id?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type WithdrawalsCreateAnswer = {
  success: true;
  data: Withdrawal;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WithdrawalsListParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** Only what is in it now */
  status?: "PENDING_APPROVAL" | "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED" | "RETURNED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type WithdrawalsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Withdrawal)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WithdrawalsGetParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** Of a withdrawal; its payment is found by it, too */
  withdrawal_id: string;
};

export type WithdrawalsGetAnswer = {
  success: true;
  data: Withdrawal;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WithdrawalsSetMetadataParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** Of a withdrawal; its payment is found by it, too */
  withdrawal_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type WithdrawalsSetMetadataAnswer = {
  success: true;
  data: Withdrawal;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WithdrawalsCancelParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** Of a withdrawal; its payment is found by it, too */
  withdrawal_id: string;
};

export type WithdrawalsCancelAnswer = {
  success: true;
  data: Withdrawal;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesCreateParams = {
  /** What it is called */
  name?: string | undefined;
  /** The wallet that pays */
  source_wallet_id?: number | undefined;
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items?: (BatchItemInput)[] | undefined;
  /** A CSV table or pain.001 with the purpose batch_import */
  file_id?: string | undefined;
  /** When it is paid; within 90 days */
  execute_at?: string | undefined;
  /** When the money of its payments is held */
  funding?: "at_approval" | "per_item" | undefined;
  /** Of the wallet’s owner: payments are in the currency that it buys, and come to what it buys */
  quote_id?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type BatchesCreateAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesListParams = {
  /** Only what is in it now */
  status?: "DRAFT" | "PENDING_APPROVAL" | "SCHEDULED" | "PROCESSING" | "COMPLETED" | "PARTIALLY_COMPLETED" | "FAILED" | "REJECTED" | "CANCELLED" | "EXPIRED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type BatchesListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Batch)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesGetParams = {
  /** Of a batch */
  batch_id: string;
};

export type BatchesGetAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesUpdateParams = {
  /** Of a batch */
  batch_id: string;
  /** What it is called */
  name?: string | undefined;
  /** Null: as soon as it may */
  execute_at?: string | null | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type BatchesUpdateAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesSetMetadataParams = {
  /** Of a batch */
  batch_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type BatchesSetMetadataAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesListItemsParams = {
  /** Of a batch */
  batch_id: string;
  /** Only what is in it now */
  status?: "PENDING" | "HELD" | "PROCESSING" | "COMPLETED" | "FAILED" | "CANCELLED" | "RETURNED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type BatchesListItemsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (BatchItem)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesReplaceItemsParams = {
  /** Of a batch */
  batch_id: string;
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (BatchItemInput)[];
  /** Null for none; left out, it stays */
  quote_id?: string | null | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type BatchesReplaceItemsAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesSubmitParams = {
  /** Of a batch */
  batch_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
  /** Of what was read: another content is refused */
  content_hash: string;
};

export type BatchesSubmitAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesApproveParams = {
  /** Of a batch */
  batch_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
  /** Of what was read: another content is refused */
  content_hash: string;
  /** In words */
  note?: string | undefined;
};

export type BatchesApproveAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesRejectParams = {
  /** Of a batch */
  batch_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
  /** Of what was read: another content is refused */
  content_hash: string;
  /** In words */
  note?: string | undefined;
};

export type BatchesRejectAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesCancelParams = {
  /** Of a batch */
  batch_id: string;
};

export type BatchesCancelAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesRetryParams = {
  /** Of a batch */
  batch_id: string;
};

export type BatchesRetryAnswer = {
  success: true;
  data: Batch;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BatchesGetResultParams = {
  /** Of a batch */
  batch_id: string;
};

export type BatchesGetStatusReportParams = {
  /** Of a batch */
  batch_id: string;
};

export type BatchesGetNotificationParams = {
  /** Of a batch */
  batch_id: string;
};

export type WalletTransfersSendParams = {
  /** A wallet of one’s own */
  from_wallet_id: number;
  /** Whom it is for; left out with `split` */
  to?: TransferTo | undefined;
  /** In units of its currency, not in cents */
  amount?: string | undefined;
  /** For the other side, in words */
  note?: string | undefined;
  /** A quote that sells `amount` of the wallet’s currency: what it buys arrives; not of a split */
  quote_id?: string | undefined;
  /** How long a person without an account may claim it; seven days where it is left out */
  claim_expires_in_s?: number | undefined;
  /** Several receivers instead of `to`, `amount` and `note`: all of them are paid, or none */
  split?: (SplitPart)[] | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type WalletTransfersSendAnswer = {
  success: true;
  data: WalletTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletTransfersListParams = {
  /** Only what was sent, or received */
  side?: "sent" | "received" | undefined;
  /** Only what is in it now */
  status?: "PENDING_APPROVAL" | "PENDING" | "COMPLETED" | "CANCELLED" | "EXPIRED" | "FAILED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type WalletTransfersListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (WalletTransfer)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletTransfersGetParams = {
  /** Of the bank’s transfer */
  transfer_id: string;
};

export type WalletTransfersGetAnswer = {
  success: true;
  data: WalletTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletTransfersSetMetadataParams = {
  /** Of the bank’s transfer */
  transfer_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type WalletTransfersSetMetadataAnswer = {
  success: true;
  data: WalletTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletTransfersCancelParams = {
  /** Of the bank’s transfer */
  transfer_id: string;
};

export type WalletTransfersCancelAnswer = {
  success: true;
  data: WalletTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletTransfersClaimParams = {
  /** Of the bank’s transfer */
  transfer_id: string;
  /** Of the link in the message */
  claim_token: string;
  /** A wallet of one’s own; else that of the currency, which is opened */
  wallet_id?: number | undefined;
};

export type WalletTransfersClaimAnswer = {
  success: true;
  data: WalletTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentRequestsCreateParams = {
  /** Where it goes */
  to: TransferTo;
  /** A wallet of one’s own, where the money is to arrive */
  wallet_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** In words */
  note?: string | undefined;
  /** How long it may be accepted; seven days where it is left out */
  expires_in_s?: number | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type PaymentRequestsCreateAnswer = {
  success: true;
  data: PaymentRequest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentRequestsListParams = {
  /** Only one’s own, or others’ */
  side?: "sent" | "received" | undefined;
  /** Only what is in it now */
  status?: "OPEN" | "ACCEPTED" | "DECLINED" | "CANCELLED" | "EXPIRED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type PaymentRequestsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (PaymentRequest)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentRequestsGetParams = {
  /** The header `x-request-id` */
  request_id: string;
};

export type PaymentRequestsGetAnswer = {
  success: true;
  data: PaymentRequest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentRequestsSetMetadataParams = {
  /** The header `x-request-id` */
  request_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type PaymentRequestsSetMetadataAnswer = {
  success: true;
  data: PaymentRequest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentRequestsAcceptParams = {
  /** The header `x-request-id` */
  request_id: string;
  /** A wallet of one’s own */
  from_wallet_id: number;
  /** A quote that buys exactly what is asked for, where the wallet has another currency */
  quote_id?: string | undefined;
};

export type PaymentRequestsAcceptAnswer = {
  success: true;
  data: PaymentRequest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentRequestsDeclineParams = {
  /** The header `x-request-id` */
  request_id: string;
};

export type PaymentRequestsDeclineAnswer = {
  success: true;
  data: PaymentRequest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentRequestsCancelParams = {
  /** The header `x-request-id` */
  request_id: string;
};

export type PaymentRequestsCancelAnswer = {
  success: true;
  data: PaymentRequest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletHoldsPlaceParams = {
  /** A wallet of one’s own */
  wallet_id: number;
  /** Who gets it */
  to: HoldTo;
  /** In units of its currency, not in cents */
  amount: string;
  /** How long it may be taken; seven days where it is left out */
  expires_in_s?: number | undefined;
  /** For the other side, in words */
  note?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type WalletHoldsPlaceAnswer = {
  success: true;
  data: WalletHold;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletHoldsListParams = {
  /** Only what was sent, or received */
  side?: "sent" | "received" | undefined;
  /** Only what is in it now */
  status?: "OPEN" | "PARTIALLY_CAPTURED" | "CAPTURED" | "VOIDED" | "EXPIRED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type WalletHoldsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (WalletHold)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletHoldsGetParams = {
  /** Money that a payer has set aside */
  hold_id: string;
};

export type WalletHoldsGetAnswer = {
  success: true;
  data: WalletHold;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletHoldsSetMetadataParams = {
  /** Money that a payer has set aside */
  hold_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type WalletHoldsSetMetadataAnswer = {
  success: true;
  data: WalletHold;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletHoldsCaptureParams = {
  /** Money that a payer has set aside */
  hold_id: string;
  /** All that is left where it is left out */
  amount?: string | undefined;
  /** Whether nothing more is taken, and the rest goes back */
  final?: boolean | undefined;
};

export type WalletHoldsCaptureAnswer = {
  success: true;
  data: WalletHold;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletHoldsVoidParams = {
  /** Money that a payer has set aside */
  hold_id: string;
};

export type WalletHoldsVoidAnswer = {
  success: true;
  data: WalletHold;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BalanceMonitorsCreateParams = {
  /** A wallet of one’s own */
  wallet_id: number;
  /** Which balance is watched */
  field: "posted" | "available";
  /** On which side of the amount it has to be */
  op: "below" | "above";
  /** In the currency of the wallet */
  amount: string;
};

export type BalanceMonitorsCreateAnswer = {
  success: true;
  data: BalanceMonitor;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BalanceMonitorsListParams = {
  /** A wallet of one’s own */
  wallet_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type BalanceMonitorsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (BalanceMonitor)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BalanceMonitorsDeleteParams = {
  /** A wallet of one’s own */
  wallet_id: number;
  /** A monitor of a wallet’s balance */
  monitor_id: string;
};

export type BalanceMonitorsDeleteAnswer = {
  success: true;
  data: BalanceMonitor;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicesCreateParams = {
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** What it is, in words */
  description: string;
  /** A wallet of one’s own; else that of the currency, which is opened */
  wallet_id?: number | undefined;
  /** Of whom the money is asked */
  customer?: InvoiceCustomerInput | undefined;
  /** What is sold; it has to add up to the amount */
  items?: (InvoiceItemInput)[] | undefined;
  /** A day where it is left out */
  expires_in_s?: number | undefined;
  /** The ways to pay it; all that the client offers where they are left out */
  methods?: ("qris" | "va" | "ewallet" | "card" | "wallet")[] | undefined;
  /** Where the page leads the payer afterwards */
  return_url?: string | undefined;
  /** Where it leads them once the time to pay is over */
  recovery_url?: string | undefined;
  /** With `customer` the fee comes on top of the amount; `merchant` where it is left out */
  fee_bearer?: "merchant" | "customer" | undefined;
  /** Whether it can be paid in parts; `false` where it is left out */
  allow_partial?: boolean | undefined;
  /** Who else gets a part, in the posting that pays the invoice */
  split?: (InvoiceSplitInput)[] | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type InvoicesCreateAnswer = {
  success: true;
  data: Invoice;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicesListParams = {
  /** Only what is in it now */
  status?: "OPEN" | "PROCESSING" | "PARTIALLY_PAID" | "PAID" | "EXPIRED" | "CANCELLED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type InvoicesListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Invoice)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicesGetParams = {
  /** The invoice */
  invoice_id: string;
};

export type InvoicesGetAnswer = {
  success: true;
  data: Invoice;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicesCancelParams = {
  /** The invoice */
  invoice_id: string;
};

export type InvoicesCancelAnswer = {
  success: true;
  data: Invoice;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicesSetMetadataParams = {
  /** The invoice */
  invoice_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type InvoicesSetMetadataAnswer = {
  success: true;
  data: Invoice;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicesPayParams = {
  /** The invoice */
  invoice_id: string;
  /** A wallet of one’s own */
  from_wallet_id: number;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type InvoicesPayAnswer = {
  success: true;
  data: InvoicePayment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicesListMethodsParams = {
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** Only the ways that take so much */
  amount?: string | undefined;
};

export type InvoicesListMethodsAnswer = {
  success: true;
  data: (PayingMethod)[];
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicePaymentsCreateParams = {
  /** The invoice */
  invoice_id: string;
  /** How it is paid */
  method: "qris" | "va" | "ewallet";
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type InvoicePaymentsCreateAnswer = {
  success: true;
  data: InvoicePayment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicePaymentsGetParams = {
  /** Of one payment */
  payment_id: string;
};

export type InvoicePaymentsGetAnswer = {
  success: true;
  data: InvoicePayment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoicePaymentsCancelParams = {
  /** Of one payment */
  payment_id: string;
};

export type InvoicePaymentsCancelAnswer = {
  success: true;
  data: InvoicePayment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type UnmatchedPaymentsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** How it stands */
  status?: "OPEN" | "ASSIGNED" | "REFUNDING" | "REFUNDED" | "WRITTEN_OFF" | undefined;
};

export type UnmatchedPaymentsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (UnmatchedInvoiceMoney)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type UnmatchedPaymentsGetParams = {
  /** The money that pays no invoice */
  unmatched_id: string;
};

export type UnmatchedPaymentsGetAnswer = {
  success: true;
  data: UnmatchedInvoiceMoney;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type UnmatchedPaymentsAssignParams = {
  /** The money that pays no invoice */
  unmatched_id: string;
  /** OPEN or PARTIALLY_PAID */
  invoice_id: string;
};

export type UnmatchedPaymentsAssignAnswer = {
  success: true;
  data: UnmatchedInvoiceMoney;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type UnmatchedPaymentsMarkRefundedParams = {
  /** The money that pays no invoice */
  unmatched_id: string;
  /** How, and under which reference */
  note: string;
};

export type UnmatchedPaymentsMarkRefundedAnswer = {
  success: true;
  data: UnmatchedInvoiceMoney;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type UnmatchedPaymentsWriteOffParams = {
  /** The money that pays no invoice */
  unmatched_id: string;
  /** How, and under which reference */
  note: string;
};

export type UnmatchedPaymentsWriteOffAnswer = {
  success: true;
  data: UnmatchedInvoiceMoney;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type UnmatchedPaymentsRefundParams = {
  /** The money that pays no invoice */
  unmatched_id: string;
  /** A bank account of the client’s; the customer of the invoice is asked without it */
  recipient_id?: string | undefined;
};

export type UnmatchedPaymentsRefundAnswer = {
  success: true;
  data: RefundedInvoiceMoney;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentLinksCreateParams = {
  /** What it is called */
  title: string;
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** Fixed; else `min` and `max` */
  amount?: string | undefined;
  /** The least that a payer may name */
  min?: string | undefined;
  /** The most that a payer may name */
  max?: string | undefined;
  /** For how many payments it is */
  usage: "once" | "many";
  /** How many invoices of it may be paid; any number without */
  max_payments?: number | undefined;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at?: string | undefined;
  /** The ways to pay it; all that the client offers where they are left out */
  methods?: ("qris" | "va" | "ewallet" | "card" | "wallet")[] | undefined;
  /** Where the page leads the payer afterwards */
  return_url?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type PaymentLinksCreateAnswer = {
  success: true;
  data: PaymentLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentLinksListParams = {
  /** Only what is in it now */
  status?: "ACTIVE" | "PAUSED" | "EXHAUSTED" | "EXPIRED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type PaymentLinksListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (PaymentLink)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentLinksGetParams = {
  /** The link */
  link_id: string;
};

export type PaymentLinksGetAnswer = {
  success: true;
  data: PaymentLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentLinksUpdateParams = {
  /** The link */
  link_id: string;
  /** How it stands */
  status?: "ACTIVE" | "PAUSED" | undefined;
  /** What it is called */
  title?: string | undefined;
  /** Null for any number */
  max_payments?: number | null | undefined;
  /** Null for ever */
  expires_at?: string | null | undefined;
  /** Null for all */
  methods?: ("qris" | "va" | "ewallet" | "card" | "wallet")[] | null | undefined;
  /** Where the page leads the payer afterwards */
  return_url?: string | null | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type PaymentLinksUpdateAnswer = {
  success: true;
  data: PaymentLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentLinksSetMetadataParams = {
  /** The link */
  link_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type PaymentLinksSetMetadataAnswer = {
  success: true;
  data: PaymentLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PaymentLinksShowParams = {
  /** Of the link’s `url` */
  key: string;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
};

export type PaymentLinksPressParams = {
  /** Of the link’s `url` */
  key: string;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
  /** Of the page: the same one again makes no second invoice */
  press: string;
  /** Where the payer names it; that of a link with a fixed one is its own */
  amount?: string | undefined;
};

export type PaymentLinksGetLogoParams = {
  /** Of the link’s `url` */
  key: string;
};

export type GatewaySettingsGetParams = Record<string, never>;

export type GatewaySettingsGetAnswer = {
  success: true;
  data: GatewaySettings;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type GatewaySettingsReplaceParams = {
  /** Who asks for money, as payers read it */
  display_name: string;
  /** A file of the purpose `logo` */
  logo_file_id?: string | undefined;
  /** Dark enough for white text: a contrast of 4.5 or more */
  color: string;
  /** Where payers ask */
  support_email: string;
  /** Whose pages may show the page in a frame */
  embed_origins?: (string)[] | undefined;
  /** What is left out is offered */
  methods?: (SwitchedMethodInput)[] | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type GatewaySettingsReplaceAnswer = {
  success: true;
  data: GatewaySettings;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type GatewaySettingsMakeSecretParams = Record<string, never>;

export type GatewaySettingsMakeSecretAnswer = {
  success: true;
  data: {
  /** Shown this once */
  secret: string;
  /** The version that was read; another one is refused with 409 */
  version: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CheckoutShowParams = {
  /** The invoice */
  invoice_id: string;
  /** Of `checkout_url` */
  key?: string | undefined;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
};

export type CheckoutPayParams = {
  /** The invoice */
  invoice_id: string;
  /** Of `checkout_url` */
  key?: string | undefined;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
  /** How it is paid */
  method: "qris" | "va" | "ewallet";
};

export type CheckoutPayByCardParams = {
  /** The invoice */
  invoice_id: string;
  /** Of `checkout_url` */
  key?: string | undefined;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
  /** 16 digits, spaces between them or not */
  card_number?: string | undefined;
  /** MMYY, also with something between the two */
  expiry_date?: string | undefined;
  /** The three digits on the back */
  cvv?: string | undefined;
};

export type CheckoutCancelParams = {
  /** The invoice */
  invoice_id: string;
  /** Of `checkout_url` */
  key?: string | undefined;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
  /** All of them without one */
  payment_id?: string | undefined;
};

export type CheckoutGetStateParams = {
  /** The invoice */
  invoice_id: string;
  /** Of `checkout_url` */
  key?: string | undefined;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
};

export type CheckoutGetStateAnswer = {
  success: true;
  data: CheckoutState;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CheckoutFollowParams = {
  /** The invoice */
  invoice_id: string;
  /** Of `checkout_url` */
  key?: string | undefined;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
};

export type CheckoutGetLogoParams = {
  /** The invoice */
  invoice_id: string;
  /** Of `checkout_url` */
  key?: string | undefined;
  /** The language of the page, instead of that of the browser */
  lang?: string | undefined;
};

export type InvoiceRefundsCreateParams = {
  /** The invoice */
  invoice_id: string;
  /** In the currency of the invoice; all that is left without it */
  amount?: string | undefined;
  /** Why, in words */
  reason: string;
  /** A bank account of one’s recipients, for what has come in by the gateway; the payer is asked for one without it */
  recipient_id?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type InvoiceRefundsCreateAnswer = {
  success: true;
  data: MadeInvoiceRefund;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoiceRefundsListParams = {
  /** The invoice */
  invoice_id: string;
  /** Only what is in it now */
  status?: "PENDING" | "AWAITING_PAYER" | "SUCCEEDED" | "FAILED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type InvoiceRefundsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (InvoiceRefund)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type InvoiceRefundsShowClaimParams = {
  /** The end of the link */
  key: string;
  /** The language of the page: `en` or `id` */
  lang?: string | undefined;
};

export type InvoiceRefundsClaimParams = {
  /** The end of the link */
  key: string;
  /** The language of the page: `en` or `id` */
  lang?: string | undefined;
  /** The gateway’s code of the bank */
  bank_code?: string | undefined;
  /** Its digits */
  account_number?: string | undefined;
  /** In whose name the account is */
  account_name?: string | undefined;
  /** 16 digits, spaces between them or not */
  card_number?: string | undefined;
  /** MMYY, also with something between the two */
  expiry_date?: string | undefined;
  /** The three digits on the back */
  cvv?: string | undefined;
};

export type CardsValidateParams = {
  /** 16 digits, spaces between them or not */
  card_number: string;
  /** MMYY */
  expiry_date: string;
  /** 3 digits */
  cvv: string;
};

export type CardsValidateAnswer = {
  /** In words for people */
  message: string;
  data: {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  card_last4: string;
  validation_status: "APPROVED";
  merchant_info: CardMerchant;
  address_verification: AddressVerification;
};
};

export type CardsValidateForCurrencyParams = {
  /** 16 digits, spaces between them or not */
  card_number: string;
  /** MMYY */
  expiry_date: string;
  /** 3 digits */
  cvv: string;
  /** ISO 4217 */
  currency: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
};

export type CardsValidateForCurrencyAnswer = {
  /** In words for people */
  message: string;
  data: {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  card_last4: string;
  validation_status: "APPROVED";
  merchant_info: CardMerchant;
  /** ISO 4217 */
  currency: string;
};
};

export type CardsTopUpParams = {
  /** 16 digits, spaces between them or not */
  card_number: string;
  /** MMYY */
  expiry_date: string;
  /** 3 digits */
  cvv?: string | undefined;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency_code: "USD";
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardsTopUpAnswer = CardTopUp;

export type CardsTopUpCurrencyParams = {
  /** 16 digits, spaces between them or not */
  card_number: string;
  /** MMYY */
  expiry_date: string;
  /** 3 digits */
  cvv?: string | undefined;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency_code: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardsTopUpCurrencyAnswer = CardTopUp;

export type CardsRefundParams = {
  /** 16 digits, spaces between them or not */
  card_number: string;
  /** MMYY */
  expiry_date: string;
  /** 3 digits */
  cvv?: string | undefined;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency_code: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** Names one payment in all later calls */
  reference_id: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardsRefundAnswer = {
  /** In words for people */
  message: string;
  data: {
  refund_id: string;
  original_reference: string;
  /** In units of its currency, not in cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** How it stands */
  status: string;
  refund_method: "REVERSE_FUNDS";
  processed_at: string;
};
};

export type CardsPushParams = {
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency_code: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** 16 digits, spaces between them or not */
  card_number: string;
  /** with fewer than twelve digits */
  recipient_name: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardsPushAnswer = {
  /** In words for people */
  message: string;
  data: {
  push_id: string;
  /** In units of its currency, not in cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  card_last4: string;
  recipient_name: string;
  /** How it stands */
  status: string;
  push_method: "MANUAL_FUNDS";
  processed_at: string;
};
};

export type CardsGetFeeParams = Record<string, never>;

export type CardsGetFeeAnswer = {
  fee_percentage: number;
};

export type CardsGetByReferenceParams = {
  /** Names one payment in all later calls */
  reference_id: string;
};

export type CardsGetByReferenceAnswer = {
  /** In words for people */
  message: string;
  data: CardTransaction;
};

export type CardsListHistoryParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: its reference id or retrieval reference number */
  reference?: string | undefined;
  /** Where it is given a page may be short and go on */
  status?: string | undefined;
};

export type CardsListHistoryAnswer = {
  /** In words for people */
  message: string;
  data: (ListedCardTransaction)[];
};

export type CardsWriteOffExcessParams = {
  /** As GET /desk/work names it under returned_twice, such as card:TOPUP-NFCRADBEHKLMPQGJ or payout:REDEEM-1790000000000-12 */
  payment: string;
};

export type CardsWriteOffExcessAnswer = {
  /** In words for people */
  message: string;
  data: {
  payment: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: string;
};
};

export type CardsDecideReversalParams = {
  /** As GET /desk/work names it under discrepancies, such as card:TOPUP-NFCRADBEHKLMPQGJ */
  payment: string;
  /** ALL: the network has taken the rest, too, and so do we. REFUND: it means our refund alone */
  meant: "ALL" | "REFUND";
};

export type CardsDecideReversalAnswer = {
  /** In words for people */
  message: string;
  data: {
  payment: string;
  meant: string;
};
};

export type IssuedCardsCreateParams = {
  /** What is paid by the card is paid from it */
  wallet_id: number;
  /** Letters, blanks, points, apostrophes and hyphens */
  name_on_card: string;
  /** For one payment, or for any number */
  usage?: "many" | "single" | undefined;
  /** An earlier end than the card’s own */
  valid_until?: string | undefined;
  /** What its owner allows the card to pay */
  controls?: {
  /** How much it pays in an interval, in its currency */
  spending_limits?: (CardSpendingLimitInput)[] | undefined;
  /** It pays nowhere else */
  allowed?: CardMerchantsInput | undefined;
  /** It does not pay there, whatever is allowed */
  blocked?: CardMerchantsInput | undefined;
  /** Whether it pays where the card is not present; yes without it */
  online?: boolean | undefined;
} | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type IssuedCardsCreateAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** How it stands */
  status?: "PENDING" | "INACTIVE" | "ACTIVE" | "FROZEN" | "CLOSED" | "EXPIRED" | "FAILED" | undefined;
};

export type IssuedCardsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (IssuedCard)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsGetParams = {
  /** The card */
  card_id: string;
};

export type IssuedCardsGetAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsSetMetadataParams = {
  /** The card */
  card_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type IssuedCardsSetMetadataAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsActivateParams = {
  /** The card */
  card_id: string;
  /** For the audit log */
  reason?: string | undefined;
};

export type IssuedCardsActivateAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsFreezeParams = {
  /** The card */
  card_id: string;
  /** For the audit log */
  reason?: string | undefined;
};

export type IssuedCardsFreezeAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsUnfreezeParams = {
  /** The card */
  card_id: string;
  /** For the audit log */
  reason?: string | undefined;
};

export type IssuedCardsUnfreezeAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsCloseParams = {
  /** The card */
  card_id: string;
  /** Why, in words */
  reason: "USER" | "LOST" | "STOLEN" | "FRAUD";
};

export type IssuedCardsCloseAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsReplaceParams = {
  /** The card */
  card_id: string;
  /** Why, in words */
  reason: "USER" | "LOST" | "STOLEN" | "FRAUD";
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type IssuedCardsReplaceAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsSetControlsParams = {
  /** The card */
  card_id: string;
  /** How much it pays in an interval, in its currency */
  spending_limits?: (CardSpendingLimitInput)[] | undefined;
  /** It pays nowhere else */
  allowed?: CardMerchantsInput | undefined;
  /** It does not pay there, whatever is allowed */
  blocked?: CardMerchantsInput | undefined;
  /** Whether it pays where the card is not present; yes without it */
  online?: boolean | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type IssuedCardsSetControlsAnswer = {
  success: true;
  data: IssuedCard;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsRevealParams = {
  /** The card */
  card_id: string;
};

export type IssuedCardsRevealAnswer = {
  success: true;
  data: CardPage;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IssuedCardsSetPinParams = {
  /** The card */
  card_id: string;
};

export type IssuedCardsSetPinAnswer = {
  success: true;
  data: CardPage;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DecisionWebhookGetParams = Record<string, never>;

export type DecisionWebhookGetAnswer = {
  success: true;
  data: CardDecisionWebhook;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DecisionWebhookSetParams = {
  /** Of the page */
  url: string;
  /** How long your system has for its answer */
  timeout_ms: number;
  /** What counts without an answer: one of the two */
  fallback: CardDecisionFallbackInput;
  /** Makes another secret; the one before signs along for a day */
  rotate_secret?: boolean | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type DecisionWebhookSetAnswer = {
  success: true;
  data: {
  /** The organisation */
  client_id: number;
  /** Of the page */
  url: string;
  /** How long your system has for its answer, in milliseconds */
  timeout_ms: number;
  /** What counts where your system does not answer */
  fallback: CardDecisionFallback;
  /** The version that was read; another one is refused with 409 */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  secret: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
} | {
  success: true;
  data: {
  /** The organisation */
  client_id: number;
  /** Of the page */
  url: string;
  /** How long your system has for its answer, in milliseconds */
  timeout_ms: number;
  /** What counts where your system does not answer */
  fallback: CardDecisionFallback;
  /** The version that was read; another one is refused with 409 */
  version: number;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** `whsec_`: verify what arrives with it */
  secret: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DecisionWebhookDeleteParams = Record<string, never>;

export type DecisionWebhookDeleteAnswer = {
  success: true;
  data: CardDecisionWebhook;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardTransactionsListParams = {
  /** The card */
  card_id: string;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** How it stands */
  status?: "DECLINED" | "AUTHORIZED" | "PARTIALLY_SETTLED" | "SETTLED" | "REVERSED" | "EXPIRED" | "REFUNDED" | undefined;
  /** A part of the shop’s name */
  merchant?: string | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
};

export type CardTransactionsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (IssuedCardTransaction)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardTransactionsGetParams = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
};

export type CardTransactionsGetAnswer = {
  success: true;
  data: IssuedCardTransaction;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardTransactionsDecisionsParams = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
};

export type CardTransactionsDecisionsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (CardDecision)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDecisionsGetParams = {
  /** What was decided about a card */
  decision_id: string;
};

export type CardDecisionsGetAnswer = {
  success: true;
  data: CardDecision;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesCreateParams = {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** Why, in words */
  reason: "FRAUD" | "NOT_RECEIVED" | "NOT_AS_DESCRIBED" | "DUPLICATE" | "WRONG_AMOUNT" | "CANCELLED" | "REFUND_MISSING";
  /** All that was settled and not given back without it */
  amount?: string | undefined;
  /** What has happened, for the shop and the network */
  explanation: string;
  /** Files of the purpose `dispute_evidence`, PDF or JPEG up to 2 MB */
  evidence?: (string)[] | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardDisputesCreateAnswer = {
  success: true;
  data: CardDispute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesListParams = {
  /** Only what is in it now */
  status?: "DRAFT" | "SUBMITTED" | "PENDING_RESPONSE" | "PREARBITRATION" | "WON" | "LOST" | "WITHDRAWN" | "REJECTED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** What a card has paid, or was declined for */
  transaction_id?: string | undefined;
};

export type CardDisputesListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (CardDispute)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesGetParams = {
  /** A dispute of what a card has paid */
  dispute_id: string;
};

export type CardDisputesGetAnswer = {
  success: true;
  data: CardDispute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesUpdateParams = {
  /** A dispute of what a card has paid */
  dispute_id: string;
  /** Why, in words */
  reason?: "FRAUD" | "NOT_RECEIVED" | "NOT_AS_DESCRIBED" | "DUPLICATE" | "WRONG_AMOUNT" | "CANCELLED" | "REFUND_MISSING" | undefined;
  /** All that was settled and not given back without it */
  amount?: string | undefined;
  /** What has happened, for the shop and the network */
  explanation?: string | undefined;
  /** Files of the purpose `dispute_evidence`, PDF or JPEG up to 2 MB */
  evidence?: (string)[] | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type CardDisputesUpdateAnswer = {
  success: true;
  data: CardDispute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesSetMetadataParams = {
  /** A dispute of what a card has paid */
  dispute_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type CardDisputesSetMetadataAnswer = {
  success: true;
  data: CardDispute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesSubmitParams = {
  /** A dispute of what a card has paid */
  dispute_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type CardDisputesSubmitAnswer = {
  success: true;
  data: CardDispute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesRespondParams = {
  /** A dispute of what a card has paid */
  dispute_id: string;
  /** Why the shop’s answer is not right */
  response: string;
  /** Files of the purpose `dispute_evidence`, PDF or JPEG up to 2 MB */
  evidence?: (string)[] | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type CardDisputesRespondAnswer = {
  success: true;
  data: CardDispute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardDisputesWithdrawParams = {
  /** A dispute of what a card has paid */
  dispute_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type CardDisputesWithdrawAnswer = {
  success: true;
  data: CardDispute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CryptoWalletsCreateParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What the wallet is called */
  wallet_name: string;
  /** Our word for a chain */
  chain_id: "sepolia" | "amoy" | "neon";
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CryptoWalletsCreateAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: NewCryptoWallet;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CryptoWalletsAddAddressParams = {
  /** 1 to 2147483647 */
  bw_id: number;
  /** Our word for a chain */
  chain_id: "sepolia" | "amoy" | "neon";
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CryptoWalletsAddAddressAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: NewCryptoAddress;
  security_note: string;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CryptoWalletsDeleteParams = {
  /** 1 to 2147483647 */
  bw_id: number;
  /** The word by which somebody says that they mean it */
  confirmation: "delete";
  /** 1 to 2147483647 */
  user_id: number;
};

export type CryptoWalletsDeleteAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  deleted_wallet: {
  /** Of a wallet on chains */
  bw_id: number;
  /** What the wallet is called */
  wallet_name: string;
  wallet_label: string;
  /** A person’s */
  user_id: number;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CryptoWalletsListParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type CryptoWalletsListAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  wallets: (CryptoWallet)[];
  summary: {
  total_wallets: number;
  active_wallets: number;
  total_addresses: number;
  total_chains: number;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CryptoWalletsListAddressesParams = {
  /** 1 to 2147483647 */
  bw_id: number;
};

export type CryptoWalletsListAddressesAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** Of a fiat wallet, as its opening has answered it */
  wallet_id: number;
  addresses: (CryptoAddress)[];
  chain_groups: unknown;
  total_addresses: number;
  supported_chains: (string)[];
  total_assets: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CryptoWalletsGetBalanceParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
};

export type CryptoWalletsGetBalanceAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** Of a wallet on chains */
  bw_id: number;
  /** What the wallet is called */
  wallet_name: string;
  total_value_usd: number | null;
  total_addresses: number;
  supported_chains: (string)[];
  chains: Record<string, ChainBalance>;
  summary: {
  total_chains: number;
  total_addresses: number;
  last_updated: string;
  unavailable_chains: (string)[];
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TokensImportParams = {
  /** Our word for a chain */
  chain_id: "sepolia" | "amoy" | "neon";
  /** The address of the token’s contract */
  asset_issuer: string;
  /** 1 to 2147483647 */
  user_id?: number | undefined;
};

export type TokensImportAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ImportedToken;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type OnchainSendParams = {
  /** On its chain */
  wallet_address: string;
  /** Our word for a chain */
  chain_id: "sepolia" | "amoy" | "neon";
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol: "ETH" | "POL" | "NEON" | "USDC";
  /** Of the token’s contract. `native` for the chain’s own coin */
  token_contract: string;
  /** Who gets it, on that chain */
  to_address: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Of the token */
  decimals?: number | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type OnchainSendAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: OnchainSend;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type OnchainRecordParams = {
  /** 1 to 2147483647 */
  bw_id: number;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Who gets it, on that chain */
  to_address: string;
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol: string;
  /** Our word for a chain */
  chain_id: "sepolia" | "amoy" | "neon";
  /** Of the token’s contract. `native` for the chain’s own coin */
  token_contract: string;
  /** In the chain’s own coin */
  gas_fee: string;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type OnchainRecordAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  transaction_log: {
  /** Names this one */
  id: number;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol: string;
  /** Our word for a chain */
  chain_id: string;
  /** How it stands */
  status: string;
  /** When it was made, in UTC */
  created_at: string;
  explorer_url: string;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type OnchainListEverythingParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** How many to leave out */
  offset?: number | undefined;
  /** That of the first page: later pages then are of the same list */
  as_of?: string | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
};

export type OnchainListEverythingAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  transactions: (WalletMovement)[];
  pagination: {
  current_page: number;
  per_page: number;
  /** How many to leave out */
  offset: number;
  total_returned: number;
  /** Whether there is another page */
  has_more: boolean;
  /** That of the first page: later pages then are of the same list */
  as_of: string;
};
  stats: {
  total_transactions: number;
  completed_transactions: number;
  pending_transactions: number;
  /** Percent of all that are completed */
  success_rate: number;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type OnchainListHistoryParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** How many to leave out */
  offset?: number | undefined;
  /** That of the first page: later pages then are of the same list */
  as_of?: string | undefined;
  /** Our word for a chain */
  chain_id?: "sepolia" | "amoy" | "neon" | undefined;
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol?: string | undefined;
  /** How it stands */
  status?: "PENDING" | "CONFIRMED" | "FAILED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the hash of a transaction */
  reference?: string | undefined;
};

export type OnchainListHistoryAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** A person’s */
  user_id: number;
  transactions: (OnchainTransaction)[];
  pagination: {
  /** How many there are in all */
  total: number;
  /** How many at the most */
  limit: number;
  /** How many to leave out */
  offset: number;
  /** Whether there is another page */
  has_more: boolean;
  /** That of the first page: later pages then are of the same list */
  as_of: string;
};
  filters_applied: {
  /** Our word for a chain */
  chain_id: string | null;
  /** Of the token or the chain’s own coin, such as USDC */
  token_symbol: string | null;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type OnchainGetParams = {
  /** Of the transaction on its chain */
  tx_hash: string;
};

export type OnchainGetAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  transaction: (OnchainTransaction) & ({
  /** A person’s */
  user_id: number;
});
  requested_by: number;
  access_level: "owner" | "admin" | (string & {});
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CrosschainInitiateParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** On which the tokens are burnt */
  from_chain: string;
  /** On which they are minted */
  to_chain: string;
  /** Which token */
  token: string;
  /** Who gets it, on the other chain */
  recipient_address: string;
  /** Where it goes back to if the transfer fails */
  return_address?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CrosschainInitiateAnswer = {
  success: true;
  data: {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the burn, as its message has it */
  nonce: string;
  /** A person’s */
  user_id: number;
  /** In units of its currency, not in cents */
  amount: string;
  /** Which token */
  token: string;
  /** On which the tokens are burnt */
  from_chain: string;
  /** On which they are minted */
  to_chain: string;
  /** Who gets it, on the other chain */
  recipient_address: string;
  /** Where it goes back to if the transfer fails */
  return_address: string | null;
  /** How it stands */
  status: string;
  burn_tx_hash: string | null;
  mint_tx_hash: string | null;
  /** What the platform takes of the amount, in the same currency */
  platform_fee: string;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  burn_calls: ({
  /** Who gets it, on that chain */
  to: string;
  data: string;
})[];
};
  /** In words for people */
  message: string;
};

export type CrosschainConfirmParams = {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** How it stands */
  status: "BURNED" | "FAILED";
};

export type CrosschainConfirmAnswer = {
  success: true;
  data: CrosschainStep;
  /** In words for people */
  message: string;
};

export type CrosschainConfirmByPostParams = {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** How it stands */
  status: "BURNED" | "FAILED";
};

export type CrosschainConfirmByPostAnswer = {
  success: true;
  data: CrosschainStep;
  /** In words for people */
  message: string;
};

export type CrosschainMintParams = {
  /** Of the burn, as its message has it */
  nonce: string;
};

export type CrosschainMintAnswer = {
  success: true;
  /** Of the transaction on its chain */
  tx_hash: string;
  mint_tx_hash: string;
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the burn, as its message has it */
  nonce: string;
  /** How it stands */
  status: string;
  data: {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** How it stands */
  status: string;
  mint_tx_hash: string;
  /** When it last changed, in UTC */
  updated_at: string;
};
};

export type CrosschainBurnParams = {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the burn, as its message has it */
  nonce: string;
  /** Who signs */
  mode?: "backend" | "external_wallet" | undefined;
  /** Of the transaction on its chain */
  tx_hash?: string | undefined;
};

export type CrosschainBurnAnswer = {
  success: true;
  data: CrosschainStep;
};

export type CrosschainBurnWithKeyParams = {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the burn, as its message has it */
  nonce: string;
  /** Signs this one burn and is kept nowhere; better sign it yourself */
  private_key: string;
};

export type CrosschainBurnWithKeyAnswer = {
  success: true;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
  /** Of the burn, as its message has it */
  nonce: string;
  /** How it stands */
  status: string;
  data: CrosschainStep;
};

export type CrosschainGetBalanceParams = {
  /** Our word for a chain */
  chain: string;
  /** On a chain */
  address: string;
  /** Of the token’s contract */
  contract_address?: string | undefined;
};

export type CrosschainGetBalanceAnswer = {
  /** Our word for a chain */
  chain: string;
  /** On a chain */
  address: string;
  /** In units of the currency or token. What is held for payments under way is still in it */
  balance: string;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  /** Of the token’s contract */
  contract_address: string;
  /** Where it comes from */
  source: string;
};

export type CrosschainTestMintParams = {
  /** Our word for a chain */
  chain: string;
  /** On a chain */
  address: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** Who signs */
  mode?: "manual" | "external_wallet" | undefined;
};

export type CrosschainTestMintAnswer = {
  success: true;
  /** Of the transaction on its chain */
  tx_hash: string;
  /** Who signs */
  mode: string;
  /** On a chain */
  address: string;
  /** Our word for a chain */
  chain: string;
};

export type CrosschainListHistoryParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** How many to leave out */
  offset?: number | undefined;
  /** On which the tokens are burnt */
  from_chain?: string | undefined;
  /** On which they are minted */
  to_chain?: string | undefined;
  /** How it stands */
  status?: "INITIATED" | "BURNED" | "MINTED" | "FAILED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: a nonce, or the hash of a burn */
  reference?: string | undefined;
};

export type CrosschainListHistoryAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** A person’s */
  user_id: number;
  transactions: (CrosschainTransfer)[];
  pagination: {
  total_count: number;
  /** How many at the most */
  limit: number;
  /** How many to leave out */
  offset: number;
  /** Whether there is another page */
  has_more: boolean;
};
  filters_applied: {
  /** On which the tokens are burnt */
  from_chain: string | null;
  /** On which they are minted */
  to_chain: string | null;
  /** How it stands */
  status: string | null;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CrosschainGetParams = {
  /** Of one transfer, as its beginning has answered it */
  log_id: string;
};

export type CrosschainGetAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  transaction: CrosschainTransfer;
  requested_by: number;
  access_level: "owner" | "admin" | (string & {});
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletProofsChallengeParams = {
  /** Our word for a chain */
  chain_id: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl";
  /** On its chain */
  wallet_address: string;
};

export type WalletProofsChallengeAnswer = {
  success: true;
  data: {
  /** Of the challenge, as its making has answered it */
  challenge_id: string;
  /** Our word for a chain */
  chain_id: string;
  /** On its chain */
  wallet_address: string;
  /** In words for people */
  message: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletProofsProveParams = {
  /** Of the challenge, as its making has answered it */
  challenge_id: string;
  /** Hexadecimal; with 0x on the EVM chains */
  signature: string;
  /** Hexadecimal; needed on the XRP Ledger and Cardano */
  public_key?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type WalletProofsProveAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ProvenWallet;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletProofsListParams = Record<string, never>;

export type WalletProofsListAnswer = {
  success: true;
  data: (ProvenWallet)[];
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WalletProofsRemoveParams = {
  /** 1 to 2147483647 */
  proof_id: number;
};

export type WalletProofsRemoveAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ProvenWallet;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type NetworksListParams = Record<string, never>;

export type NetworksListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Network)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type NetworksGetParams = {
  /** Names this one */
  id: string;
};

export type NetworksGetAnswer = {
  success: true;
  data: Network;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type NetworksGetTransactionParams = {
  /** Names this one */
  id: string;
  /** The hash of a transaction, in the form of its network */
  hash: string;
};

export type NetworksGetTransactionAnswer = {
  success: true;
  data: NetworkTransaction;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type NetworksGetAddressParams = {
  /** Names this one */
  id: string;
  /** On a chain */
  address: string;
};

export type NetworksGetAddressAnswer = {
  success: true;
  data: NetworkAddress;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TestnetGiveParams = {
  /** A network, as `GET /networks` names it */
  network_id: string;
  /** The coin of the network, or a token of the platform */
  asset: "native" | "USDC" | "IDRT";
  /** One of one’s own on that network; may be left out where it is the only one */
  address?: string | undefined;
};

export type TestnetGiveAnswer = {
  success: true;
  data: FaucetGift;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type TestnetListGiftsParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type TestnetListGiftsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (FaucetGift)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FeeSettingsGetParams = Record<string, never>;

export type FeeSettingsGetAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  platform_fee_settings: {
  /** What it takes of an amount, in per cent */
  platform_fee_percentage: number;
  /** What the platform takes at the least, in USD */
  minimum_platform_fee_usd: number;
  /** By how much more than the chain’s price of gas is counted */
  gas_price_multiplier: number;
  /** When it last changed, in UTC */
  updated_at: string | null;
  /** When it was made, in UTC */
  created_at: string | null;
};
  is_default: boolean;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FeeSettingsSetParams = {
  /** What it takes of an amount, in per cent */
  platform_fee_percentage: string;
  /** What the platform takes at the least, in USD */
  minimum_platform_fee_usd: string;
  /** By how much more than the chain’s price of gas is counted */
  gas_price_multiplier: string;
};

export type FeeSettingsSetAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  updated_settings: FeeSettings;
  updated_by: number;
  previous_settings_deactivated: boolean;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeListRoutesParams = Record<string, never>;

export type BridgeListRoutesAnswer = {
  success: true;
  data: (BridgeRoute)[];
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeChangeRouteParams = {
  /** The two chains, as GET /bridge/routes lists them */
  route_id: string;
  /** Stops the route, for this reason; null opens it again */
  stop_reason?: string | null | undefined;
  /** Of all users on a UTC day */
  daily_cap?: string | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type BridgeChangeRouteAnswer = {
  success: true;
  data: BridgeRoute;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeCreateQuoteParams = {
  /** On which the tokens are burnt */
  from_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl";
  /** On which they are minted */
  to_chain: "sepolia" | "amoy" | "neon" | "cardano" | "xrpl";
  /** USDC that leave the source, the fees among them */
  amount: string;
  /** Who gets it, on the second chain */
  recipient_address: string;
  /** Whose it is at that address, where its ledger knows tags */
  recipient_tag?: number | undefined;
  /** Who signs */
  mode?: "fast" | "standard" | undefined;
  /** The most that both fees may come to */
  max_fee?: string | undefined;
};

export type BridgeCreateQuoteAnswer = {
  success: true;
  data: BridgeQuote;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeCreateParams = {
  /** The id of a quote, as POST /fx/quotes answers it */
  quote_id: string;
  /** Where it comes from */
  source: {
  /** A managed address of one’s own on the first chain */
  address: string;
};
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type BridgeCreateAnswer = {
  success: true;
  data: BridgeTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeListParams = {
  /** Only what is in it now */
  status?: "AWAITING_FUNDS" | "BURNING" | "BURNED" | "ATTESTED" | "MINTING" | "SENDING" | "COMPLETED" | "STALLED" | "ADVANCED" | "FAILED" | "CANCELLED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the caller's own reference */
  reference?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type BridgeListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (BridgeTransfer)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeGetParams = {
  /** The id of a transfer, as POST /bridge/transfers answers it */
  bridge_transfer_id: string;
};

export type BridgeGetAnswer = {
  success: true;
  data: BridgeTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeSetMetadataParams = {
  /** The id of a transfer, as POST /bridge/transfers answers it */
  bridge_transfer_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type BridgeSetMetadataAnswer = {
  success: true;
  data: BridgeTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeProposeAdvanceParams = {
  /** The id of a transfer, as POST /bridge/transfers answers it */
  bridge_transfer_id: string;
  /** Why, in words */
  reason: string;
};

export type BridgeProposeAdvanceAnswer = {
  success: true;
  data: BridgeTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type BridgeApproveAdvanceParams = {
  /** The id of a transfer, as POST /bridge/transfers answers it */
  bridge_transfer_id: string;
  /** Of the transfer, here or as If-Match */
  version?: number | undefined;
};

export type BridgeApproveAdvanceAnswer = {
  success: true;
  data: BridgeTransfer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AgentProcessParams = {
  /** The instruction for the agent, in English or Indonesian */
  user_input: string;
  /** 1 to 2147483647 */
  user_id: number;
  /** For callers that keep the conversation: `conversation_history` of `{role, content}`, `intent` and `parameters` as in `data`, and the `confirmation_id` that a yes is meant for */
  context?: Record<string, unknown> | undefined;
};

export type AgentProcessAnswer = {
  success: true;
  agent_response: AgentAnswer;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AgentHealthParams = Record<string, never>;

export type AgentHealthAnswer = {
  success: true;
  /** In words for people */
  message: string;
  service_status: {
  database_connection: boolean;
  service_response: boolean;
  environment_checks: Record<string, boolean>;
  fully_configured: boolean;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type IdrTokensBuyParams = {
  /** In units of its currency, not in cents */
  amount: string;
  /** How the rupiah are paid: by QRIS, to a virtual account or from an e-wallet */
  paymentMethod: "QRIS" | "VA" | "EWALLET";
  /** On the chain of the rupiah tokens */
  walletAddress: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type IdrTokensBuyAnswer = {
  success: true;
  data: {
  referenceId: string;
  /** In units of its currency, not in cents */
  amount: number;
  fee: number;
  /** How it stands */
  status: string;
  totalAmount: number;
  /** How the rupiah are paid: by QRIS, to a virtual account or from an e-wallet */
  paymentMethod: string;
  paymentUrl: string;
  expiresAt: string;
};
  /** In words for people */
  message: string;
};

export type IdrTokensGetPurchaseParams = {
  /** Names one payment in all later calls */
  reference_id: string;
};

export type IdrTokensGetPurchaseAnswer = {
  success: true;
  data: {
  referenceId: string;
  /** In units of its currency, not in cents */
  amount: number;
  fee: number;
  /** How it stands */
  status: string;
  paymentStatus: string;
  /** Money came in that does not pay it and waits for the operator: `LATE`, `UNDERPAID`, `OVERPAID`, `PAID_ALREADY` (once more); `REFUNDED` when it has gone back */
  paymentNote: string | null;
  createdAt: string;
  expiresAt: string;
};
};

export type IdrTokensRedeemParams = {
  /** Of the transaction that has burnt the tokens */
  burnTxHash: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** 1 to 2147483647 */
  bankId: number;
  /** On the chain of the rupiah tokens */
  walletAddress: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type IdrTokensRedeemAnswer = {
  success: true;
  data: {
  referenceId: string;
  /** In units of its currency, not in cents */
  amount: number;
  fee: number;
  /** How it stands */
  status: string;
  netAmount: number;
  bankAccount: {
  /** What the bank is called */
  bankName: string;
  accountNumber: string;
  /** Whose account it is */
  accountName: string;
};
};
  /** In words for people */
  message: string;
};

export type IdrTokensGetRedemptionParams = {
  /** Names one payment in all later calls */
  reference_id: string;
};

export type IdrTokensGetRedemptionAnswer = {
  success: true;
  data: {
  referenceId: string;
  /** In units of its currency, not in cents */
  amount: number;
  fee: number;
  /** How it stands */
  status: string;
  netAmount: number;
  bankTransferStatus: string;
  createdAt: string;
};
};

export type IdrTokensAddBankParams = {
  /** What the bank is called */
  bankName: string;
  /** the gateway’s code of the bank */
  bankCode: string;
  /** 5 to 30 digits */
  accountNumber: string;
  /** Whose account it is */
  accountName: string;
  /** Whether money goes there unless something else is said */
  isPrimary?: boolean | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type IdrTokensAddBankAnswer = {
  success: true;
  data: BankAccount;
  /** In words for people */
  message: string;
};

export type IdrTokensListBanksParams = Record<string, never>;

export type IdrTokensListBanksAnswer = {
  success: true;
  data: (ListedBankAccount)[];
};

export type IdrTokensRemoveBankParams = {
  /** 1 to 2147483647 */
  bank_id: number;
};

export type IdrTokensRemoveBankAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type IdrTokensListMintsParams = {
  /** `CANCELLED` are those that lapsed unpaid; `FAILED` the gateway refused, could not be minted, or were refunded (`payment_status` `REFUNDED`) */
  status?: "PENDING" | "PAID" | "MINTED" | "SUCCESS" | "FAILED" | "CANCELLED" | undefined;
  /** From 1 */
  page?: number | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: its reference_id */
  reference?: string | undefined;
};

export type IdrTokensListMintsAnswer = {
  success: true;
  data: (IdrTokenMint)[];
  pagination: NumberedPage;
};

export type IdrTokensListRedemptionsParams = {
  /** `FAILED` are those that the bank refused or sent back */
  status?: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | undefined;
  /** From 1 */
  page?: number | undefined;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: its reference_id */
  reference?: string | undefined;
};

export type IdrTokensListRedemptionsAnswer = {
  success: true;
  data: (IdrTokenRedemption)[];
  pagination: NumberedPage;
};

export type IdrTokensRefundParams = {
  /** What is given back: a purchase (`MINT`) or a redemption (`REDEEM`) */
  transactionType: "MINT" | "REDEEM";
  /** 1 to 2147483647 */
  transactionId: number;
  /** Why, in words */
  reason: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type IdrTokensRefundAnswer = {
  success: true;
  data: {
  refundTransactionId: string;
  netRefund: number;
  refundFee: number;
  /** In words for people */
  message: string;
};
  /** In words for people */
  message: string;
};

export type IdrTokensListMethodsParams = Record<string, never>;

export type IdrTokensListMethodsAnswer = {
  success: true;
  data: ({
  /** How it is paid */
  method: string;
  /** What it is called */
  name: string;
  /** Rupiah where `fee_type` is `FIXED`; percent where it is `PERCENTAGE` */
  fee: number;
  fee_type: "FIXED" | "PERCENTAGE" | (string & {});
  /** Of the amount, rounded up to a rupiah; `null` where it is fixed */
  fee_percent: number | null;
  /** What it is, in words */
  description: string;
})[];
  /** Where it comes from */
  source: "LIVE";
};

export type IdrTokensGetFeesParams = {
  /** Of what kind it is */
  type?: "MINT" | "REDEEM" | "REFUND" | "BRIDGE" | undefined;
};

export type IdrTokensGetFeesAnswer = {
  success: true;
  data: {
  mint?: {
  /** What would be done, as policies see it */
  operation: string;
  methods: ({
  /** How it is paid */
  method: string;
  /** Rupiah where `fee_type` is `FIXED`; percent where it is `PERCENTAGE` */
  fee: number;
  fee_type: "FIXED" | "PERCENTAGE" | (string & {});
  /** Of the amount, rounded up to a rupiah; `null` where it is fixed */
  fee_percent: number | null;
  /** What it is, in words */
  description: string;
})[];
  processingTime: string;
  autoCancel: string;
};
  redeem?: {
  /** What would be done, as policies see it */
  operation: string;
  fees: ({
  range: string;
  fee: number;
  processingTime: string;
})[];
  maxProcessingTime: string;
};
  refund?: {
  /** What would be done, as policies see it */
  operation: string;
  formula: string;
  examples: ({
  /** In units of its currency, not in cents */
  amount: number;
  calculation: string;
  netRefund: number;
})[];
  /** In words */
  note: string;
};
  bridge?: {
  /** What would be done, as policies see it */
  operation: string;
  available: boolean;
  fee: number;
  /** In words */
  note: string;
};
};
};

export type IdrTokensListPaymentsParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type IdrTokensListPaymentsAnswer = {
  success: true;
  data: (IdrTokenUnmatchedPayment)[];
  pagination: Page;
};

export type IdrTokensAssignPaymentParams = {
  /** 1 to 2147483647 */
  payment_id: number;
  /** Another purchase of the same person, PENDING or CANCELLED */
  reference_id?: string | undefined;
  /** The rupiah of tokens that were agreed upon instead of the ordered ones */
  amount?: string | undefined;
};

export type IdrTokensAssignPaymentAnswer = {
  success: true;
  data: IdrTokenUnmatchedPayment;
  /** In words for people */
  message: string;
};

export type IdrTokensRefundPaymentParams = {
  /** 1 to 2147483647 */
  payment_id: number;
};

export type IdrTokensRefundPaymentAnswer = {
  success: true;
  data: IdrTokenUnmatchedPayment;
  /** In words for people */
  message: string;
};

export type IdrTokensMarkPaymentRefundedParams = {
  /** 1 to 2147483647 */
  payment_id: number;
  /** How, and under which reference */
  note: string;
  /** `GATEWAY`: the gateway has sent it back and holds less for us; `ELSEWHERE` unless it is said */
  source?: "GATEWAY" | "ELSEWHERE" | undefined;
};

export type IdrTokensMarkPaymentRefundedAnswer = {
  success: true;
  data: IdrTokenUnmatchedPayment;
  /** In words for people */
  message: string;
};

export type ExchangeWalletsSaveParams = {
  /** On its chain */
  wallet_address: string;
  /** By which the exchange sends, in its word */
  network: string;
  /** Whether the exchange pays out there from now on */
  set_as_primary?: boolean | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type ExchangeWalletsSaveAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: SavedExchangeWallet;
};

export type ExchangeWalletsDeleteParams = {
  /** 1 to 2147483647 */
  bw_id: number;
};

export type ExchangeWalletsDeleteAnswer = {
  success: true;
  /** In words for people */
  message: string;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExchangeWalletsListParams = Record<string, never>;

export type ExchangeWalletsListAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** How many there are in all */
  total: number;
  wallets: (ExchangeWallet)[];
  primary_wallet: ExchangeWallet | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExchangeWalletsGetPrimaryParams = Record<string, never>;

export type ExchangeWalletsGetPrimaryAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** Of a wallet on chains */
  bw_id: number;
  /** On its chain */
  wallet_address: string;
  /** By which the exchange sends, in its word */
  network: string;
  /** Our word for a chain */
  chain_id: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ExchangeWalletsListNetworksParams = Record<string, never>;

export type ExchangeWalletsListNetworksAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** How many there are in all */
  total: number;
  networks: ({
  /** Of the network, as the exchange has it */
  code: string;
  /** What it is called */
  name: string;
  example: string;
  exchange_code: string;
})[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsRunDailyParams = Record<string, never>;

export type ConversionsRunDailyAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  total_users: number;
  jobs_created: number;
  total_idr: number;
  disbursements_initiated: number;
  failed_jobs: number;
  processing_time_ms: number;
  summary: {
  pending: number;
  waiting_exchange: number;
  trading: number;
  completed: number;
  failed: number;
};
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsListPendingParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type ConversionsListPendingAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  /** How many there are in all */
  total: number;
  users: ({
  /** A person’s */
  user_id: number;
  /** An e-mail address */
  email: string | null;
  total_amount_idr: number;
  eligible_for_conversion: boolean;
  has_primary_wallet: boolean;
  wallet_network: string | null;
})[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsPollBalanceParams = Record<string, never>;

export type ConversionsPollBalanceAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  jobs_checked: number;
  balance_confirmed: number;
  still_waiting: number;
  timeout_exceeded: number;
  exchange_balance: {
  idr: number;
  /** Whole USDC with 6 decimals, as text */
  usdc: string;
  /** Of each of the two: what is held belongs to conversions that have begun */
  spendable: {
  idr: {
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
};
  /** Whole USDC with 6 decimals, as text */
  usdc: {
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
};
};
};
  processing_time_ms: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsRunTradesParams = Record<string, never>;

export type ConversionsRunTradesAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  jobs_started: number;
  job_ids: (number)[];
  processing_time_ms: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsStartParams = {
  /** 1 to 2147483647 */
  wallet_id: number;
  /** In rupiah */
  amount_idr: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type ConversionsStartAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  job_id: number;
  disbursement_id: string | null;
  /** Names one payment in all later calls */
  reference_id: string;
  /** In rupiah */
  amount_idr: number;
  /** How it stands */
  status: "DISBURSING";
  reconciliation: ConversionReconciliation;
  estimate: ConversionEstimate;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsExecuteParams = {
  /** 1 to 2147483647 */
  job_id: number;
};

export type ConversionsExecuteAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: {
  job_id: number;
  /** A person’s */
  user_id: number;
  batch_amount_idr: number;
  disbursement_id: string | null;
  /** How it stands */
  status: string;
  reconciliation_passed: boolean;
  executed_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsPollJobParams = {
  /** 1 to 2147483647 */
  job_id: number;
};

export type ConversionsPollJobAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ConversionJob;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsExecuteTradeParams = {
  /** 1 to 2147483647 */
  job_id: number;
};

export type ConversionsExecuteTradeAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ConversionJob;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConversionsGetStatusParams = {
  /** 1 to 2147483647 */
  job_id: number;
};

export type ConversionsGetStatusAnswer = {
  success: true;
  /** In words for people */
  message: string;
  data: ConversionJob;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CardanoCardToWalletParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What is converted. What the network takes is charged on top where the percentages do not cover it; an amount below that is refused */
  fiat_amount: string;
  /** In which it is paid, ISO 4217 */
  currency_from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** In which it arrives, ISO 4217 */
  currency_to: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** 1 to 2147483647 */
  wallet_to_id: number;
  /** 16 digits, spaces between them or not */
  cardNumber: string;
  /** MMYY; not in the contract, and asked for by some issuers */
  expiry_date?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardanoCardToWalletAnswer = {
  reference_id_in: string;
  reference_id_out: string;
  vban: string;
  bankTxIn: CardanoBankIn;
  mintTx: CardanoTransfer;
  burnTx: CardanoTransfer;
  walletTx: CardanoWalletIn;
};

export type CardanoCardToBankParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What is converted. What the network takes is charged on top where the percentages do not cover it; an amount below that is refused */
  fiat_amount: string;
  /** In which it is paid, ISO 4217 */
  currency_from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** In which it arrives, ISO 4217 */
  currency_to: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** Required for a bank in another currency than IDR, which goes to your first registered account; not used in mock mode */
  destination_bank?: DestinationBank | undefined;
  /** 16 digits, spaces between them or not */
  cardNumber: string;
  /** MMYY; not in the contract, and asked for by some issuers */
  expiry_date?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardanoCardToBankAnswer = {
  reference_id_in: string;
  reference_id_out: string;
  vban: string;
  bankTxIn: CardanoBankIn;
  mintTx: CardanoTransfer;
  burnTx: CardanoTransfer;
  bankTxOut: CardanoBankOut;
};

export type CardanoCardToAddressParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What is converted. What the network takes is charged on top where the percentages do not cover it; an amount below that is refused */
  fiat_amount: string;
  /** In which it is paid, ISO 4217 */
  currency_from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** Who gets it, on Cardano’s test network */
  user_wallet_address: string;
  /** 16 digits, spaces between them or not */
  cardNumber: string;
  /** MMYY; not in the contract, and asked for by some issuers */
  expiry_date?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardanoCardToAddressAnswer = {
  /** Names one payment in all later calls */
  reference_id: string;
  vban: string;
  bankTxIn: CardanoBankIn;
  mintTx: CardanoPayout;
};

export type CardanoWalletToBankParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What is converted. What the network takes is charged on top where the percentages do not cover it; an amount below that is refused */
  fiat_amount: string;
  /** In which it is paid, ISO 4217 */
  currency_from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** 1 to 2147483647 */
  wallet_from_id: number;
  /** In which it arrives, ISO 4217 */
  currency_to: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** Required for a bank in another currency than IDR, which goes to your first registered account; not used in mock mode */
  destination_bank?: DestinationBank | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardanoWalletToBankAnswer = {
  /** Names one payment in all later calls */
  reference_id: string;
  walletTx: CardanoWalletOut;
  mintTx: CardanoTransfer;
  burnTx: CardanoTransfer;
  bankTx: CardanoBankOut;
};

export type CardanoWalletToWalletParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What is converted. What the network takes is charged on top where the percentages do not cover it; an amount below that is refused */
  fiat_amount: string;
  /** In which it is paid, ISO 4217 */
  currency_from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** 1 to 2147483647 */
  wallet_from_id: number;
  /** In which it arrives, ISO 4217 */
  currency_to: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** 1 to 2147483647 */
  wallet_to_id: number;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardanoWalletToWalletAnswer = {
  /** Names one payment in all later calls */
  reference_id: string;
  walletTxOut: CardanoWalletOut;
  mintTx: CardanoTransfer;
  burnTx: CardanoTransfer;
  walletTxIn: {
  /** What a card has paid, or was declined for */
  transaction_id: string;
  /** In units of its currency, not in cents */
  amount: string;
  /** How it stands */
  status: string;
  /** In which it arrives, ISO 4217 */
  currency_to: string;
  /** Of what kind it is */
  type: "TOPUP";
};
};

export type CardanoWalletToAddressParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** What is converted. What the network takes is charged on top where the percentages do not cover it; an amount below that is refused */
  fiat_amount: string;
  /** In which it is paid, ISO 4217 */
  currency_from: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND";
  /** 1 to 2147483647 */
  wallet_from_id: number;
  /** Who gets it, on Cardano’s test network */
  user_wallet_address: string;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type CardanoWalletToAddressAnswer = {
  /** Names one payment in all later calls */
  reference_id: string;
  walletTx: CardanoWalletOut;
  mintTx: CardanoPayout;
};

export type CardanoListHistoryParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: its reference_id, the id of an order, or the hash of a transaction */
  reference?: string | undefined;
  /** How it stands */
  status?: "SUCCESS_RECEIVED" | "PENDING" | "FAILED" | undefined;
};

export type CardanoListHistoryAnswer = (CardanoTransaction)[];

export type CardanoGetVolumeParams = {
  /** 1 to 2147483647 */
  user_id: number;
};

export type CardanoGetVolumeAnswer = ({
  date: string;
  value: string;
})[];

export type CardanoTreasuryBalanceParams = Record<string, never>;

export type CardanoTreasuryBalanceAnswer = {
  success: true;
  data: CardanoBalance;
};

export type CardanoAddressBalanceParams = {
  /** On a chain */
  address: string;
};

export type CardanoAddressBalanceAnswer = {
  success: true;
  data: CardanoBalance;
};

export type XrplBuyParams = {
  /** ISO 4217 */
  currency_code?: string | undefined;
  /** In units of its currency, not in cents */
  amount?: string | undefined;
  /** ISO 4217 */
  fiat_currency?: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | undefined;
  /** In units of its currency, not in cents */
  fiat_amount?: string | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type XrplBuyAnswer = {
  /** In words for people */
  message: string;
  data: {
  xrpl_tx: XrplTransaction;
  fx: XrplRate;
};
};

export type XrplSellParams = {
  /** ISO 4217 */
  currency_code?: string | undefined;
  /** In USDC: another name of usdc_amount */
  amount?: string | undefined;
  /** Whole USDC, with up to 6 decimals */
  usdc_amount?: string | undefined;
  /** A classic address, or an X-address of a test network. In mock mode an address that does not exist is opened with a trust line; otherwise it needs both */
  destination_address?: string | undefined;
  /** 0 to 4294967295: whose it is at an address of many people, such as an exchange's. It may stand in an X-address instead; where it stands in both it has to be the same */
  destination_tag?: number | undefined;
  /** A BANK payout is in IDR by the gateway, and in the other currencies by a bank of their country */
  target_fiat?: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | undefined;
  /** Where the money goes: into a wallet here, or to a bank account */
  payout_type?: "PLATFORM_WALLET" | "BANK" | undefined;
  /** The bank account that it goes to */
  destination_bank?: string | DestinationBank | undefined;
  /** 1 to 2147483647 */
  receiver_user_id?: number | undefined;
  /** What a wallet is credited in; target_fiat where it is absent */
  receiver_currency?: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | undefined;
  /** 1 to 2147483647 */
  wallet_id?: number | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type XrplSellAnswer = {
  /** In words for people */
  message: string;
  data: {
  xrpl_tx: XrplTransaction;
  payout: XrplPayout;
};
};

export type XrplGetPurchaseParams = {
  /** Of the transaction on the XRP Ledger, or the number of the order */
  txid: string;
};

export type XrplGetPurchaseAnswer = {
  /** Of the transaction on the XRP Ledger, or the number of the order */
  txid: string;
  /** How it stands */
  status: string;
};

export type XrplGetSaleParams = {
  /** Of the transaction on the XRP Ledger, or the number of the order */
  txid: string;
};

export type XrplGetSaleAnswer = {
  /** Of the transaction on the XRP Ledger, or the number of the order */
  txid: string;
  /** How it stands */
  status: string;
};

export type XrplListHistoryParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: the hash of a transaction */
  reference?: string | undefined;
  /** How it stands */
  status?: "PENDING" | "tesSUCCESS" | "SUCCESS_RECEIVED" | "FAILED" | undefined;
};

export type XrplListHistoryAnswer = {
  /** In words for people */
  message: string;
  /** How many */
  count: number;
  history: (XrplTransaction)[];
};

export type PurchasesReadWishParams = {
  /** What is wished for, in plain words */
  prompt: string;
};

export type PurchasesReadWishAnswer = {
  step: 1;
  detected_intent: string;
  detected_url: string | null;
};

export type PurchasesReadPageParams = {
  /** Of the page */
  url: string;
};

export type PurchasesReadPageAnswer = {
  step: 2;
  /** As the page, or the search, has answered it */
  product: CarriedPurchaseProduct;
  ai_summary: string;
};

export type PurchasesQuoteParams = {
  /** As the page, or the search, has answered it */
  product: SeenPurchaseProduct;
};

export type PurchasesQuoteAnswer = {
  step: "3a";
  /** As the page, or the search, has answered it */
  product: CarriedPurchaseProduct;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: {
  /** In the shop’s own currency */
  original: ShopPrice;
  /** Whole USDC with 6 decimals, as text */
  usdc: {
  /** In units of its currency, not in cents */
  amount: string;
  /** The amount with its currency, for people */
  formatted: string;
};
  /** How much of the second currency one of the first is worth */
  conversion_rate: string;
  /** From which currency over which to which */
  route: string;
  /** Holds the quoted price for a while, as it was answered */
  quote: string;
  /** Until when the quote holds, in UTC */
  quote_expires_at: string;
};
  ai_confirmation: string;
  ready_for_recipient_data: boolean;
};

export type PurchasesOrderParams = {
  /** As the page, or the search, has answered it */
  product: PurchaseProductInput;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: PurchasePricingInput;
  /** To whom the goods go */
  recipient: PurchaseRecipientInput;
  /** On its chain */
  wallet_address: string;
  /** On which it is paid; without one the answer lists those that would do */
  selected_chain?: string | null | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type PurchasesOrderAnswer = PurchaseOrdered | PurchaseOrderedOnChain;

export type PurchasesExecuteParams = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** The word by which somebody says that they mean it */
  confirmation: string;
  /** On its chain */
  wallet_address: string;
  /** On which it is paid; without one the answer lists those that would do */
  selected_chain?: string | null | undefined;
};

export type PurchasesExecuteAnswer = {
  step: string;
  success: boolean;
  order: CompletedPurchase;
  transaction: CompletedPayment;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: PurchasePricing;
  /** To whom the goods go */
  recipient: PurchaseRecipient;
  email_sent: boolean;
  completion_message: string;
};

export type PurchasesListChainsParams = {
  /** As the page, or the search, has answered it */
  product: SeenPurchaseProduct;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: SeenPurchasePricing;
  /** To whom the goods go */
  recipient: SeenPurchaseRecipient;
};

export type PurchasesListChainsAnswer = {
  step: "chain-selector";
  /** The version that was read; another one is refused with 409 */
  version: "v2";
  /** In words for people */
  message: string;
  order_summary: {
  /** As the page, or the search, has answered it */
  product: PurchaseProduct;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: {
  /** In the shop’s own currency */
  original: {
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: string;
};
  /** Whole USDC with 6 decimals, as text */
  usdc: {
  /** In units of its currency, not in cents */
  amount: string;
};
};
  /** To whom the goods go */
  recipient: PurchaseRecipient;
};
  chain_options: (PurchaseChainOption)[];
  instructions: {
  /** What it is called */
  title: string;
  steps: (string)[];
  /** In words */
  note: string;
};
  next_step: {
  endpoint: string;
  /** How it is paid */
  method: string;
  required_fields: (string)[];
  /** In words */
  note: string;
};
};

export type PurchasesOrderOnChainParams = {
  /** As the page, or the search, has answered it */
  product: PurchaseProductInput;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: PurchasePricingInput;
  /** To whom the goods go */
  recipient: PurchaseRecipientInput;
  /** On its chain */
  wallet_address: string;
  /** On which it is paid; without one the answer lists those that would do */
  selected_chain?: string | null | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type PurchasesOrderOnChainAnswer = PurchaseOrderedOnChain;

export type PurchasesExecuteOnChainParams = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** The word by which somebody says that they mean it */
  confirmation: string;
  /** On its chain */
  wallet_address: string;
  /** On which it is paid; without one the answer lists those that would do */
  selected_chain?: string | null | undefined;
};

export type PurchasesExecuteOnChainAnswer = {
  step: string;
  success: boolean;
  order: CompletedPurchase;
  transaction: CompletedPayment;
  /** As it was answered; it is computed again before anything is ordered */
  pricing: PurchasePricing;
  /** To whom the goods go */
  recipient: PurchaseRecipient;
  email_sent: boolean;
  completion_message: string;
  /** The version that was read; another one is refused with 409 */
  version: string;
  chain_info: PurchaseChain;
};

export type MarketplaceChatParams = {
  /** In words for people */
  message: string;
  /** What was said before, the oldest first */
  conversation_history?: ({
  /** Who has said it */
  role: string;
  /** What was said */
  content: string;
})[] | undefined;
};

export type MarketplaceChatAnswer = {
  success: true;
  reply: string;
  intent: "SEARCH" | "BUY" | "INFO" | "HELP" | (string & {});
  /** For how many payments it is */
  usage: {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
};
};

export type MarketplaceSearchParams = {
  /** What is looked for, in plain words */
  query: string;
  /** Which marketplaces are searched; all unless said */
  sources?: ("marketplace_1" | "marketplace_2")[] | undefined;
  /** How many at the most */
  limit?: number | undefined;
};

export type MarketplaceSearchAnswer = {
  success: true;
  /** What is looked for, in plain words */
  query: string;
  products: (MarketplaceProduct)[];
  /** How many */
  count: number;
  search_queries: (string)[];
};

export type MarketplaceOrderParams = {
  /** As the page, or the search, has answered it */
  product: {
  /** By which the marketplace knows it */
  productId?: string | number | undefined;
  /** Names this one */
  id?: string | number | undefined;
  /** What it is called */
  title?: string | undefined;
  /** What it is, in words */
  description?: string | undefined;
  /** A picture of it */
  image?: string | null | undefined;
  /** Of the page */
  url?: string | undefined;
  /** Where it comes from */
  source?: "marketplace_1" | "marketplace_2" | undefined;
  /** Who sells it */
  vendor?: {
  /** What it is called */
  name?: string | undefined;
  /** What the marketplace is called */
  marketplace?: string | undefined;
  /** What the shop is called */
  shop_name?: string | undefined;
  /** Where the shop is */
  shop_url?: string | undefined;
  /** The country of the shop */
  shop_location?: string | undefined;
} | undefined;
  /** As it was answered; it is computed again before anything is ordered */
  pricing?: {
  /** Of the goods alone, in units of its currency */
  price?: string | undefined;
  /** ISO 4217 */
  currency?: string | undefined;
  /** In the shop’s own currency */
  original_price?: string | undefined;
  /** ISO 4217 */
  original_currency?: string | undefined;
  /** What sending it costs, in the same currency */
  shipping?: string | undefined;
  /** Of all of it */
  total?: string | undefined;
  /** How much of the second currency one of the first is worth */
  fx_rate?: unknown | undefined;
} | undefined;
  /** Pictures of it */
  images?: unknown | undefined;
  /** Whether the goods are in stock, as the marketplace says */
  availability?: unknown | undefined;
  /** What the shop says of it */
  metadata?: unknown | undefined;
};
  /** To whom the goods go */
  recipient: {
  /** What it is called */
  name: string;
  /** With the country code in front, such as +12025550100 */
  phone?: string | undefined;
  /** Where the person lives */
  address: string;
  /** An e-mail address */
  email?: string | undefined;
  /** For the person who delivers */
  notes?: string | undefined;
};
  /** On its chain */
  wallet_address: string;
  /** Our word for a chain */
  chain_id?: "sepolia" | "amoy" | "neon" | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type MarketplaceOrderAnswer = {
  success: true;
  order: MarketplaceOrder;
  payment_details: {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** Whole USDC, with up to 6 decimals */
  usdc_amount: string;
  /** Of the token’s contract */
  contract_address: string;
  /** Our word for a chain */
  chain_id: string;
  /** On its chain */
  wallet_address: string;
  payment_url: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};
};

export type MarketplaceListOrdersParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** How many to leave out */
  offset?: number | undefined;
  /** How it stands */
  status?: "PENDING" | "PAID" | "COMPLETED" | "FAILED" | "CANCELLED" | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Only what is known by it: its order_id */
  reference?: string | undefined;
};

export type MarketplaceListOrdersAnswer = {
  success: true;
  orders: (MarketplaceOrder)[];
  pagination: {
  /** How many there are in all */
  total: number;
  /** How many at the most */
  limit: number;
  /** How many to leave out */
  offset: number;
  /** Whether there is another page */
  has_more: boolean;
};
};

export type MarketplaceGetOrderParams = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
};

export type MarketplaceGetOrderAnswer = {
  success: true;
  order: MarketplaceOrder;
  payment_url: string;
};

export type MarketplacePayParams = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
};

export type MarketplacePayAnswer = {
  success: true;
  order: MarketplaceOrder;
  transaction: {
  /** Of the transaction on its chain */
  tx_hash: string;
  /** Our word for a chain */
  chain_id: string;
  /** How it stands */
  status: string;
  explorer_url: string;
};
};

export type MarketplaceShowPaymentParams = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** The secret part of the page’s address */
  key?: string | undefined;
};

export type MarketplaceFulfilParams = {
  /** Of one order, as it was answered when it was made */
  order_id: string;
  /** How it stands */
  status: "COMPLETED" | "FAILED";
  /** By which the shop knows the order */
  vendor_reference?: string | undefined;
  /** Why, in words */
  reason?: string | undefined;
};

export type MarketplaceFulfilAnswer = {
  success: true;
  order: MarketplaceOrder;
};

export type MarketplaceListPaymentsParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** `owed` unless it is said */
  show?: "owed" | "lost" | undefined;
};

export type MarketplaceListPaymentsAnswer = {
  success: true;
  payments: (MarketplacePayment)[];
  pagination: Page;
};

export type MarketplaceRefundPaymentParams = {
  /** 1 to 2147483647 */
  payment_id: number;
};

export type MarketplaceRefundPaymentAnswer = {
  success: true;
  payment: MarketplacePayment;
};

export type MarketplaceAssignPaymentParams = {
  /** 1 to 2147483647 */
  payment_id: number;
  /** PENDING, or CANCELLED because it was not paid in time */
  order_id: string;
};

export type MarketplaceAssignPaymentAnswer = {
  success: true;
  payment: MarketplacePayment;
};

export type MarketplaceMarkPaymentRefundedParams = {
  /** 1 to 2147483647 */
  payment_id: number;
  /** How, and under which reference */
  note: string;
};

export type MarketplaceMarkPaymentRefundedAnswer = {
  success: true;
  payment: MarketplacePayment;
};

export type MarketplaceWriteOffPaymentParams = {
  /** 1 to 2147483647 */
  payment_id: number;
  /** In words */
  note: string;
};

export type MarketplaceWriteOffPaymentAnswer = {
  success: true;
  payment: MarketplacePayment;
};

export type RewardsLogInParams = {
  /** With its country code, or as people dial it in the country of the client */
  phone: string;
  /** The device that push notifications go to from now on, unless another member is logged in on it */
  device_token?: string | undefined;
};

export type RewardsLogInAnswer = {
  /** In words for people */
  message: string;
  /** For `Authorization: Bearer` */
  token: string;
  user: {
  userx_id: number;
  usernamex: string | null;
  emailx: string | null;
  phonex: string;
  point_balance: number;
  /** The part of the balance that is set aside for payments under way, or that its network locks */
  held: string;
  /** What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too */
  available: string;
  /** What they may do */
  role: string;
};
  device_registered?: boolean;
};

export type RewardsDeleteAccountParams = Record<string, never>;

export type RewardsDeleteAccountAnswer = {
  /** In words for people */
  message: string;
};

export type RewardsListNotificationsParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type RewardsListNotificationsAnswer = {
  success: true;
  notifications: ({
  push_id: number;
  /** What it is called */
  title: string;
  /** In words for people */
  message: string;
  read: boolean;
  /** When it was made, in UTC */
  created_at: string;
})[];
};

export type RewardsGetProfileParams = Record<string, never>;

export type RewardsGetProfileAnswer = {
  success: true;
  profile: RewardsProfile;
};

export type RewardsListInvitedParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type RewardsListInvitedAnswer = {
  success: true;
  invited: ({
  userx_id: number;
  usernamex: string | null;
  emailx: string | null;
  phonex: string;
  /** When it was made, in UTC */
  created_at: string;
})[];
};

export type RewardsVerifyEmailParams = {
  /** An e-mail address */
  email: string;
};

export type RewardsVerifyEmailAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type RewardsConfirmEmailParams = {
  /** The six digits of the e-mail */
  otp_code: string;
};

export type RewardsConfirmEmailAnswer = {
  success: true;
  /** In words for people */
  message: string;
  /** Points of the rewards app */
  points_awarded: number;
  already_rewarded: boolean;
};

export type RewardsClaimUsernameParams = {
  /** 2 to 50 letters, digits, dots, dashes or underscores */
  username: string;
};

export type RewardsClaimUsernameAnswer = AwardedPoints;

export type RewardsSyncContactsParams = {
  /** The people in the phone’s address book */
  contacts: ({
  /** What the person is called there */
  contact_name: string;
  /** The person’s number there */
  contact_phone: string;
})[];
};

export type RewardsSyncContactsAnswer = AwardedPoints;

export type RewardsClaimSocialParams = {
  /** A platform's name, the address of a profile on it, or `platform_1` to `platform_4` */
  platform: string;
};

export type RewardsClaimSocialAnswer = AwardedPoints;

export type RewardsAddInviterParams = {
  /** With its country code, or as people dial it in the country of the client */
  inviter_phone: string;
};

export type RewardsAddInviterAnswer = {
  /** In words for people */
  message: string;
  /** Points of the rewards app */
  points_awarded: number;
};

export type RewardsRequestCodeParams = {
  /** With its country code, or as people dial it in the country of the client */
  phone_number: string;
  /** Any text, such as `login`: a code is good for its own purpose only */
  purpose: string;
  /** Default: WhatsApp */
  channel?: "wa" | "sms" | undefined;
};

export type RewardsRequestCodeAnswer = {
  success: true;
  /** In words for people */
  message: string;
  /** The code, by the answer to its request */
  otp_id: number;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};

export type RewardsVerifyCodeParams = {
  /** With its country code, or as people dial it in the country of the client */
  phone_number: string;
  /** Any text, such as `login`: a code is good for its own purpose only */
  purpose: string;
  /** The six digits that were sent to the person */
  otp_code: string;
};

export type RewardsVerifyCodeAnswer = {
  success: true;
  /** In words for people */
  message: string;
  verified_at: string;
};

export type RewardsCountWaitingParams = Record<string, never>;

export type RewardsCountWaitingAnswer = {
  success: true;
  /** How many */
  count: number;
};

export type SocialbotStartParams = {
  /** Which social platform */
  platform: "telegram" | "whatsapp";
};

export type SocialbotStartAnswer = {
  success: true;
  data: {
  /** The link */
  link_id: string;
  /** How it stands */
  status: "PENDING";
  /** What the member writes to the bot */
  code: string;
  /** Opens the chat with the code in it */
  bot_link: string;
  /** When it ends, in UTC. Nothing where it does not */
  expires_at: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type SocialbotListLinksParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
};

export type SocialbotListLinksAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (SocialLink)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type SocialbotGetLinkParams = {
  /** The link */
  link_id: string;
};

export type SocialbotGetLinkAnswer = {
  success: true;
  data: SocialLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type SocialbotUnlinkParams = {
  /** The link */
  link_id: string;
};

export type SocialbotUnlinkAnswer = {
  success: true;
  data: SocialLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type SocialbotGetStatusParams = Record<string, never>;

export type SocialbotGetStatusAnswer = {
  success: true;
  data: SocialStatus;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type SocialbotConfirmLinkParams = {
  /** The link */
  link_id: string;
};

export type SocialbotConfirmLinkAnswer = {
  success: true;
  data: SocialLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type SocialbotRejectLinkParams = {
  /** The link */
  link_id: string;
};

export type SocialbotRejectLinkAnswer = {
  success: true;
  data: SocialLink;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type EventsStreamParams = {
  /** The `sequence` of the last one read, where there is no `Last-Event-ID` */
  after?: number | undefined;
  /** Types, separated by commas: `payment.succeeded`, `payment.*`, `*` */
  type?: string | undefined;
};

export type EventsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** The `sequence` of the last one read */
  after?: number | undefined;
  /** Types, separated by commas: `payment.succeeded`, `payment.*`, `*` */
  type?: string | undefined;
  /** One object’s: its type and id, `payment:TOPUP-ABC` */
  object?: string | undefined;
  /** Of that time or later */
  from?: string | undefined;
  /** Before that time */
  to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
};

export type EventsListAnswer = {
  success: true;
  data: {
  events: (Event)[];
  /** Whether there is another page */
  has_more: boolean;
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
  next_after: number | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type EventsGetParams = {
  /** Of one event */
  event_id: string;
};

export type EventsGetAnswer = {
  success: true;
  data: Event;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type EventsListTypesParams = Record<string, never>;

export type EventsListTypesAnswer = {
  success: true;
  data: {
  event_types: ({
  /** Of what kind it is */
  type: string;
  object: string;
  schema_version: number;
  summary: string;
  since: string;
  schemas: (unknown)[];
  examples: (unknown)[];
  /** Versions that webhook endpoints may be pinned to */
  earlier: ({
  schema_version: number;
  schema: unknown;
  example: unknown;
})[];
})[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type EventsResendParams = {
  /** Of one event */
  event_id: string;
  /** Of an endpoint of webhooks */
  endpoint_id?: string | undefined;
};

export type EventsResendAnswer = {
  success: true;
  data: {
  /** Of one event */
  event_id: string;
  endpoints: (string)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsCreateParams = {
  /** Where the events go */
  url: string;
  /** `payment.succeeded`, `payment.*` or `*` */
  types: (string)[];
  /** What it is, in words */
  description?: string | undefined;
  /** `fat` is the whole object, `thin` only which one it is */
  payload?: "fat" | "thin" | undefined;
  /** `object`: events of one object in their order; `strict`: all, one after the other */
  ordering?: "object" | "strict" | undefined;
  /** Requests at a time, 8 by default */
  concurrency?: number | undefined;
  /** How many webhooks a second it takes at the most; nothing for no limit */
  rate_limit?: number | null | undefined;
  /** By type, where a type has several versions: as it was when the endpoint was made, until you change it */
  schema_versions?: Record<string, number> | undefined;
  /** Of your own, up to ten, to let our requests in; their values are shown to no caller */
  headers?: Record<string, string> | undefined;
  /** Whose it is; one’s own client’s by default */
  client_id?: number | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type WebhookEndpointsCreateAnswer = {
  success: true;
  data: {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** The organisation */
  client_id: number;
  /** In events without its query, which may hold a secret */
  url: string;
  /** What it is, in words */
  description: string;
  /** Types of events, or `payment.*` for all of a kind */
  types: (string)[];
  payload: string;
  /** Which version of a type it gets; the first one of those that are not named */
  schema_versions: Record<string, number>;
  ordering: string;
  concurrency: number;
  /** How many webhooks a second it takes at the most; nothing for no limit */
  rate_limit: number | null;
  headers: (string)[];
  /** `failing`: only probes are sent until one is taken */
  status: "active" | "failing" | "paused" | "disabled" | (string & {});
  /** `gone`: it answered 410; `failing`: for five days; `not_public`: its address is not public any more */
  disabled_why: string | null;
  /** Tries in a row that have failed */
  failures: number;
  failing_since: string | null;
  next_probe_at: string | null;
  last_success_at: string | null;
  /** When it was made, in UTC */
  created_at: string;
  /** When it last changed, in UTC */
  updated_at: string;
  /** `whsec_`: verify what arrives with it */
  secret: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsListParams = {
  /** 1 to 2147483647 */
  client_id?: number | undefined;
  /** The last one of the page before */
  after?: string | undefined;
  /** How many at the most */
  limit?: number | undefined;
};

export type WebhookEndpointsListAnswer = {
  success: true;
  data: {
  endpoints: (WebhookEndpoint)[];
  /** Whether there is another page */
  has_more: boolean;
  next_after: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsGetParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
};

export type WebhookEndpointsGetAnswer = {
  success: true;
  data: WebhookEndpoint;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsUpdateParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** Where the events go */
  url?: string | undefined;
  /** `payment.succeeded`, `payment.*` or `*` */
  types?: (string)[] | undefined;
  /** What it is, in words */
  description?: string | undefined;
  /** `fat` is the whole object, `thin` only which one it is */
  payload?: "fat" | "thin" | undefined;
  /** `object`: events of one object in their order; `strict`: all, one after the other */
  ordering?: "object" | "strict" | undefined;
  /** Requests at a time, 8 by default */
  concurrency?: number | undefined;
  /** How many webhooks a second it takes at the most; nothing for no limit */
  rate_limit?: number | null | undefined;
  /** By type, where a type has several versions: as it was when the endpoint was made, until you change it */
  schema_versions?: Record<string, number> | undefined;
  /** Of your own, up to ten, to let our requests in; their values are shown to no caller */
  headers?: Record<string, string> | undefined;
};

export type WebhookEndpointsUpdateAnswer = {
  success: true;
  data: WebhookEndpoint;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsDeleteParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
};

export type WebhookEndpointsDeleteAnswer = {
  success: true;
  data: WebhookEndpoint;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsRotateSecretParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** 0 where the old one has leaked */
  overlap_seconds?: number | undefined;
};

export type WebhookEndpointsRotateSecretAnswer = {
  success: true;
  data: {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** `whsec_`: verify what arrives with it */
  secret: string;
  old_secret_until: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsRevealSecretParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** The caller’s own, out of mock mode: or `two_fa_token`, or a log-in of the last five minutes */
  current_password?: string | undefined;
  /** A code of the caller’s second factor, in place of the password */
  two_fa_token?: string | undefined;
};

export type WebhookEndpointsRevealSecretAnswer = {
  success: true;
  data: {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  secrets: ({
  /** `whsec_`: verify what arrives with it */
  secret: string;
  /** Until when an old one signs along */
  not_after: string | null;
})[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsListDeliveriesParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type WebhookEndpointsListDeliveriesAnswer = {
  success: true;
  data: {
  deliveries: (WebhookDelivery)[];
  /** Whether there is another page */
  has_more: boolean;
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsListAttemptsParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** Of one event */
  event_id?: string | undefined;
  /** What came of it */
  result?: "delivered" | "failed" | "exhausted" | undefined;
};

export type WebhookEndpointsListAttemptsAnswer = {
  success: true;
  data: {
  attempts: (WebhookAttempt)[];
  /** Whether there is another page */
  has_more: boolean;
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsGetAttemptParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** Of one try to deliver an event */
  attempt_id: number;
};

export type WebhookEndpointsGetAttemptAnswer = {
  success: true;
  data: SentWebhook;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsTestParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
};

export type WebhookEndpointsTestAnswer = {
  success: true;
  data: WebhookAttempt;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsPauseParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
};

export type WebhookEndpointsPauseAnswer = {
  success: true;
  data: WebhookEndpoint;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsResumeParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** Where it stopped, as is usual, or with what happens from now on; the rest can be replayed */
  from?: "place" | "now" | undefined;
  /** Instead: from what happened at that time on */
  since?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
};

export type WebhookEndpointsResumeAnswer = {
  success: true;
  data: WebhookEndpoint;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type WebhookEndpointsReplayParams = {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** Of that time or later */
  from: string;
  /** Before that time */
  to: string;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** Types of events, or `payment.*` for all of a kind */
  types?: (string)[] | undefined;
  /** Only what has never arrived at the endpoint */
  only_failed?: boolean | undefined;
};

export type WebhookEndpointsReplayAnswer = {
  success: true;
  data: {
  /** Of an endpoint of webhooks */
  endpoint_id: string;
  /** How many events there are in that time, of all types */
  events: number;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type CallbacksReceiveVerificationParams = Record<string, never>;

export type CallbacksReceiveVerificationAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksReceivePartnerParams = Record<string, never>;

export type CallbacksReceivePartnerAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksReceiveTelegramParams = Record<string, never>;

export type CallbacksReceiveTelegramAnswer = TelegramAnswer;

export type CallbacksRegisterBotParams = {
  /** What Meta wants: `subscribe` */
  "hub.mode"?: string | undefined;
  /** The verify token that was entered beside the address */
  "hub.verify_token"?: string | undefined;
  /** Comes back as it was sent */
  "hub.challenge"?: string | undefined;
};

export type CallbacksReceiveBotParams = Record<string, never>;

export type CallbacksReceiveBotAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksReceiveCardParams = {
  /** By which the card network knows the transaction */
  transactionIdentifier: string;
  /** a word or a few, with at most 8 digits */
  status: string;
};

export type CallbacksReceiveCardAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksReceiveBankParams = Record<string, never>;

export type CallbacksReceiveBankAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksReceivePaymentParams = {
  /** What is sent as it is: bytes, text, or a value for JSON. */
  body?: Uint8Array | string | object;
  /** The type of the bytes. */
  content_type?: string;
};

export type CallbacksReceivePaymentAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type CallbacksReceiveTransferParams = {
  /** What is sent as it is: bytes, text, or a value for JSON. */
  body?: Uint8Array | string | object;
  /** The type of the bytes. */
  content_type?: string;
};

export type CallbacksReceiveTransferAnswer = {
  success: true;
  /** In words for people */
  message: string;
};

export type CallbacksDecideCardParams = Record<string, never>;

export type CallbacksDecideCardAnswer = CardFundingAnswer;

export type CallbacksReceiveCardNewsParams = Record<string, never>;

export type CallbacksReceiveCardNewsAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksReceiveInvoicePaymentParams = Record<string, never>;

export type CallbacksReceiveInvoicePaymentAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksRegisterWhatsAppParams = {
  /** What Meta wants: `subscribe` */
  "hub.mode": "subscribe";
  /** The verify token that was entered beside the address */
  "hub.verify_token": string;
  /** Comes back as it was sent */
  "hub.challenge": string;
};

export type CallbacksReceiveWhatsAppParams = Record<string, never>;

export type CallbacksReceiveWhatsAppAnswer = {
  /** In words for people */
  message: string;
};

export type CallbacksReceiveSmsParams = {
  /** Our id of the message */
  message: string;
};

export type CallbacksReceiveSmsAnswer = {
  /** In words for people */
  message: string;
};

export type RequestLogsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** Only what was made at that time or later */
  created_from?: string | undefined;
  /** Only what was made at that time or earlier */
  created_to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
  /** How it stands */
  status?: number | undefined;
  /** Of HTTP */
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
  /** The path as the reference has it */
  path?: string | undefined;
  /** 1 to 2147483647 */
  key_id?: number | undefined;
  /** 1 to 2147483647 */
  user_id?: number | undefined;
  /** The code of the error that was answered */
  error_code?: string | undefined;
};

export type RequestLogsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (RequestLog)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type RequestLogsGetParams = {
  /** The header `x-request-id` */
  request_id: string;
};

export type RequestLogsGetAnswer = {
  success: true;
  data: RequestLog;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type OauthRegisterParams = {
  /** What people read when it asks them */
  client_name?: string | undefined;
  /** Where people go back to: https, a loopback address, or a scheme of the program’s own */
  redirect_uris: (string)[];
};

export type OauthRegisterAnswer = RegisteredApp;

export type OauthAuthorizeParams = {
  /** The language of the page */
  lang?: string | undefined;
  /** Of the program, from its registration */
  client_id?: string | undefined;
  /** Where the person goes back to */
  redirect_uri?: string | undefined;
  /** Always `code` */
  response_type?: string | undefined;
  /** SHA-256 of the verifier, in base64url (RFC 7636) */
  code_challenge?: string | undefined;
  /** Always `S256` */
  code_challenge_method?: string | undefined;
  /** Words of `scopes_supported`; all without it */
  scope?: string | undefined;
  /** Given back as it is */
  state?: string | undefined;
  /** The address of the MCP server */
  resource?: string | undefined;
  /** `allow`; all else denies */
  decision?: string | undefined;
  /** Who lets it in */
  usernameoremail?: string | undefined;
  /** Of that person */
  password?: string | undefined;
  /** Of the authenticator, where there is a second factor */
  code?: string | undefined;
  /** It always may */
  may_read?: string | undefined;
  /** Whether the app gets that scope */
  may_write?: string | undefined;
  /** Whether the app gets that scope */
  may_pay?: string | undefined;
};

export type OauthTokenParams = {
  /** `authorization_code` or `refresh_token` */
  grant_type: string;
  /** Of the program, from its registration */
  client_id: string;
  /** That the person came back with; it counts once, for a minute */
  code?: string | undefined;
  /** What the challenge was made of */
  code_verifier?: string | undefined;
  /** The same as in the question */
  redirect_uri?: string | undefined;
  /** It counts once */
  refresh_token?: string | undefined;
  /** The address of the MCP server */
  resource?: string | undefined;
};

export type OauthTokenAnswer = AppTokens;

export type OauthRevokeParams = {
  /** An access token or a refresh token */
  token: string;
  /** Of the program */
  client_id?: string | undefined;
  /** It is found without */
  token_type_hint?: string | undefined;
};

export type OauthRevokeAnswer = Record<string, unknown>;

export type OauthListGrantsParams = Record<string, never>;

export type OauthListGrantsAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (AppGrant)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type OauthEndGrantParams = {
  /** The consent */
  grant_id: string;
};

export type OauthEndGrantAnswer = {
  success: true;
  data: {
  /** The consent */
  grant_id: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesSimulateParams = {
  /** What would be done, as policies see it */
  operation: {
  /** Of what kind it is */
  kind: "transfer" | "request" | "withdrawal" | "batch" | "refund" | "conversion" | "card" | "bridge" | "send" | "agent";
  /** As expressions see it, such as `card_push`; without it the first operation of the kind, such as `wallet_transfer` */
  op?: string | undefined;
  /** In units of its currency, not in cents */
  amount: string;
  /** ISO 4217 */
  currency: "USD" | "SGD" | "AUD" | "INR" | "IDR" | "VND" | "USDC";
  /** 1 to 2147483647 */
  user_id: number;
  /** 1 to 2147483647 */
  wallet_id?: number | undefined;
  /** The same for the same recipient */
  recipient_id?: string | undefined;
  /** Who is paid */
  recipient?: {
  /** Of what kind it is */
  kind?: string | undefined;
  /** Of the recipient, ISO 3166 */
  country?: string | undefined;
  /** Hours since the recipient was added or changed */
  age_h?: number | undefined;
  /** How the name of the account fits: MATCH, CLOSE_MATCH, NO_MATCH */
  verification?: string | undefined;
  /** Whether the recipient was never paid before */
  is_new?: boolean | undefined;
} | undefined;
  /** The caller’s own texts by their own names */
  metadata?: Record<string, string> | undefined;
};
  /** A draft that counts as published */
  draft?: string | undefined;
};

export type PoliciesSimulateAnswer = {
  success: true;
  data: {
  verdict: "ALLOW" | "DENY" | "LIMIT" | "STEP_UP" | "APPROVE" | "HOLD" | (string & {});
  /** Null where it is allowed */
  decided_by: SimulatedPolicy | null;
  others: (SimulatedPolicy)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesBacktestParams = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
  /** How far back from now */
  days: number;
};

export type PoliciesBacktestAnswer = {
  success: true;
  data: PolicyBacktest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesGetBacktestParams = {
  /** Of a back-test of a policy */
  backtest_id: string;
};

export type PoliciesGetBacktestAnswer = {
  success: true;
  data: PolicyBacktest;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** How it stands */
  status?: "DRAFT" | "PUBLISHED" | "RETIRED" | undefined;
  /** Of what kind it is */
  kind?: "transfer" | "request" | "withdrawal" | "batch" | "refund" | "conversion" | "card" | "bridge" | "send" | "agent" | undefined;
};

export type PoliciesListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Policy)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesCreateParams = {
  /** What people call it */
  name: string;
  /** The kinds of operations that it is about */
  applies_to: ("transfer" | "request" | "withdrawal" | "batch" | "refund" | "conversion" | "card" | "bridge" | "send" | "agent")[];
  /** An expression in CEL; without one a policy applies to all of them */
  when?: string | null | undefined;
  /** What happens to an operation that a policy applies to: one of these */
  then: PolicyOutcomeInput;
  /** Of several of one kind of outcome the highest is named in the refusal */
  priority?: number | undefined;
  /** Of the operator only: whose policy it is; without it, of all clients */
  client_id?: number | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type PoliciesCreateAnswer = {
  success: true;
  data: Policy;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesGetParams = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
};

export type PoliciesGetAnswer = {
  success: true;
  data: Policy;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesUpdateParams = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
  /** What people call it */
  name?: string | undefined;
  /** The kinds of operations that it is about */
  applies_to?: ("transfer" | "request" | "withdrawal" | "batch" | "refund" | "conversion" | "card" | "bridge" | "send" | "agent")[] | undefined;
  /** An expression in CEL; without one a policy applies to all of them */
  when?: string | null | undefined;
  /** What happens to an operation that a policy applies to: one of these */
  then?: PolicyOutcomeInput | undefined;
  /** Of several of one kind of outcome the highest is named in the refusal */
  priority?: number | undefined;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type PoliciesUpdateAnswer = {
  success: true;
  data: Policy;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesDeleteParams = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
};

export type PoliciesDeleteAnswer = {
  success: true;
  data: Policy;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesSetMetadataParams = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
  /** Keys to set; null removes one, and the others stay */
  metadata: MetadataChange;
  /** Of the metadata: 1 at first, one more with each change of it. With another than the present one nothing is changed, and VERSION_CONFLICT names that */
  version?: number | undefined;
};

export type PoliciesSetMetadataAnswer = {
  success: true;
  data: Policy;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesPublishParams = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type PoliciesPublishAnswer = {
  success: true;
  data: Policy;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type PoliciesRetireParams = {
  /** Of a policy; limits are named by it too */
  policy_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
};

export type PoliciesRetireAnswer = {
  success: true;
  data: Policy;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type StepUpProveParams = {
  /** Of the answer STEP_UP_REQUIRED */
  challenge_id: string;
  /** What `navigator.credentials` of the browser has answered */
  response?: PasskeyResponse | undefined;
  /** A code of the authenticator app or a backup code */
  two_fa_token?: string | undefined;
  /** Proves that it is the person who asks */
  current_password?: string | undefined;
};

export type StepUpProveAnswer = {
  success: true;
  data: {
  /** The call has to be repeated before */
  proven_until: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ApprovalsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** How it stands */
  status?: "PENDING" | "APPROVED" | "REJECTED" | "EXPIRED" | "CANCELLED" | undefined;
};

export type ApprovalsListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (Approval)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ApprovalsGetParams = {
  /** Of something that waits for other people */
  approval_id: string;
};

export type ApprovalsGetAnswer = {
  success: true;
  data: Approval;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ApprovalsApproveParams = {
  /** Of something that waits for other people */
  approval_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
  /** Of what was read: another content is refused */
  content_hash: string;
  /** In words */
  note?: string | undefined;
};

export type ApprovalsApproveAnswer = {
  success: true;
  data: Approval;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ApprovalsRejectParams = {
  /** Of something that waits for other people */
  approval_id: string;
  /** The version that was read; another one is refused with 409 */
  version?: number | undefined;
  /** Of what was read: another content is refused */
  content_hash: string;
  /** In words */
  note?: string | undefined;
};

export type ApprovalsRejectAnswer = {
  success: true;
  data: Approval;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type McpCallParams = {
  /** Always `2.0` */
  jsonrpc: string;
  /** Names this one */
  id?: unknown | undefined;
  /** What is called, by its name */
  method?: string | undefined;
  /** What is handed to the method */
  params?: unknown | undefined;
  /** What came of it */
  result?: unknown | undefined;
  /** What went wrong */
  error?: unknown | undefined;
};

export type McpCallAnswer = unknown;

export type FilesSendParams = {
  /** What the file is for: it decides which types are taken, and how large they may be */
  purpose: "dispute_evidence" | "batch_import" | "logo";
  /** What it is called */
  name?: string | undefined;
  /** What is sent as it is: bytes, text, or a value for JSON. */
  body?: Uint8Array | string | object;
  /** The type of the bytes. */
  content_type?: string;
};

export type FilesSendAnswer = {
  success: true;
  data: File;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FilesListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** The `next_cursor` of the page before, with the same filters */
  cursor?: string | undefined;
  /** What the file is for: it decides which types are taken, and how large they may be */
  purpose?: "dispute_evidence" | "batch_import" | "logo" | "statement" | "export" | "batch_result" | undefined;
};

export type FilesListAnswer = {
  success: true;
  data: {
  /** Its payments, up to 10,000: each names a recipient or an account, and an amount */
  items: (File)[];
  /** Of the next page; null on the last one */
  next_cursor: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FilesGetParams = {
  /** Names this one */
  id: string;
};

export type FilesGetAnswer = {
  success: true;
  data: File;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FilesDeleteParams = {
  /** Names this one */
  id: string;
};

export type FilesDeleteAnswer = {
  success: true;
  data: {
  file_id: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type FilesReadParams = {
  /** Names this one */
  id: string;
};

export type ConsoleSignInParams = {
  /** Of the person who logs in */
  usernameoremail: string;
  /** Of the person’s log-in */
  password: string;
};

export type ConsoleSignInAnswer = {
  success: true;
  data: ConsoleLogIn;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConsoleSignOutParams = Record<string, never>;

export type ConsoleSignOutAnswer = {
  success: true;
  data: {
  /** In words for people */
  message: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConsoleCompleteSignInParams = {
  /** 1 to 2147483647 */
  user_id: number;
  /** A code of the authenticator app, of the mail or a backup code */
  code: string;
};

export type ConsoleCompleteSignInAnswer = {
  success: true;
  data: ConsoleLogIn;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConsoleProveParams = {
  /** Of the person’s log-in */
  password?: string | undefined;
  /** Of the second factor, in place of the password */
  code?: string | undefined;
};

export type ConsoleProveAnswer = {
  success: true;
  data: {
  /** Until when dangerous actions need no further proof; null where they need one */
  proved_until: string | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConsoleMeParams = Record<string, never>;

export type ConsoleMeAnswer = {
  success: true;
  data: {
  user: {
  /** A person’s */
  user_id: number;
  /** The organisation */
  client_id: number;
  /** What the person is called */
  username: string;
  /** An e-mail address */
  email: string;
  /** What they may do */
  role: string;
  second_factor: boolean;
};
  /** Whose people: the operator’s see all clients */
  home: "operator" | "client" | (string & {});
  organisation: string;
  /** What an admin may do at their client */
  team_role: "owner" | "developer" | "finance" | "support" | "viewer" | (string & {});
  /** All that their role opens, as `area:action`: the page offers nothing else */
  may: (string)[];
  /** How it stands */
  state: "signed_in" | "set_up_second_factor" | (string & {});
  session_until: string;
  /** When it ends without further requests */
  idle_until: string;
  /** Until when dangerous actions need no further proof; null where they need one */
  proved_until: string | null;
  /** The version that was read; another one is refused with 409 */
  version: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ConsolePeopleParams = {
  /** At most 100 numbers with commas between them; unknown ones are left out */
  ids: string;
};

export type ConsolePeopleAnswer = {
  success: true;
  data: {
  people: (NamedPerson)[];
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DeskOrdersParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
};

export type DeskOrdersAnswer = {
  success: true;
  data: {
  orders: ({
  change_id: number;
  /** The user whose account it changes */
  user_id: number;
  /** The organisation */
  client_id: number;
  /** Of what kind it is */
  kind: string;
  /** Such as the new e-mail address; empty where there is none */
  subject: string;
  /** The admin of the operator who has ordered it */
  ordered_by: number | null;
  /** When it was made, in UTC */
  created_at: string;
  takes_effect_at: string;
})[];
  pagination: Page;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DeskWorkParams = Record<string, never>;

export type DeskWorkAnswer = {
  success: true;
  data: OpenWork;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DeskTimelineParams = {
  /** An e-mail address, user name, phone or number of a person; a name, e-mail address, phone, code or number of a client; the id, reference, retrieval number or approval code of a payment; the id of another object, of a request, an event, a call, a flow or something inbound; the hash of a transaction; the reference of a difference between two books */
  q: string;
};

export type DeskTimelineAnswer = {
  success: true;
  data: Timeline;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DeskTryAgainParams = {
  /** Of what kind it is */
  what: "effect" | "flow" | "inbox";
  /** Of a call its kind, of an inbound event its source, of a flow its type */
  kind: string;
  /** Names this one */
  id: string;
};

export type DeskTryAgainAnswer = {
  success: true;
  data: {
  /** In words for people */
  message: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type DeskRedriveParams = {
  /** Names this one */
  id: string;
};

export type DeskRedriveAnswer = {
  success: true;
  data: {
  /** In words for people */
  message: string;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AdjustmentsProposeParams = {
  /** `adjustment` gives a wallet something or takes it, `reversal` undoes a posted transfer */
  kind: "reversal" | "adjustment";
  /** Why, for the second person and for the records */
  reason: string;
  /** Of a reversal: the reference of the transfer, as statements have it */
  of?: string | undefined;
  /** 1 to 2147483647 */
  wallet_id?: number | undefined;
  /** `credit` gives the wallet something, `debit` takes it */
  direction?: "credit" | "debit" | undefined;
  /** In units of its currency, not in cents */
  amount?: string | undefined;
  /** ISO 4217 */
  currency?: "USD" | "IDR" | "SGD" | "AUD" | "INR" | "VND" | undefined;
  /** Printable ASCII without blanks: what you call it. Unique for your client and kind of thing, for ever */
  reference?: CallerReferenceInput | undefined;
  /** What you want to find beside it: up to 20 texts of 500 characters, 8 KiB in all */
  metadata?: Metadata | undefined;
};

export type AdjustmentsProposeAnswer = {
  success: true;
  data: Adjustment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AdjustmentsListParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** How it stands */
  status?: "PROPOSED" | "BOOKED" | "REJECTED" | "WITHDRAWN" | "EXPIRED" | "VOIDED" | undefined;
};

export type AdjustmentsListAnswer = {
  success: true;
  data: {
  adjustments: (Adjustment)[];
  pagination: Page;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AdjustmentsGetParams = {
  /** Of a correction of the ledger, as its proposal has answered it */
  adjustment_id: string;
};

export type AdjustmentsGetAnswer = {
  success: true;
  data: AdjustmentToDecide;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AdjustmentsApproveParams = {
  /** Of a correction of the ledger, as its proposal has answered it */
  adjustment_id: string;
};

export type AdjustmentsApproveAnswer = {
  success: true;
  data: Adjustment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AdjustmentsRejectParams = {
  /** Of a correction of the ledger, as its proposal has answered it */
  adjustment_id: string;
  /** Why, in words */
  reason: string;
};

export type AdjustmentsRejectAnswer = {
  success: true;
  data: Adjustment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type AdjustmentsWithdrawParams = {
  /** Of a correction of the ledger, as its proposal has answered it */
  adjustment_id: string;
};

export type AdjustmentsWithdrawAnswer = {
  success: true;
  data: Adjustment;
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ReconciliationListBreaksParams = {
  /** How many at the most */
  limit?: number | undefined;
  /** Only what comes after this one in the list: the id of the last row seen */
  before?: number | undefined;
  /** Which books are compared, such as `card-network` */
  rail?: string | undefined;
  /** How it stands */
  state?: "OPEN" | "EXPLAINED" | "RESOLVED" | undefined;
  /** In what the two sides differ */
  cause?: "MISSING_AT_PROVIDER" | "MISSING_IN_OUR_BOOKS" | "AMOUNT_DIFFERS" | "DAY_DIFFERS" | "DOUBLED_AT_PROVIDER" | "DOUBLED_IN_OUR_BOOKS" | undefined;
  /** Found from then on */
  from?: string | undefined;
  /** Found before */
  to?: string | undefined;
  /** To which the days of this request belong, such as `Asia/Jakarta`; default: that of the client */
  time_zone?: string | undefined;
};

export type ReconciliationListBreaksAnswer = {
  success: true;
  data: {
  breaks: (Break)[];
  rails: (RailStanding)[];
  /** Whether there is another page */
  has_more: boolean;
  /** `before` of the next page. Null on the last one */
  next_before: number | null;
};
  /** When this was answered, in UTC */
  timestamp: string;
};

export type ReconciliationExplainBreakParams = {
  /** 1 to 2147483647 */
  break_id: number;
  /** In words */
  note: string;
};

export type ReconciliationExplainBreakAnswer = {
  success: true;
  data: Break;
  /** When this was answered, in UTC */
  timestamp: string;
};

/** Events by their type. */
export interface Events {
  'adjustment.booked': AdjustmentBookedEvent;
  'adjustment.expired': AdjustmentExpiredEvent;
  'adjustment.proposed': AdjustmentProposedEvent;
  'adjustment.rejected': AdjustmentRejectedEvent;
  'adjustment.voided': AdjustmentVoidedEvent;
  'adjustment.withdrawn': AdjustmentWithdrawnEvent;
  'api_key.changed': ApiKeyChangedEvent;
  'api_key.created': ApiKeyCreatedEvent;
  'api_key.deleted': ApiKeyDeletedEvent;
  'api_key.expiring': ApiKeyExpiringEvent;
  'api_key.rotated': ApiKeyRotatedEvent;
  'bank_account.added': BankAccountAddedEvent;
  'bank_account.removed': BankAccountRemovedEvent;
  'bank_connection.linked': BankConnectionLinkedEvent;
  'bank_connection.unlinked': BankConnectionUnlinkedEvent;
  'batch.approved': BatchApprovedEvent;
  'batch.cancelled': BatchCancelledEvent;
  'batch.completed': BatchCompletedEvent;
  'batch.created': BatchCreatedEvent;
  'batch.failed': BatchFailedEvent;
  'batch.partially_completed': BatchPartiallyCompletedEvent;
  'batch.processing': BatchProcessingEvent;
  'batch.rejected': BatchRejectedEvent;
  'batch.submitted': BatchSubmittedEvent;
  'bridge_transfer.advanced': BridgeTransferAdvancedEvent;
  'bridge_transfer.attested': BridgeTransferAttestedEvent;
  'bridge_transfer.burned': BridgeTransferBurnedEvent;
  'bridge_transfer.burning': BridgeTransferBurningEvent;
  'bridge_transfer.completed': BridgeTransferCompletedEvent;
  'bridge_transfer.failed': BridgeTransferFailedEvent;
  'bridge_transfer.minting': BridgeTransferMintingEvent;
  'bridge_transfer.sending': BridgeTransferSendingEvent;
  'bridge_transfer.stalled': BridgeTransferStalledEvent;
  'card.activated': CardActivatedEvent;
  'card.changed': CardChangedEvent;
  'card.closed': CardClosedEvent;
  'card.created': CardCreatedEvent;
  'card.expired': CardExpiredEvent;
  'card.failed': CardFailedEvent;
  'card.frozen': CardFrozenEvent;
  'card.issued': CardIssuedEvent;
  'card.replaced': CardReplacedEvent;
  'card.unfrozen': CardUnfrozenEvent;
  'card_decision.timed_out': CardDecisionTimedOutEvent;
  'card_dispute.draft': CardDisputeDraftEvent;
  'card_dispute.lost': CardDisputeLostEvent;
  'card_dispute.pending_response': CardDisputePendingResponseEvent;
  'card_dispute.prearbitration': CardDisputePrearbitrationEvent;
  'card_dispute.rejected': CardDisputeRejectedEvent;
  'card_dispute.submitted': CardDisputeSubmittedEvent;
  'card_dispute.updated': CardDisputeUpdatedEvent;
  'card_dispute.withdrawn': CardDisputeWithdrawnEvent;
  'card_dispute.won': CardDisputeWonEvent;
  'card_transaction.declined': CardTransactionDeclinedEvent;
  'card_transaction.flagged': CardTransactionFlaggedEvent;
  'cardano_order.begun': CardanoOrderBegunEvent;
  'cardano_order.burnt': CardanoOrderBurntEvent;
  'cardano_order.completed': CardanoOrderCompletedEvent;
  'cardano_order.given_back': CardanoOrderGivenBackEvent;
  'cardano_order.made_anew': CardanoOrderMadeAnewEvent;
  'cardano_order.minted': CardanoOrderMintedEvent;
  'cardano_order.payout_returned': CardanoOrderPayoutReturnedEvent;
  'cardano_order.taken_back': CardanoOrderTakenBackEvent;
  'cardano_order.unpaid': CardanoOrderUnpaidEvent;
  'client.created': ClientCreatedEvent;
  'client.let_in': ClientLetInEvent;
  'client.stopped': ClientStoppedEvent;
  'client.updated': ClientUpdatedEvent;
  'conversion.completed': ConversionCompletedEvent;
  'conversion.confirmed': ConversionConfirmedEvent;
  'conversion.disbursed': ConversionDisbursedEvent;
  'conversion.failed': ConversionFailedEvent;
  'conversion.order_refused': ConversionOrderRefusedEvent;
  'conversion.payout_returned': ConversionPayoutReturnedEvent;
  'conversion.started': ConversionStartedEvent;
  'conversion.traded': ConversionTradedEvent;
  'conversion.withdrawal_refused': ConversionWithdrawalRefusedEvent;
  'crosschain_transfer.burn_lost': CrosschainTransferBurnLostEvent;
  'crosschain_transfer.burn_refused': CrosschainTransferBurnRefusedEvent;
  'crosschain_transfer.burn_started': CrosschainTransferBurnStartedEvent;
  'crosschain_transfer.burned': CrosschainTransferBurnedEvent;
  'crosschain_transfer.failed': CrosschainTransferFailedEvent;
  'crosschain_transfer.initiated': CrosschainTransferInitiatedEvent;
  'crosschain_transfer.mint_lost': CrosschainTransferMintLostEvent;
  'crosschain_transfer.mint_refused': CrosschainTransferMintRefusedEvent;
  'crosschain_transfer.mint_started': CrosschainTransferMintStartedEvent;
  'crosschain_transfer.minted': CrosschainTransferMintedEvent;
  'crypto_wallet.created': CryptoWalletCreatedEvent;
  'crypto_wallet.deleted': CryptoWalletDeletedEvent;
  'device.added': DeviceAddedEvent;
  'device.removed': DeviceRemovedEvent;
  'exchange_wallet.created': ExchangeWalletCreatedEvent;
  'exchange_wallet.deleted': ExchangeWalletDeletedEvent;
  'exchange_wallet.updated': ExchangeWalletUpdatedEvent;
  'external_identity.linked': ExternalIdentityLinkedEvent;
  'external_identity.unlinked': ExternalIdentityUnlinkedEvent;
  'fee_settings.updated': FeeSettingsUpdatedEvent;
  'gateway_settings.updated': GatewaySettingsUpdatedEvent;
  'idr_mint.completed': IdrMintCompletedEvent;
  'idr_mint.lost': IdrMintLostEvent;
  'idr_mint.minted': IdrMintMintedEvent;
  'idr_payment.assigned': IdrPaymentAssignedEvent;
  'idr_payment.refunded': IdrPaymentRefundedEvent;
  'idr_payment.unmatched': IdrPaymentUnmatchedEvent;
  'instance.created': InstanceCreatedEvent;
  'instance.deleted': InstanceDeletedEvent;
  'instance.updated': InstanceUpdatedEvent;
  'invoice.cancelled': InvoiceCancelledEvent;
  'invoice.created': InvoiceCreatedEvent;
  'invoice.expired': InvoiceExpiredEvent;
  'invoice.paid': InvoicePaidEvent;
  'invoice.partially_paid': InvoicePartiallyPaidEvent;
  'invoice.refunded': InvoiceRefundedEvent;
  'invoice_payment.assigned': InvoicePaymentAssignedEvent;
  'invoice_payment.refunded': InvoicePaymentRefundedEvent;
  'invoice_payment.refunding': InvoicePaymentRefundingEvent;
  'invoice_payment.unmatched': InvoicePaymentUnmatchedEvent;
  'invoice_payment.written_off': InvoicePaymentWrittenOffEvent;
  'marketplace_order.cancelled': MarketplaceOrderCancelledEvent;
  'marketplace_order.completed': MarketplaceOrderCompletedEvent;
  'marketplace_order.created': MarketplaceOrderCreatedEvent;
  'marketplace_order.failed': MarketplaceOrderFailedEvent;
  'marketplace_order.paid': MarketplaceOrderPaidEvent;
  'marketplace_order.unpaid': MarketplaceOrderUnpaidEvent;
  'marketplace_payment.assigned': MarketplacePaymentAssignedEvent;
  'marketplace_payment.found_again': MarketplacePaymentFoundAgainEvent;
  'marketplace_payment.lost': MarketplacePaymentLostEvent;
  'marketplace_payment.refund_failed': MarketplacePaymentRefundFailedEvent;
  'marketplace_payment.refund_started': MarketplacePaymentRefundStartedEvent;
  'marketplace_payment.refunded': MarketplacePaymentRefundedEvent;
  'marketplace_payment.undelivered': MarketplacePaymentUndeliveredEvent;
  'marketplace_payment.unmatched': MarketplacePaymentUnmatchedEvent;
  'marketplace_payment.written_off': MarketplacePaymentWrittenOffEvent;
  'member.joined': MemberJoinedEvent;
  'network.down': NetworkDownEvent;
  'network.up': NetworkUpEvent;
  'partner_customer.created': PartnerCustomerCreatedEvent;
  'partner_customer.updated': PartnerCustomerUpdatedEvent;
  'passkey.added': PasskeyAddedEvent;
  'passkey.removed': PasskeyRemovedEvent;
  'payment.cancelled': PaymentCancelledEvent;
  'payment.charged_back': PaymentChargedBackEvent;
  'payment.delayed': PaymentDelayedEvent;
  'payment.disputed': PaymentDisputedEvent;
  'payment.failed': PaymentFailedEvent;
  'payment.partially_refunded': PaymentPartiallyRefundedEvent;
  'payment.pending': PaymentPendingEvent;
  'payment.refunded': PaymentRefundedEvent;
  'payment.restored': PaymentRestoredEvent;
  'payment.returned': PaymentReturnedEvent;
  'payment.succeeded': PaymentSucceededEvent;
  'payment.updated': PaymentUpdatedEvent;
  'payment_link.changed': PaymentLinkChangedEvent;
  'payment_link.created': PaymentLinkCreatedEvent;
  'payment_link.exhausted': PaymentLinkExhaustedEvent;
  'payment_link.expired': PaymentLinkExpiredEvent;
  'payment_request.accepted': PaymentRequestAcceptedEvent;
  'payment_request.cancelled': PaymentRequestCancelledEvent;
  'payment_request.created': PaymentRequestCreatedEvent;
  'payment_request.declined': PaymentRequestDeclinedEvent;
  'payment_request.expired': PaymentRequestExpiredEvent;
  'payout.came_back': PayoutCameBackEvent;
  'payout.cancelled': PayoutCancelledEvent;
  'payout.failed': PayoutFailedEvent;
  'payout.left_again': PayoutLeftAgainEvent;
  'payout.pending': PayoutPendingEvent;
  'payout.processing': PayoutProcessingEvent;
  'payout.returned': PayoutReturnedEvent;
  'payout.succeeded': PayoutSucceededEvent;
  'payout.updated': PayoutUpdatedEvent;
  'pending_change.confirmed': PendingChangeConfirmedEvent;
  'pending_change.dropped': PendingChangeDroppedEvent;
  'pending_change.failed': PendingChangeFailedEvent;
  'pending_change.ordered': PendingChangeOrderedEvent;
  'pending_change.proposed': PendingChangeProposedEvent;
  'pending_change.refused': PendingChangeRefusedEvent;
  'pending_change.took_effect': PendingChangeTookEffectEvent;
  'pending_change.voided': PendingChangeVoidedEvent;
  'pending_change.withdrawn': PendingChangeWithdrawnEvent;
  'policy.announced': PolicyAnnouncedEvent;
  'policy.changed': PolicyChangedEvent;
  'policy.created': PolicyCreatedEvent;
  'policy.deleted': PolicyDeletedEvent;
  'policy.published': PolicyPublishedEvent;
  'policy.retired': PolicyRetiredEvent;
  'psp_customer.activated': PspCustomerActivatedEvent;
  'psp_customer.failed': PspCustomerFailedEvent;
  'psp_customer.requested': PspCustomerRequestedEvent;
  'purchase.completed': PurchaseCompletedEvent;
  'purchase.confirmed': PurchaseConfirmedEvent;
  'purchase.created': PurchaseCreatedEvent;
  'purchase.expired': PurchaseExpiredEvent;
  'purchase.failed': PurchaseFailedEvent;
  'purchase.paid': PurchasePaidEvent;
  'purchase.refund_started': PurchaseRefundStartedEvent;
  'purchase.refunded': PurchaseRefundedEvent;
  'recipient.changed': RecipientChangedEvent;
  'recipient.created': RecipientCreatedEvent;
  'recipient.deleted': RecipientDeletedEvent;
  'recipient.verified': RecipientVerifiedEvent;
  'reconciliation.break_changed': ReconciliationBreakChangedEvent;
  'reconciliation.break_explained': ReconciliationBreakExplainedEvent;
  'reconciliation.break_found': ReconciliationBreakFoundEvent;
  'reconciliation.break_resolved': ReconciliationBreakResolvedEvent;
  'refund.came_back': RefundCameBackEvent;
  'refund.failed': RefundFailedEvent;
  'refund.left_again': RefundLeftAgainEvent;
  'refund.pending': RefundPendingEvent;
  'refund.succeeded': RefundSucceededEvent;
  'refund.updated': RefundUpdatedEvent;
  'reported_transfer.logged': ReportedTransferLoggedEvent;
  'reward.granted': RewardGrantedEvent;
  'session.opened': SessionOpenedEvent;
  'session.revoked': SessionRevokedEvent;
  'social_link.linked': SocialLinkLinkedEvent;
  'social_link.rejected': SocialLinkRejectedEvent;
  'social_link.unlinked': SocialLinkUnlinkedEvent;
  'team_invitation.accepted': TeamInvitationAcceptedEvent;
  'team_invitation.created': TeamInvitationCreatedEvent;
  'team_invitation.revoked': TeamInvitationRevokedEvent;
  'team_member.joined': TeamMemberJoinedEvent;
  'team_member.removed': TeamMemberRemovedEvent;
  'team_member.role_changed': TeamMemberRoleChangedEvent;
  'test.ping': TestPingEvent;
  'transfer.confirmed': TransferConfirmedEvent;
  'transfer.failed': TransferFailedEvent;
  'transfer.requested': TransferRequestedEvent;
  'transfer.sent': TransferSentEvent;
  'transfer.withdrawn': TransferWithdrawnEvent;
  'two_factor.disabled': TwoFactorDisabledEvent;
  'two_factor.enabled': TwoFactorEnabledEvent;
  'user.activated': UserActivatedEvent;
  'user.closing': UserClosingEvent;
  'user.closing_cancelled': UserClosingCancelledEvent;
  'user.created': UserCreatedEvent;
  'user.erased': UserErasedEvent;
  'user.let_in': UserLetInEvent;
  'user.stopped': UserStoppedEvent;
  'user.updated': UserUpdatedEvent;
  'verification.approved': VerificationApprovedEvent;
  'verification.pending': VerificationPendingEvent;
  'verification.rejected': VerificationRejectedEvent;
  'wallet.created': WalletCreatedEvent;
  'wallet.credited': WalletCreditedEvent;
  'wallet.debited': WalletDebitedEvent;
  'wallet.frozen': WalletFrozenEvent;
  'wallet.hold_placed': WalletHoldPlacedEvent;
  'wallet.hold_released': WalletHoldReleasedEvent;
  'wallet.threshold_crossed': WalletThresholdCrossedEvent;
  'wallet.unfrozen': WalletUnfrozenEvent;
  'wallet_address.created': WalletAddressCreatedEvent;
  'wallet_hold.captured': WalletHoldCapturedEvent;
  'wallet_hold.expired': WalletHoldExpiredEvent;
  'wallet_hold.placed': WalletHoldPlacedEvent;
  'wallet_hold.voided': WalletHoldVoidedEvent;
  'wallet_proof.proven': WalletProofProvenEvent;
  'wallet_proof.removed': WalletProofRemovedEvent;
  'wallet_proof.superseded': WalletProofSupersededEvent;
  'wallet_transfer.cancelled': WalletTransferCancelledEvent;
  'wallet_transfer.completed': WalletTransferCompletedEvent;
  'wallet_transfer.expired': WalletTransferExpiredEvent;
  'wallet_transfer.failed': WalletTransferFailedEvent;
  'wallet_transfer.pending': WalletTransferPendingEvent;
  'webhook_endpoint.created': WebhookEndpointCreatedEvent;
  'webhook_endpoint.deleted': WebhookEndpointDeletedEvent;
  'webhook_endpoint.disabled': WebhookEndpointDisabledEvent;
  'webhook_endpoint.events_expired': WebhookEndpointEventsExpiredEvent;
  'webhook_endpoint.failing': WebhookEndpointFailingEvent;
  'webhook_endpoint.recovered': WebhookEndpointRecoveredEvent;
  'webhook_endpoint.updated': WebhookEndpointUpdatedEvent;
  'work.given_up': WorkGivenUpEvent;
  'work.stalled': WorkStalledEvent;
  'xrpl_transaction.failed': XrplTransactionFailedEvent;
  'xrpl_transaction.pending': XrplTransactionPendingEvent;
  'xrpl_transaction.succeeded': XrplTransactionSucceededEvent;
}

export type EventType = keyof Events;

/** An event of any known type, told apart by `type`. */
export type ArchipayEvent = Events[EventType];
