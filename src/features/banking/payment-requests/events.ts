import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import { ShownPaymentRequest, shownPaymentRequest } from './presenters.ts';
import type { MoneyRequest } from './store.ts';

const AT = '2026-11-22T03:00:58.447Z';

const requests = defineObject<MoneyRequest, typeof ShownPaymentRequest>({
  schema: ShownPaymentRequest,
  since: '2026-11',
  example: {
    request_id: objectId('req', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e32'),
    side: 'sent',
    from: { display_name: 'a•••', wallet_id: 3 },
    to: { display_name: 'b•••', wallet_id: null },
    amount: '12.50',
    currency: 'USD',
    note: 'Lunch',
    transfer_id: objectId('trf', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30'),
    expires_at: '2026-11-29T03:00:58.447Z',
    reference: 'lunch-1',
    metadata: {},
    status: 'ACCEPTED',
    substatus: null,
    status_times: { open_at: AT, accepted_at: AT },
    failure: null,
    in_doubt_since: null,
    next_attempt_at: null,
    version: 2,
    created_at: AT,
    updated_at: AT,
  },
  key: ({ client_id, user_id, object_id: id }) => ({ client_id, user_id, id }),
  show: (request) => shownPaymentRequest(request),
});

const request = requests.events('payment_request', {
  created: 'Somebody asks another person for money',
  accepted: 'Who was asked pays it, by the transfer that it names',
  declined: 'Who was asked does not pay it',
  cancelled: 'Who has asked does not want it any more',
  expired: 'It was not answered in time',
});

export const PAYMENT_REQUEST_EVENTS = request.types;

const VERBS = {
  OPEN: 'created',
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const;

/** In the transaction that changes it. */
export const emitPaymentRequest = (tx: Db, row: MoneyRequest): void =>
  request.emit(tx, VERBS[row.status], row);
