import type { AddressInfo } from 'node:net';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { createLog } from '#kernel/log.ts';
import { createApp } from '#src/app/app.ts';
import { DEMO, seed } from '#src/app/seed.ts';
import { loadSecrets } from '#src/app/start/secrets-file.ts';
import { makePeople } from './people.ts';
import { listening, setting } from './serve.ts';

/** The service itself in mock mode, with a log-in of its demo user; the first one also makes people. */
const config = loadConfig(process.env);
const app = await createApp({
  config,
  secrets: await loadSecrets(config),
  databaseUrl: setting('DATABASE_URL'),
  clock: createClock(),
  log: createLog(config.LOG_LEVEL),
});
const { db, sessions } = app.kernel;
await seed(app.kernel, app.features.afterUser);
await app.start();
const { user_id } = await db
  .selectFrom('users')
  .select('user_id')
  .where('email', '=', DEMO.user.email)
  .executeTakeFirstOrThrow();
const { token } = await sessions.open(db, { user_id, method: 'password' });
const { port } = app.server.server.address() as AddressInfo;
const people = process.argv.includes('people') ? await makePeople(app.kernel) : [];
listening({ port, token, user_id, people }, () => app.close());
