import pg from 'pg';

/**
 * A connection of the caller's own, for them to end. Its loss fails what is being asked on it, which
 * is all that they must know: reported without a listener it would end the process.
 */
export async function openClient(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
