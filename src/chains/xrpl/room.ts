import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { Connection } from './connection.ts';
import { readAccount, readLine } from './setup.ts';

/** How much USDC an address may still get, in millionths. */
export interface Room {
  readonly units: bigint;
}

/** Nothing where there is no account, or no trust line. */
export async function readRoom(
  connection: Connection,
  address: string,
  issuer: string,
): Promise<Outcome<Room | undefined>> {
  const account = await readAccount(connection, address);
  if (account.kind !== 'done') return account;
  if (account.value === undefined) return done(undefined);
  const line = await readLine(connection, address, issuer);
  if (line.kind !== 'done') return line;
  return done(line.value && { units: line.value.limit - line.value.balance });
}
