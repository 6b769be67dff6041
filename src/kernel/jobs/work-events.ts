import { Type } from 'typebox';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { emit } from '#kernel/events/emit.ts';
import { defineEvents } from '#kernel/events/event-type.ts';

const work = defineEvents(
  'work',
  {
    schema: Type.Object({
      what: Type.String({
        description: '`effect.card`, `flow.idr-onramp`, `crosschain.look-for-burn`',
      }),
      id: Type.String(),
    }),
    since: '2026-11',
    example: { what: 'effect.card', id: 'TOPUP-NFCRADBEHKLMPQGJ' },
  },
  {
    stalled: 'Something does not go on by itself: a person has to look',
    given_up: 'A job has failed at every attempt: a dead letter until a person drives it again',
  },
);

/** What the kernel tells of by itself. */
export const WORK_EVENTS = Object.values(work);

/** In the transaction that writes it down. For the operator; why is in the log and in `npm run jobs`. */
export const emitWork = (tx: Db, became: keyof typeof work, what: string, id: string): void =>
  emit(tx, work[became], {
    client_id: OPERATOR_CLIENT_ID,
    id: `${what}:${id}`,
    data: { what, id },
  });
