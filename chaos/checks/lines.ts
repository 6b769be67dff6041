import { listOf, numberOf, textOf } from '../clients/answer.ts';
import type { Call } from '../clients/cast.ts';

/** A line of a wallet's statement that moved money. */
export interface Line {
  readonly type: string;
  /** Signed, as the statement has it. */
  readonly amount: string;
  readonly reference: string;
}

/** A wallet of a run has some dozens of lines. */
const LINES = 100;

/** The movements of a user's wallet in that currency; empty without such a wallet. */
export async function linesIn(
  api: Call,
  { user_id, token }: { readonly user_id: number; readonly token: string },
  currency: string,
): Promise<Line[]> {
  const get = (path: string) => api(`GET /wallets/fiat/${path}`, { token });
  const wallets = listOf(await get(String(user_id)), 'data.wallets');
  const wallet = wallets.find((one) => textOf(one, 'currency') === currency);
  if (wallet === undefined) return [];
  const path = `${numberOf(wallet, 'wallet_id')}/transactions?limit=${LINES}`;
  const lines = listOf(await get(path), 'data.transactions').map((line) => ({
    type: textOf(line, 'type'),
    amount: textOf(line, 'amount'),
    reference: textOf(line, 'reference'),
  }));
  return lines.filter(({ amount }) => Number(amount) !== 0);
}
