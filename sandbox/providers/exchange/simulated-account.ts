import type { Records } from '#sandbox/records.ts';

export const SIMULATED_EXCHANGE_PROVIDER = 'exchange';
export const PREFIX = '/exchange';

const ACCOUNT = 'account';
const OURS = 'ours';

/** Units as text: 1/100 rupiah and 1/1,000,000 USDC. */
interface Account {
  readonly idr: string;
  readonly usdc: string;
}

export interface SimulatedExchangeMove {
  readonly idr?: bigint;
  readonly usdc?: bigint;
}

export async function simulatedExchangeAccountOf(
  records: Records,
): Promise<Required<SimulatedExchangeMove>> {
  const kept = await records.get<Account>(SIMULATED_EXCHANGE_PROVIDER, ACCOUNT, OURS);
  return { idr: BigInt(kept?.idr ?? 0), usdc: BigInt(kept?.usdc ?? 0) };
}

/** False where there is not enough: then nothing has moved. */
export async function moveSimulatedBalance(
  records: Records,
  by: SimulatedExchangeMove,
): Promise<boolean> {
  await records.insert(SIMULATED_EXCHANGE_PROVIDER, ACCOUNT, OURS, {
    idr: '0',
    usdc: '0',
  } satisfies Account);
  const moved = await records.update<Account>(
    SIMULATED_EXCHANGE_PROVIDER,
    ACCOUNT,
    OURS,
    (kept) => {
      const idr = BigInt(kept.idr) + (by.idr ?? 0n);
      const usdc = BigInt(kept.usdc) + (by.usdc ?? 0n);
      return idr < 0n || usdc < 0n ? undefined : { idr: `${idr}`, usdc: `${usdc}` };
    },
  );
  return moved !== undefined;
}

const PAGE = 1000;

/** Those that began since then, oldest first, at most `limit`. */
export async function listedSince<T extends { readonly at: number; readonly id: string }>(
  records: Records,
  kind: string,
  since: number,
  limit: number,
): Promise<T[]> {
  const found: T[] = [];
  for (let before: string | undefined; ; ) {
    const page = await records.list<T>(SIMULATED_EXCHANGE_PROVIDER, kind, {
      limit: PAGE,
      ...(before && { before }),
    });
    const inTime = page.filter(({ at }) => at >= since);
    found.push(...inTime);
    before = page.at(-1)?.id;
    if (page.length < PAGE || inTime.length < page.length) break;
  }
  return found.reverse().slice(0, limit);
}
