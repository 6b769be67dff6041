import type { Kysely } from 'kysely';
import { Type } from 'typebox';
import { openDatabase, run } from '#kernel/db/db.ts';
import { holdLiveness, type Liveness } from '#kernel/db/liveness.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { defineEvent } from '#kernel/events/event-type.ts';
import { createEventLog, type Events } from '#kernel/events/events.ts';
import { createLog } from '#kernel/log.ts';
import { atEnd } from './at-end.ts';
import { testDatabase } from './database.ts';

/** An event type for tests. */
export const happened = defineEvent('test.happened', {
  schema: Type.Object({ writer: Type.Integer(), nth: Type.Integer() }),
  summary: 'Something has happened',
  example: { writer: 1, nth: 1 },
  since: '2026-11',
});

export interface EventsBench {
  readonly db: Kysely<DB>;
  readonly events: Events;
  readonly presence: Pick<Liveness, 'query'>;
  readonly url: string;
}

/** A database and one process that moves its events, once it is started. */
export async function eventsBench(): Promise<EventsBench> {
  const database = await testDatabase();
  const { db, close } = openDatabase(database.url, { max: 40 });
  const log = createLog('silent');
  const presence = await holdLiveness(database.url, log);
  const events = createEventLog({ db, presence, log });
  atEnd(async () => {
    await events.close();
    await presence.close();
    await close();
    await database.close();
  });
  return { db, events, presence, url: database.url };
}

export interface Line {
  readonly position: number;
  readonly seq: number;
  readonly client_id: number;
  readonly object_id: string;
}

/** The whole log, in its order. */
export const wholeLog = (db: Kysely<DB>): Promise<Line[]> =>
  run<Line>(db, 'select position, seq, client_id, object_id from events.log order by position', []);
