import type { Records } from '#sandbox/records.ts';
import type { Output, SimulatedCardanoCheck } from './ledger-rules.ts';

/** The sandbox's name of it: of its records, and of its faults. */
export const PROVIDER = 'cardano';

/** Where a transaction is. */
export interface Place {
  readonly height: number;
  readonly time: number;
  readonly index: number;
}

export interface StoredTx {
  readonly hash: string;
  readonly slot: number;
  readonly height: number;
  /** Seconds since 1970. */
  readonly time: number;
  /** In its block, from 0 on. */
  readonly index?: number;
  readonly fee: string;
  readonly raw: string;
  readonly inputs: readonly { readonly txHash: string; readonly index: number }[];
  readonly outputs: readonly Output[];
  readonly interval?: SimulatedCardanoCheck['interval'];
  readonly minted?: Readonly<Record<string, string>>;
}
export interface StoredAddress {
  /** Unspent, oldest first. */
  readonly utxos: readonly {
    readonly txHash: string;
    readonly index: number;
    readonly amounts: Output['amounts'];
  }[];
}
export interface StoredAsset {
  readonly asset: string;
  readonly quantity: string;
  /** How often it was minted or burnt, and by which transaction first. */
  readonly times?: number;
  readonly first?: string;
}
export interface StoredMove {
  readonly asset: string;
  readonly hash: string;
  readonly height: number;
  readonly time: number;
  readonly index?: number;
  /** Minted, or with a minus burnt; absent where it only moved. */
  readonly minted?: string;
}
/** A transaction that moved something at an address. */
export interface StoredVisit extends Place {
  readonly address: string;
  readonly hash: string;
}

/** A transaction without its place in the chain. */
export type NewTx = Pick<StoredTx, 'hash' | 'fee' | 'raw' | 'inputs' | 'outputs'> &
  Partial<Pick<StoredTx, 'interval' | 'minted'>>;

const ROWS_MAX = 1000;

/** All records of a kind that hold that, the oldest first; `idOf` is the id under which one is kept. */
export async function allOldestFirst<T extends object>(
  records: Pick<Records, 'list'>,
  { kind, where, idOf }: { kind: string; where: object; idOf: (row: T) => string },
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const last = all.at(-1);
    const options = { limit: ROWS_MAX, where, ...(last && { before: idOf(last) }) };
    const rows = await records.list<T>(PROVIDER, kind, options);
    all.push(...rows);
    if (rows.length < ROWS_MAX) return all.reverse();
  }
}
