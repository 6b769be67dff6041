import { Type } from 'typebox';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvent } from '#kernel/events/event-type.ts';

const stalled = defineEvent('work.stalled', {
  schema: Type.Object({
    what: Type.String({ description: '`effect.card`, `flow.idr-onramp`' }),
    id: Type.String(),
  }),
  summary: 'Something does not go on by itself: a person has to look',
  since: '2026-11',
  example: { what: 'effect.card', id: 'TOPUP-NFCRADBEHKLMPQGJ' },
});

export const WORK_EVENTS = [stalled];

/** In the transaction that writes it down. For the operator; why is in the log and in `npm run jobs`. */
export const emitStalled = (tx: Db, what: string, id: string): void =>
  emit(tx, stalled, { client_id: OPERATOR_CLIENT_ID, id: `${what}:${id}`, data: { what, id } });
