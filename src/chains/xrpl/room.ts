import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { Connection } from './connection.ts';
import { readAccount, readLine } from './setup.ts';

/** What an address may get. */
export interface Room {
  /** So much USDC, in millionths. */
  readonly units: bigint;
  /** Its owner takes no payment without a destination tag: it is of many people, such as an exchange's. */
  readonly needsTag: boolean;
}

const LSF_REQUIRE_DEST_TAG = 0x0002_0000;

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
  const needsTag = (account.value.flags & LSF_REQUIRE_DEST_TAG) !== 0;
  return done(line.value && { units: line.value.limit - line.value.balance, needsTag });
}
