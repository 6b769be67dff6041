import { type Static, Type } from 'typebox';
import {
  maskedAddress,
  maskedName,
  TRANSFER_SIDES,
  TransferParty,
} from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { type MoneyRequest, PAYMENT_REQUEST_STATUSES } from './store.ts';

/** A request as either side sees it. */
export const ShownPaymentRequest = named('PaymentRequest', {
  request_id: objectIdField('req'),
  side: explained(oneOfWords(TRANSFER_SIDES), 'Of the reader: who asks has sent it'),
  from: explained(TransferParty, 'Who asks'),
  to: explained(TransferParty, 'Who is asked to pay'),
  amount: MoneyText,
  currency: Type.String(),
  note: TextOrNull,
  transfer_id: explained(
    Nullable(objectIdField('trf')),
    'The transfer that pays it, once accepted',
  ),
  expires_at: explained(Timestamp, 'Until when it may be accepted'),
  ...namesShown,
  ...stateFields(PAYMENT_REQUEST_STATUSES),
});

/** As that user sees it; who asks and admins see their own wallet. */
export function shownPaymentRequest(
  request: MoneyRequest,
  reader: number = request.user_id,
): Static<typeof ShownPaymentRequest> {
  const { object_id, currency, amount, note, expires_at, names, transfer_id } = request;
  const isAsked =
    reader === request.to_user_id || (request.to_user_id === null && reader !== request.user_id);
  return {
    request_id: object_id,
    side: isAsked ? 'received' : 'sent',
    from: {
      display_name: maskedName(request.from_name),
      wallet_id: isAsked ? null : request.wallet_id,
    },
    to: {
      display_name:
        request.to_name === null
          ? maskedAddress(request.to_address ?? '')
          : maskedName(request.to_name),
      wallet_id: null,
    },
    amount: format({ asset: currency, units: amount }),
    currency,
    note,
    transfer_id: transfer_id === null ? null : objectId('trf', transfer_id),
    expires_at,
    reference: names.reference,
    metadata: names.metadata,
    ...shownState(request, {
      waits: request.status === 'OPEN' ? 'waiting_for_person' : undefined,
    }),
  };
}
