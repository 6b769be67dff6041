import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { openClient } from '#kernel/db/client.ts';

export const SUPERUSER = 'postgres';
const APPLICATION = 'archipay';
const WRONG_PASSWORD = '28P01';

/** Two, because a stolen application password must not allow running programs on the server. */
export interface EmbeddedPasswords {
  readonly application: string;
  readonly superuser: string;
}

/** The passwords kept in `dir`, created if missing. */
export async function passwordsIn(dir: string): Promise<EmbeddedPasswords> {
  return {
    application: await keptIn(join(dir, 'password')),
    superuser: await keptIn(join(dir, 'superuser-password')),
  };
}

async function keptIn(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (known !== '') return known;
  const password = randomBytes(24).toString('hex');
  const file = await open(path, 'w', 0o600);
  await file.writeFile(password);
  await file.sync();
  await file.close();
  return password;
}

/** The addresses of the server on that port: as the application, and as its superuser. */
export const urlsAt = (port: number, { application, superuser }: EmbeddedPasswords) => ({
  url: urlOf(APPLICATION, application, port, APPLICATION),
  adminUrl: urlOf(SUPERUSER, superuser, port, SUPERUSER),
});

/** Gives the superuser its own password if a former version gave both roles the same. */
export async function admit(
  port: number,
  { application, superuser }: EmbeddedPasswords,
): Promise<void> {
  const own = urlOf(SUPERUSER, superuser, port, SUPERUSER);
  const refused = await connected(own, async () => undefined).catch((error) => error);
  if (refused?.code !== WRONG_PASSWORD) return;
  await connected(urlOf(SUPERUSER, application, port, SUPERUSER), (client) =>
    client.query(`alter role ${SUPERUSER} password ${client.escapeLiteral(superuser)}`),
  );
}

/**
 * The application's own role and database. Checked at every start: the first may have been interrupted,
 * and former versions gave the role more rights than it needs.
 */
export async function provide(adminUrl: string, { application }: EmbeddedPasswords): Promise<void> {
  await connected(adminUrl, async (client) => {
    const role = await client.query('select from pg_roles where rolname = $1', [APPLICATION]);
    if (role.rowCount === 0) await client.query(`create role ${APPLICATION}`);
    await client.query(
      `alter role ${APPLICATION} with login nosuperuser nocreatedb nocreaterole noreplication
       nobypassrls password ${client.escapeLiteral(application)}`,
    );
    const database = await client.query('select from pg_database where datname = $1', [
      APPLICATION,
    ]);
    if (database.rowCount === 0)
      await client.query(`create database ${APPLICATION} owner ${APPLICATION}`);
  });
}

function urlOf(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient({ connectionString: url, ssl: false });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
