import pg from 'pg';

/** A session that keeps no process alive. It ends with the server; what is asked then fails by itself. */
export async function lastingSession(url: string, ended: () => void): Promise<pg.Client> {
  const client: pg.Client & { unref?(): void } = new pg.Client({ connectionString: url });
  client.on('error', ended);
  await client.connect();
  client.unref?.();
  return client;
}
