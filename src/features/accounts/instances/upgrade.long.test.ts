// Long: a database of older versions is migrated.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { migrate } from '#kernel/db/migrate.ts';
import { databaseBefore } from '#test/old-database.ts';
import { insertInstance } from './store.ts';

test('instances that look alike all stay, and no further one of that name is added', async () => {
  const { db, url } = await databaseBefore('names_that_look_alike.sql');
  await run(
    db,
    `insert into clients (client_id, client_code, email, client_alias, client_type, country_code,
       phone, ekyc_status, ekyb_status)
     values (1, 'CL-202603-0001', 'x@example.test', 'x', 'BUSINESS', 'SG', '+651', 'PENDING',
       'PENDING')`,
    [],
  );
  const names = ['Prod', 'Prod ', 'prod', 'Prod\u200b', 'Pröd', 'Pro\u0308d', '\u200b', '\u3164'];
  for (const name of names)
    await run(db, 'insert into instances (client_id, instance_name) values (1, $1)', [name]);
  await migrate(url);
  const rows = await db
    .selectFrom('instances')
    .select(['instance_name', 'folded_name'])
    .orderBy('instance_id')
    .execute();
  expect(rows.map(({ instance_name }) => instance_name)).toEqual(names);
  expect(rows.map(({ folded_name }) => folded_name)).toEqual([
    ...['prod', 'prod\n2', 'prod\n3', 'prod\n4', 'pröd', 'pröd\n6', '', '\n8'],
  ]);
  for (const same of ['Prod', 'PROD', 'Pröd', 'PRÖD'])
    expect(await insertInstance(db, 1, same), same).toBeUndefined();
  expect(await insertInstance(db, 1, 'Prod 2')).toMatchObject({ instance_name: 'Prod 2' });
});
