import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { command } from '#test/command.ts';
import { harness } from '#test/harness.ts';

/** The operator's view: `npm run jobs` beside the running service, on its database. */
const h = await harness({ mock: false });
await h.drain();
const DATABASE_URL = h.kernel.pool.options.connectionString ?? '';

const jobs = (...words: string[]) => jobsWith({}, ...words);

async function jobsWith(settings: Readonly<Record<string, string>>, ...words: string[]) {
  return command(['scripts/jobs.ts', ...words], {
    ...process.env,
    DATABASE_URL,
    MOCK_MODE: 'false',
    LOG_LEVEL: 'silent',
    ...settings,
  });
}

test('npm run jobs lists unfinished work and ends with 0 while no person is needed', async () => {
  const { out, code } = await jobs('--json');
  expect(JSON.parse(out)).toMatchObject({ dead_letters: [], effects: [], inbox: [], stalled: [] });
  expect(code).toBe(0);
});

test('npm run jobs shows one item’s history, and ends with 1 for a person’s work', async () => {
  await run(
    h.db,
    `insert into inbox (source, id, event, stalled_at, last_error)
     values ('identity', 'e-1', '{"what":"unreadable"}', service_now(), 'nobody could')`,
    [],
  );
  const listed = await jobs('--json');
  expect(listed.code).toBe(1);
  expect(JSON.parse(listed.out)).toMatchObject({
    inbox: [{ source: 'identity', open: 1, stalled: 1 }],
    stalled: [{ what: 'inbox', id: 'e-1', error: 'nobody could' }],
  });
  const shown = await jobs('show', 'e-1');
  expect(JSON.parse(shown.out)).toMatchObject([
    { what: 'inbox', received: { source: 'identity', id: 'e-1', event: { what: 'unreadable' } } },
  ]);
  const unknown = await jobs('show', 'nothing-of-the-kind');
  expect(unknown).toMatchObject({ code: 1, err: 'Nothing is called nothing-of-the-kind.\n' });
});

test('npm run jobs prints its usage without a database', async () => {
  const nowhere = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
  const { out, code } = await jobsWith(nowhere, 'help');
  expect(out).toContain('redrive <queue>');
  expect(code).toBe(0);
  expect(await jobsWith(nowhere, 'show')).toMatchObject({ code: 1, out: '' });
});

test('npm run jobs prints its usage for an unknown argument', async () => {
  const { err, code } = await jobs('delete', 'everything');
  expect(err).toContain('Usage: npm run jobs');
  expect(code).toBe(1);
});
