import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase, run } from '#kernel/db/db.ts';
import { testDatabase } from '#test/database.ts';
import { forgetSessions } from './sessions.ts';

test('a session that has lapsed is forgotten without a word to anybody; one that is good is not', async () => {
  const database = await testDatabase();
  const { db, close } = openDatabase(database.url);
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  try {
    const [member] = await run<{ userx_id: number }>(
      db,
      "insert into userx (phonex, usernamex) values ('+6281100', 'm') returning userx_id",
      [],
    );
    const open = async (expires_at: string): Promise<string> => {
      const session_id = randomUUID();
      const text = `insert into sessions (session_id, userx_id, method, expires_at)
        values ($1, $2, 'password', $3)`;
      await run(db, text, [session_id, member?.userx_id, expires_at]);
      return session_id;
    };
    await open('2020-01-01');
    const good = await open('9999-01-01');
    const first = new Promise<string>((heard) => {
      listener.once('notification', ({ payload = '' }) => heard(payload));
    });
    await listener.query('listen identity');
    await forgetSessions(db, '2021-01-01');
    const left = await run<{ session_id: string }>(db, 'select session_id from sessions', []);
    expect(left).toEqual([{ session_id: good }]);
    await run(db, 'delete from sessions where session_id = $1', [good]);
    expect(await first).toBe(`session:${good}`);
  } finally {
    await listener.end();
    await close();
    await database.close();
  }
});
