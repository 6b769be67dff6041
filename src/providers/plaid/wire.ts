import { type Static, Type } from 'typebox';
import {
  type PlaidBankAccount,
  type PlaidTransfer,
  TRANSFER_STATUSES,
  type TransferEvent,
  type TransferStatus,
} from './port.ts';

const Text = Type.String({ minLength: 1, maxLength: 1024 });
const TextOrNull = Type.Union([Type.String({ maxLength: 1024 }), Type.Null()]);
const NumberOrNull = Type.Union([Type.Number(), Type.Null()]);
const Amount = Type.String({ pattern: '^(0|[1-9][0-9]{0,14})\\.[0-9]{2}$' });
const Answer = { request_id: Type.Optional(Type.String()) };

export const WireLinkToken = Type.Object({ link_token: Text, expiration: Text, ...Answer });
export const WireExchange = Type.Object({ access_token: Text, item_id: Text, ...Answer });
export const WireAck = Type.Object({ request_id: Type.String() });
export const WirePublicToken = Type.Object({ public_token: Text, ...Answer });

const WireAccount = Type.Object({
  account_id: Text,
  balances: Type.Object({
    available: NumberOrNull,
    current: NumberOrNull,
    limit: Type.Optional(NumberOrNull),
    iso_currency_code: TextOrNull,
    unofficial_currency_code: Type.Optional(TextOrNull),
  }),
  mask: TextOrNull,
  name: Type.String({ maxLength: 1024 }),
  official_name: Type.Optional(TextOrNull),
  type: Text,
  subtype: TextOrNull,
});
type WireAccount = Static<typeof WireAccount>;
export const WireAccounts = Type.Object({
  accounts: Type.Array(WireAccount, { maxItems: 1000 }),
  ...Answer,
});

export const WireAuthorization = Type.Object({
  authorization: Type.Object({
    id: Text,
    /** `approved`, `declined`, `user_action_required` */
    decision: Text,
    decision_rationale: Type.Optional(
      Type.Union([Type.Object({ code: Text, description: Type.String() }), Type.Null()]),
    ),
  }),
  ...Answer,
});

const WireTransfer = Type.Object({
  id: Text,
  status: Type.Enum([...TRANSFER_STATUSES]),
  amount: Amount,
});
export const WireTransferAnswer = Type.Object({ transfer: WireTransfer, ...Answer });

const PlaidWireEvent = Type.Object({
  event_id: Type.Integer({ minimum: 1 }),
  timestamp: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T' }),
  event_type: Text,
  /** Empty in events of sweeps, which belong to no single transfer. */
  transfer_id: Type.String({ maxLength: 200 }),
  transfer_amount: Type.Optional(Type.Union([Amount, Type.Null()])),
});
type WireEvent = Static<typeof PlaidWireEvent>;
export const WireEventPage = Type.Object({
  transfer_events: Type.Array(PlaidWireEvent, { maxItems: 1000 }),
  has_more: Type.Optional(Type.Boolean()),
  ...Answer,
});

export const WireKey = Type.Object({
  key: Type.Object({
    alg: Type.Literal('ES256'),
    crv: Type.Literal('P-256'),
    kid: Text,
    kty: Type.Literal('EC'),
    use: Type.Literal('sig'),
    x: Text,
    y: Text,
    created_at: Type.Integer(),
    expired_at: Type.Union([Type.Integer(), Type.Null()]),
  }),
  ...Answer,
});
export type WireKey = Static<typeof WireKey>['key'];

export const PlaidWireError = Type.Object({
  error_type: Text,
  error_code: Text,
  error_message: Type.String(),
});

export const WireWebhook = Type.Object({
  webhook_type: Type.String({ maxLength: 60 }),
  webhook_code: Type.String({ maxLength: 60 }),
});

export const WEBHOOK_HEADER = 'plaid-verification';
export const WEBHOOK_AGE_S = 300;
/** The allowed description of an ACH transfer. */
export const DESCRIPTION = 'TOPUP';

export const toAccount = (wire: WireAccount): PlaidBankAccount => ({
  account_id: wire.account_id,
  balances: {
    available: wire.balances.available,
    current: wire.balances.current,
    iso_currency_code: wire.balances.iso_currency_code,
  },
  name: wire.name,
  type: wire.type,
  subtype: wire.subtype,
  mask: wire.mask,
});

export const toTransfer = ({ id, status, amount }: Static<typeof WireTransfer>): PlaidTransfer => ({
  id,
  status: status as TransferStatus,
  amount,
});

export const toPlaidEvent = (wire: WireEvent): TransferEvent => ({
  eventId: wire.event_id,
  transferId: wire.transfer_id,
  type: wire.event_type,
  amount: wire.transfer_amount ?? null,
  at: new Date(wire.timestamp).toISOString(),
});
