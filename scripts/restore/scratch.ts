import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openClient } from '../../src/kernel/db/client.ts';

/** A database of the check's own, for as long as it takes. */
export interface Scratch {
  readonly url: string;
  /** Drops it, and ends the server if that was made for it. */
  close(): Promise<void>;
}

/**
 * Creates one under a name of its own, on that server or on one that is started for it, so that no existing database can
 * be mistaken for it. A server that the service uses is refused.
 */
export async function makeScratch(server: string | undefined): Promise<Scratch> {
  if (server !== undefined) return madeOn(server);
  const dir = await mkdtemp(join(tmpdir(), 'archipay-restore-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  try {
    // Not in a production image, which names a server.
    const { startEmbedded } = await import('../../embedded/embedded.ts');
    const embedded = await startEmbedded({ dir, durable: false });
    const scratch = await madeOn(embedded.adminUrl);
    const close = async () => {
      await embedded.stop();
      await remove();
    };
    return { url: scratch.url, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function madeOn(server: string): Promise<Scratch> {
  const name = `archipay_restore_${randomBytes(6).toString('hex')}`;
  await withClient(server, async (client) => {
    await refuseService(client);
    await client.query(`create database ${name} template template0`);
  });
  const address = new URL(server);
  address.pathname = `/${name}`;
  return {
    url: address.href,
    close: () =>
      withClient(server, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/** It would share its disk and processor with payments. */
async function refuseService(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where application_name like 'archipay%' limit 1`,
  );
  if (rowCount !== 0)
    throw new Error(
      'The service is at work on the server of --scratch: give another one, which may be thrown away',
    );
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient({ connectionString: url, application_name: 'restore check' });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
